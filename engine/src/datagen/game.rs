//! A game of the engine against itself.

use crate::packed::{Outcome, PackedPosition};
use crate::player::Player;
use crate::position::Position;
use crate::score::{self, Score};

/// A game is won when one side has been ahead by this much for this many plies in a row.
const WIN_SCORE: Score = 1_000;
const WIN_PLIES: usize = 4;
/// A game is drawn when the score has been this close to zero for this many plies in a row, from
/// this ply of the game on.
const DRAW_SCORE: Score = 8;
const DRAW_PLIES: usize = 10;
const DRAW_FROM: usize = 80;
/// A game of this many plies is drawn.
const MAX_PLIES: usize = 400;

/// The positions of a game from this opening. It depends on nothing else but what the player remembers.
pub fn play(player: &mut Player, opening: Position) -> Vec<PackedPosition> {
    let mut position = opening;
    let mut keys = Vec::new();
    let mut packed = Vec::new();
    let mut adjudication = Adjudication::default();
    let outcome = loop {
        if let Some(outcome) = result(&position, &keys) {
            break outcome;
        }
        let found = player.search(&position, &keys);
        let Some(best) = found.best else {
            break Outcome::Draw;
        };
        packed.push(PackedPosition::new(
            &position,
            keys.len(),
            found.score,
            best,
        ));
        if let Some(outcome) = adjudication.after(&position, found.score) {
            break outcome;
        }
        keys.push(position.key());
        position = position.play(best);
    };
    packed
        .into_iter()
        .map(|position| position.with_outcome(outcome))
        .collect()
}

/// The result by the rules of chess, or because the game is too long.
pub(crate) fn result(position: &Position, keys: &[u64]) -> Option<Outcome> {
    if !position.has_moves() {
        return Some(if position.in_check() {
            Outcome::win_of(!position.side())
        } else {
            Outcome::Draw
        });
    }
    let key = position.key();
    let is_draw = position.board().halfmove_clock() >= 100
        || position.is_insufficient()
        || keys.iter().filter(|&&earlier| earlier == key).count() >= 2
        || keys.len() >= MAX_PLIES;
    is_draw.then_some(Outcome::Draw)
}

/// Ends games whose result is clear from the scores.
#[derive(Default)]
pub(crate) struct Adjudication {
    plies: usize,
    /// Plies in a row with White winning, with Black winning, and with the score near zero.
    winning: [usize; 2],
    level: usize,
}

impl Adjudication {
    /// The result after the search of this position, if it is clear.
    pub(crate) fn after(&mut self, position: &Position, score: Score) -> Option<Outcome> {
        self.plies += 1;
        let side = position.side();
        for (color, score) in [(side, score), (!side, -score)] {
            let winning = &mut self.winning[color as usize];
            *winning = if score >= WIN_SCORE { *winning + 1 } else { 0 };
            if *winning >= WIN_PLIES || score::is_won(score) {
                return Some(Outcome::win_of(color));
            }
        }
        self.level = if score.abs() <= DRAW_SCORE {
            self.level + 1
        } else {
            0
        };
        (self.level >= DRAW_PLIES && self.plies >= DRAW_FROM).then_some(Outcome::Draw)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(fen: &str) -> Position {
        Position::from_fen(fen).unwrap()
    }

    #[test]
    fn games_end_by_the_rules() {
        for (fen, outcome) in [
            (
                "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1",
                Some(Outcome::WhiteWins),
            ),
            ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", Some(Outcome::Draw)),
            ("7k/8/6K1/8/8/8/8/8 b - - 0 1", Some(Outcome::Draw)),
            ("7k/8/6K1/8/8/8/8/7R b - - 100 90", Some(Outcome::Draw)),
            ("7k/8/6K1/8/8/8/8/R7 w - - 99 90", None),
        ] {
            assert_eq!(result(&position(fen), &[]), outcome, "{fen}");
        }
        let opening = position("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        let key = opening.key();
        assert_eq!(result(&opening, &[key]), None);
        assert_eq!(result(&opening, &[key, 1, key]), Some(Outcome::Draw));
    }

    #[test]
    fn clear_games_are_adjudicated() {
        let white = position("7k/8/6K1/8/8/8/8/R7 w - - 0 1");
        let black = position("7k/8/6K1/8/8/8/8/R7 b - - 0 1");
        let mut adjudication = Adjudication::default();
        assert_eq!(adjudication.after(&white, WIN_SCORE), None);
        assert_eq!(adjudication.after(&black, -WIN_SCORE), None);
        assert_eq!(adjudication.after(&white, WIN_SCORE - 1), None);
        for _ in 0..WIN_PLIES / 2 - 1 {
            assert_eq!(adjudication.after(&black, -WIN_SCORE), None);
            assert_eq!(adjudication.after(&white, WIN_SCORE), None);
        }
        assert_eq!(adjudication.after(&black, -WIN_SCORE), None);
        assert_eq!(
            adjudication.after(&white, WIN_SCORE),
            Some(Outcome::WhiteWins)
        );
        let mut adjudication = Adjudication::default();
        assert_eq!(
            adjudication.after(&black, score::mate_in(3)),
            Some(Outcome::BlackWins)
        );
        let mut adjudication = Adjudication::default();
        for _ in 1..DRAW_FROM {
            assert_eq!(adjudication.after(&white, 0), None);
        }
        assert_eq!(adjudication.after(&white, 0), Some(Outcome::Draw));
    }
}
