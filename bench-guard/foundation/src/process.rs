//! Running a program that nobody trusts: a build script, a bench.
//!
//! It gets no stdin, an environment without git's and make's variables and without those of a CI
//! job and of secrets, a process group of its own, a time limit, and a bounded buffer for its
//! output. However it ends, its group is killed, so that none of its children lives on.

use std::{
    collections::BTreeSet,
    io,
    os::{fd::AsFd, unix::process::CommandExt},
    path::Path,
    process::{Child, Command, ExitStatus, Stdio},
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use nix::{
    poll::{PollFd, PollFlags, PollTimeout, poll},
    sys::signal::{Signal, killpg},
    unistd::Pid,
};
mod environment;
mod output;

pub use environment::{hide_secrets, scrub};
pub use output::Output;

/// Interval between checks of the limits while the program prints nothing.
const TICK: Duration = Duration::from_millis(100);

/// Linux lets a pipe hold a mebibyte at most, unless a superuser says otherwise.
const LARGEST_PIPE: usize = 1 << 20;

/// How a program ended.
#[derive(Debug)]
pub enum End {
    Exited(ExitStatus),
    /// It was killed: over its time limit.
    OverTime(Duration),
    /// It was killed: `watch` said why.
    Stopped(String),
    /// [`stop_all`] was called, before or while it ran.
    Interrupted,
}

/// A program that has ended.
#[derive(Debug)]
pub struct Ended {
    pub end: End,
    /// stdout and stderr, as they were interleaved.
    pub output: Output,
}

/// Runs `command` to its end or to `limit`. `watch` is asked ten times a second whether to stop it,
/// and why.
///
/// The error is that of starting it.
pub fn run(
    mut command: Command,
    limit: Duration,
    watch: &dyn Fn() -> Option<String>,
) -> io::Result<Ended> {
    let (mut reader, writer) = io::pipe()?;
    scrub(&mut command);
    hide_secrets(&mut command);
    command
        .stdin(Stdio::null())
        .stdout(writer.try_clone()?)
        .stderr(writer);
    let mut group = match Group::spawn(&mut command) {
        Ok(group) => group,
        Err(error) if error.kind() == io::ErrorKind::Interrupted => {
            return Ok(Ended {
                end: End::Interrupted,
                output: Output::default(),
            });
        }
        Err(error) => return Err(error),
    };
    // The command holds the writing end; as long as it lives the pipe does not end.
    drop(command);
    let deadline = Instant::now() + limit;
    let mut output = Output::default();
    let mut open = true;
    let end = loop {
        if open && is_readable(&reader, TICK)? {
            open = output.take(&mut reader)? > 0;
        } else if !open {
            std::thread::sleep(Duration::from_millis(2));
        }
        if groups().stopping {
            break End::Interrupted;
        }
        if let Some(status) = group.child.try_wait()? {
            break End::Exited(status);
        }
        if Instant::now() >= deadline {
            break End::OverTime(limit);
        }
        if let Some(reason) = watch() {
            break End::Stopped(reason);
        }
    };
    drop(group);
    // What was printed before the end is still in the pipe. The group is dead; a child that left it
    // may hold the pipe open and keep printing, so no more is read than a pipe holds.
    let mut left = LARGEST_PIPE;
    while open && left > 0 && is_readable(&reader, Duration::ZERO)? {
        let taken = output.take(&mut reader)?;
        open = taken > 0;
        left = left.saturating_sub(taken);
    }
    Ok(Ended { end, output })
}

/// The text quoted as one word for a shell, whatever is in it.
pub fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// A word of a command that somebody is to type: quoted where a shell would not take it as it is.
pub fn word(text: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_.,/+=:".contains(letter);
    if !text.is_empty() && text.chars().all(is_plain) {
        text.to_owned()
    } else {
        quoted(text)
    }
}

/// A command on a file or a folder, as a message suggests it.
pub fn command_on(command: &str, path: &Path) -> String {
    format!("{command} {}", word(&path.to_string_lossy()))
}

/// Ends every program that [`run`] has started in this process, and lets it start no other: for
/// signal handlers.
pub(crate) fn stop_all() {
    let mut groups = groups();
    groups.stopping = true;
    for group in &groups.running {
        let _ = killpg(Pid::from_raw(*group), Signal::SIGKILL);
    }
}

#[derive(Default)]
struct Groups {
    running: BTreeSet<i32>,
    stopping: bool,
}

static GROUPS: Mutex<Groups> = Mutex::new(Groups {
    running: BTreeSet::new(),
    stopping: false,
});

fn groups() -> MutexGuard<'static, Groups> {
    GROUPS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A child that leads a process group, killed as a whole when dropped.
pub struct Group {
    pub child: Child,
    id: i32,
}

impl Group {
    /// Starts a program; after [`stop_all`] the error is of the kind `Interrupted`.
    pub fn spawn(command: &mut Command) -> io::Result<Self> {
        command.process_group(0);
        // The lock is held over the start, so that no child slips between `stop_all` and its
        // registration.
        let mut groups = groups();
        if groups.stopping {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let child = spawn_when_free(command)?;
        let id = child.id() as i32;
        groups.running.insert(id);
        Ok(Self { child, id })
    }
}

/// Starts a program. Just after a file was written, another thread's fork may hold it open for
/// writing for a moment longer, and the kernel then refuses to execute it.
///
/// # Errors
/// Those of `Command::spawn`.
pub fn spawn_when_free(command: &mut Command) -> io::Result<Child> {
    for _ in 0..50 {
        match command.spawn() {
            Err(error) if error.kind() == io::ErrorKind::ExecutableFileBusy => {
                std::thread::sleep(Duration::from_millis(10));
            }
            result => return result,
        }
    }
    command.spawn()
}

impl Drop for Group {
    fn drop(&mut self) {
        let _ = killpg(Pid::from_raw(self.id), Signal::SIGKILL);
        let _ = self.child.wait();
        groups().running.remove(&self.id);
    }
}

fn is_readable(reader: &impl AsFd, wait: Duration) -> io::Result<bool> {
    let mut descriptors = [PollFd::new(reader.as_fd(), PollFlags::POLLIN)];
    let timeout = PollTimeout::try_from(wait).unwrap_or(PollTimeout::ZERO);
    match poll(&mut descriptors, timeout) {
        Ok(ready) => Ok(ready > 0),
        Err(nix::errno::Errno::EINTR) => Ok(false),
        Err(errno) => Err(errno.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, limit: Duration) -> Ended {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        run(command, limit, &|| None).expect("sh starts")
    }

    /// A killed process needs a moment to go.
    fn dies(pid: &str) -> bool {
        let pid = Pid::from_raw(pid.trim().parse().expect("a process id"));
        (0..6000).any(|_| {
            std::thread::sleep(Duration::from_millis(10));
            let stat = std::fs::read_to_string(format!("/proc/{pid}/stat"));
            nix::sys::signal::kill(pid, None).is_err() || stat.is_ok_and(|s| s.contains(") Z "))
        })
    }

    #[test]
    fn output_of_both_streams_is_kept_in_order() {
        let ended = shell("echo one; echo two >&2; echo three; exit 3", TICK * 100);
        assert!(matches!(ended.end, End::Exited(status) if status.code() == Some(3)));
        assert_eq!(ended.output.text(), "one\ntwo\nthree\n");
    }

    #[test]
    fn a_grandchild_dies_with_the_program_at_the_limit() {
        let ended = shell("sleep 1000 & echo $!; wait", Duration::from_secs(3));
        assert!(matches!(ended.end, End::OverTime(_)));
        assert!(dies(&ended.output.text()));
    }

    #[test]
    fn a_grandchild_that_holds_the_output_open_delays_nothing() {
        let ended = shell("sleep 1000 & echo $!", Duration::from_secs(100));
        assert!(matches!(ended.end, End::Exited(status) if status.success()));
        assert!(dies(&ended.output.text()));
    }

    #[test]
    fn a_child_that_left_the_group_and_prints_for_ever_delays_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let script = format!(
            "cd {}; setsid sh -c 'echo $$; touch left; exec yes' & until [ -e left ]; do sleep 0.01; done",
            quoted(&folder.path().to_string_lossy())
        );
        let ended = shell(&script, Duration::from_secs(100));
        assert!(matches!(ended.end, End::Exited(status) if status.success()));
        // Nobody reads what it prints now, so it ends by itself.
        assert!(dies(ended.output.text().lines().next().unwrap_or_default()));
    }

    #[test]
    fn a_quoted_word_reaches_a_program_as_it_is() {
        for text in ["", "it's", "a b", "$(false) `x` \\ \"", "''", "\n"] {
            let ended = shell(&format!("printf %s {}", quoted(text)), TICK * 100);
            assert_eq!(ended.output.text(), text);
        }
    }

    #[test]
    fn a_word_to_type_is_quoted_only_where_it_has_to_be() {
        assert_eq!(word("--tc"), "--tc");
        assert_eq!(word("Move Overhead=5"), "'Move Overhead=5'");
        assert_eq!(word("it's"), "'it'\\''s'");
        assert_eq!(
            command_on("sprt resume", Path::new("a run")),
            "sprt resume 'a run'"
        );
    }

    #[test]
    fn stdin_is_empty() {
        assert_eq!(shell("wc -c", TICK * 100).output.text().trim(), "0");
    }
}
