//! An engine's process: lines in and out with a deadline on every wait, and a certain end.
//!
//! The process that is started is the engine's [`guard`], which passes it the pipes. Dropping a
//! [`Process`] closes the engine's input; the guard then kills the engine with all that it started,
//! and so it does when the runner ends in whatever way.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::os::fd::{AsFd as _, OwnedFd};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use foundation::Failure;
use foundation::platform::{kinship, tables};
use memchr::memchr;
use nix::unistd::read;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{ChildStderr, ChildStdin, ChildStdout};
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout_at};

use super::log::DialogueLog;
use super::{Launch, guard, hint, printable};

mod wait;

pub use wait::Waited;

/// Longer than any line of an engine needs to be; the rest of a longer line is dropped.
const LONGEST_LINE: usize = 1 << 20;
/// The most of a line that is shown to a user.
const LONGEST_SHOWN: usize = 500;
/// What is read at a time: more than an engine says in most searches.
const CHUNK: usize = 8192;
/// How much of an engine's stderr is kept to explain a crash.
const STDERR_KEPT: usize = 2048;
/// Once an engine has written more bytes than this to stderr, its stderr is read all the time.
const MUCH_STDERR: usize = 1 << 14;
/// Interval between checks whether a process has ended.
const POLL_INTERVAL: Duration = Duration::from_millis(2);
/// A killed process is gone sooner, unless the system is broken.
const KILLED: Duration = Duration::from_secs(2);

/// Why a line could not be read or sent.
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
    command: PathBuf,
    guard: Child,
    /// Closing it makes the guard kill the engine.
    input: Option<ChildStdin>,
    output: ChildStdout,
    /// The buffer for reads, so that it need not be cleared each time.
    chunk: Box<[u8; CHUNK]>,
    /// Bytes read; those before `consumed` were handed out.
    buffer: Vec<u8>,
    consumed: usize,
    /// How much of `buffer` is known to hold no line end.
    searched: usize,
    /// Where the answer that is waited for begins in `buffer`, and the last line of it that was
    /// dropped from there.
    answer: usize,
    dropped_line: Vec<u8>,
    /// The same pipe as `output`, by a handle of its own on which a read blocks; `None` where the
    /// system has none.
    blocking_output: Option<File>,
    /// When the runtime last had a turn.
    slice_began: Instant,
    errors: Arc<Errors>,
    /// Another handle of stderr, to see whether there is something to be read; `None` once it has
    /// ended.
    errors_pipe: Option<OwnedFd>,
    /// Ends when the last holder of the stderr pipe closes it.
    errors_reader: JoinHandle<()>,
    /// The log of what is sent and read.
    pub(super) log: Option<DialogueLog>,
}

/// What an engine said on stderr.
#[derive(Debug, Default)]
struct Errors {
    /// The end of it.
    kept: Mutex<Vec<u8>>,
    /// All its bytes.
    said: AtomicUsize,
}

impl Errors {
    /// Whether the engine may block on a full stderr pipe if that is read only now and then.
    fn may_fill_pipe(&self) -> bool {
        self.said.load(Ordering::Relaxed) > MUCH_STDERR
    }
}

impl Process {
    /// Starts an engine under a guard, in its folder and with its variables. A failure to start is
    /// known only when the output ends; see [`Process::start_failure`].
    pub(super) fn start(launch: &Launch) -> Result<Self, Failure> {
        let mut guard = guard::command(&launch.command, &launch.arguments, Duration::ZERO)
            .map_err(|error| cannot_start(&launch.command, &error))?;
        if let Some(folder) = &launch.folder {
            guard.current_dir(folder);
        }
        if let Some(variables) = &launch.variables {
            guard.env_clear().envs(variables.iter().cloned());
        }
        Self::spawn(&launch.command, guard)
    }

    /// Starts `command` with our variables; it may live for `grace` after its input was closed.
    pub fn start_with_grace(
        command: &Path,
        arguments: &[String],
        grace: Duration,
    ) -> Result<Self, Failure> {
        let guard = guard::command(command, arguments, grace)
            .map_err(|error| cannot_start(command, &error))?;
        Self::spawn(command, guard)
    }

    fn spawn(command: &Path, mut guard: Command) -> Result<Self, Failure> {
        let unable = |error: &io::Error| cannot_start(command, error);
        let mut guard = guard
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| unable(&error))?;
        let (Some(input), Some(output), Some(stderr)) =
            (guard.stdin.take(), guard.stdout.take(), guard.stderr.take())
        else {
            return Err(unable(&io::Error::other("it has no pipes")));
        };
        let blocking_output = tables::blocking_handle(&output);
        let input = ChildStdin::from_std(input).map_err(|error| unable(&error))?;
        let output = ChildStdout::from_std(output).map_err(|error| unable(&error))?;
        let stderr = ChildStderr::from_std(stderr).map_err(|error| unable(&error))?;
        let errors = Arc::<Errors>::default();
        let errors_pipe = stderr.as_fd().try_clone_to_owned();
        let errors_pipe = Some(errors_pipe.map_err(|error| unable(&error))?);
        let errors_reader = tokio::spawn(keep_tail(stderr, Arc::clone(&errors)));
        Ok(Self {
            command: command.to_owned(),
            guard,
            input: Some(input),
            output,
            chunk: Box::new([0; CHUNK]),
            buffer: Vec::new(),
            consumed: 0,
            searched: 0,
            answer: 0,
            dropped_line: Vec::new(),
            blocking_output,
            slice_began: Instant::now(),
            errors,
            errors_pipe,
            errors_reader,
            log: None,
        })
    }

    /// Writes all of `text`, which may take for ever: an engine need not read its input. See
    /// [`within`].
    pub async fn send(&mut self, text: &str) -> Result<(), Broken> {
        if let Some(log) = &mut self.log {
            log.sent(text);
        }
        let input = self.input.as_mut().ok_or(Broken::Closed)?;
        input
            .write_all(text.as_bytes())
            .await
            .map_err(|_| Broken::Closed)
    }

    /// Waits for the next line, possibly for ever, and returns its place in the buffer, without its
    /// line end (`\n` or `\r\n`). See [`within`].
    ///
    /// What an engine wrote before it closed its output counts as a line even without a line end.
    pub async fn line(&mut self) -> Result<Range<usize>, Broken> {
        let line = self.next_line().await?;
        if let Some(log) = &mut self.log {
            log.read(&self.buffer[line.clone()]);
        }
        Ok(line)
    }

    async fn next_line(&mut self) -> Result<Range<usize>, Broken> {
        loop {
            if let Some(line) = self.buffered_line() {
                return Ok(line);
            }
            self.make_room();
            match self.output.read_buf(&mut self.buffer).await {
                Ok(read) if read > 0 => {}
                _ => return self.rest().ok_or(Broken::Closed),
            }
        }
    }

    pub fn text(&self, line: Range<usize>) -> &[u8] {
        &self.buffer[line]
    }

    /// Reads output that has already arrived, so that it is not taken for the answer to the next
    /// command. `hear` gets each line of it. This waits for nothing, and stops after a limit if an
    /// engine keeps on writing.
    pub(crate) fn discard(&mut self, mut hear: impl FnMut(&[u8])) {
        let mut taken = 0;
        while taken < LONGEST_LINE {
            while let Some(line) = self.buffered_line() {
                if let Some(log) = &mut self.log {
                    log.read(&self.buffer[line.clone()]);
                }
                hear(&self.buffer[line]);
            }
            self.make_room();
            // A failure shows again when the next answer is awaited.
            let Ok(length @ 1..) = read(&self.output, &mut self.chunk[..]) else {
                break;
            };
            self.buffer.extend_from_slice(&self.chunk[..length]);
            taken += length;
        }
        self.clear_buffer();
    }

    fn clear_buffer(&mut self) {
        self.buffer.clear();
        self.consumed = 0;
        self.searched = 0;
        self.expect_answer();
    }

    /// What is read from here on may be the answer to a question.
    pub fn expect_answer(&mut self) {
        self.answer = self.buffer.len();
        self.dropped_line.clear();
    }

    /// The last line since the question, fit for a message; `None` where nothing was said.
    pub fn last_line(&self, expected: &str) -> Option<String> {
        let rest = &self.buffer[self.consumed.max(self.answer)..];
        if !rest.trim_ascii().is_empty() {
            return Some(hint::last_line(rest, false, expected));
        }
        let line = last_of(&self.buffer[self.answer.min(self.consumed)..self.consumed])
            .unwrap_or(&self.dropped_line);
        (!line.is_empty()).then(|| hint::last_line(line, true, expected))
    }

    /// The next whole line of what has been read.
    pub(crate) fn buffered_line(&mut self) -> Option<Range<usize>> {
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

    /// The rest after the last whole line, as a line.
    pub fn rest(&mut self) -> Option<Range<usize>> {
        let rest = self.consumed..self.buffer.len();
        self.consumed = rest.end;
        self.searched = rest.end;
        (!rest.is_empty()).then_some(rest)
    }

    /// Bytes that have been read since [`Process::discard`] or [`Process::make_room`].
    pub(crate) fn buffered(&self) -> usize {
        self.buffer.len()
    }

    /// Drops the lines that were handed out.
    pub(crate) fn make_room(&mut self) {
        if self.buffer.len() - self.consumed > LONGEST_LINE {
            // Keep the beginning, which identifies the line, and drop the rest that has come so
            // far.
            self.buffer.truncate(self.consumed + LONGEST_LINE / 2);
        }
        if self.consumed > 0 {
            let handed_out = &self.buffer[self.answer.min(self.consumed)..self.consumed];
            if let Some(line) = last_of(handed_out) {
                self.dropped_line.clear();
                let kept = line.len().min(LONGEST_SHOWN);
                self.dropped_line.extend_from_slice(&line[..kept]);
            }
            self.buffer.drain(..self.consumed);
            self.answer = self.answer.saturating_sub(self.consumed);
            self.consumed = 0;
        }
        self.searched = self.buffer.len();
        // A line that is already long is likely to get longer.
        self.buffer.reserve(self.buffer.len().max(4096));
    }

    /// How the process ended, for a message; waits for its end until the deadline.
    pub async fn exit_report(&mut self, deadline: Instant) -> String {
        let ended = match self.exit_status(deadline).await {
            None => "closed its output without ending".to_owned(),
            Some(Err(error)) => format!("ended ({error})"),
            Some(Ok(status)) => format!("ended by itself ({status})"),
        };
        // What it said last may still be in the pipe. One that is asked again has been read to the
        // end, and its reader must not be waited for twice.
        if !self.errors_reader.is_finished() {
            let _ = timeout_at(deadline, &mut self.errors_reader).await;
        }
        let report = match self.last_errors().trim() {
            "" => ended,
            said => format!("{ended}; its last words on stderr: {said}"),
        };
        if let Some(log) = &mut self.log {
            log.ended(&report);
        }
        report
    }

    /// Why the engine never began, after its output has ended.
    pub fn start_failure(&self) -> Option<Failure> {
        guard::start_error(&self.last_errors()).map(|error| cannot_start(&self.command, &error))
    }

    /// How the process ended; `None` if it has not by the deadline.
    async fn exit_status(&mut self, deadline: Instant) -> Option<io::Result<ExitStatus>> {
        loop {
            if let Some(ended) = self.guard_ended() {
                return Some(ended);
            }
            if Instant::now() >= deadline {
                return None;
            }
            tokio::time::sleep(POLL_INTERVAL).await;
        }
    }

    /// How the guard ended, if it has.
    fn guard_ended(&mut self) -> Option<io::Result<ExitStatus>> {
        // If the guard itself was killed, it could not kill the engine, which is in its process group.
        kinship::kill_group_if_ended(self.guard.id());
        self.guard.try_wait().transpose()
    }

    /// Bytes that the engine has in memory, where the system shows it.
    pub(super) fn memory(&self) -> Option<u64> {
        tables::memory_of_child(self.guard.id())
    }

    /// The end of what it said on stderr so far, fit to be shown.
    pub fn last_errors(&self) -> String {
        let kept = self.errors.kept.lock();
        let kept = kept.unwrap_or_else(PoisonError::into_inner);
        printable(&String::from_utf8_lossy(&kept))
    }

    /// Ends the engine's input.
    pub fn close_input(&mut self) {
        drop(self.input.take());
    }

    /// Ends the process and waits until it is gone.
    pub(super) async fn kill(&mut self) {
        self.close_input();
        self.ended(Instant::now() + KILLED).await;
    }

    /// Waits for the process to end after it was asked to.
    pub async fn ended(&mut self, deadline: Instant) -> bool {
        self.exit_status(deadline).await.is_some()
    }
}

/// The last line that is not blank, without its line end.
fn last_of(lines: &[u8]) -> Option<&[u8]> {
    let mut lines = lines.rsplit(|byte| *byte == b'\n');
    lines.find(|line| !line.trim_ascii().is_empty())
}

impl Drop for Process {
    /// Returns when the engine is gone.
    fn drop(&mut self) {
        drop(self.input.take());
        let deadline = std::time::Instant::now() + KILLED;
        while self.guard_ended().is_none() && std::time::Instant::now() < deadline {
            std::thread::sleep(POLL_INTERVAL / 4);
        }
    }
}

/// Reads stderr to its end, so that a talkative engine never blocks, and keeps the last of it.
async fn keep_tail(mut stderr: ChildStderr, errors: Arc<Errors>) {
    let mut chunk = [0; 1024];
    while let Ok(read @ 1..) = stderr.read(&mut chunk).await {
        errors.said.fetch_add(read, Ordering::Relaxed);
        let mut kept = errors.kept.lock().unwrap_or_else(PoisonError::into_inner);
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
