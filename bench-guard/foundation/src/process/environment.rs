//! Environment variables that a child process must not inherit.
//!
//! git sets variables for its hooks, make for its recipes, cargo and rustup for what they run. A
//! build or another git started with them would work on the wrong repository, index, target folder
//! or toolchain. An OpenBench worker has none of them.

use std::process::Command;

/// Variables of git that a user sets for all repositories.
const KEPT: [&str; 5] = [
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_NOSYSTEM",
    "GIT_CONFIG_SYSTEM",
    "GIT_SSH",
    "GIT_SSH_COMMAND",
];

const PREFIXES: [&str; 4] = ["GIT_", "CARGO_BIN_", "CARGO_MANIFEST_", "CARGO_PKG_"];

const NAMES: [&str; 14] = [
    "CARGO_BUILD_TARGET_DIR",
    "CARGO_CRATE_NAME",
    "CARGO_MAKEFLAGS",
    "CARGO_PRIMARY_PACKAGE",
    "CARGO_TARGET_DIR",
    "EXE",
    "GNUMAKEFLAGS",
    "MAKEFILES",
    "MAKEFLAGS",
    "MAKELEVEL",
    "MAKEOVERRIDES",
    "MFLAGS",
    "OUT_DIR",
    "RUSTUP_TOOLCHAIN",
];

/// Removes those variables from a command.
pub fn scrub(command: &mut Command) {
    for (name, _) in std::env::vars_os() {
        if is_scrubbed(&name.to_string_lossy()) {
            command.env_remove(&name);
        }
    }
}

/// What a CI job passes to its steps: where to write outputs, paths and variables for later steps,
/// and tokens.
const JOB_PREFIXES: [&str; 5] = ["ACTIONS_", "GITHUB_", "INPUT_", "RUNNER_", "CI_JOB_"];

/// Parts of the names that people give to secrets.
const SECRET_PARTS: [&str; 9] = [
    "ACCESS_KEY",
    "API_KEY",
    "APIKEY",
    "AUTH_SOCK",
    "CREDENTIAL",
    "PASSWORD",
    "PRIVATE_KEY",
    "SECRET",
    "TOKEN",
];

/// Removes the variables of a CI job, and whatever is named like a secret, from the environment of
/// a program that nobody trusts: a Makefile of a pull request could write the outputs of the job,
/// or print the token.
pub fn hide_secrets(command: &mut Command) {
    for (name, _) in std::env::vars_os() {
        if is_secret(&name.to_string_lossy()) {
            command.env_remove(&name);
        }
    }
}

fn is_secret(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    JOB_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
        || SECRET_PARTS.iter().any(|part| name.contains(part))
}

fn is_scrubbed(name: &str) -> bool {
    !KEPT.contains(&name)
        && (NAMES.contains(&name) || PREFIXES.iter().any(|prefix| name.starts_with(prefix)))
}

#[cfg(test)]
mod tests {
    use super::{is_scrubbed, is_secret};

    #[test]
    fn what_others_set_for_their_children_goes_and_what_a_user_sets_stays() {
        for name in [
            "GIT_DIR",
            "GIT_INDEX_FILE",
            "GIT_CONFIG_PARAMETERS",
            "MAKEFLAGS",
            "CARGO_PKG_NAME",
        ] {
            assert!(is_scrubbed(name), "{name}");
        }
        for name in [
            "PATH",
            "HOME",
            "CC",
            "RUSTFLAGS",
            "CARGO_HOME",
            "GIT_SSH_COMMAND",
            "GITHUB_SHA",
        ] {
            assert!(!is_scrubbed(name), "{name}");
        }
    }

    #[test]
    fn secrets_and_job_variables_are_recognised_by_name() {
        for name in [
            "GITHUB_OUTPUT",
            "GITHUB_TOKEN",
            "ACTIONS_RUNTIME_TOKEN",
            "INPUT_RANGE",
            "NPM_TOKEN",
            "AWS_SECRET_ACCESS_KEY",
            "my_password",
            "SSH_AUTH_SOCK",
        ] {
            assert!(is_secret(name), "{name}");
        }
        for name in ["PATH", "HOME", "CC", "CARGO_HOME", "LANG", "RUSTFLAGS"] {
            assert!(!is_secret(name), "{name}");
        }
    }
}
