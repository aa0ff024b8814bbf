//! Draws: by rule, and by a move that leads back to a position of the game or of the current line.

use cozy_chess::get_between_rays;

use super::searcher::Searcher;
use crate::position::Position;

impl Searcher<'_> {
    /// Draws by rule. One repetition within the current line counts as a draw; a position of the
    /// game must have occurred twice before.
    pub(super) fn is_draw(&self, position: &Position) -> bool {
        if position.board().halfmove_clock() >= 100
            && (!position.in_check() || position.has_moves())
        {
            return true;
        }
        if position.is_insufficient() {
            return true;
        }
        let last = self.keys.len() - 1;
        let plies = position.reversible_plies().min(last);
        let key = position.key();
        let mut seen = 0;
        for back in (4..=plies).step_by(2) {
            if self.keys[last - back] == key {
                seen += 1;
                // The root belongs to both the game and the line.
                if last - back >= self.game_keys - 1 || seen == 2 {
                    return true;
                }
            }
        }
        false
    }

    /// Whether a move leads back to a position of the line, or to one that would then have occurred
    /// for the third time in the game. Such a node is worth a draw at least.
    pub(super) fn can_repeat(&self, position: &Position) -> bool {
        let board = position.board();
        let last = self.keys.len() - 1;
        let plies = position.reversible_plies().min(last);
        (3..=plies).step_by(2).any(|back| {
            let earlier = self.keys[last - back];
            let Some([a, b]) = self.cuckoo.squares(position.key() ^ earlier) else {
                return false;
            };
            let (from, to) = if board.occupied().has(a) {
                (a, b)
            } else {
                (b, a)
            };
            let is_free =
                (board.occupied() & (get_between_rays(from, to) | to.bitboard())).is_empty();
            if !is_free || !board.colors(position.side()).has(from) {
                return false;
            }
            // The root belongs to both the game and the line.
            let in_line = last - back >= self.game_keys - 1;
            let twice = || {
                (back + 4..=plies)
                    .step_by(2)
                    .any(|more| self.keys[last - more] == earlier)
            };
            in_line || twice()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_searcher::with_searcher;
    use super::*;
    use crate::params::Params;

    const START: &str = "7k/7p/8/8/8/8/7P/R6K w - - 0 1";
    /// Black can go back to the corner now, which repeats the starting position.
    const THERE_AND_HALF_BACK: [&str; 3] = ["a1b1", "h8g8", "b1a1"];

    /// Plays moves from the start, `in_line` of them within the search, and asks.
    fn can_repeat(moves: &[&str], in_line: usize) -> bool {
        let mut position = Position::from_fen(START).unwrap();
        let (game, line) = moves.split_at(moves.len() - in_line);
        let mut keys = Vec::new();
        for text in game {
            keys.push(position.key());
            position = position.play(position.parse_move(text, false).unwrap());
        }
        with_searcher(&Params::default(), &position, &keys, |mut searcher| {
            let mut position = position.clone();
            for (ply, text) in line.iter().enumerate() {
                let mv = position.parse_move(text, false).unwrap();
                position = searcher.play(&position, mv, ply);
            }
            searcher.can_repeat(&position)
        })
    }

    #[test]
    fn one_repetition_is_enough_in_the_line_and_a_second_is_needed_in_the_game() {
        let [there, away, back] = THERE_AND_HALF_BACK;
        assert!(can_repeat(&THERE_AND_HALF_BACK, 3));
        assert!(!can_repeat(&THERE_AND_HALF_BACK[..2], 2));
        assert!(
            !can_repeat(&THERE_AND_HALF_BACK, 0),
            "once before, in the game"
        );
        let twice = [there, away, back, "g8h8", there, away, back];
        assert!(can_repeat(&twice, 0), "twice before, in the game");
        // The pawn cannot go back.
        assert!(!can_repeat(&["h2h3", "h8g8", "a1b1", "g8h8", "b1c1"], 5));
    }

    #[test]
    fn no_position_repeats_one_before_a_null_move() {
        let position = Position::from_fen(START).unwrap();
        with_searcher(&Params::default(), &position, &[], |mut searcher| {
            let mv = |position: &Position, text| position.parse_move(text, false).unwrap();
            // Black moves there and back while White passes twice: the starting position again,
            // but not one that a game could repeat.
            let black = searcher.play_null_move(&position, 0).unwrap();
            let white = searcher.play(&black, mv(&black, "h8g8"), 1);
            let black = searcher.play_null_move(&white, 2).unwrap();
            assert!(!searcher.can_repeat(&black));
            let white = searcher.play(&black, mv(&black, "g8h8"), 3);
            assert_eq!(white.key(), position.key());
            assert!(!searcher.is_draw(&white));
        });
    }
}
