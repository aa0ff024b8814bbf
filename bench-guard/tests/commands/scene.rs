//! A repository in a temporary folder with an engine that is a shell script, and bench-guard run in
//! it.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Command, Output},
};

/// Makes the engine from `search.sh`, if that is valid shell. What git sets for its hooks must not
/// be seen here.
const MAKEFILE: &str = "EXE ?= engine
all:
\t@test -z \"$$GIT_DIR$$GIT_INDEX_FILE\" && test ! -e .git
\t@sh -n search.sh
\t@echo '#!/bin/sh' > $(EXE) && cat search.sh >> $(EXE) && chmod +x $(EXE)
\t@echo built >> \"$$HOME/builds\"
";

/// A published block.
pub const BLOCK: &str = "Elo   | 6.27 +- 4.15 (95%)
SPRT  | 8.0+0.08s Threads=1 Hash=32MB
LLR   | 2.91 (-2.25, 2.89) [0.00, 5.00]
Games | N: 7482 W: 1780 L: 1645 D: 4057
Penta | [28, 858, 1839, 983, 33]";

pub struct Scene {
    folder: tempfile::TempDir,
    seconds: std::cell::Cell<u64>,
}

impl Scene {
    pub fn new() -> Self {
        let scene = Self {
            folder: tempfile::tempdir().expect("a folder"),
            seconds: std::cell::Cell::new(1_700_000_000),
        };
        fs::create_dir_all(scene.root()).expect("a folder");
        scene.git(&["init", "-q", "-b", "main"]);
        scene.write("Makefile", MAKEFILE);
        scene
    }

    /// With an engine in its first commit.
    pub fn started() -> Self {
        let scene = Self::new();
        scene.engine(100, "start");
        scene.commit("Start\n\nBench: 100");
        scene
    }

    pub fn root(&self) -> PathBuf {
        self.folder.path().join("engine")
    }

    pub fn beside(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Gives it a remote `origin` that has no commits.
    pub fn add_origin(&self) {
        let remote = self.beside("remote.git");
        self.git(&["init", "-q", "--bare", &remote.to_string_lossy()]);
        self.git(&["remote", "add", "origin", &remote.to_string_lossy()]);
    }

    pub fn write(&self, name: &str, text: &str) {
        let path = self.root().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }

    /// An engine with this bench; `change` makes a source of its own.
    pub fn engine(&self, nodes: u64, change: &str) {
        self.write(
            "search.sh",
            &format!("# {change}\necho '{nodes} nodes 1000 nps'\n"),
        );
    }

    /// Commits all there is, at a time of its own, so that ids are the same in each run.
    pub fn commit(&self, message: &str) -> String {
        self.git(&["add", "-A"]);
        // prepare-commit-msg runs in spite of --no-verify, and would make the message right.
        let hooks = ["-c", "core.hooksPath=/dev/null"];
        self.git(
            &[
                &hooks,
                &["commit", "-q", "--allow-empty", "-m", message][..],
            ]
            .concat(),
        );
        self.git(&["rev-parse", "HEAD"])
    }

    pub fn git(&self, arguments: &[&str]) -> String {
        let output = self.git_output(arguments);
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "git {arguments:?}: {error}");
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    pub fn git_output(&self, arguments: &[&str]) -> Output {
        self.git_in(&self.root(), arguments)
    }

    pub fn git_in(&self, folder: &Path, arguments: &[&str]) -> Output {
        self.seconds.set(self.seconds.get() + 60);
        let date = format!("{} +0000", self.seconds.get());
        self.command("git")
            .args([
                "-c",
                "user.name=A",
                "-c",
                "user.email=a@b",
                "-c",
                "core.editor=true",
            ])
            .args(arguments)
            .current_dir(folder)
            .env("GIT_AUTHOR_DATE", &date)
            .env("GIT_COMMITTER_DATE", &date)
            .output()
            .expect("git starts")
    }

    /// A clone of so many commits whose origin has gone.
    pub fn shallow(&self, depth: &str) -> PathBuf {
        let clone = self.beside(&format!("clone-{depth}"));
        let _ = fs::remove_dir_all(&clone);
        let url = format!("file://{}", self.root().display());
        self.git(&[
            "clone",
            "-q",
            "--depth",
            depth,
            &url,
            &clone.to_string_lossy(),
        ]);
        self.git_in(&clone, &["remote", "set-url", "origin", "/nowhere"]);
        clone
    }

    pub fn guard(&self, arguments: &[&str]) -> Finished {
        self.guard_in(&self.root(), arguments)
    }

    pub fn guard_in(&self, folder: &Path, arguments: &[&str]) -> Finished {
        let output = self
            .command(env!("CARGO_BIN_EXE_bench-guard"))
            .args(arguments)
            .current_dir(folder)
            .output()
            .expect("bench-guard starts");
        Finished::from(&output)
    }

    pub fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("GIT") {
                command.env_remove(name);
            }
        }
        command
            .env("WHETSTONE_CACHE", self.beside("cache"))
            .env("HOME", self.folder.path())
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1");
        command
    }

    /// How often an engine was built.
    pub fn builds(&self) -> usize {
        fs::read_to_string(self.beside("builds")).map_or(0, |text| text.lines().count())
    }
}

/// What a program printed and returned.
#[derive(Debug)]
pub struct Finished {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Finished {
    /// Fails unless it told these words on stderr.
    #[track_caller]
    pub fn says(&self, words: &str) {
        assert!(self.stderr.contains(words), "`{words}`: {self:?}");
    }

    /// The verdict on the commit with this subject.
    pub fn verdict(&self, subject: &str) -> String {
        let report: serde_json::Value = serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("{error}: {}{}", self.stdout, self.stderr));
        report["commits"]
            .as_array()
            .and_then(|commits| commits.iter().find(|commit| commit["subject"] == subject))
            .and_then(|commit| commit["verdict"].as_str())
            .unwrap_or_default()
            .to_owned()
    }
}

impl From<&Output> for Finished {
    fn from(output: &Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Self {
            code: output.status.code(),
            stdout: text(&output.stdout),
            stderr: text(&output.stderr),
        }
    }
}

/// Makes a script that can be run.
pub fn script(path: &Path, text: &str) {
    fs::write(path, text).expect("a script");
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("executable");
}
