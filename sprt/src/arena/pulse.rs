//! Whether this process stood still: it was stopped (SIGSTOP), or the whole machine was.
//!
//! While the runner stands still the engines' clocks go on, and what an engine said in time is read
//! too late. A thread looks at the time every now and then; where it did not for long, nobody in
//! this process did.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

const BEAT: Duration = Duration::from_millis(250);
/// A busy machine keeps a thread waiting too, but not for as long as this.
const LAPSE: Duration = Duration::from_secs(1);

/// The last beat and the lapses so far.
#[derive(Debug)]
struct Pulse {
    started: Instant,
    last_ms: AtomicU64,
    lapses: AtomicU64,
}

/// How often this process has stood still since it was first asked.
pub fn lapses() -> u64 {
    static PULSE: OnceLock<Pulse> = OnceLock::new();
    let mut is_first = false;
    let pulse = PULSE.get_or_init(|| {
        is_first = true;
        Pulse::new()
    });
    if is_first {
        std::thread::spawn(|| {
            loop {
                std::thread::sleep(BEAT);
                pulse.beat(pulse.started.elapsed());
            }
        });
    }
    // Who asks may be the first to wake.
    pulse.beat(pulse.started.elapsed());
    pulse.lapses.load(Ordering::SeqCst)
}

impl Pulse {
    fn new() -> Self {
        Self {
            started: Instant::now(),
            last_ms: AtomicU64::new(0),
            lapses: AtomicU64::new(0),
        }
    }

    fn beat(&self, now: Duration) {
        let now = now.as_millis() as u64;
        let before = self.last_ms.swap(now, Ordering::SeqCst);
        if now.saturating_sub(before) > LAPSE.as_millis() as u64 {
            self.lapses.fetch_add(1, Ordering::SeqCst);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_long_silence_is_a_lapse_and_it_is_counted_once() {
        let pulse = Pulse::new();
        let mut lapses = |ms| {
            pulse.beat(Duration::from_millis(ms));
            pulse.lapses.load(Ordering::SeqCst)
        };
        assert_eq!(
            [100, 300, 1300, 4000, 4001, 4500].map(&mut lapses),
            [0, 0, 0, 1, 1, 1]
        );
    }
}
