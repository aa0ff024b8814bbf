//! What `datagen` prints while it runs.

use std::time::{Duration, Instant};

use super::request::{Bound, Request};

/// Time between two lines.
const INTERVAL: Duration = Duration::from_secs(10);

/// What a folder holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Amount {
    pub games: u64,
    pub positions: u64,
}

pub struct Progress {
    start: Instant,
    printed: Instant,
    /// In the folder when the run began.
    before: Amount,
    bound: Bound,
}

impl Progress {
    pub fn new(request: &Request, before: Amount) -> Self {
        let now = Instant::now();
        Self {
            start: now,
            printed: now,
            before,
            bound: request.bound,
        }
    }

    /// The progress, if it is time for a line or if it is the `last`.
    pub fn line(&mut self, now: Amount, last: bool) -> Option<String> {
        if !last && self.printed.elapsed() < INTERVAL {
            return None;
        }
        self.printed = Instant::now();
        Some(describe(self.bound, self.before, now, self.start.elapsed()))
    }
}

fn describe(bound: Bound, before: Amount, now: Amount, elapsed: Duration) -> String {
    let seconds = elapsed.as_secs_f64().max(0.001);
    let speed = (now.positions - before.positions) as f64 / seconds;
    let (wanted, made, all) = match bound {
        Bound::Games(games) => (games, now.games - before.games, now.games),
        Bound::Positions(positions) => (positions, now.positions - before.positions, now.positions),
    };
    let left = wanted.saturating_sub(all);
    let time_left = if left == 0 {
        "done".to_owned()
    } else if made == 0 {
        "time left unknown".to_owned()
    } else {
        let minutes = (seconds * left as f64 / made as f64 / 60.0).ceil() as u64;
        format!("{} h {:02} min left", minutes / 60, minutes % 60)
    };
    format!(
        "info string datagen {} games, {} positions, {speed:.0} positions/s, {time_left}",
        now.games, now.positions
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speed_counts_this_run_and_time_left_what_is_missing() {
        let amount = |games, positions| Amount { games, positions };
        let minute = Duration::from_mins(1);
        let (before, now) = (amount(100, 9_000), amount(200, 18_000));
        assert_eq!(
            describe(Bound::Positions(1_098_000), before, now, minute),
            "info string datagen 200 games, 18000 positions, 150 positions/s, 2 h 00 min left"
        );
        assert_eq!(
            describe(Bound::Games(250), before, now, minute),
            "info string datagen 200 games, 18000 positions, 150 positions/s, 0 h 01 min left"
        );
        assert!(describe(Bound::Games(200), before, now, minute).ends_with("positions/s, done"));
        assert!(describe(Bound::Games(200), before, before, minute).contains("unknown"));
    }
}
