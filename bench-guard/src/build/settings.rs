//! What decides how a tree is built and benched.

use std::{path::PathBuf, time::Duration};

use crate::{bench::BenchSettings, environment::Environment};
use foundation::process::quoted;

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

impl BuildSettings {
    /// The same with variables of the build and the engine.
    #[must_use]
    pub fn with_variables(mut self, variables: &[(String, String)]) -> Self {
        self.command = with_words(&self.command, variables);
        self.environment = self.environment.and(variables);
        self
    }

    /// The networks that are named by absolute paths, and so are no part of a tree.
    pub(super) fn networks(&self) -> Vec<PathBuf> {
        let given = self.command.split("EVALFILE=").skip(1).map(|rest| {
            let (quote, rest) = match rest.strip_prefix(['\'', '"']) {
                Some(unquoted) => (&rest[..1], unquoted),
                None => (" ", rest),
            };
            PathBuf::from(rest.split(quote).next().unwrap_or_default())
        });
        let variables = self.environment.deciding().into_iter();
        let variables = variables.filter(|(name, _)| name == "EVALFILE");
        let all = given.chain(variables.map(|(_, value)| PathBuf::from(value)));
        all.filter(|path| path.is_absolute()).collect()
    }
}

/// A build command with variables as words, if it begins with `make`: these come before what the
/// Makefile says. They follow `make` at once, as other commands may stand behind it.
pub(crate) fn with_words(build: &str, variables: &[(String, String)]) -> String {
    let Some(rest) = build.strip_prefix("make ") else {
        return build.to_owned();
    };
    let word = |(name, value): &(String, String)| format!("{name}={} ", quoted(value));
    let words: String = variables.iter().map(word).collect();
    format!("make {words}{rest}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn a_network_outside_the_tree_is_part_of_what_is_built() {
        let networks = |command: &str, variables: &[(&str, &str)]| {
            let variables = variables
                .iter()
                .map(|&(name, value)| (name.into(), value.into()));
            let settings = BuildSettings {
                command: command.to_owned(),
                environment: Environment::default().and(&variables.collect::<Vec<_>>()),
                ..BuildSettings::default()
            };
            settings.networks()
        };
        for (command, variables, expected) in [
            ("make EVALFILE=/n/a.bin EXE=x", &[][..], &["/n/a.bin"][..]),
            ("make EVALFILE='/n/my a.bin'", &[], &["/n/my a.bin"]),
            ("make EVALFILE=net.bin", &[], &[]),
            ("make", &[("EVALFILE", "/n/b.bin")], &["/n/b.bin"]),
        ] {
            assert_eq!(
                networks(command, variables),
                expected.iter().map(PathBuf::from).collect::<Vec<_>>()
            );
        }
    }

    #[test]
    fn make_gets_variables_whole_before_other_commands() {
        let path = "/cache/it's mine/net.bin";
        let variables = [("EVALFILE".to_owned(), path.to_owned())];
        let line = with_words("make -j2 && printf ' %s' done", &variables);
        let line = format!("make() {{ printf %s \"$1\"; }}; {line}");
        let output = Command::new("sh").args(["-c", &line]).output();
        let said = String::from_utf8(output.expect("a shell").stdout).expect("text");
        assert_eq!(said, format!("EVALFILE={path} done"));
        assert_eq!(with_words("cargo build", &variables), "cargo build");
    }
}
