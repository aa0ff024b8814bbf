//! Detects that this process was suspended: by SIGSTOP, or with the whole machine.
//!
//! While the runner is suspended the engines' clocks go on, and what an engine said in time is read
//! too late. A thread looks at the time four times a second; when it has not done so for more than
//! a second, the whole process was suspended.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

const TICK: Duration = Duration::from_millis(250);
/// A busy machine keeps a thread waiting too, but not for as long as this.
const GAP: Duration = Duration::from_secs(1);

/// The last tick and the suspensions so far.
#[derive(Debug)]
struct Watch {
    started: Instant,
    last_ms: AtomicU64,
    suspensions: AtomicU64,
}

/// How often this process was suspended since the first call.
pub(crate) fn suspensions() -> u64 {
    static WATCH: OnceLock<Watch> = OnceLock::new();
    let mut is_first = false;
    let watch = WATCH.get_or_init(|| {
        is_first = true;
        Watch::new()
    });
    if is_first {
        std::thread::spawn(|| {
            loop {
                std::thread::sleep(TICK);
                watch.tick(watch.started.elapsed());
            }
        });
    }
    // The caller may be the first to wake.
    watch.tick(watch.started.elapsed());
    watch.suspensions.load(Ordering::SeqCst)
}

impl Watch {
    fn new() -> Self {
        Self {
            started: Instant::now(),
            last_ms: AtomicU64::new(0),
            suspensions: AtomicU64::new(0),
        }
    }

    fn tick(&self, now: Duration) {
        let now = now.as_millis() as u64;
        // Another thread may have looked later and been here first.
        let before = self.last_ms.fetch_max(now, Ordering::SeqCst);
        if now.saturating_sub(before) > GAP.as_millis() as u64 {
            self.suspensions.fetch_add(1, Ordering::SeqCst);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_long_silence_is_a_suspension_and_it_is_counted_once() {
        let watch = Watch::new();
        let mut suspensions = |ms| {
            watch.tick(Duration::from_millis(ms));
            watch.suspensions.load(Ordering::SeqCst)
        };
        assert_eq!(
            [100, 300, 1300, 4000, 4001, 4500].map(&mut suspensions),
            [0, 0, 0, 1, 1, 1]
        );
        // A thread that looked before the last one and comes after it.
        assert_eq!([1000, 4501].map(&mut suspensions), [1, 1]);
    }
}
