//! Linux's scheduling policy `SCHED_BATCH`, under which a thread that wakes up does not interrupt
//! the one that runs.
//!
//! Every line that an engine writes wakes the thread that reads it. On a processor that both share,
//! the usual policy interrupts the engine for each line: two context switches and two system calls
//! a line. Under this one the engine goes on, and all lines are read at once when it waits for its
//! next command, or at the next tick of the clock where it does not wait. Engines run under the usual
//! policy: their guard returns to it.

#[cfg(target_os = "linux")]
mod system {
    use std::ffi::c_int;

    use nix::libc;

    /// This thread has the policy until it is dropped.
    pub struct BatchPolicy(());

    impl BatchPolicy {
        /// `None` where the thread has another policy than the usual one, or may not change it.
        pub fn begin() -> Option<Self> {
            change(libc::SCHED_OTHER, libc::SCHED_BATCH).then(|| Self(()))
        }
    }

    impl Drop for BatchPolicy {
        fn drop(&mut self) {
            use_normal_policy();
        }
    }

    /// Ends what this thread inherited.
    pub fn use_normal_policy() {
        change(libc::SCHED_BATCH, libc::SCHED_OTHER);
    }

    #[expect(
        unsafe_code,
        reason = "no crate that is in use here wraps these two calls"
    )]
    fn change(from: c_int, to: c_int) -> bool {
        let (mut policy, mut parameter) = (0, libc::sched_param { sched_priority: 0 });
        // SAFETY: the thread is this one, and both calls use the places only while they run.
        unsafe {
            let thread = libc::pthread_self();
            libc::pthread_getschedparam(thread, &raw mut policy, &raw mut parameter) == 0
                && policy == from
                && libc::pthread_setschedparam(thread, to, &raw const parameter) == 0
        }
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

    pub fn use_normal_policy() {}
}

pub use system::{BatchPolicy, use_normal_policy};

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
