//! The project file `whetstone.toml`: the nearest one from a folder up to the root of its
//! repository.
//!
//! One file serves all tools; each reads the section that has its name and refuses keys it does not
//! know. A value on the command line or in the environment wins over the file, and the file wins
//! over the built-in default. Keys are spelled like flags, with dashes. Every complaint names the
//! file, the line and the key.

use std::{
    ops::Range,
    path::{Path, PathBuf},
};

use serde::de::DeserializeOwned;
use toml::{
    Spanned,
    de::{DeTable, DeValue, ValueDeserializer},
};

use crate::{Failure, failure::OrUnable};

/// What the file is called.
pub const NAME: &str = "whetstone.toml";
const SECTIONS: [&str; 5] = ["bench-guard", "openbench", "settings", "sprt", "tuner"];

/// A project file that was found, or none.
#[derive(Debug, Clone, Default)]
pub struct Config {
    path: PathBuf,
    text: String,
}

impl Config {
    /// Looks in `folder` and its parents, not further than the root of the repository that holds
    /// `folder`.
    pub fn find(folder: &Path) -> Result<Self, Failure> {
        for folder in folder.ancestors() {
            let path = folder.join(NAME);
            if path.is_file() {
                return Self::read(&path);
            }
            if folder.join(".git").exists() {
                break;
            }
        }
        Ok(Self::default())
    }

    fn read(path: &Path) -> Result<Self, Failure> {
        let text =
            std::fs::read_to_string(path).or_unable(format_args!("read `{}`", path.display()))?;
        Self::of_text(path, text)
    }

    /// The project file with this content, wherever it comes from; complaints call it `path`.
    pub fn of_text(path: &Path, text: String) -> Result<Self, Failure> {
        Self::parse(path, text, &SECTIONS)
    }

    /// Whether another file has the same content in this section, or lacks it too.
    pub fn agrees(&self, other: &Self, section: &str) -> bool {
        let read = |config: &Self| -> Option<toml::Value> {
            let mut table: toml::Table = config.text.parse().ok()?;
            table.remove(section)
        };
        self.text == other.text || read(self) == read(other)
    }

    /// Whether there is this section.
    pub fn has(&self, section: &str) -> bool {
        self.root()
            .is_ok_and(|root| root.get_ref().contains_key(section))
    }

    /// Any other file in the same form, which may have these `sections`.
    ///
    /// # Errors
    /// It is not TOML, or has another section.
    pub fn parse(path: &Path, text: String, sections: &[&str]) -> Result<Self, Failure> {
        let config = Self {
            path: path.to_owned(),
            text,
        };
        let root = config.root()?;
        if let Some(name) = root
            .get_ref()
            .keys()
            .find(|name| !sections.contains(&name.get_ref().as_ref()))
        {
            return Err(config
                .wrong(
                    Some(name.span()),
                    &format!("unknown section `{}`", name.get_ref()),
                )
                .hint(format!("known sections are {}", sections.join(", "))));
        }
        for (_, section) in root.get_ref() {
            config.check_spelling(section)?;
        }
        Ok(config)
    }

    /// Keys are spelled like flags, with dashes; another spelling is reported, not passed over.
    fn check_spelling(&self, value: &Spanned<DeValue<'_>>) -> Result<(), Failure> {
        let Some(table) = value.get_ref().as_table() else {
            return Ok(());
        };
        for (key, value) in table {
            let name: &str = key.get_ref();
            if name.contains('_') {
                let right = name.replace('_', "-");
                return Err(self
                    .wrong(Some(key.span()), &format!("unknown key `{name}`"))
                    .hint(format!("keys are spelled with dashes: `{right}`")));
            }
            self.check_spelling(value)?;
        }
        Ok(())
    }

    /// Makes sure that a section, or each of several of that name, has only keys that are known.
    ///
    /// # Errors
    /// The first unknown key, with its line.
    pub fn check_keys(&self, name: &str, known: &[&str]) -> Result<(), Failure> {
        let root = self.root()?;
        let Some(section) = root.get_ref().get(name) else {
            return Ok(());
        };
        let several: &[_] = match section.get_ref() {
            DeValue::Array(several) => several,
            _ => std::slice::from_ref(section),
        };
        let tables = several.iter().filter_map(|one| one.get_ref().as_table());
        match tables
            .flat_map(DeTable::keys)
            .find(|key| !known.contains(&key.get_ref().as_ref()))
        {
            Some(key) => {
                let what = format!("unknown key `{}` in section [{name}]", key.get_ref());
                let hint = format!("known keys are {}", known.join(", "));
                Err(self.wrong(Some(key.span()), &what).hint(hint))
            }
            None => Ok(()),
        }
    }

    /// Where each of several sections of a name begins: `FILE, line 7`.
    pub fn places(&self, name: &str) -> Vec<String> {
        let root = self.root();
        let several = root.iter().filter_map(|root| root.get_ref().get(name));
        several
            .filter_map(|section| section.get_ref().as_array())
            .flat_map(|several| several.iter())
            .map(|one| format!("`{}`{}", self.path.display(), self.line(&one.span())))
            .collect()
    }

    fn root(&self) -> Result<Spanned<DeTable<'_>>, Failure> {
        DeTable::parse(&self.text).map_err(|error| {
            self.wrong(
                error.span(),
                &format!("this is not valid TOML: {}", error.message()),
            )
        })
    }

    /// What a relative path in the file starts from; the current folder where there is no file.
    pub fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new(""))
    }

    /// The section of one tool; its defaults where there is none.
    pub fn section<T: DeserializeOwned + Default>(&self, name: &str) -> Result<T, Failure> {
        let mut root = self.root()?.into_inner();
        let Some(value) = root.remove(name) else {
            return Ok(T::default());
        };
        let keys = keys_at(&value, name);
        T::deserialize(ValueDeserializer::from(value)).map_err(|error| {
            let key = error.span().and_then(|span| {
                // The innermost of the tables that hold the place comes last.
                let holds =
                    |value: &Range<usize>| value.start <= span.start && span.end <= value.end;
                let key = keys.iter().rfind(|(_, value)| holds(value));
                key.map(|(key, _)| key.as_str())
            });
            let place = match key {
                Some(key) => format!("`{key}` in section [{name}]"),
                None => format!("section [{name}]"),
            };
            self.wrong(error.span(), &format!("{place}: {}", error.message()))
        })
    }

    /// A complaint about a key of a section, with its line: `what` and the key.
    pub fn wrong_key(&self, section: &str, key: &str, what: &str) -> Failure {
        let span = self.root().ok().and_then(|root| {
            let table = root.get_ref().get(section)?.get_ref().as_table()?;
            let (key, _) = table.get_key_value(key)?;
            Some(key.span())
        });
        self.wrong(span, &format!("section [{section}]: {what} `{key}`"))
    }

    /// A complaint about a place in the file.
    fn wrong(&self, span: Option<Range<usize>>, what: &str) -> Failure {
        let line = span.map_or_else(String::new, |span| self.line(&span));
        Failure::unable(format!("`{}`{line}: {what}", self.path.display()))
    }

    fn line(&self, span: &Range<usize>) -> String {
        let before = self.text.get(..span.start).unwrap_or_default();
        format!(", line {}", before.matches('\n').count() + 1)
    }
}

/// Every key below a value, dotted, with the place of its value.
fn keys_at(value: &Spanned<DeValue<'_>>, section: &str) -> Vec<(String, Range<usize>)> {
    let mut keys = Vec::new();
    let Some(table) = value.get_ref().as_table() else {
        return vec![(section.to_owned(), value.span())];
    };
    for (key, value) in table {
        let name = key.get_ref().to_string();
        keys.push((name.clone(), value.span()));
        if value.get_ref().as_table().is_some() {
            let inner = keys_at(value, section).into_iter();
            keys.extend(inner.map(|(key, place)| (format!("{name}.{key}"), place)));
        }
    }
    keys
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(serde::Deserialize, Default, Debug, PartialEq)]
    #[serde(default, deny_unknown_fields)]
    struct Section {
        runs: u32,
    }

    fn config(text: &str) -> Result<Config, Failure> {
        let folder = tempfile::tempdir().expect("a temporary folder");
        std::fs::write(folder.path().join(NAME), text).expect("a file");
        std::fs::create_dir_all(folder.path().join("a/b")).expect("folders");
        Config::find(&folder.path().join("a/b"))
    }

    #[test]
    fn the_nearest_file_upward_is_read() {
        let config = config("[bench-guard]\nruns = 3\n").expect("a config");
        assert_eq!(
            config.section::<Section>("bench-guard"),
            Ok(Section { runs: 3 })
        );
        assert_eq!(config.section::<Section>("sprt"), Ok(Section { runs: 0 }));
        assert!(!config.folder().ends_with("b"));
        assert_eq!(Config::default().folder(), Path::new(""));
    }

    #[test]
    fn unknown_keys_and_sections_are_refused_by_name() {
        let failure =
            config("[sprt]\nrunz = 3\n").and_then(|config| config.section::<Section>("sprt"));
        assert!(failure.expect_err("unknown key").message().contains("runz"));
        assert!(
            config("[spr]\n")
                .expect_err("unknown section")
                .message()
                .contains("`spr`")
        );
    }

    #[test]
    fn a_value_of_the_wrong_type_is_reported_with_its_line() {
        let failure = config("# one\n\n[sprt]\nruns = 'many'\n")
            .and_then(|config| config.section::<Section>("sprt"))
            .expect_err("a wrong type");
        let message = failure.message();
        assert!(message.contains("whetstone.toml`, line 4"), "{message}");
        assert!(message.contains("`runs` in section [sprt]"), "{message}");
        let failure = config("[sprt]\nruns = = 1\n").expect_err("no TOML");
        assert!(failure.message().contains("line 2"), "{failure}");
    }

    #[test]
    fn a_key_is_complained_about_with_its_line() {
        let config = config("[sprt]\n\nhash = 3\n").expect("a config");
        let failure = config.wrong_key("sprt", "hash", "unknown key");
        let message = failure.message();
        assert!(
            message.ends_with("line 3: section [sprt]: unknown key `hash`"),
            "{message}"
        );
    }

    #[test]
    fn the_right_spelling_of_a_key_with_underscores_is_named() {
        let failure = config("[sprt]\n\nmax_games = 3\n").expect_err("another spelling");
        assert!(failure.message().contains("line 3"), "{failure}");
        assert!(
            failure
                .to_string()
                .contains("hint: keys are spelled with dashes: `max-games`")
        );
    }
}
