//! A folder of its own for each test, in which `tuner` runs with its own cache and state.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

/// Two good parameters of the tunable engine.
pub const PARAMS: &str = "\
# The margin is what matters.
[params.Margin]
value = 100  # to be tuned
min = 0
max = 400
c_end = 12.0

[params.Gated]
value = 3
min = 1
max = 8
c_end = 0.6

[spsa]
iterations = 20
pairs_per_iteration = 2

[match]
nodes = 100
draw-adj = \"movenumber=1,movecount=2,score=10\"
resign-adj = \"movecount=1,score=400\"
";

/// A client in the place of the real one, that prints its arguments.
const CLIENT: &str = "#!/bin/sh\n[ \"$1\" = --version ] || echo \"$@\"\n";

pub struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    /// With `params.toml`, and the engine under its usual name.
    pub fn new() -> Self {
        let place = Self {
            folder: tempfile::tempdir().expect("a temporary folder"),
        };
        place.write("params.toml", PARAMS);
        place.engine("engine");
        place
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).expect("a file");
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect(name)
    }

    /// The tunable engine under a name of its own, which chooses its mistake.
    pub fn engine(&self, name: &str) -> String {
        let path = self.path(name);
        if !path.exists() {
            fs::hard_link(env!("CARGO_BIN_EXE_tunable-engine"), &path)
                .or_else(|_| fs::copy(env!("CARGO_BIN_EXE_tunable-engine"), &path).map(|_| ()))
                .expect("a copy of the engine");
        }
        path.display().to_string()
    }

    pub fn tuner<I: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = I>) -> Command {
        self.program(env!("CARGO_BIN_EXE_tuner").as_ref(), arguments)
    }

    /// The same beside a client of OpenBench that prints its arguments, since a program finds the client
    /// there.
    pub fn tuner_with_client<I: AsRef<OsStr>>(
        &self,
        arguments: impl IntoIterator<Item = I>,
    ) -> Command {
        let client = self.path("sprt-openbench");
        self.write("sprt-openbench", CLIENT);
        fs::set_permissions(&client, fs::Permissions::from_mode(0o755)).expect("executable");
        let tuner = self.path("tuner");
        fs::hard_link(env!("CARGO_BIN_EXE_tuner"), &tuner)
            .or_else(|_| fs::copy(env!("CARGO_BIN_EXE_tuner"), &tuner).map(|_| ()))
            .expect("a copy of tuner");
        let mut command = self.program(&tuner, arguments);
        command.env_remove("CARGO");
        command
    }

    fn program<I: AsRef<OsStr>>(
        &self,
        program: &Path,
        arguments: impl IntoIterator<Item = I>,
    ) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(self.folder.path())
            .env("WHETSTONE_STATE", self.path("state"))
            .env("WHETSTONE_CACHE", self.path("cache"))
            .env_remove("WHETSTONE_CONCURRENCY")
            .stdin(Stdio::null())
            .args(arguments);
        command
    }

    /// A short tune of the usual engine with a fixed seed.
    pub fn spsa(&self, out: &str, more: &[&str]) -> Command {
        let mut command = self.tuner(["spsa", "params.toml", "--engine", "./engine"]);
        command
            .args(["--seed", "7", "--json", "--out", out])
            .args(more);
        command
    }

    /// A run that has ended as it should.
    pub fn finished(&self, out: &str, more: &[&str]) -> Answer {
        let answer = Answer::of(&self.spsa(out, more).output().expect("a run"));
        assert_eq!(answer.code, Some(0), "{answer:?}");
        answer
    }

    /// Waits until a file has more bytes than this.
    pub fn wait_for(&self, name: &str, length: u64) {
        let path = self.path(name);
        for _ in 0..8000 {
            if fs::metadata(&path).is_ok_and(|metadata| metadata.len() > length) {
                return;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        panic!("`{name}` has no more than {length} bytes");
    }

    /// What a command prints that gets a signal once this file has more than a byte. The games wait
    /// from then on, or they might be over before it comes.
    pub fn interrupted(&self, mut command: Command, name: &str, signal: Signal) -> Answer {
        self.write("hold", &self.path(name).display().to_string());
        let child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("tuner runs");
        self.wait_for(name, 1);
        kill(Pid::from_raw(child.id() as i32), signal).expect("a signal");
        let answer = Answer::of(&child.wait_with_output().expect("the end"));
        fs::remove_file(self.path("hold")).expect("the games go on");
        assert_eq!(answer.code, Some(128 + signal as i32), "{answer:?}");
        answer
    }

    /// What a command prints and returns.
    pub fn run<I: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = I>) -> Answer {
        Answer::of(&self.tuner(arguments).output().expect("tuner runs"))
    }
}

/// What a command printed and returned.
#[derive(Debug)]
pub struct Answer {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Answer {
    pub fn of(output: &Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Self {
            code: output.status.code(),
            stdout: text(&output.stdout),
            stderr: text(&output.stderr),
        }
    }

    /// Fails unless it told these words on stderr.
    #[track_caller]
    pub fn says(&self, words: &str) {
        assert!(self.stderr.contains(words), "`{words}`: {self:?}");
    }

    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The cells of the table's row that begins with a name.
    pub fn row(&self, name: &str) -> Vec<&str> {
        let lines = self.stdout.lines().map(|line| line.trim_matches('│'));
        let mut rows = lines.map(|line| line.split('│').map(str::trim).collect::<Vec<_>>());
        rows.find(|row| row[0] == name)
            .unwrap_or_else(|| panic!("{name}: {self:?}"))
    }
}

/// Lines of a journal in an order that does not depend on which game was faster.
pub fn sorted(journal: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = journal.lines().collect();
    lines.sort_unstable();
    lines
}
