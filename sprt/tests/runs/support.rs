//! A folder of its own for each test, in which `sprt` runs with its own cache and state.

#[path = "../../openbench/src/git_of_tests.rs"]
mod git_of_tests;

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

pub struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    pub fn new() -> Self {
        Self {
            folder: tempfile::tempdir().expect("a temporary folder"),
        }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The scripted engine under a name of its own, by which it can be found among the processes.
    pub fn engine(&self, name: &str) -> String {
        let path = self.path(name);
        if !path.exists() {
            fs::hard_link(env!("CARGO_BIN_EXE_scripted-engine"), &path)
                .or_else(|_| fs::copy(env!("CARGO_BIN_EXE_scripted-engine"), &path).map(|_| ()))
                .expect("a copy of the engine");
        }
        path.display().to_string()
    }

    /// An engine that is a shell script.
    pub fn script(&self, name: &str, commands: &str) -> String {
        let path = self.path(name);
        // By another process: what is open for writing in this one, a fork of another test may hold
        // open for a moment longer, and the system does not execute it then.
        let written = Command::new("sh")
            .args([
                "-c",
                "printf '#!/bin/sh\\n%s\\n' \"$1\" > \"$0\" && chmod 755 \"$0\"",
            ])
            .args([path.as_os_str(), OsStr::new(commands)])
            .status();
        assert!(written.expect("sh runs").success());
        path.display().to_string()
    }

    pub fn sprt<I: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = I>) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sprt"));
        command
            .current_dir(self.folder.path())
            .env("WHETSTONE_STATE", self.path("state"))
            .env("WHETSTONE_CACHE", self.path("cache"))
            .env_remove("WHETSTONE_CONCURRENCY")
            .stdin(Stdio::null())
            .args(arguments);
        command
    }

    /// What `sprt` prints and returns with these arguments.
    pub fn output<I: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = I>) -> Output {
        self.sprt(arguments).output().expect("sprt runs")
    }

    /// No command goes on with flags that the run `run`, which is of this kind, does not have.
    pub fn refuses(&self, kind: &str, commands: &[&[&str]]) {
        for arguments in commands {
            let output = self.output(*arguments);
            assert_eq!(output.status.code(), Some(2), "{arguments:?}");
            let told = text(&output.stderr);
            let what = format!("`run` is {kind}, which has no {}", arguments[2]);
            assert!(told.contains(&what), "{told}");
            assert!(!self.path("file").exists(), "{arguments:?}");
        }
    }

    /// What git prints in the repository of this place; it must succeed.
    pub fn git(&self, arguments: &[&str]) -> String {
        git_of_tests::git(&self.path("repo"), arguments)
    }

    /// A run of two scripted engines with a fixed seed.
    pub fn run(&self, out: &str, more: &[&str]) -> Command {
        let mut command = self.sprt(["run", &self.engine("engine-a"), &self.engine("engine-b")]);
        command
            .args(["--seed", "7", "--json", "--out", out])
            .args(more);
        command
    }

    /// The opening of each game of a run, as its record has it.
    pub fn openings(&self, out: &str) -> Vec<String> {
        let pgn = fs::read_to_string(self.path(out).join("games.pgn")).expect("games");
        let opening = |game: &str| {
            let moves = game.split("\n\n").nth(1).unwrap_or_default();
            let book: Vec<&str> = moves.split("{book}").map(str::trim).collect();
            book[..book.len() - 1].join(" ")
        };
        pgn.split("[Event ").skip(1).map(opening).collect()
    }

    /// The journal of a run.
    pub fn journal(&self, out: &str) -> String {
        fs::read_to_string(self.path(out).join("pairs.jsonl")).expect("a journal")
    }
}

/// The object on stdout.
pub fn json(output: &Output) -> serde_json::Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
        panic!(
            "{error}: {}\n{}",
            text(&output.stdout),
            text(&output.stderr)
        )
    })
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Processes whose program lies in `folder`.
pub fn processes_in(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir("/proc")
        .expect("the process table")
        .filter_map(|entry| fs::read_link(entry.ok()?.path().join("exe")).ok())
        .filter(|program| program.starts_with(folder))
        .collect()
}

/// Kills a runner and everything in its process group, as a shell or a supervisor would.
pub fn kill_group(child: &Child) {
    let group = nix::unistd::Pid::from_raw(child.id() as i32);
    let _ = nix::sys::signal::killpg(group, nix::sys::signal::Signal::SIGKILL);
}

/// Waits until `condition` holds; fails the test after a minute.
pub fn eventually(what: &str, mut condition: impl FnMut() -> bool) {
    for _ in 0..6000 {
        if condition() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    panic!("{what}: not within a minute");
}
