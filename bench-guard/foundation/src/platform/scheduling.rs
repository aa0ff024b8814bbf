//! How Linux shares a processor between the thread that reads an engine's lines and the engine.
//!
//! Every line that an engine writes wakes the thread that reads it. On a processor that both share,
//! the usual policy interrupts the engine for each line: two context switches and two system calls
//! a line. A thread under `SCHED_BATCH` does not interrupt the one that runs. The engine goes on, and
//! all lines are read at once when it waits for its next command, or when its turn is over where it
//! does not wait. Linux 6.12 and later let a turn be longer than the usual one to three milliseconds;
//! before, it is as long as usual. Engines run under the usual policy: their guard returns to it.

#[cfg(target_os = "linux")]
mod system {
    use std::ffi::c_int;

    use nix::libc::{self, SCHED_BATCH, SCHED_OTHER, sched_attr};

    use crate::platform::affinity;

    /// A turn of two threads that share a processor, in nanoseconds; the shorter one of both counts.
    const TURN: u64 = 5_000_000;

    /// This thread has the policy until it is dropped.
    pub struct BatchPolicy(());

    impl BatchPolicy {
        /// `None` where the thread has another policy than the usual one, or may not change it.
        pub fn begin() -> Option<Self> {
            change(SCHED_OTHER, SCHED_BATCH, TURN).then(|| Self(()))
        }
    }

    impl Drop for BatchPolicy {
        fn drop(&mut self) {
            change(SCHED_BATCH, SCHED_OTHER, 0);
        }
    }

    /// For a thread that starts an engine: undoes the policy that it inherited. If the engine
    /// shares its only processor with the thread that reads its lines, this thread and the engine
    /// get the longer turn.
    pub fn prepare_for_engine() {
        let turn = if affinity::allowed().len() == 1 {
            TURN
        } else {
            0
        };
        if !change(SCHED_BATCH, SCHED_OTHER, turn) {
            change(SCHED_OTHER, SCHED_OTHER, turn);
        }
    }

    /// Without a turn of its own, a thread has the system's.
    #[expect(
        unsafe_code,
        reason = "no crate that is in use here wraps these two calls"
    )]
    fn change(from: c_int, to: c_int, turn: u64) -> bool {
        // SAFETY: all fields are numbers, for which zero is a value.
        let mut attributes: sched_attr = unsafe { std::mem::zeroed() };
        let size = size_of::<sched_attr>();
        // SAFETY: the system writes no more than `size` bytes, and only during the call.
        let is_known =
            unsafe { libc::syscall(libc::SYS_sched_getattr, 0, &raw mut attributes, size, 0) == 0 };
        if !is_known || attributes.sched_policy != from as u32 {
            return false;
        }
        attributes.size = size as u32;
        attributes.sched_policy = to as u32;
        attributes.sched_runtime = turn;
        // SAFETY: the system reads as much as the field `size` says, and only during the call.
        unsafe { libc::syscall(libc::SYS_sched_setattr, 0, &raw const attributes, 0) == 0 }
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    pub struct BatchPolicy;

    impl BatchPolicy {
        pub fn begin() -> Option<Self> {
            None
        }
    }

    pub fn prepare_for_engine() {}
}

pub use system::{BatchPolicy, prepare_for_engine};

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_thread_has_the_policy_once_and_only_while_it_is_held() {
        // 41st field of /proc/…/stat, counted after the name in parentheses.
        let policy = || {
            let stat = std::fs::read_to_string("/proc/thread-self/stat").expect("an entry");
            let (_, fields) = stat.rsplit_once(')').expect("a name");
            fields
                .split_whitespace()
                .nth(38)
                .expect("a policy")
                .to_owned()
        };
        let before = policy();
        let held = BatchPolicy::begin().expect("a thread may give way");
        assert_eq!((before.as_str(), policy().as_str()), ("0", "3"));
        assert!(BatchPolicy::begin().is_none());
        assert_eq!(policy(), "3");
        drop(held);
        assert_eq!(policy(), "0");
    }
}
