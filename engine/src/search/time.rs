//! Time management: pure functions on milliseconds, and a stopwatch.

use std::time::{Duration, Instant};

use crate::params::Params;
use crate::score::Score;

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
    let kept = overhead + reserve(clock, overhead, params);
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

/// The overhead of the moves to come that their increments do not pay for, in milliseconds, at most
/// a fraction of the clock, so that time is left to search in a fast game.
fn reserve(clock: Clock, overhead: u64, params: &Params) -> u64 {
    let expected = params.tm_overhead_moves() as u64;
    let moves = clock
        .moves_to_go
        .map_or(expected, |moves| moves.min(expected));
    let most = u128::from(clock.left) * params.tm_overhead_max() as u128 / 100;
    let unpaid = overhead.saturating_sub(clock.increment);
    (unpaid * moves).min(most as u64)
}

/// Percentage of the soft budget to use. A best move that has not changed for `stable` iterations,
/// or that took most of the nodes (`effort`, in percent), is unlikely to be replaced and needs
/// less time. A score that has fallen by `drop` centipawns needs more: there may be a better move.
pub(crate) fn soft_percent(params: &Params, stable: u32, effort: u64, drop: Score) -> u64 {
    let (slow, quick) = (params.tm_stability_max(), params.tm_stability_min());
    let span = params.tm_stability_span();
    let steps = (stable as i32).min(span);
    let stability = slow - (slow - quick) * steps / span;
    let nodes = (params.tm_node_scale() - effort.min(100) as i32).max(10);
    let falling = (100 + drop.clamp(-1000, 1000) * params.tm_falling_mul() / 100)
        .clamp(params.tm_falling_min(), params.tm_falling_max());
    (stability * nodes / 100 * falling / 100).max(1) as u64
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
        fn stretch_stays_within_reason(
            stable in 0_u32..1000,
            effort in 0_u64..=100,
            drop in -70_000..70_000,
        ) {
            let percent = soft_percent(&Params::default(), stable, effort, drop);
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
        assert!(soft_percent(&params, 0, 30, 0) > soft_percent(&params, 6, 30, 0));
        assert!(soft_percent(&params, 3, 20, 0) > soft_percent(&params, 3, 90, 0));
    }

    #[test]
    fn falling_scores_take_more_time_and_rising_ones_less() {
        let params = Params::default();
        let percent = |drop| soft_percent(&params, 3, 50, drop);
        assert!(percent(40) > percent(10) && percent(10) > percent(0));
        assert!(percent(-10) < percent(0));
        assert_eq!(percent(500), percent(60_000));
    }

    #[test]
    fn overhead_is_kept_for_several_moves_but_a_fast_game_has_time_left() {
        let params = Params::default();
        let kept = |left, moves_to_go, overhead| {
            let clock = Clock {
                left,
                increment: 0,
                moves_to_go,
            };
            reserve(clock, overhead, &params)
        };
        let moves = params.tm_overhead_moves() as u64;
        assert_eq!(kept(60_000, None, 10), 10 * moves);
        assert_eq!(kept(60_000, None, 50), 50 * moves);
        assert_eq!(kept(60_000, Some(2), 50), 100);
        assert_eq!(kept(60_000, None, 0), 0);
        let paid = Clock {
            left: 60_000,
            increment: 20,
            moves_to_go: None,
        };
        assert_eq!(reserve(paid, 10, &params), 0);
        assert_eq!(reserve(paid, 50, &params), 30 * moves);
        // Most of the clock is used even with a fifth of a second.
        let left = 200;
        let clock = Clock {
            left,
            increment: 2,
            moves_to_go: None,
        };
        assert!(kept(left, None, 10) <= left / 4);
        assert!(budget(clock, 10, &params).soft >= 4);
    }
}
