//! The order of the schedule, for pairs that finish in another.

use std::collections::BTreeMap;

/// Puts things that come in any order back in the order of their numbers, without gaps.
///
/// The order matters twice: a stopping rule that saw short games first would be biased, and a run
/// must end the same at any concurrency. So a pair that finishes early waits for those scheduled
/// before it.
#[derive(Debug)]
pub struct InOrder<T> {
    next: u64,
    waiting: BTreeMap<u64, T>,
}

impl<T> InOrder<T> {
    /// Begins with number `next`.
    pub fn new(next: u64) -> Self {
        Self {
            next,
            waiting: BTreeMap::new(),
        }
    }

    pub fn add(&mut self, number: u64, item: T) {
        self.waiting.insert(number, item);
    }

    /// The next in order, if it has arrived.
    pub fn pop(&mut self) -> Option<T> {
        let item = self.waiting.remove(&self.next)?;
        self.next += 1;
        Some(item)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_early_waits_for_those_before_it() {
        let mut order = InOrder::new(4);
        order.add(6, 'c');
        order.add(5, 'b');
        assert_eq!(order.pop(), None);
        order.add(4, 'a');
        let all: Vec<char> = std::iter::from_fn(|| order.pop()).collect();
        assert_eq!(all, ['a', 'b', 'c']);
    }
}
