//! What an engine does in games besides its moves and its faults: lines that cannot be played, and
//! time that it did not account for.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use engine_client::Color;
use referee::arena::FinishedGame;
use referee::game::LineFault;

/// Counts of one engine, over a game or over all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Diagnostics {
    /// Last PVs of a move that hold an illegal move.
    pub illegal_pvs: u64,
    /// Last PVs with a mate score that do not mate in as many moves.
    pub wrong_mate_pvs: u64,
    /// Moves under a clock for which the engine reported a time.
    pub timed_moves: u64,
    /// Measured minus reported time of these moves in all, in microseconds.
    pub latency_us: i64,
    pub max_latency_us: i64,
    /// Moves that it had pondered on before its opponent moved.
    pub ponder_hits: u64,
}

/// Counts of both engines, as a line of the journal has them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct BothDiagnostics {
    pub base: Diagnostics,
    pub new: Diagnostics,
}

impl Diagnostics {
    fn of(game: &FinishedGame, color: Color) -> Self {
        let mut diagnostics = Self::default();
        let player = match color {
            Color::White => &game.white,
            Color::Black => &game.black,
        };
        // Where no clock runs, times change no game, and are not counted.
        let is_timed = !player.limit.has_no_clock();
        for played in game.moves.iter().filter(|played| played.mover == color) {
            match played.line_fault {
                None => {}
                Some(LineFault::IllegalMove) => diagnostics.illegal_pvs += 1,
                Some(LineFault::NoMate) => diagnostics.wrong_mate_pvs += 1,
            }
            diagnostics.ponder_hits += u64::from(played.is_ponder_hit);
            if let Some(latency) = played.latency_us().filter(|_| is_timed) {
                diagnostics.add(&Self {
                    timed_moves: 1,
                    latency_us: latency,
                    max_latency_us: latency,
                    ..Self::default()
                });
            }
        }
        diagnostics
    }

    pub(crate) fn add(&mut self, other: &Self) {
        if other.timed_moves > 0 {
            self.max_latency_us = match self.timed_moves {
                0 => other.max_latency_us,
                _ => self.max_latency_us.max(other.max_latency_us),
            };
        }
        self.illegal_pvs += other.illegal_pvs;
        self.wrong_mate_pvs += other.wrong_mate_pvs;
        self.timed_moves += other.timed_moves;
        self.ponder_hits += other.ponder_hits;
        self.latency_us = self.latency_us.saturating_add(other.latency_us);
    }

    /// Mean and maximum of measured minus reported time, in milliseconds.
    pub(crate) fn latency_ms(&self) -> Option<[f64; 2]> {
        let moves = self.timed_moves as f64;
        (self.timed_moves > 0).then(|| {
            [self.latency_us as f64 / moves, self.max_latency_us as f64].map(|us| us / 1000.0)
        })
    }

    /// What is wrong with its lines, in words; empty where nothing is.
    pub(crate) fn words(&self) -> String {
        let counts = [
            (self.illegal_pvs, "with an illegal move"),
            (
                self.wrong_mate_pvs,
                "without the mate that its score claims",
            ),
        ];
        let words = counts.iter().filter(|(count, _)| *count > 0);
        let words: Vec<_> = words
            .map(|(count, what)| {
                let lines = if *count == 1 { "line" } else { "lines" };
                format!("{count} {lines} (PV) {what}")
            })
            .collect();
        words.join(" and ")
    }
}

impl BothDiagnostics {
    pub(crate) fn of_game(game: &FinishedGame) -> Self {
        Self {
            base: Diagnostics::of(game, game.new.opponent()),
            new: Diagnostics::of(game, game.new),
        }
    }

    pub(crate) fn add(&mut self, other: &Self) {
        self.base.add(&other.base);
        self.new.add(&other.new);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_add_up_and_the_largest_latency_stays() {
        let timed = |moves, us, most| Diagnostics {
            timed_moves: moves,
            latency_us: us,
            max_latency_us: most,
            illegal_pvs: 1,
            ..Diagnostics::default()
        };
        let mut diagnostics = Diagnostics::default();
        assert_eq!(diagnostics.latency_ms(), None);
        // A clock that is read in whole milliseconds may show more than was measured.
        diagnostics.add(&timed(1, -500, -500));
        assert_eq!(diagnostics.latency_ms(), Some([-0.5, -0.5]));
        diagnostics.add(&timed(3, 8500, 7000));
        diagnostics.add(&Diagnostics::default());
        assert_eq!(diagnostics.latency_ms(), Some([2.0, 7.0]));
        assert_eq!(diagnostics.words(), "2 lines (PV) with an illegal move");
        assert_eq!(timed(0, 0, 0).words(), "1 line (PV) with an illegal move");
    }
}
