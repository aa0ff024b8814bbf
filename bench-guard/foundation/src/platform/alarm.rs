//! An alarm that ends a blocking system call of this thread.
//!
//! Waiting for an engine in a plain `read` costs one system call where `poll` and `read` are two,
//! but a `read` knows no deadline. A signal ends it: a timer of the system sends one to this thread
//! alone, and a handler that does nothing makes the call return `EINTR`.

#[cfg(target_os = "linux")]
mod system {
    use std::marker::PhantomData;
    use std::sync::LazyLock;
    use std::time::{Duration, Instant};

    use nix::libc::c_int;
    use nix::sys::signal::{
        SaFlags, SigAction, SigEvent, SigHandler, SigSet, SigevNotify, Signal, sigaction,
    };
    use nix::sys::timer::{Expiration, Timer, TimerSetTimeFlags};
    use nix::time::ClockId;
    use nix::unistd::gettid;

    /// Nothing else here uses it, and a process without a handler ignores it.
    const SIGNAL: Signal = Signal::SIGURG;

    /// A signal that arrives just before the call interrupts nothing, so it is sent again.
    const AGAIN: Duration = Duration::from_millis(20);

    static HAS_HANDLER: LazyLock<bool> = LazyLock::new(set_handler);

    /// Belongs to the thread that created it, until it is dropped.
    #[derive(Debug)]
    pub struct Alarm {
        timer: Timer,
        rings: Option<Instant>,
        of_this_thread: PhantomData<*mut ()>,
    }

    impl Alarm {
        /// `None` where the system has no such timer.
        pub fn begin() -> Option<Self> {
            if !*HAS_HANDLER {
                return None;
            }
            let event = SigEvent::new(SigevNotify::SigevThreadId {
                signal: SIGNAL,
                thread_id: gettid().as_raw(),
                si_value: 0,
            });
            Some(Self {
                timer: Timer::new(ClockId::CLOCK_MONOTONIC, event).ok()?,
                rings: None,
                of_this_thread: PhantomData,
            })
        }

        /// Interrupts a call that blocks from `now` on, at the latest at `then`; a call that begins
        /// to block just after the signal is interrupted a moment later. Returns whether the timer
        /// could be set.
        #[inline]
        pub fn ring_by(&mut self, now: Instant, then: Instant) -> bool {
            if self.rings.is_some_and(|rings| now < rings && rings <= then) {
                return true;
            }
            let left = then
                .saturating_duration_since(now)
                .max(Duration::from_micros(1));
            let rings = Expiration::IntervalDelayed(left.into(), AGAIN.into());
            let is_set = self.timer.set(rings, TimerSetTimeFlags::empty()).is_ok();
            self.rings = is_set.then_some(now + left);
            is_set
        }
    }

    extern "C" fn nothing(_: c_int) {}

    #[expect(
        unsafe_code,
        reason = "no crate that is in use here has handlers without SA_RESTART"
    )]
    fn set_handler() -> bool {
        let action = SigAction::new(
            SigHandler::Handler(nothing),
            // Without SA_RESTART, which would restart the call.
            SaFlags::empty(),
            SigSet::empty(),
        );
        // SAFETY: a handler that does nothing may run at any moment.
        unsafe { sigaction(SIGNAL, &action) }.is_ok()
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use std::time::Instant;

    #[derive(Debug)]
    pub struct Alarm;

    impl Alarm {
        pub fn begin() -> Option<Self> {
            None
        }

        pub fn ring_by(&mut self, _: Instant, _: Instant) -> bool {
            false
        }
    }
}

pub use system::Alarm;

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::time::{Duration, Instant};

    use nix::errno::Errno;
    use nix::unistd::{pipe, read, write};

    use super::*;

    /// What a read of an empty pipe returns when the alarm was set for `left` and the read begins
    /// after `pause`. If the alarm fails, text arrives after ten seconds and ends the test.
    fn read_with_alarm(left: Duration, pause: Duration) -> nix::Result<usize> {
        let (output, input) = pipe().expect("a pipe");
        std::thread::spawn(move || {
            std::thread::sleep(Duration::from_secs(10));
            write(input, b"too late")
        });
        let mut alarm = Alarm::begin().expect("an alarm");
        let now = Instant::now();
        assert!(alarm.ring_by(now, now + left));
        std::thread::sleep(pause);
        read(output, &mut [0; 8])
    }

    #[test]
    fn an_alarm_ends_a_read_that_blocks() {
        let left = Duration::from_millis(50);
        assert_eq!(read_with_alarm(left, Duration::ZERO), Err(Errno::EINTR));
    }

    #[test]
    fn an_alarm_that_rang_before_the_read_began_rings_again() {
        let pause = Duration::from_millis(50);
        assert_eq!(read_with_alarm(Duration::ZERO, pause), Err(Errno::EINTR));
    }
}
