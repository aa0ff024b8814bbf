//! What the record of a game says of the settings of an engine.

use std::collections::BTreeMap;
use std::path::Path;

use crate::plan::option_files;

/// Tags of each engine by its name in the match; a tag is named without the colour before it.
#[derive(Clone, Debug, Default)]
pub struct EngineTags(BTreeMap<String, Vec<Tag>>);

/// Name and value.
pub(super) type Tag = (&'static str, String);

impl EngineTags {
    /// The options that an engine was set, and digests of the files that they name. `folder` is
    /// where the engine runs.
    pub fn add(&mut self, engine: &str, options: &[(String, String)], folder: Option<&Path>) {
        let files = option_files(options, folder);
        let tags = [("Options", list(options)), ("Digests", list(&files))];
        let tags = tags.into_iter().filter(|(_, value)| !value.is_empty());
        self.0.insert(engine.to_owned(), tags.collect());
    }

    pub(super) fn of(&self, engine: &str) -> &[Tag] {
        self.0.get(engine).map_or(&[], Vec::as_slice)
    }
}

/// `Hash=16; Move Overhead=10`: names and values have blanks.
fn list(pairs: &[(String, String)]) -> String {
    let words = pairs.iter().map(|(name, value)| format!("{name}={value}"));
    words.collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use foundation::digest;

    use super::*;

    #[test]
    fn a_file_that_an_option_names_is_known_by_its_digest() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["net.bin", "1"] {
            std::fs::write(folder.path().join(name), "abc").expect("written");
        }
        let options = [
            ("Threads", "1"),
            ("Move Overhead", "10"),
            ("EvalFile", "net.bin"),
            ("SyzygyPath", "."),
        ];
        let options = options.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let mut tags = EngineTags::default();
        tags.add("new", &options, Some(folder.path()));
        tags.add("base", &[], None);
        let set = "Threads=1; Move Overhead=10; EvalFile=net.bin; SyzygyPath=.";
        let digest = format!("EvalFile={}", digest::of_bytes(b"abc"));
        assert_eq!(
            tags.of("new"),
            [("Options", set.to_owned()), ("Digests", digest)]
        );
        assert!(tags.of("base").is_empty() && tags.of("other").is_empty());
    }
}
