//! A child process with lines in and out, and a guard that ends it whatever becomes of us.
//!
//! The guard is a shell that leads a process group of its own and waits for the end of its input. Engines are started
//! inside that group, atomically by the kernel. However the runner ends, also by SIGKILL, the pipe closes, and the
//! shell kills its whole group: the engines, whatever they started, and itself. To restart an engine, its guard goes.

use std::io;
use std::ops::Range;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};

use foundation::{Failure, failure::OrUnable};
use memchr::memchr;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout_at};

use super::printable;

/// No line of an engine needs more; what is longer is not kept.
const LONGEST_LINE: usize = 1 << 20;
/// How much of an engine's stderr is kept to explain a crash.
const STDERR_KEPT: usize = 2048;

/// The keeper of a process group; dropping it kills the group.
#[derive(Debug)]
pub struct ProcessGuard {
    shell: std::process::Child,
}

impl ProcessGuard {
    pub fn start() -> Result<Self, Failure> {
        let shell = std::process::Command::new("sh")
            .args(["-c", "trap '' HUP INT TERM; read -r _; kill -s KILL 0"])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()
            .or_unable("start `sh`, which guards the engines")?;
        Ok(Self { shell })
    }

    fn group(&self) -> i32 {
        self.shell.id() as i32
    }
}

impl Drop for ProcessGuard {
    fn drop(&mut self) {
        drop(self.shell.stdin.take());
        // The shell has nothing left to do but to kill itself, so this returns at once.
        let _ = self.shell.wait();
    }
}

/// Why a line could not be had or sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Broken {
    /// The deadline passed.
    Late,
    /// The process closed its side.
    Closed,
}

/// Bounds a wait on an engine: what has not happened at the deadline is [`Broken::Late`].
pub async fn within<T>(
    deadline: Instant,
    wait: impl Future<Output = Result<T, Broken>>,
) -> Result<T, Broken> {
    timeout_at(deadline, wait)
        .await
        .unwrap_or(Err(Broken::Late))
}

/// A running engine process.
#[derive(Debug)]
pub struct Process {
    child: Child,
    input: ChildStdin,
    output: ChildStdout,
    /// Bytes read; those before `consumed` were handed out.
    buffer: Vec<u8>,
    consumed: usize,
    /// How much of `buffer` is known to hold no line end.
    searched: usize,
    errors: Arc<Mutex<Vec<u8>>>,
    /// Ends when the last holder of the stderr pipe closes it.
    errors_reader: JoinHandle<()>,
}

impl Process {
    /// Starts `command` in the group of `guard`.
    pub fn start(
        command: &Path,
        arguments: &[String],
        guard: &ProcessGuard,
    ) -> Result<Self, Failure> {
        let mut child = Command::new(command)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(guard.group())
            .kill_on_drop(true)
            .spawn()
            .map_err(|error| cannot_start(command, &error))?;
        let (Some(input), Some(output), Some(stderr)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(Failure::unable(format!(
                "`{}` has no pipes",
                command.display()
            )));
        };
        let errors = Arc::new(Mutex::new(Vec::new()));
        let errors_reader = tokio::spawn(keep_tail(stderr, Arc::clone(&errors)));
        Ok(Self {
            child,
            input,
            output,
            buffer: Vec::new(),
            consumed: 0,
            searched: 0,
            errors,
            errors_reader,
        })
    }

    /// Writes all of `text`, which may take for ever: an engine need not read its input. See [`within`].
    pub async fn send(&mut self, text: &str) -> Result<(), Broken> {
        self.input
            .write_all(text.as_bytes())
            .await
            .map_err(|_| Broken::Closed)
    }

    /// Waits for the next line, which may take for ever, and returns where it lies, without its line end (also not
    /// `\r`). See [`within`].
    ///
    /// What an engine wrote before it closed its output counts as a line even without a line end.
    pub async fn line(&mut self) -> Result<Range<usize>, Broken> {
        loop {
            if let Some(line) = self.buffered_line() {
                return Ok(line);
            }
            self.make_room();
            match self.output.read_buf(&mut self.buffer).await {
                Ok(read) if read > 0 => {}
                _ if self.consumed < self.buffer.len() => {
                    let line = self.consumed..self.buffer.len();
                    self.consumed = self.buffer.len();
                    self.searched = self.consumed;
                    return Ok(line);
                }
                _ => return Err(Broken::Closed),
            }
        }
    }

    pub fn text(&self, line: Range<usize>) -> &[u8] {
        &self.buffer[line]
    }

    /// Forgets what was read and not asked for, so that it is not taken for the answer to what comes next.
    pub fn forget(&mut self) {
        self.consumed = self.buffer.len();
        self.searched = self.consumed;
    }

    fn buffered_line(&mut self) -> Option<Range<usize>> {
        let Some(length) = memchr(b'\n', &self.buffer[self.searched..]) else {
            self.searched = self.buffer.len();
            return None;
        };
        let (start, end) = (self.consumed, self.searched + length);
        self.consumed = end + 1;
        self.searched = end + 1;
        let without_return = usize::from(end > start && self.buffer[end - 1] == b'\r');
        Some(start..end - without_return)
    }

    fn make_room(&mut self) {
        if self.buffer.len() - self.consumed > LONGEST_LINE {
            // Keep the beginning, by which a line is known, and drop the rest of what has come so far.
            self.buffer.truncate(self.consumed + LONGEST_LINE / 2);
        }
        if self.consumed > 0 {
            self.buffer.drain(..self.consumed);
            self.consumed = 0;
        }
        self.searched = self.buffer.len();
        self.buffer.reserve(4096);
    }

    /// How the process ended, for a message; waits for its end until the deadline.
    pub async fn exit_report(&mut self, deadline: Instant) -> String {
        let ended = match timeout_at(deadline, self.child.wait()).await {
            Err(_) => "closed its output without ending".to_owned(),
            Ok(Err(error)) => format!("ended ({error})"),
            Ok(Ok(status)) => format!("ended by itself ({status})"),
        };
        // What it said last may still be in the pipe.
        let _ = timeout_at(deadline, &mut self.errors_reader).await;
        match self.last_errors().trim() {
            "" => ended,
            said => format!("{ended}; its last words on stderr: {said}"),
        }
    }

    /// The end of what it said on stderr so far, fit to be shown.
    pub fn last_errors(&self) -> String {
        let errors = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        printable(&String::from_utf8_lossy(&errors))
    }

    /// Waits for the process to end after it was asked to.
    pub async fn ended(&mut self, deadline: Instant) -> bool {
        timeout_at(deadline, self.child.wait()).await.is_ok()
    }
}

/// Reads stderr to its end, so that a talkative engine never blocks, and keeps the last of it.
async fn keep_tail(mut stderr: ChildStderr, kept: Arc<Mutex<Vec<u8>>>) {
    let mut chunk = [0; 1024];
    while let Ok(read @ 1..) = stderr.read(&mut chunk).await {
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend_from_slice(&chunk[..read]);
        let surplus = kept.len().saturating_sub(STDERR_KEPT);
        kept.drain(..surplus);
    }
}

fn cannot_start(command: &Path, error: &io::Error) -> Failure {
    let failure = Failure::unable(format!(
        "cannot start engine `{}`: {error}",
        command.display()
    ));
    match error.kind() {
        io::ErrorKind::NotFound => {
            failure.hint("check the path, and that its interpreter is installed if it is a script")
        }
        io::ErrorKind::PermissionDenied => failure.hint(format!(
            "make it executable: chmod +x {}",
            command.display()
        )),
        // ENOEXEC, which the standard library has no kind for.
        _ if error.raw_os_error() == Some(8) => {
            failure.hint("expected a program for this machine, or a script with a #! line")
        }
        _ => failure,
    }
}
