//! The score after each game as cutechess prints it, for `-output format=cutechess`.

use engine_client::Color;
use referee::arena::FinishedGame;
use stats::{GameResult, Wdl, logistic_elo};

/// How often it is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Intervals {
    /// Games between two scores; 0 is only at the end.
    pub(crate) score: u64,
    /// Games between two ratings; 0 is only at the end.
    pub(crate) rating: u64,
}

/// The games so far, seen by the first engine.
#[derive(Clone, Debug)]
pub(crate) struct Score {
    pub(crate) intervals: Intervals,
    /// The engines, in the order of the command line.
    pub(crate) names: [String; 2],
    /// Games of the whole match.
    pub(crate) games: u64,
    pub(crate) counts: Wdl,
}

impl Score {
    /// The lines that follow the one of a game.
    pub(crate) fn after(&mut self, game: &FinishedGame) -> String {
        self.counts.add(match game.end.winner() {
            None => GameResult::Draw,
            Some(winner) if winner == game.new => GameResult::Win,
            Some(Color::White | Color::Black) => GameResult::Loss,
        });
        let played = self.counts.games();
        let is_due =
            |every: u64| played == self.games || (every > 0 && played.is_multiple_of(every));
        let mut lines = String::new();
        if is_due(self.intervals.score) {
            lines += &self.score();
        }
        if is_due(self.intervals.rating) {
            lines += &self.rating();
        }
        lines
    }

    fn score(&self) -> String {
        let Wdl {
            wins,
            losses,
            draws,
        } = self.counts;
        let [first, second] = &self.names;
        let games = self.counts.games();
        let share = (wins as f64 + draws as f64 / 2.0) / games as f64;
        format!("Score of {first} vs {second}: {wins} - {losses} - {draws}  [{share:.3}] {games}\n")
    }

    fn rating(&self) -> String {
        let elo = logistic_elo(&self.counts.worst_to_best());
        let draws = self.counts.draws as f64 / self.counts.games() as f64;
        // No -0.00.
        let value = (100.0 * elo.value).round() / 100.0 + 0.0;
        format!(
            "Elo difference: {:.2} +/- {:.2}, LOS: {:.2} %, DrawRatio: {:.2} %\n",
            value,
            elo.margin,
            100.0 * elo.los,
            100.0 * draws
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_figures_are_those_of_fastchess() {
        let score = Score {
            intervals: Intervals {
                score: 1,
                rating: 10,
            },
            names: ["A", "B"].map(str::to_owned),
            games: 20,
            counts: Wdl {
                wins: 5,
                losses: 3,
                draws: 2,
            },
        };
        assert_eq!(score.score(), "Score of A vs B: 5 - 3 - 2  [0.600] 10\n");
        // 400 log10(0.6 / 0.4) is 70.4.
        let rating = score.rating();
        assert!(rating.starts_with("Elo difference: 70.4"), "{rating}");
        assert!(rating.ends_with("DrawRatio: 20.00 %\n"), "{rating}");
        let counts = Wdl {
            draws: 2,
            ..Wdl::default()
        };
        let level = Score { counts, ..score }.rating();
        assert!(level.starts_with("Elo difference: 0.00 +/- "), "{level}");
    }
}
