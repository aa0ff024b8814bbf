//! The section `[bench-guard]` of `whetstone.toml`: how an engine is built and benched, and which commits need a bench.

use std::{path::Path, time::Duration};

use serde::Deserialize;

use crate::{bench::BenchSettings, build::BuildSettings};
use foundation::{Failure, config::Config};

/// The section as it is written; every key has a default, so that an engine that OpenBench can build needs no file.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Where the Makefile is, relative to the root of the repository.
    pub folder: String,
    /// The build command, for `sh`: `{exe}` is the file name to make in `folder`, `{jobs}` how many may work at once.
    pub build: String,
    /// The words the binary is started with for its bench.
    pub bench: Vec<String>,
    /// Seconds a build may take.
    pub build_limit: f64,
    /// Seconds a bench may take; an OpenBench worker waits 60.
    pub bench_limit: f64,
    /// MiB a source tree may grow to while it is built.
    pub size_limit: u64,
    /// Benches run at once, as a worker does with its threads; all must agree. 0: one a core.
    pub runs: usize,
    /// A commit that touches none of these paths needs no bench.
    pub paths: Vec<String>,
    /// Paths taken out of `paths` again.
    pub ignore: Vec<String>,
    /// Whether merges need a bench.
    pub merges: Need,
    /// Whether commits that git calls reverts need a bench.
    pub reverts: Need,
    /// Whether `fixup!`, `squash!`, `amend!` and work-in-progress commits need a bench.
    pub unfinished: Need,
    /// Authors, as patterns for `Name <address>`, whose commits need no bench.
    pub authors: Vec<String>,
    /// Words by which a message says that the search does the same as before; case is ignored.
    pub non_functional: Vec<String>,
    /// Whether a commit that says so needs a bench all the same (an OpenBench server wants one in each tip).
    pub non_functional_bench: Need,
    /// After so many functional commits with one and the same bench, the bench is called insensitive. 0: never.
    pub insensitive_after: usize,
}

/// Whether a kind of commit must carry a bench. One that is carried is verified in any case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Need {
    Required,
    Optional,
}

impl Default for Settings {
    fn default() -> Self {
        let build = BuildSettings::default();
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        Self {
            folder: build.folder,
            build: build.command,
            bench: build.bench.arguments,
            build_limit: build.time_limit.as_secs_f64(),
            bench_limit: build.bench.time_limit.as_secs_f64(),
            size_limit: build.size_limit >> 20,
            runs: 0,
            paths: words(&["**"]),
            ignore: words(&[
                "**/*.md",
                "**/LICENSE*",
                "**/COPYING*",
                "**/.git*",
                "**/.editorconfig",
                ".github/**",
                ".gitlab/**",
                ".ci/**",
                "docs/**",
            ]),
            merges: Need::Optional,
            reverts: Need::Required,
            unfinished: Need::Optional,
            authors: words(&["*[bot]*"]),
            non_functional: words(&[
                "no functional change",
                "non-functional",
                "non functional",
                "nonfunctional",
                "no bench change",
            ]),
            non_functional_bench: Need::Optional,
            insensitive_after: 20,
        }
    }
}

impl Settings {
    /// The settings that hold in `folder`; refused where a value makes no sense.
    pub fn find(folder: &Path) -> Result<Self, Failure> {
        let settings: Self = Config::find(folder)?.section("bench-guard")?;
        settings.checked()
    }

    fn checked(self) -> Result<Self, Failure> {
        let wrong = |key: &str, why: &str| {
            Err(Failure::unable(format!(
                "`{key}` in [bench-guard] of whetstone.toml {why}"
            )))
        };
        // A day is more than any build; beyond some ten digits the conversion to a duration would fail.
        let limit = |seconds: f64| seconds > 0.0 && seconds <= 86_400.0;
        let folder = Path::new(&self.folder);
        let inside = folder
            .components()
            .all(|part| matches!(part, std::path::Component::Normal(_)));
        if !limit(self.build_limit) {
            wrong("build_limit", "must be between 0 and 86400 seconds")
        } else if !limit(self.bench_limit) {
            wrong("bench_limit", "must be between 0 and 86400 seconds")
        } else if !self.build.contains("{exe}") {
            wrong("build", "must name the file to make by `{exe}`")
        } else if !inside {
            wrong(
                "folder",
                "must be a folder of the repository, like `engine`",
            )
        } else if self.runs > 1024 {
            wrong("runs", "must not be more than 1024")
        } else {
            Ok(self)
        }
    }

    /// How to build and bench, with `jobs` at once inside a build.
    pub fn build_settings(&self, jobs: usize) -> BuildSettings {
        BuildSettings {
            folder: self.folder.clone(),
            command: self.build.clone(),
            time_limit: Duration::from_secs_f64(self.build_limit),
            size_limit: self.size_limit << 20,
            jobs,
            bench: BenchSettings {
                arguments: self.bench.clone(),
                time_limit: Duration::from_secs_f64(self.bench_limit),
            },
            cache: None,
        }
    }

    /// How many benches run at once.
    pub fn copies(&self) -> usize {
        if self.runs == 0 { cores() } else { self.runs }
    }
}

pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(text: &str) -> Result<Settings, String> {
        toml::from_str::<Settings>(text)
            .map_err(|error| error.to_string())
            .and_then(|settings| settings.checked().map_err(|failure| failure.to_string()))
    }

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
            ("build_limit = 0.0", "build_limit"),
            ("bench_limit = inf", "bench_limit"),
            ("build = 'make'", "build"),
            ("folder = '../other'", "folder"),
            ("runs = 100000", "runs"),
            ("mergez = 'optional'", "mergez"),
            ("merges = 'never'", "never"),
        ] {
            let failure = settings(text).expect_err(text);
            assert!(failure.contains(key), "{text}: {failure}");
        }
    }
}
