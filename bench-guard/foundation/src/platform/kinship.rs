//! How a process and those that it starts end together.

#[cfg(target_os = "linux")]
mod system {
    use std::ffi::{CString, OsStr, OsString};
    use std::io;
    use std::os::unix::ffi::OsStrExt as _;
    use std::os::unix::process::CommandExt as _;
    use std::path::PathBuf;
    use std::process::Command;

    use nix::errno::Errno;
    use nix::sys::prctl;
    use nix::sys::signal::{Signal, killpg};
    use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid};
    use nix::unistd::{Pid, execv, getppid};

    /// A program that was replaced by a new build is still found by this path.
    pub fn own_program() -> io::Result<PathBuf> {
        Ok("/proc/self/exe".into())
    }

    /// Makes this process the parent of every descendant that loses its own parent.
    pub fn adopt_orphans() {
        // Engines are guarded without it too, except for processes that start sessions of their own.
        let _ = prctl::set_child_subreaper(true);
    }

    /// Has the system kill the child if this process is killed; processes that the child has
    /// started by then are not reached by this. No other thread of this process may hold a lock
    /// when the child is started.
    #[expect(
        unsafe_code,
        reason = "the standard library has no other way to ask for this in the new process"
    )]
    pub fn die_with_parent(child: &mut Command, program: &OsStr, arguments: &[OsString]) {
        let parent = std::process::id() as i32;
        let words = std::iter::once(program).chain(arguments.iter().map(OsString::as_os_str));
        let words: Vec<_> = words
            .flat_map(|word| CString::new(word.as_bytes()))
            .collect();
        let start = move || {
            prctl::set_pdeathsig(Signal::SIGKILL)?;
            // The parent may have died before this was set.
            if getppid().as_raw() != parent {
                return Err(Errno::ESRCH.into());
            }
            // If `Command` used its own `exec` here, it would let a shell run a file that is not a
            // program.
            match words.first() {
                Some(program) if program.as_bytes().contains(&b'/') => execv(program, &words)
                    .map(|never| match never {})
                    .map_err(io::Error::from),
                // `Command` looks for it on the PATH.
                _ => Ok(()),
            }
        };
        // SAFETY: the caller has no other thread that could hold a lock which the closure needs.
        unsafe { child.pre_exec(start) };
    }

    /// Kills the process group of a child that has ended. Until the child is waited for, no other
    /// process can have its number.
    pub fn kill_group_if_ended(child: u32) {
        let child = Pid::from_raw(child as i32);
        let look = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
        if waitid(Id::Pid(child), look).is_ok_and(|status| status != WaitStatus::StillAlive) {
            let _ = killpg(child, Signal::SIGKILL);
        }
    }

    /// A signal that ends this process leaves no core dump.
    pub fn leave_no_core() {
        let _ = prctl::set_dumpable(false);
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use std::ffi::{OsStr, OsString};
    use std::io;
    use std::path::PathBuf;
    use std::process::Command;

    pub fn own_program() -> io::Result<PathBuf> {
        std::env::current_exe()
    }

    pub fn adopt_orphans() {}

    pub fn die_with_parent(_: &mut Command, _: &OsStr, _: &[OsString]) {}

    pub fn kill_group_if_ended(_: u32) {}

    pub fn leave_no_core() {}
}

pub use system::{adopt_orphans, die_with_parent, kill_group_if_ended, leave_no_core, own_program};
