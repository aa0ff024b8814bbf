//! The `git` program, for what the library cannot do: archives, the index, and repositories it
//! cannot open.

use std::{
    ffi::{OsStr, OsString},
    io::{BufRead, BufReader, Seek, Write},
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use foundation::{
    Failure,
    failure::OrUnable,
    platform::{self, BatchPolicy},
    process,
};

/// Runs `git` in one folder, in an environment without what git sets for its hooks.
#[derive(Debug, Clone)]
pub struct Git {
    folder: PathBuf,
    environment: Vec<(OsString, OsString)>,
}

impl Git {
    pub(crate) fn new(folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
            environment: Vec::new(),
        }
    }

    /// The same with a variable set.
    #[must_use]
    pub(crate) fn with(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.environment
            .push((name.into(), value.as_ref().to_owned()));
        self
    }

    pub(crate) fn command<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Command {
        let mut command = Command::new("git");
        process::scrub(&mut command);
        command
            .arg("-C")
            .arg(&self.folder)
            .args(arguments)
            .env("LC_ALL", "C")
            // A server reads what is stored, not what `git replace` shows in its place.
            .env("GIT_NO_REPLACE_OBJECTS", "1")
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("GIT_OPTIONAL_LOCKS", "0")
            // Passing on one record at a time would cost a process switch each.
            .env("GIT_FLUSH", "0")
            .stdin(Stdio::null());
        for (name, value) in &self.environment {
            command.env(name, value);
        }
        command
    }

    /// What git printed, whether it succeeded or not.
    pub fn output<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Result<Output, Failure> {
        self.command(arguments)
            .output()
            .map_err(|error| not_started(&error))
    }

    /// stdout of a git that must succeed.
    pub(crate) fn bytes<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Result<Vec<u8>, Failure> {
        let output = self.output(arguments)?;
        if output.status.success() {
            return Ok(output.stdout);
        }
        Err(failed(&words(arguments), &output.stderr))
    }

    /// stdout without the line end.
    pub fn text<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Result<String, Failure> {
        let bytes = self.bytes(arguments)?;
        Ok(String::from_utf8_lossy(&bytes)
            .trim_end_matches('\n')
            .to_owned())
    }

    /// The same for a git that reads these bytes.
    pub(crate) fn text_from<S: AsRef<OsStr>>(
        &self,
        arguments: &[S],
        bytes: &[u8],
    ) -> Result<String, Failure> {
        let output = self
            .command(arguments)
            .stdin(input(bytes)?)
            .output()
            .map_err(|error| not_started(&error))?;
        if output.status.success() {
            Ok(String::from_utf8_lossy(&output.stdout)
                .trim_end()
                .to_owned())
        } else {
            Err(failed(&words(arguments), &output.stderr))
        }
    }

    /// Passes on what git prints, record by record as it arrives, for `-z`: records end in a zero
    /// byte. `input` is git's stdin.
    pub(crate) fn records<S: AsRef<OsStr>>(
        &self,
        arguments: &[S],
        input: Stdio,
        hear: &mut dyn FnMut(&str),
    ) -> Result<(), Failure> {
        let mut child = self
            .command(arguments)
            .stdin(input)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| not_started(&error))?;
        if let Some(stdout) = child.stdout.take() {
            // git goes on while this thread works on what came, and is not interrupted by it.
            platform::enlarge(&stdout);
            let _policy = BatchPolicy::begin();
            let mut reader = BufReader::with_capacity(1 << 20, stdout);
            let mut record = Vec::new();
            while reader
                .read_until(0, &mut record)
                .or_unable("read from git")?
                > 0
            {
                let text = record.strip_suffix(b"\0").unwrap_or(&record);
                hear(&String::from_utf8_lossy(text));
                record.clear();
            }
        }
        let output = child.wait_with_output().or_unable("read from git")?;
        if output.status.success() {
            Ok(())
        } else {
            Err(failed(&words(arguments), &output.stderr))
        }
    }
}

/// The input for git, in a file, because git prints before it has read all of it.
pub(crate) fn input(bytes: &[u8]) -> Result<Stdio, Failure> {
    let mut file = tempfile::tempfile().or_unable("make a temporary file")?;
    file.write_all(bytes)
        .and_then(|()| file.rewind())
        .or_unable("write a temporary file")?;
    Ok(file.into())
}

fn words<S: AsRef<OsStr>>(arguments: &[S]) -> String {
    let words: Vec<_> = arguments
        .iter()
        .map(|word| word.as_ref().to_string_lossy())
        .collect();
    words.join(" ")
}

pub(crate) fn not_started(error: &std::io::Error) -> Failure {
    Failure::unable(format!("failed to start `git`: {error}"))
        .hint("install git, and see that it is on the PATH")
}

pub(crate) fn failed(command: &str, stderr: &[u8]) -> Failure {
    let text = String::from_utf8_lossy(stderr);
    Failure::unable(format!("`git {command}` failed: {}", text.trim()))
}
