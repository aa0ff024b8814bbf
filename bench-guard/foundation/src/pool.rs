//! A bounded pool of threads: the same work on every item of a list, results in the order of the
//! list.
//!
//! The first failure stops the pool: items that nobody has begun are left alone, and the failure is
//! returned. Work that should stop for another reason, a signal for instance, fails when it sees
//! that reason.

use std::{
    num::NonZero,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
};

/// Logical processors that this process may use.
pub fn cores() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

/// Runs `work` on every item, on at most `threads` threads.
///
/// # Errors
/// That of the first item, in the order of the list, whose work failed.
pub fn map<T, R, E>(
    threads: usize,
    items: &[T],
    work: impl Fn(&T) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E>
where
    T: Sync,
    R: Send,
    E: Send,
{
    let next = AtomicUsize::new(0);
    let stopped = AtomicBool::new(false);
    let results: Vec<Mutex<Option<Result<R, E>>>> =
        items.iter().map(|_| Mutex::new(None)).collect();
    let thread = || {
        while !stopped.load(Ordering::SeqCst) {
            let index = next.fetch_add(1, Ordering::SeqCst);
            let (Some(item), Some(result)) = (items.get(index), results.get(index)) else {
                return;
            };
            let done = work(item);
            if done.is_err() {
                stopped.store(true, Ordering::SeqCst);
            }
            put(result, done);
        }
    };
    thread::scope(|scope| {
        for _ in 0..threads.clamp(1, items.len().max(1)) {
            scope.spawn(thread);
        }
    });
    let mut values = Vec::with_capacity(items.len());
    for result in results {
        match take(result) {
            Some(Ok(value)) => values.push(value),
            Some(Err(error)) => return Err(error),
            // Left undone; the failure that stopped the pool may come later in the list.
            None => {}
        }
    }
    Ok(values)
}

fn put<T>(place: &Mutex<Option<T>>, value: T) {
    *place.lock().unwrap_or_else(PoisonError::into_inner) = Some(value);
}

fn take<T>(place: Mutex<Option<T>>) -> Option<T> {
    place.into_inner().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_items() {
        let items: Vec<u64> = (0..100).collect();
        let squares = map(7, &items, |item| Ok::<_, ()>(item * item));
        assert_eq!(squares, Ok(items.iter().map(|item| item * item).collect()));
        assert_eq!(
            map(0, &[] as &[u64], |item| Ok::<_, ()>(*item)),
            Ok(Vec::new())
        );
    }

    #[test]
    fn a_failure_stops_what_has_not_begun() {
        let begun = AtomicUsize::new(0);
        let items: Vec<usize> = (0..1000).collect();
        let result = map(1, &items, |item| {
            begun.fetch_add(1, Ordering::SeqCst);
            if *item == 3 { Err("three") } else { Ok(()) }
        });
        assert_eq!((result, begun.into_inner()), (Err("three"), 4));
    }
}
