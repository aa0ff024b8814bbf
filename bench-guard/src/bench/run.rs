//! Runs an engine's bench as an OpenBench worker does: several copies at once, one argument, all
//! must agree.

use std::{path::Path, process::Command, time::Duration};

use super::{Bench, read};
use crate::environment::Environment;
use foundation::{
    Failure, pool,
    process::{self, End},
};

/// How the bench is started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BenchSettings {
    /// What the binary is started with; OpenBench gives the one word `bench`.
    pub(crate) arguments: Vec<String>,
    /// OpenBench waits a minute.
    pub(crate) time_limit: Duration,
    pub(crate) environment: Environment,
    /// What starts the engine, such as an emulator of another processor.
    pub(crate) runner: Vec<String>,
}

impl Default for BenchSettings {
    fn default() -> Self {
        Self {
            arguments: vec!["bench".to_owned()],
            time_limit: Duration::from_mins(1),
            environment: Environment::default(),
            runner: Vec::new(),
        }
    }
}

/// Why a bench gave no number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The engine's fault: a crash, no output, or a time limit exceeded. One sentence, and the end
    /// of the output.
    Engine { reason: String, output: String },
    /// The system's fault: the binary could not be started.
    System(String),
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Engine { reason, output } if output.is_empty() => {
                Self::engine(format!("the bench {reason}, and printed nothing"))
            }
            Fault::Engine { reason, output } => Self::engine(format!(
                "the bench {reason}; its output ends with\n{output}"
            )),
            Fault::System(reason) => Self::unable(format!("the bench could not be run: {reason}")),
        }
        .hint("a bench searches fixed positions, prints `<nodes> nodes <nps> nps` as its last line, and ends by itself")
    }
}

/// The benches of several copies.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Measured {
    pub(crate) runs: Vec<Bench>,
}

impl Measured {
    /// The bench, when all runs agree.
    pub(crate) fn agreed(&self) -> Option<Bench> {
        let first = *self.runs.first()?;
        self.runs
            .iter()
            .all(|bench| bench.nodes == first.nodes)
            .then_some(first)
    }
}

/// `copies` runs at once, as a worker does with its threads.
pub(crate) fn measure(
    binary: &Path,
    settings: &BenchSettings,
    copies: usize,
) -> Result<Measured, Fault> {
    let copies = vec![(); copies.max(1)];
    let runs = pool::map(copies.len(), &copies, |()| run_once(binary, settings))?;
    Ok(Measured { runs })
}

fn run_once(binary: &Path, settings: &BenchSettings) -> Result<Bench, Fault> {
    let system = |error: std::io::Error| Fault::System(error.to_string());
    // Engines write logs and learning files where they are started.
    let folder = tempfile::tempdir().map_err(system)?;
    let binary = std::path::absolute(binary).map_err(system)?;
    let mut command = match settings.runner.split_first() {
        None => Command::new(&binary),
        Some((runner, arguments)) => {
            let mut command = Command::new(runner);
            command.args(arguments).arg(&binary);
            command
        }
    };
    settings.environment.apply(&mut command);
    command.args(&settings.arguments).current_dir(folder.path());
    let ended = process::run(command, settings.time_limit, &|| None).map_err(|error| {
        let runner = settings.runner.first();
        Fault::System(runner.map_or_else(
            || error.to_string(),
            |runner| format!("`{runner}`, which is to start the engine: {error}"),
        ))
    })?;
    let fault = |reason: String| Fault::Engine {
        reason,
        output: ended.output.last_lines(5),
    };
    match ended.end {
        End::OverTime(limit) => Err(fault(format!(
            "did not end within {} s, the `bench-limit` in whetstone.toml (an OpenBench worker waits 60)",
            limit.as_secs_f64()
        ))),
        End::Stopped(reason) => Err(Fault::System(reason)),
        End::Interrupted => Err(Fault::System("it was interrupted".to_owned())),
        End::Exited(status) => {
            // A worker does not look at the exit status, but an engine that crashed after its last
            // line is faulty.
            if !status.success() {
                return Err(fault(format!("failed with {status}")));
            }
            let Ok(text) = String::from_utf8(ended.output.bytes()) else {
                return Err(fault("printed text that is not UTF-8".to_owned()));
            };
            read(&text)
                .ok_or_else(|| fault("printed no node count that OpenBench can read".to_owned()))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::PermissionsExt};

    use super::*;

    fn bench_of(script: &str, time_limit: Duration) -> Result<Bench, Fault> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("engine");
        fs::write(&path, format!("#!/bin/sh\n{script}\n")).expect("a script");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("executable");
        run_once(
            &path,
            &BenchSettings {
                time_limit,
                ..BenchSettings::default()
            },
        )
    }

    fn reason(result: Result<Bench, Fault>) -> String {
        match result {
            Err(Fault::Engine { reason, .. }) => reason,
            other => panic!("not an engine's fault: {other:?}"),
        }
    }

    const LONG: Duration = Duration::from_mins(1);

    #[test]
    fn the_word_bench_is_given_and_the_last_line_read() {
        let bench = bench_of("[ \"$*\" = bench ] && echo '12 nodes 34 nps'", LONG);
        assert_eq!(
            bench,
            Ok(Bench {
                nodes: 12,
                nps: Some(34)
            })
        );
    }

    #[test]
    fn silence_crash_and_overrun_are_distinguished() {
        assert!(reason(bench_of("true", LONG)).contains("no node count"));
        assert!(
            reason(bench_of("echo '1 nodes 1 nps'; kill -SEGV $$", LONG)).contains("signal: 11")
        );
        assert!(
            reason(bench_of("sleep 100", Duration::from_millis(100)))
                .contains("within 0.1 s, the `bench-limit` in whetstone.toml")
        );
        assert!(reason(bench_of("printf '\\377 1 nodes 1 nps\\n'", LONG)).contains("UTF-8"));
    }

    #[test]
    fn copies_that_differ_do_not_agree() {
        let runs = [5, 5, 6].map(|nodes| Bench { nodes, nps: None }).to_vec();
        assert_eq!(Measured { runs: runs.clone() }.agreed(), None);
        assert_eq!(
            Measured {
                runs: runs[..2].to_vec()
            }
            .agreed(),
            Some(runs[0])
        );
    }
}
