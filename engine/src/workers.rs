//! Threads that share one task.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

/// More threads than any machine has; a larger number is a typo.
pub const MAX: usize = 1_024;

/// Time between two calls of `meanwhile`.
const TICK: Duration = Duration::from_millis(50);

/// Runs `work` on this many threads until all have returned, and calls `meanwhile` now and then.
/// Returns the first error in the order of the threads; a panic is an error, too. The flag that `work` is
/// given is set as soon as one has failed.
pub fn run(
    threads: usize,
    work: impl Fn(&AtomicBool) -> Result<(), String> + Sync,
    mut meanwhile: impl FnMut(),
) -> Result<(), String> {
    let failed = AtomicBool::new(false);
    let work = || {
        let result = work(&failed);
        failed.fetch_or(result.is_err(), Relaxed);
        result
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        while !workers.iter().all(thread::ScopedJoinHandle::is_finished) {
            thread::sleep(TICK);
            meanwhile();
        }
        let panicked = || Err("a thread has panicked".to_owned());
        let joined = workers.into_iter().map(thread::ScopedJoinHandle::join);
        let results: Vec<_> = joined
            .map(|result| result.unwrap_or_else(|_| panicked()))
            .collect();
        results.into_iter().collect()
    })
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use super::*;

    #[test]
    fn every_thread_works_and_an_error_or_a_panic_of_one_is_returned() {
        let started = AtomicUsize::new(0);
        let ticks = AtomicUsize::new(0);
        let count_until_a_tick = |_: &AtomicBool| {
            started.fetch_add(1, Relaxed);
            while ticks.load(Relaxed) == 0 {
                thread::sleep(Duration::from_millis(1));
            }
            Ok(())
        };
        let tick = || {
            ticks.fetch_add(1, Relaxed);
        };
        assert_eq!(run(3, count_until_a_tick, tick), Ok(()));
        assert_eq!(started.load(Relaxed), 3);
        let fail = |_: &AtomicBool| match started.fetch_add(1, Relaxed) {
            4 => Err("no space".to_owned()),
            _ => Ok(()),
        };
        assert_eq!(run(3, fail, || ()), Err("no space".to_owned()));
        let panic = |_: &AtomicBool| -> Result<(), String> { panic!("on purpose") };
        assert_eq!(
            run(1, panic, || ()),
            Err("a thread has panicked".to_owned())
        );
    }
}
