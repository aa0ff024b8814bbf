//! Several engines in one repository: `[bench-guard]` is the main one, whose bench OpenBench reads,
//! `[bench-guard.engine.NAME]` each other one.

use std::{collections::BTreeMap, path::Path};

use super::{Settings, engine::EngineSettings, pattern::PathPatterns};
use crate::repository::Repository;
use foundation::{Failure, failure::OrUnable};

impl Settings {
    /// The settings of each engine, the main one first.
    pub(crate) fn engines(&self) -> Vec<Self> {
        let mut engines = vec![self.clone()];
        engines.extend(
            self.engine
                .iter()
                .map(|(name, engine)| self.of_engine(name, engine)),
        );
        engines
    }

    /// Those of one engine.
    ///
    /// # Errors
    /// There is no engine of this name.
    pub(crate) fn engine_named(&self, name: &str) -> Result<Self, Failure> {
        if let Some(engine) = self.engine.get(name) {
            return Ok(self.of_engine(name, engine));
        }
        let names: Vec<&str> = self.engine.keys().map(String::as_str).collect();
        let hint = if names.is_empty() {
            "whetstone.toml has no section `[bench-guard.engine.NAME]`".to_owned()
        } else {
            let names = names.join(", ");
            format!("whetstone.toml has {names}; without a name it is the main one")
        };
        Err(Failure::unable(format!("no engine is called `{name}`")).hint(hint))
    }

    /// The settings of the engine that `folder` belongs to, and its repository.
    ///
    /// # Errors
    /// There is no such folder or no repository, or the project file makes no sense.
    pub fn of_folder(folder: &Path) -> Result<(Self, Repository), Failure> {
        // A relative name does not have the folders above.
        let whole = folder
            .canonicalize()
            .or_unable(format_args!("find out where `{}` is", folder.display()))?;
        let settings = Self::find(&whole)?;
        let engine = settings.engine_in(&Repository::discover(&whole)?.place_of(&whole)?);
        let repository = engine.repository(&whole)?;
        Ok((engine, repository))
    }

    /// Those of the engine that a folder, relative to the root of the repository, belongs to: the one
    /// whose own folder is the nearest above it, or else the main one.
    #[must_use]
    pub fn engine_in(&self, folder: &Path) -> Self {
        let mut engines = self.engines();
        let depth = |engine: &Self| {
            let own = Path::new(&engine.folder);
            folder.starts_with(own).then(|| own.components().count())
        };
        // The main engine also has what is in nobody's folder.
        let nearest = (1..engines.len())
            .filter(|index| depth(&engines[*index]).is_some())
            .max_by_key(|index| depth(&engines[*index]));
        engines.swap_remove(nearest.unwrap_or(0))
    }

    /// The name of the engine, where it is not the main one.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Whether its repository has no other engine.
    pub fn is_only(&self) -> bool {
        self.name.is_none() && self.engine.is_empty()
    }

    /// Whether its paths are all in its folder, and go with it.
    pub(crate) fn follows_folder(&self) -> bool {
        self.name.is_some() && Some(&self.paths) == all_in(&self.folder).as_ref()
    }

    /// The same in another folder.
    pub(super) fn moved_to(self, folder: String) -> Self {
        if !self.follows_folder() || folder == self.folder {
            return Self { folder, ..self };
        }
        Self {
            paths: all_in(&folder).unwrap_or(self.paths),
            ignore: self.ignore.outside(&folder),
            folder,
            ..self
        }
    }

    pub(super) fn of_engine(&self, name: &str, engine: &EngineSettings) -> Self {
        let own = engine.clone();
        let paths = own.paths.clone().or_else(|| all_in(&own.folder));
        Self {
            name: Some(name.to_owned()),
            build: own.build.unwrap_or_else(|| self.build.clone()),
            bench: own.bench.unwrap_or_else(|| self.bench.clone()),
            build_limit: own.build_limit.unwrap_or(self.build_limit),
            bench_limit: own.bench_limit.unwrap_or(self.bench_limit),
            environment: own.environment.unwrap_or_else(|| self.environment.clone()),
            paths: paths.unwrap_or_else(|| self.paths.clone()),
            // The main engine ignores the folders of the others.
            ignore: own
                .ignore
                .unwrap_or_else(|| self.ignore.outside(&own.folder)),
            folder: own.folder,
            engine: BTreeMap::new(),
            ..self.clone()
        }
    }
}

fn all_in(folder: &str) -> Option<PathPatterns> {
    PathPatterns::new(vec![format!("{}/**", folder.trim_end_matches('/'))]).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO: &str = "
        build-limit = 100.0
        [engine.leiserchess]
        folder = 'engine/leiserchess'
        bench = ['bench', '5']
    ";

    fn settings(text: &str) -> Settings {
        toml::from_str(text).expect(text)
    }

    #[test]
    fn an_engine_has_what_it_says_and_else_what_the_main_one_has() {
        let main = settings(TWO);
        let other = main.engine_named("leiserchess").expect("there");
        assert_eq!(other.name(), Some("leiserchess"));
        assert_eq!((other.bench.len(), other.build_limit), (2, 100.0));
        assert!(other.concerns("engine/leiserchess/src/main.rs"));
        assert!(!other.concerns("engine/leiserchess/README.md"));
        assert!(!other.concerns("engine/src/main.rs"));
        assert!(main.engine_named("leiser").is_err());
    }

    #[test]
    fn what_the_main_engine_ignores_of_another_is_not_ignored_by_that() {
        let main = settings(
            "ignore = ['eng/b/**', 'eng/b/search.c', 'eng/*/**', 'eng/b*/notes', '**/*.md', 'eng/bee/**']
             [engine.b]\nfolder = 'eng/b/'\n[engine.own]\nfolder = 'eng/b'\nignore = ['eng/b/**']",
        );
        let other = main.engine_named("b").expect("there");
        assert!(other.concerns("eng/b/search.c") && other.concerns("eng/b/deep/a.c"));
        assert!(!other.concerns("eng/b/README.md") && !other.concerns("eng/b/notes"));
        assert!(!main.concerns("eng/b/search.c"));
        assert!(
            !main
                .engine_named("own")
                .expect("there")
                .concerns("eng/b/search.c")
        );
    }

    #[test]
    fn the_nearest_folder_above_tells_the_engine() {
        let main = settings(&format!("folder = 'engine'\n{TWO}"));
        for (folder, name) in [
            ("", None),
            ("sprt", None),
            ("engine", None),
            ("engine/leiserchess", Some("leiserchess")),
            ("engine/leiserchess/src", Some("leiserchess")),
            ("engine/leiser", None),
        ] {
            assert_eq!(main.engine_in(Path::new(folder)).name(), name, "{folder}");
        }
    }

    #[test]
    fn a_name_or_folder_that_makes_no_sense_is_refused() {
        for (text, word) in [
            ("[engine.mybench]\nfolder = 'x'", "mybench"),
            ("[engine.a]\nfolder = ''", "folder"),
            ("[engine.a]\nfolder = '../x'", "folder"),
            (
                "[engine.a]\nfolder = 'x'\nbench = []",
                "`bench` in section [bench-guard.engine.a]",
            ),
            (
                "bench = []\n[engine.a]\nfolder = 'x'",
                "`bench` in section [bench-guard]",
            ),
        ] {
            let failure = settings(text).checked().expect_err(text).to_string();
            assert!(failure.contains(word), "{text}: {failure}");
        }
    }
}
