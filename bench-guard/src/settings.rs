//! The section `[bench-guard]` of `whetstone.toml`: how an engine is built and benched, and which
//! commits need a bench.

mod engine;
mod engines;
mod own_build;
mod pattern;
mod proof;
mod variant;
mod variants;

use std::{collections::BTreeMap, path::Path, sync::LazyLock, time::Duration};

use schemars::JsonSchema;
use serde::Deserialize;

use crate::{
    bench::BenchSettings, build::BuildSettings, environment::Environment, repository::Repository,
};
use engine::{EngineSettings, check_name};
use foundation::{
    Failure,
    config::{self, Config},
};
use pattern::{NamePatterns, PathPatterns, is_special};
pub(crate) use proof::ProofSettings;
use variant::VariantSettings;

/// The section as it is written; every key has a default, so that an engine that OpenBench can
/// build needs no file.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Settings {
    /// The engine that is meant, where it is not the main one of its repository.
    #[serde(skip)]
    pub(crate) name: Option<String>,
    /// Where the Makefile is, relative to the root of the repository.
    pub(crate) folder: String,
    /// The build command, for `sh`: `{exe}` is the file name to make in `folder`, `{jobs}` how many
    /// may work at once.
    pub(crate) build: String,
    /// The words the binary is started with for its bench.
    pub(crate) bench: Vec<String>,
    /// Seconds a build may take.
    pub(crate) build_limit: f64,
    /// Seconds a bench may take; an OpenBench worker waits 60.
    pub(crate) bench_limit: f64,
    /// MiB a source tree may grow to while it is built.
    pub(crate) size_limit: u64,
    /// Hash sizes in MB with which the engine searches the same as with its own, for `check --repro`.
    pub(crate) hash_sizes: Vec<u32>,
    /// Benches run at once, as a worker does with its threads; all must agree. 0: one a core.
    pub(crate) runs: usize,
    /// Environment variables that builds and engines get beside those that compilers, toolchains
    /// and proxies need; `NAME*` stands for all names with that beginning. Variables that are named
    /// like a token or password never reach them.
    pub(crate) environment: Vec<String>,
    /// A commit that touches none of these paths needs no bench.
    #[schemars(with = "Vec<String>")]
    pub(crate) paths: PathPatterns,
    /// Paths taken out of `paths` again.
    #[schemars(with = "Vec<String>")]
    pub(crate) ignore: PathPatterns,
    /// Whether merges need a bench.
    pub(crate) merges: Need,
    /// Whether commits that git calls reverts need a bench.
    pub(crate) reverts: Need,
    /// Whether `fixup!`, `squash!`, `amend!` and work-in-progress commits need a bench, or are refused
    /// by `check` altogether.
    pub(crate) unfinished: Unfinished,
    /// Authors, as patterns for `Name <address>`, whose commits need no bench and may not move it;
    /// by default bots, and nobody where a proof is required.
    #[schemars(with = "Vec<String>")]
    pub(crate) authors: Option<NamePatterns>,
    /// Words by which a message says that the search does the same as before; case is ignored.
    pub(crate) non_functional: Vec<String>,
    /// Whether a commit that says so needs a bench all the same (an OpenBench server wants one in
    /// each tip).
    pub(crate) non_functional_bench: Need,
    /// After so many functional commits with one and the same bench, the bench is called
    /// insensitive. 0: never.
    pub(crate) insensitive_after: usize,
    /// What a block of results must show where a passed test is demanded.
    pub(crate) proof: ProofSettings,
    /// Further engines of the repository, by name. Keys that an engine does not set are as in this
    /// section.
    pub(crate) engine: BTreeMap<String, EngineSettings>,
    /// Further builds of the engine, which must have the same bench.
    pub(crate) variant: Vec<VariantSettings>,
    /// Variables that a variant sets for the build and the engine.
    #[serde(skip)]
    pub(crate) variables: Vec<(String, String)>,
    /// Whether a variant has a build command of its own.
    #[serde(skip)]
    pub(crate) has_own_build: bool,
    /// What starts the engine of a variant.
    #[serde(skip)]
    pub(crate) runner: Vec<String>,
}

/// Whether a kind of commit must carry a bench. One that is carried is verified in any case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Need {
    Required,
    Optional,
}

/// What happens to a commit that calls itself unfinished.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Unfinished {
    /// `check` finds it wrong; hooks leave it alone, and `pre-push` warns.
    Refused,
    /// It needs no bench.
    Optional,
    /// It needs a bench as others do.
    Required,
}

/// Bots that write `Name[bot]` into their commits, as on GitHub.
static BOTS: LazyLock<NamePatterns> = LazyLock::new(|| {
    NamePatterns::new(vec!["*[bot] <*[bot]@users.noreply.github.com>".to_owned()])
        .unwrap_or_else(|error| built_in(&error))
});

/// How a list of parameters begins that `tuner init` has written.
pub const PARAMETERS: &str = "# Parameters to tune, from ";

/// Files that no engine is built from: no folders, since a build may read whatever is in one.
const IGNORED: [&str; 12] = [
    "**/whetstone.toml",
    "**/*.{md,MD,rst,adoc,pdf,pgn}",
    "**/*.{png,jpg,jpeg,gif,svg,ico,webp}",
    "**/{AUTHORS,CONTRIBUTORS,CREDITS,THANKS,NOTICE}{,.txt}",
    "**/{CHANGELOG,CHANGES,HISTORY,NEWS}{,.txt}",
    "**/{LICENSE,License,LICENCE,COPYING,Copying}{,.txt}",
    "**/{README,Readme,readme}{,.txt}",
    "**/CITATION.{cff,bib}",
    "**/.{clang-format,clang-tidy,editorconfig,mailmap,gitignore,git-blame-ignore-revs}",
    "**/.pre-commit-{config,hooks}.yaml",
    ".{github,gitlab}/**/*.{yml,yaml}",
    ".{gitlab-ci,travis,cirrus,appveyor}.yml",
];

/// Whether a path is that of a file that may say how an engine is built.
pub(crate) fn is_project_file(path: &str) -> bool {
    path.rsplit('/').next() == Some(config::NAME)
}

/// Whether the tools wrote this file: a new one is no reason to build the engine again.
fn is_of_tools(root: &Path, path: &str) -> bool {
    let begins = |start: &str| {
        std::fs::read(root.join(path)).is_ok_and(|text| text.starts_with(start.as_bytes()))
    };
    let is_toml = Path::new(path)
        .extension()
        .is_some_and(|ending| ending == "toml");
    path == config::NAME || is_toml && begins(PARAMETERS)
}

/// A test reads the built-in patterns, so that none of them is invalid.
fn built_in<T>(error: &str) -> T {
    unreachable!("a built-in pattern: {error}")
}

impl Default for Settings {
    fn default() -> Self {
        let build = BuildSettings::default();
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        let paths = |texts: &[&str]| {
            PathPatterns::new(words(texts)).unwrap_or_else(|error| built_in(&error))
        };
        Self {
            name: None,
            folder: build.folder,
            build: build.command,
            bench: build.bench.arguments,
            build_limit: build.time_limit.as_secs_f64(),
            bench_limit: build.bench.time_limit.as_secs_f64(),
            size_limit: build.size_limit >> 20,
            hash_sizes: Vec::new(),
            runs: 0,
            environment: Vec::new(),
            paths: paths(&["**"]),
            ignore: paths(&IGNORED),
            merges: Need::Optional,
            reverts: Need::Required,
            unfinished: Unfinished::Refused,
            authors: None,
            non_functional: words(&[
                "no functional change",
                "non-functional",
                "non functional",
                "nonfunctional",
                "no bench change",
            ]),
            non_functional_bench: Need::Optional,
            insensitive_after: 20,
            proof: ProofSettings::default(),
            engine: BTreeMap::new(),
            variant: Vec::new(),
            variables: Vec::new(),
            has_own_build: false,
            runner: Vec::new(),
        }
    }
}

impl Settings {
    /// The settings that hold in `folder`; refused where a value makes no sense.
    pub fn find(folder: &Path) -> Result<Self, Failure> {
        Self::of(&Config::find(folder)?)
    }

    pub(crate) fn of(config: &Config) -> Result<Self, Failure> {
        let settings: Self = config.section("bench-guard")?;
        settings.checked()
    }

    /// Whether commits owe the same as without settings, because these say only how the engine is
    /// built and benched. What a proof must show matters only if `proof` is required.
    pub(crate) fn asks_as_usual(&self, proof: bool) -> bool {
        let mut usual = self.without_rules();
        if !proof {
            usual.proof = self.proof.clone();
        }
        *self == usual
    }

    /// How the engine is built and benched, by these settings, and what commits owe without any.
    pub(crate) fn without_rules(&self) -> Self {
        Self {
            folder: self.folder.clone(),
            build: self.build.clone(),
            bench: self.bench.clone(),
            build_limit: self.build_limit,
            bench_limit: self.bench_limit,
            size_limit: self.size_limit,
            hash_sizes: self.hash_sizes.clone(),
            engine: self
                .engine
                .iter()
                .map(|(name, engine)| (name.clone(), engine.without_rules()))
                .collect(),
            variant: self.variant.clone(),
            ..Self::default()
        }
    }

    /// Whether the commits of an author need no bench.
    pub(crate) fn exempts(&self, author: &str, proof_required: bool) -> bool {
        match &self.authors {
            Some(named) => named.matches(author),
            None if proof_required => false,
            None => BOTS.matches(author),
        }
    }

    /// The repository that holds `folder`; untracked files that are no source of the engine are
    /// left out of its working tree.
    pub fn repository(&self, folder: &Path) -> Result<Repository, Failure> {
        let repository = Repository::discover(folder)?;
        let (settings, root) = (self.clone(), repository.root().to_owned());
        let is_source = move |path: &str| settings.concerns(path) && !is_of_tools(&root, path);
        Ok(repository.with_sources(is_source))
    }

    /// Whether a change of this path may change the search. Attributes decide which files are in
    /// the tree that is built, so no setting leaves them out.
    pub(crate) fn concerns(&self, path: &str) -> bool {
        let is_attributes = path.rsplit('/').next() == Some(".gitattributes");
        is_attributes || (self.paths.matches(path) && !self.ignore.matches(path))
    }

    /// Whether a digest of build inputs covers this path: the project's file, too, where it lies in `paths`
    /// and only the usual `ignore` names it. Such digests are older than that pattern.
    pub(crate) fn is_input(&self, path: &str) -> bool {
        self.concerns(path)
            || (is_project_file(path)
                && self.paths.matches(path)
                && self.ignore == Self::default().ignore)
    }

    fn checked(self) -> Result<Self, Failure> {
        // First those that engines have from here.
        self.check_values()?;
        for (name, engine) in &self.engine {
            check_name(name)?;
            self.of_engine(name, engine).check_values()?;
        }
        self.refuse_odd_variants()?;
        Ok(self)
    }

    /// Whether each value makes sense by itself.
    fn check_values(&self) -> Result<(), Failure> {
        let wrong = |key: &str, why: &str| {
            let section = match self.name() {
                Some(name) => format!("bench-guard.engine.{name}"),
                None => "bench-guard".to_owned(),
            };
            Err(Failure::unable(format!(
                "`{key}` in section [{section}] of whetstone.toml {why}"
            )))
        };
        // A day is more than any build; beyond some ten digits the conversion to a duration would
        // fail.
        let limit = |seconds: f64| seconds > 0.0 && seconds <= 86_400.0;
        // As git names it, for the paths of an engine are found by it; and those of a named one are
        // a pattern that begins with it.
        let mut parts = self.folder.trim_end_matches('/').split('/');
        let is_named = parts.all(|part| !matches!(part, "" | "." | ".."));
        let inside = match self.name {
            Some(_) => is_named && !self.folder.contains(is_special),
            None => is_named || matches!(self.folder.as_str(), "" | "."),
        };
        let probability = |value: f64| value > 0.0 && value < 0.5;
        let proof = &self.proof;
        let mut bounds = proof.gains.iter().chain(&proof.simplifications);
        if !limit(self.build_limit) {
            wrong("build-limit", "must be between 0 and 86400 seconds")
        } else if !limit(self.bench_limit) {
            wrong("bench-limit", "must be between 0 and 86400 seconds")
        } else if !self.build.contains("{exe}") {
            wrong("build", "must name the file to make by `{exe}`")
        } else if !inside {
            wrong(
                "folder",
                &format!(
                    "is `{}`, expected a folder of the repository as git names it, like `engine/b`, without wildcards",
                    self.folder
                ),
            )
        } else if self.runs > 1024 {
            wrong("runs", "must not be more than 1024")
        } else if let Some(name) = self.environment.iter().find(|name| !is_variable(name)) {
            wrong(
                "environment",
                &format!("has `{name}`, expected names like `LLVM_HOME`, or `LLVM_*`"),
            )
        } else if self.paths.is_empty() {
            wrong(
                "paths",
                "must name at least one path, or nothing would be guarded",
            )
        } else if self.bench.is_empty() {
            wrong("bench", "must be a list of at least one argument")
        } else if !probability(proof.alpha) || !probability(proof.beta) {
            wrong("proof", "must have `alpha` and `beta` between 0 and 0.5")
        } else if proof.min_games > proof.max_games {
            wrong("proof", "has more `min-games` than `max-games`")
        } else if !(0.0..=1.0).contains(&proof.max_faults) {
            wrong("proof", "must have `max-faults` between 0 and 1")
        } else if !(0.0..=86_400.0).contains(&proof.min_time) {
            wrong("proof", "must have `min-time` between 0 and 86400 seconds")
        } else if let Some([elo0, elo1]) = bounds.find(|[elo0, elo1]| elo0 >= elo1) {
            wrong(
                "proof",
                &format!("has bounds in the wrong order: [{elo0}, {elo1}]"),
            )
        } else if let Some([elo0, elo1]) = proof.gains.iter().find(|[elo0, _]| *elo0 < 0.0) {
            wrong(
                "proof",
                &format!("has bounds of a gain that begin below zero: [{elo0}, {elo1}]"),
            )
        } else {
            Ok(())
        }
    }

    /// How to build and bench, with `jobs` at once inside a build.
    pub fn build_settings(&self, jobs: usize) -> BuildSettings {
        let environment = Environment::with(self.environment.clone()).and(&self.variables);
        BuildSettings {
            engine: self.name.clone(),
            folder: self.folder.clone(),
            command: self.build.clone(),
            time_limit: Duration::from_secs_f64(self.build_limit),
            size_limit: self.size_limit << 20,
            jobs,
            environment: environment.clone(),
            bench: BenchSettings {
                arguments: self.bench.clone(),
                time_limit: Duration::from_secs_f64(self.bench_limit),
                environment,
                runner: self.runner.clone(),
            },
            cache: None,
        }
    }

    /// How many benches run at once.
    pub(crate) fn copies(&self) -> usize {
        if self.runs == 0 { cores() } else { self.runs }
    }
}

/// The name of a variable, or the beginning of one before a `*`; a star alone would let every
/// variable through.
fn is_variable(name: &str) -> bool {
    let beginning = name.strip_suffix('*').unwrap_or(name);
    !beginning.is_empty()
        && beginning
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || c == '_')
}

pub use foundation::pool::cores;

/// The settings that a section says, or what is wrong with them.
#[cfg(test)]
fn parsed(text: &str) -> Result<Settings, String> {
    toml::from_str::<Settings>(text)
        .map_err(|error| error.to_string())
        .and_then(|settings| settings.checked().map_err(|failure| failure.to_string()))
}

#[cfg(test)]
mod tests {
    use super::parsed as settings;
    use super::*;

    #[test]
    fn defaults_are_those_of_openbench() {
        let settings = settings("").expect("defaults");
        assert_eq!(
            settings.build_settings(2),
            BuildSettings {
                jobs: 2,
                ..Default::default()
            }
        );
    }

    #[test]
    fn values_without_sense_are_refused_by_name() {
        for (text, key) in [
            ("build-limit = 0.0", "build-limit"),
            ("bench-limit = inf", "bench-limit"),
            ("build = 'make'", "build"),
            ("folder = '../other'", "folder"),
            ("runs = 100000", "runs"),
            ("mergez = 'optional'", "mergez"),
            ("merges = 'never'", "never"),
            ("paths = ['src/[']", "src/["),
            ("proof.gains = [[5, 0]]", "wrong order"),
            ("proof.gains = [[-500, -400]]", "below zero"),
            ("proof.alpha = 1", "alpha"),
            ("proof.max-games = 100", "max-games"),
            ("proof.max-faults = nan", "max-faults"),
            ("proof.min-time = -1", "min-time"),
            ("environment = ['*']", "environment"),
            ("environment = ['A=1']", "environment"),
        ] {
            let failure = settings(text).expect_err(text);
            assert!(failure.contains(key), "{text}: {failure}");
        }
    }

    #[test]
    fn paths_decide_unless_ignored() {
        let settings = Settings::default();
        assert!(settings.concerns("src/search.rs"));
        assert!(settings.concerns("Makefile"));
        assert!(!settings.concerns("README.md"));
        assert!(!settings.concerns(".github/workflows/ci.yml"));
        for path in [
            "viridithas.png",
            "docs/paper.pdf",
            "AUTHORS",
            "Copying.txt",
            "readme.MD",
            ".clang-format",
        ] {
            assert!(!settings.concerns(path), "{path}");
        }
        assert!(settings.concerns("build.sh") && settings.concerns("src/CMakeLists.txt"));
    }
}
