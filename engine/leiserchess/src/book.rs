//! An opening book made from the engine's own searches.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::game::{Game, OPENING};
use crate::moves;
use crate::turn::Move;

/// Move sequences from the starting position; the last move of each is the book move.
const LINES: &str = include_str!("../book.txt");

static MOVES: LazyLock<HashMap<u64, Move>> = LazyLock::new(|| lines().filter_map(read).collect());

fn lines() -> impl Iterator<Item = &'static str> {
    LINES.lines().filter(|line| !line.starts_with('#'))
}

/// The key of the position before the last move of a line, and that move.
fn read(line: &str) -> Option<(u64, Move)> {
    let mut game = Game::from_fen(OPENING).ok()?;
    let (before, last) = line.rsplit_once(' ').unwrap_or(("", line));
    for text in before.split_ascii_whitespace() {
        game.play(text).ok()?;
    }
    Some((game.board.key(), moves::parse(&game.board, last)?))
}

/// The book move in the current position of a game, if it is legal there.
pub(crate) fn find(game: &Game) -> Option<Move> {
    let mv = *MOVES.get(&game.board.key())?;
    moves::legal(&game.board).contains(&mv).then_some(mv)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_legal_and_answers_another_position() {
        assert!(lines().all(|line| read(line).is_some()));
        assert_eq!(MOVES.len(), lines().count());
    }

    #[test]
    fn every_first_move_is_answered() {
        let game = Game::from_fen(OPENING).unwrap();
        assert!(find(&game).is_some());
        for text in game.legal_moves() {
            let mut game = game.clone();
            game.play(&text).unwrap();
            assert!(find(&game).is_some(), "{text}");
        }
    }
}
