//! The project file `whetstone.toml`: the nearest one from a folder up to the root of its repository.
//!
//! One file serves all tools; each reads the section that has its name and refuses keys it does not know. A value on the
//! command line or in the environment wins over the file, and the file wins over the built-in default.

use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

use crate::{Failure, failure::OrUnable};

const NAME: &str = "whetstone.toml";
const SECTIONS: [&str; 4] = ["bench-guard", "openbench", "sprt", "tuner"];

/// A project file that was found, or none.
#[derive(Debug, Clone, Default)]
pub struct Config {
    path: PathBuf,
    table: toml::Table,
}

impl Config {
    /// Looks in `folder` and its parents, not further than the root of the repository that holds `folder`.
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
        let table: toml::Table = toml::from_str(&text).map_err(|error| {
            Failure::unable(format!("`{}` is not valid TOML: {error}", path.display()))
        })?;
        if let Some(name) = table.keys().find(|name| !SECTIONS.contains(&name.as_str())) {
            return Err(Failure::unable(format!(
                "`{}` has an unknown section `{name}`",
                path.display()
            ))
            .hint(format!("known sections are {}", SECTIONS.join(", "))));
        }
        Ok(Self {
            path: path.to_owned(),
            table,
        })
    }

    /// What a relative path in the file starts from; the current folder where there is no file.
    pub fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new(""))
    }

    /// The section of one tool; its defaults where there is none.
    pub fn section<T: DeserializeOwned + Default>(&self, name: &str) -> Result<T, Failure> {
        match self.table.get(name) {
            None => Ok(T::default()),
            Some(value) => value.clone().try_into().map_err(|error| {
                Failure::unable(format!(
                    "`{}`, section [{name}]: {error}",
                    self.path.display()
                ))
            }),
        }
    }
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
}
