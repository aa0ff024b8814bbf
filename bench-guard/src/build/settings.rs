//! What decides how a tree is built and benched.

use std::{path::PathBuf, time::Duration};

use crate::{bench::BenchSettings, environment::Environment};

/// What decides how a tree is built and benched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuildSettings {
    /// Which engine of the repository is meant, where it is not the main one.
    pub engine: Option<String>,
    /// Where the build command runs, relative to the root; `.` is the root, and empty means that a
    /// command that begins with `make` runs where the Makefile is found.
    pub folder: String,
    /// A line for `sh`. `{exe}` is the file name to make, in `folder`; `{jobs}` how many may work
    /// at once.
    pub command: String,
    pub(crate) time_limit: Duration,
    /// What a source tree may grow to while it is built, in bytes.
    pub(crate) size_limit: u64,
    pub(crate) jobs: usize,
    pub(crate) environment: Environment,
    pub(crate) bench: BenchSettings,
    /// Where builds are kept, if not in [`foundation::folders::cache`].
    pub cache: Option<PathBuf>,
}

impl Default for BuildSettings {
    fn default() -> Self {
        Self {
            engine: None,
            folder: String::new(),
            command: "make -j{jobs} EXE={exe}".to_owned(),
            time_limit: Duration::from_mins(30),
            size_limit: 16 << 30,
            jobs: foundation::pool::cores(),
            environment: Environment::default(),
            bench: BenchSettings::default(),
            cache: None,
        }
    }
}
