//! Time management: pure functions on milliseconds, and a stopwatch.

use std::time::{Duration, Instant};

use crate::params::Params;

/// The side's clock, in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    pub left: u64,
    pub increment: u64,
    pub moves_to_go: Option<u64>,
}

/// Time limits in milliseconds: `soft` is scaled by how the search goes and checked between
/// iterations, `hard` is checked all the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Budget {
    pub(crate) soft: u64,
    pub(crate) hard: u64,
}

/// The budget for one move. It never exceeds the clock less overhead and reserve: the increment is
/// added only after the move.
pub(crate) fn budget(clock: Clock, overhead: u64, params: &Params) -> Budget {
    // With hardly any time left a move must be played at once; one millisecond is the least limit.
    let kept = overhead + params.tm_reserve() as u64;
    let usable = clock.left.saturating_sub(kept).max(1);
    let part = |thousandths: i32| u128::from(usable) * thousandths as u128 / 1000;
    // With a known number of moves the even share is the natural measure; less is used because the
    // last moves before the control must not run short.
    let share = clock.moves_to_go.map_or(0, |moves| {
        u128::from(usable) * params.tm_moves_share() as u128 / (100 * u128::from(moves.max(1)))
    });
    let increment = u128::from(clock.increment) * params.tm_increment() as u128 / 100;
    // The hard limit is a multiple of a usual move, so that a move in trouble can take longer.
    let hard = part(params.tm_hard_fraction())
        .max(share)
        .min(u128::from(usable));
    let soft = (part(params.tm_soft_fraction()).max(share) + increment).min(hard);
    Budget {
        soft: (soft as u64).max(1),
        hard: (hard as u64).max(1),
    }
}

/// Percentage of the soft budget to use. A best move that has not changed for `stable` iterations,
/// or that took most of the nodes (`effort`, in percent), is unlikely to be replaced and needs
/// less time.
pub(crate) fn soft_percent(params: &Params, stable: u32, effort: u64) -> u64 {
    let (slow, quick) = (params.tm_stability_max(), params.tm_stability_min());
    let span = params.tm_stability_span();
    let steps = (stable as i32).min(span);
    let stability = slow - (slow - quick) * steps / span;
    let nodes = (params.tm_node_scale() - effort.min(100) as i32).max(10);
    (stability * nodes / 100).max(1) as u64
}

/// The clock of one search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stopwatch {
    start: Instant,
    budget: Option<Budget>,
}

impl Stopwatch {
    /// `start` is when `go` was received; no budget means no limit.
    pub(crate) fn new(start: Instant, budget: Option<Budget>) -> Self {
        Self { start, budget }
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    pub(crate) fn milliseconds(&self) -> u64 {
        self.elapsed().as_millis() as u64
    }

    /// The search must stop, even within an iteration.
    pub(crate) fn is_hard_limit_reached(&self) -> bool {
        self.budget
            .is_some_and(|budget| self.milliseconds() >= budget.hard)
    }

    /// Another iteration should not be started. `percent` scales the soft budget.
    pub(crate) fn is_soft_limit_reached(&self, percent: u64) -> bool {
        self.budget.is_some_and(|budget| {
            self.elapsed().as_micros()
                >= u128::from(budget.soft.min(budget.hard)) * u128::from(percent) * 10
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn never_more_than_is_left(
            left in 0_u64..10_000_000,
            increment in 0_u64..1_000_000,
            moves_to_go in proptest::option::of(0_u64..200),
            overhead in 0_u64..5_000,
        ) {
            let clock = Clock { left, increment, moves_to_go };
            let Budget { soft, hard } = budget(clock, overhead, &Params::default());
            prop_assert!(soft <= hard);
            prop_assert!(hard >= 1);
            prop_assert!(hard <= left.saturating_sub(overhead).max(1));
        }

        #[test]
        fn stretch_stays_within_reason(stable in 0_u32..1000, effort in 0_u64..=100) {
            let percent = soft_percent(&Params::default(), stable, effort);
            prop_assert!((1..=1000).contains(&percent));
        }
    }

    #[test]
    fn a_clock_is_not_used_up_by_soft_budgets() {
        // A whole period of forty moves, each taking its soft share, ends before the flag falls.
        let mut left = 60_000;
        for moves in (1..=40).rev() {
            let clock = Clock {
                left,
                increment: 0,
                moves_to_go: Some(moves),
            };
            left -= budget(clock, 10, &Params::default()).soft;
        }
        assert!(left > 500, "{left}");
    }

    #[test]
    fn settled_positions_take_less_time() {
        let params = Params::default();
        assert!(soft_percent(&params, 0, 30) > soft_percent(&params, 6, 30));
        assert!(soft_percent(&params, 3, 20) > soft_percent(&params, 3, 90));
    }
}
