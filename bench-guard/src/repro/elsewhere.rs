//! The bench in surroundings that no search may notice: another host name, another date, a single
//! processor. What makes them is tried only where it is installed and allowed.

use std::{
    path::Path,
    process::{Command, Stdio},
};

use crate::bench::{self, BenchSettings, Fault};
use foundation::Failure;

/// A description, and the command that starts a program there.
const PLACES: [(&str, &[&str]); 3] = [
    (
        "on a host of another name",
        &[
            "unshare",
            "--map-root-user",
            "--uts",
            "sh",
            "-c",
            "hostname elsewhere && exec \"$@\"",
            "-",
        ],
    ),
    ("in the year 2035", &["faketime", "2035-01-01 12:00:00"]),
    ("on a single processor", &["taskset", "--cpu-list", "0"]),
];

/// Where the bench is not `nodes`, in words.
pub(super) fn differences(
    binary: &Path,
    settings: &BenchSettings,
    nodes: u64,
) -> Result<Vec<String>, Failure> {
    let mut differences = Vec::new();
    for (place, starter) in PLACES {
        if !works(starter, settings) {
            continue;
        }
        let starter = starter.iter().map(|word| (*word).to_owned());
        let there = BenchSettings {
            runner: starter.chain(settings.runner.iter().cloned()).collect(),
            ..settings.clone()
        };
        match bench::measure(binary, &there, 1) {
            Ok(measured) => {
                let found = measured.agreed().map_or(0, |bench| bench.nodes);
                if found != nodes {
                    differences.push(format!("the bench {place} is {found} instead of {nodes}"));
                }
            }
            Err(Fault::Engine { reason, .. }) => {
                differences.push(format!("the bench {place} {reason}"));
            }
            Err(fault @ Fault::System(_)) => return Err(fault.into()),
        }
    }
    Ok(differences)
}

fn works(starter: &[&str], settings: &BenchSettings) -> bool {
    let Some((program, arguments)) = starter.split_first() else {
        return false;
    };
    let mut command = Command::new(program);
    settings.environment.apply(&mut command);
    command
        .args(arguments)
        .arg("true")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}
