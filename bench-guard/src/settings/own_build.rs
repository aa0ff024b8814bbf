//! How a commit says that it is built: `folder`, `build` and `bench` of its own `whetstone.toml`. What a
//! commit owes is not read from there; but an engine whose paths are all in its folder takes them along.

use std::{collections::BTreeMap, path::Path};

use serde::Deserialize;

use super::Settings;
use crate::{
    build::with_words,
    repository::{Repository, Revision},
};
use foundation::{
    Failure,
    config::{self, Config},
    failure::OrUnable,
};

const SECTION: &str = "bench-guard";

/// The keys that say so. Other keys may be those of another release.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct OwnBuild {
    folder: Option<String>,
    build: Option<String>,
    bench: Option<Vec<String>>,
    engine: BTreeMap<String, OwnBuild>,
}

impl Settings {
    /// These settings with the build of a revision that has a section of its own: a commit that
    /// renames the build script is built in its own way, and its parent in another. Without such a
    /// section, or where it makes no sense, these settings tell how to build, too.
    ///
    /// # Errors
    /// git cannot read the revision.
    pub(crate) fn as_of(
        &self,
        repository: &Repository,
        revision: &Revision,
    ) -> Result<Self, Failure> {
        let folder = std::env::current_dir().or_unable("find the current folder")?;
        self.as_of_in(&folder, repository, revision)
    }

    /// The same for settings that were found in `folder`.
    ///
    /// # Errors
    /// git cannot read the revision.
    pub fn as_of_in(
        &self,
        folder: &Path,
        repository: &Repository,
        revision: &Revision,
    ) -> Result<Self, Failure> {
        for folder in repository.place_of(folder)?.ancestors() {
            let path = folder.join(config::NAME);
            if let Some(text) = repository.stored(revision, &path.to_string_lossy())? {
                return Ok(self.built_as(&path, text).unwrap_or_else(|| self.clone()));
            }
        }
        Ok(self.clone())
    }

    fn built_as(&self, path: &Path, text: String) -> Option<Self> {
        let config = Config::of_text(path, text).ok()?;
        if !config.has(SECTION) {
            return None;
        }
        let main: OwnBuild = config.section(SECTION).ok()?;
        let usual = Self::default();
        let main_build = main.build.unwrap_or(usual.build);
        let main_bench = main.bench.unwrap_or(usual.bench);
        let (folder, build, bench) = match &self.name {
            None => (main.folder.unwrap_or(usual.folder), main_build, main_bench),
            Some(name) => {
                let own = main.engine.into_iter().find(|(it, _)| it == name)?.1;
                let build = own.build.unwrap_or(main_build);
                (own.folder?, build, own.bench.unwrap_or(main_bench))
            }
        };
        let built = Self {
            build: if self.has_own_build {
                self.build.clone()
            } else {
                with_words(&build, &self.variables)
            },
            bench,
            ..self.clone().moved_to(folder)
        };
        built.check_values().ok()?;
        Some(built)
    }

    /// Whether two revisions say that they are built or benched in different ways.
    ///
    /// # Errors
    /// git cannot read them.
    pub(crate) fn build_differs(
        &self,
        repository: &Repository,
        before: &Revision,
        after: &Revision,
    ) -> Result<bool, Failure> {
        let [before, after] = [before, after].map(|it| self.as_of(repository, it));
        Ok(before? != after?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn built_as(settings: &Settings, text: &str) -> Option<(String, String)> {
        let built = settings.built_as(Path::new(config::NAME), text.to_owned())?;
        Some((built.folder, built.build))
    }

    fn settings(text: &str) -> Settings {
        toml::from_str(text).expect(text)
    }

    #[test]
    fn a_commit_says_how_it_is_built_and_nothing_else() {
        let rules = settings("build = 'old {exe}'\npaths = ['src/**']\nbench-limit = 5.0");
        let text = "[bench-guard]\nbuild = 'new {exe}'\npaths = ['none']\nbench-limit = 9.0\nlater-key = 1";
        let built = rules.built_as(Path::new(config::NAME), text.to_owned());
        let expected = Settings {
            build: "new {exe}".to_owned(),
            ..rules.clone()
        };
        assert_eq!(built, Some(expected));
        for unusable in [
            "[sprt]\n",
            "[bench-guard",
            "[bench-guard]\nbuild = 'no name'",
            "[bench-guard]\nbuild = 5",
            "[bench-guard]\nfolder = '../outside'",
        ] {
            assert_eq!(built_as(&rules, unusable), None, "{unusable}");
        }
    }

    #[test]
    fn each_engine_and_variant_has_its_own() {
        let rules = settings(
            "[engine.b]\nfolder = 'b'\n[[variant]]\nname = 'clang'\nvariables = { CC = 'clang' }
             [[variant]]\nname = 'own'\nbuild = 'own {exe}'",
        );
        let text = "[bench-guard]\nfolder = 'a'\nbuild = 'make new EXE={exe}'\n[bench-guard.engine.b]\nfolder = 'c'";
        let pair = |folder: &str, build: &str| Some((folder.to_owned(), build.to_owned()));
        let other = rules.engine_named("b").expect("there");
        assert_eq!(built_as(&other, text), pair("c", "make new EXE={exe}"));
        for folder in ["", "."] {
            let text = format!("[bench-guard.engine.b]\nfolder = '{folder}'");
            assert_eq!(built_as(&other, &text), None, "{folder}");
        }
        let variants = rules.variants(&["all".to_owned()]);
        let clang = pair("a", "make CC='clang' new EXE={exe}");
        let plain = pair("a", "make CC=clang new EXE={exe}");
        let found = built_as(&variants[0].1, text);
        assert!(found == clang || found == plain, "{found:?}");
        assert_eq!(built_as(&variants[1].1, text), pair("a", "own {exe}"));
    }
}
