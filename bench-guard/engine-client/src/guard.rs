//! The guard of an engine: a process between the runner and the engine, which lets nothing outlive
//! either of them.
//!
//! The runner starts its own program again as the guard, and the guard starts the engine with the
//! same pipes. It adopts whatever the engine starts and leaves behind, also in sessions of their
//! own (it is their sub-reaper, on Linux). When the runner closes the engine's input, or ends in
//! whatever way, also by SIGKILL, the guard kills all of them; when the engine ends, it kills what
//! the engine left behind, so that nobody holds its output open, and ends in the same way as the
//! engine did. Where runner and guard are both killed at once, the system kills the engine (on
//! Linux); processes that the engine had started are left to themselves then, because a control
//! group that would hold them needs rights that users rarely have.
//!
//! A program that starts engines calls [`run_if_guard`] first thing in `main`.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Write as _};
use std::os::fd::AsFd as _;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use foundation::platform::{kinship, prepare_for_engine, tables};
use foundation::process;
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{Signal, kill, raise};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;

/// The argument by which a program knows that it is to be a guard.
const ARGUMENT: &str = "__engine-guard";

/// How the guard says on stderr that the engine could not be started, followed by the system's
/// error number.
const CANNOT_START: &str = "engine-guard: cannot start: ";

/// Whether this program can be started as a guard.
static AVAILABLE: AtomicBool = AtomicBool::new(false);

/// Whether the guarded engine has ended, so that its process id may be reused.
static ENDED: AtomicBool = AtomicBool::new(false);

/// Guards an engine if this process was started for that, and returns how to end; else lets engines
/// be started.
pub fn run_if_guard() -> Option<ExitCode> {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next().is_some_and(|first| first == ARGUMENT) {
        return Some(guard(arguments));
    }
    AVAILABLE.store(true, Ordering::Relaxed);
    None
}

/// The command that starts `engine` under a guard, which lets it live for `grace` after its input
/// was closed.
pub(super) fn command(engine: &Path, arguments: &[String], grace: Duration) -> io::Result<Command> {
    if !AVAILABLE.load(Ordering::Relaxed) {
        return Err(io::Error::other("this program cannot guard engines"));
    }
    let mut command = Command::new(kinship::own_program()?);
    command
        .arg(ARGUMENT)
        .arg(grace.as_millis().to_string())
        .arg(engine)
        .args(arguments)
        // Keys on a terminal are meant for the runner.
        .process_group(0);
    Ok(command)
}

/// Why the engine could not be started, if that is what a guard said on stderr.
pub(super) fn start_error(stderr: &str) -> Option<io::Error> {
    let number = stderr
        .lines()
        .find_map(|line| line.strip_prefix(CANNOT_START))?;
    number.trim().parse().ok().map(io::Error::from_raw_os_error)
}

fn guard(mut arguments: impl Iterator<Item = OsString>) -> ExitCode {
    kinship::adopt_orphans();
    prepare_for_engine();
    let grace = arguments.next().and_then(|ms| ms.to_str()?.parse().ok());
    let (Some(grace), Some(program)) = (grace, arguments.next()) else {
        return ExitCode::FAILURE;
    };
    let mut engine = Command::new(&program);
    let arguments: Vec<_> = arguments.collect();
    engine.args(&arguments);
    // The guard has no other thread yet.
    kinship::die_with_parent(&mut engine, &program, &arguments);
    let engine = match process::spawn_when_free(&mut engine) {
        Ok(engine) => Pid::from_raw(engine.id() as i32),
        Err(error) => {
            let number = error.raw_os_error().unwrap_or_default();
            let _ = writeln!(io::stderr(), "{CANNOT_START}{number}");
            return ExitCode::FAILURE;
        }
    };
    let_go_of_output();
    std::thread::spawn(move || {
        wait_for_hangup();
        std::thread::sleep(Duration::from_millis(grace));
        if !ENDED.load(Ordering::Acquire) {
            let _ = kill(engine, Signal::SIGKILL);
        }
    });
    let status = loop {
        match waitpid(None, None) {
            Ok(status) if status.pid() != Some(engine) => {}
            Err(Errno::EINTR) => {}
            ended => break ended,
        }
    };
    ENDED.store(true, Ordering::Release);
    kill_orphans();
    end_like(status)
}

/// Only the engine holds its output: its end is the end of the output.
fn let_go_of_output() {
    if let Ok(nothing) = File::options().write(true).open("/dev/null") {
        let _ = nix::unistd::dup2_stdout(&nothing);
        let _ = nix::unistd::dup2_stderr(&nothing);
    }
}

/// Returns when nobody can write to the engine's input any more.
fn wait_for_hangup() {
    let input = io::stdin();
    loop {
        // Even with no events requested, poll reports a hang-up.
        let mut input = [PollFd::new(input.as_fd(), PollFlags::empty())];
        match poll(&mut input, PollTimeout::NONE) {
            Ok(_) | Err(Errno::EINTR) => {}
            Err(_) => return,
        }
        if input[0].any().unwrap_or(true) {
            return;
        }
    }
}

/// Kills what the engine left behind, and what that leaves behind, until nothing is left. Where the system shows no table of
/// processes, none was adopted.
fn kill_orphans() {
    loop {
        match waitpid(None, Some(WaitPidFlag::WNOHANG)) {
            Ok(WaitStatus::StillAlive) => {
                let children = tables::children(std::process::id());
                if children.is_empty() {
                    return;
                }
                for child in children {
                    let _ = kill(Pid::from_raw(child as i32), Signal::SIGKILL);
                }
                let _ = waitpid(None, None);
            }
            Ok(_) | Err(Errno::EINTR) => {}
            // No child is left.
            Err(_) => return,
        }
    }
}

/// Ends as the engine ended, so that the runner sees how that was.
fn end_like(status: nix::Result<WaitStatus>) -> ExitCode {
    match status {
        Ok(WaitStatus::Exited(_, code)) => ExitCode::from(code as u8),
        Ok(WaitStatus::Signaled(_, signal, _)) => {
            // The core dump of interest is the engine's, not this one's.
            kinship::leave_no_core();
            let _ = raise(signal);
            // A signal that is ignored here, such as SIGPIPE.
            ExitCode::from(128 + signal as u8)
        }
        _ => ExitCode::FAILURE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_start_that_failed_is_reported_by_its_number() {
        let said = format!("noise\n{CANNOT_START}2\n");
        let error = start_error(&said).expect("an error");
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
        assert!(start_error("noise\n").is_none());
    }
}
