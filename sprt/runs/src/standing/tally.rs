//! What a run has brought so far: a pure function of its pairs, in the order of their scheduling.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::diagnostics::BothDiagnostics;
use crate::pair_record::GameRecord;
use crate::plan::OnFault;
use referee::arena::EndKind;
use stats::{GameResult, Pentanomial, Wdl};

/// Counts over all pairs, from the new engine's point of view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub pentanomial: Pentanomial,
    pub wdl: Wdl,
    /// The same without the pairs in which an engine spoiled a game.
    pub sound_pentanomial: Pentanomial,
    pub sound_wdl: Wdl,
    /// Openings that were played once, which make no pair.
    pub single_games: u64,
    /// Pairs that do not count because an engine spoiled a game.
    pub void_pairs: u64,
    /// Spoiled pairs since the last sound one.
    pub faulty_pairs_in_a_row: u64,
    pub base_faults: Faults,
    pub new_faults: Faults,
    pub diagnostics: BothDiagnostics,
}

/// Games that an engine spoiled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Faults {
    pub crashes: u64,
    pub time_losses: u64,
    pub illegal_moves: u64,
    pub stalls: u64,
}

impl Tally {
    /// Counts the games of an opening: a pair, or one.
    pub fn add(&mut self, pair: &[GameRecord], on_fault: OnFault) {
        let results: Vec<GameResult> = pair.iter().map(game_result).collect();
        let is_sound = !pair.iter().any(|game| game.end.is_fault());
        if is_sound {
            self.faulty_pairs_in_a_row = 0;
            count(&results, &mut self.sound_pentanomial, &mut self.sound_wdl);
        } else {
            self.faulty_pairs_in_a_row += 1;
        }
        if is_sound || on_fault != OnFault::Void {
            count(&results, &mut self.pentanomial, &mut self.wdl);
            self.single_games += u64::from(results.len() == 1);
        } else {
            self.void_pairs += 1;
        }
        for game in pair {
            match game.spoiled_by() {
                Some(color) if color == game.new => self.new_faults.add(game.end),
                Some(_) => self.base_faults.add(game.end),
                None => {}
            }
            self.diagnostics.add(&game.diagnostics);
        }
    }

    /// Openings that were played, in a pair of games or once, and so the number of the next.
    pub fn pairs_played(&self) -> u64 {
        self.pentanomial.pairs() + self.single_games + self.void_pairs
    }

    /// Games that an engine spoiled.
    pub fn faults(&self) -> u64 {
        self.base_faults.sum() + self.new_faults.sum()
    }
}

impl Faults {
    pub fn add(&mut self, end: EndKind) {
        match end {
            EndKind::Rules | EndKind::Adjudication => {}
            EndKind::Crash => self.crashes += 1,
            EndKind::TimeLoss => self.time_losses += 1,
            EndKind::IllegalMove => self.illegal_moves += 1,
            EndKind::Stall => self.stalls += 1,
        }
    }

    pub fn sum(&self) -> u64 {
        self.crashes + self.time_losses + self.illegal_moves + self.stalls
    }

    /// In words, those that are not zero: `2 crashes, 1 time loss`.
    pub fn words(&self) -> String {
        let counts = [
            (self.crashes, "crash", "crashes"),
            (self.time_losses, "time loss", "time losses"),
            (self.illegal_moves, "illegal move", "illegal moves"),
            (self.stalls, "stall", "stalls"),
        ];
        let words: Vec<_> = counts
            .iter()
            .filter(|(count, ..)| *count > 0)
            .map(|(count, one, many)| format!("{count} {}", if *count == 1 { one } else { many }))
            .collect();
        words.join(", ")
    }
}

fn count(results: &[GameResult], pentanomial: &mut Pentanomial, wdl: &mut Wdl) {
    if let [first, second] = *results {
        pentanomial.add([first, second]);
    }
    for result in results {
        wdl.add(*result);
    }
}

/// A game from the new engine's point of view.
pub(crate) fn game_result(game: &GameRecord) -> GameResult {
    match game.winner {
        None => GameResult::Draw,
        Some(winner) if winner == game.new => GameResult::Win,
        Some(_) => GameResult::Loss,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run_folder::tests::game;
    use engine_client::Color;

    #[test]
    fn faults_are_charged_to_the_loser() {
        let mut tally = Tally::default();
        tally.add(
            &[
                game(Color::White, Some(Color::Black), EndKind::Crash),
                game(Color::Black, Some(Color::Black), EndKind::TimeLoss),
            ],
            OnFault::Forfeit,
        );
        tally.add(
            &[
                game(Color::White, None, EndKind::Rules),
                game(Color::Black, Some(Color::White), EndKind::Stall),
            ],
            OnFault::Forfeit,
        );
        assert_eq!(tally.pentanomial.0, [0, 1, 1, 0, 0]);
        assert_eq!(
            (tally.wdl.wins, tally.wdl.losses, tally.wdl.draws),
            (1, 2, 1)
        );
        assert_eq!(tally.new_faults.words(), "1 crash, 1 stall");
        assert_eq!(tally.base_faults.words(), "1 time loss");
    }

    #[test]
    fn a_flag_that_falls_in_a_drawn_game_is_charged_to_its_owner() {
        let mut drawn = game(Color::White, None, EndKind::TimeLoss);
        drawn.spoiler = Some(Color::White);
        let mut tally = Tally::default();
        tally.add(
            &[drawn, game(Color::Black, None, EndKind::Rules)],
            OnFault::Forfeit,
        );
        assert_eq!(
            (tally.new_faults.time_losses, tally.base_faults.sum()),
            (1, 0)
        );
        assert_eq!((tally.wdl.draws, tally.faulty_pairs_in_a_row), (2, 1));
    }

    #[test]
    fn an_opening_that_is_played_once_makes_no_pair() {
        let mut tally = Tally::default();
        let won = game(Color::White, Some(Color::White), EndKind::Rules);
        tally.add(std::slice::from_ref(&won), OnFault::Forfeit);
        let crashed = game(Color::Black, Some(Color::White), EndKind::Crash);
        tally.add(std::slice::from_ref(&crashed), OnFault::Void);
        assert_eq!((tally.pairs_played(), tally.void_pairs), (2, 1));
        assert_eq!((tally.wdl.games(), tally.pentanomial.pairs()), (1, 0));
    }

    #[test]
    fn a_void_pair_is_played_and_does_not_count() {
        let mut tally = Tally::default();
        let won = game(Color::White, Some(Color::White), EndKind::Rules);
        let crashed = game(Color::Black, Some(Color::White), EndKind::Crash);
        tally.add(&[won.clone(), crashed], OnFault::Void);
        tally.add(&[won.clone(), won], OnFault::Void);
        assert_eq!((tally.pairs_played(), tally.void_pairs), (2, 1));
        assert_eq!(tally.wdl.games(), 2);
        assert_eq!((tally.faults(), tally.faulty_pairs_in_a_row), (1, 0));
        assert_eq!(tally.sound_pentanomial, tally.pentanomial);
    }
}
