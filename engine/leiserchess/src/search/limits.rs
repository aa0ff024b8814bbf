//! Limits of a search and time management.

use std::time::Duration;

use crate::params::Params;
use crate::turn::Move;

/// The clock of the side to move, from `go`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Clock {
    /// Milliseconds left.
    pub(crate) left: u64,
    /// Milliseconds added after each move.
    pub(crate) increment: u64,
    pub(crate) moves_to_go: Option<u64>,
}

/// The limits of `go`. Without any, a search goes on until it is stopped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Limits {
    pub(crate) depth: Option<i32>,
    pub(crate) nodes: Option<u64>,
    /// Stops at a win in at most this many moves.
    pub(crate) mate: Option<i32>,
    /// Milliseconds.
    pub(crate) move_time: Option<u64>,
    pub(crate) clock: Option<Clock>,
    /// The only root moves to search; all if empty.
    pub(crate) search_moves: Vec<Move>,
    pub(crate) infinite: bool,
    pub(crate) ponder: bool,
}

/// The time for a move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Budget {
    /// No iteration begins after this.
    pub(crate) soft: Option<Duration>,
    /// The search is stopped after this.
    pub(crate) hard: Option<Duration>,
}

impl Budget {
    /// Computes the budget; `overhead` is the time lost between GUI and engine, in milliseconds.
    pub(crate) fn new(limits: &Limits, params: &Params, overhead: u64) -> Self {
        if let Some(time) = limits.move_time {
            let hard = Duration::from_millis(time.saturating_sub(overhead).max(1));
            return Self {
                soft: None,
                hard: Some(hard),
            };
        }
        let Some(clock) = limits.clock else {
            return Self::default();
        };
        let percent = |value: i32| f64::from(value) / 100.0;
        let left = clock.left.saturating_sub(overhead).max(1) as f64;
        let share = match clock.moves_to_go {
            Some(moves) => (1.0 / (moves as f64 + 1.0)).max(percent(params.time_share()) / 10.0),
            None => percent(params.time_share()) / 10.0,
        };
        let aim = left * share + clock.increment as f64 * percent(params.time_increment());
        let most = left * percent(params.time_most());
        let limited = |value: f64| Duration::from_secs_f64(value.min(most).max(0.5) / 1000.0);
        Self {
            soft: Some(limited(aim * percent(params.time_soft()))),
            hard: Some(limited(aim * percent(params.time_hard()))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_move_takes_more_than_the_clock_has() {
        let params = Params::default();
        for left in [1, 5, 20, 100, 1_000, 60_000, 10_000_000] {
            for increment in [0, 10, 500, 30_000] {
                for moves_to_go in [None, Some(1), Some(40)] {
                    let clock = Clock {
                        left,
                        increment,
                        moves_to_go,
                    };
                    let limits = Limits {
                        clock: Some(clock),
                        ..Limits::default()
                    };
                    let budget = Budget::new(&limits, &params, 5);
                    let hard = budget.hard.map_or(0, |it| it.as_millis() as u64);
                    assert!(
                        hard <= left.saturating_sub(5) / 2 + 1,
                        "{clock:?}: {budget:?}"
                    );
                    assert!(budget.soft <= budget.hard);
                }
            }
        }
    }
}
