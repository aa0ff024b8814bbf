//! Perft, in two conventions.

use crate::board::Board;
use crate::moves::{count, moves};

/// What is counted. In both conventions every move of the last ply counts, whatever it zaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Counting {
    /// The convention of the course's staff: without Ko; a sequence that zaps a king counts as one.
    Staff,
    /// The rules of a game: with Ko; no sequence goes on after a king has been zapped.
    Strict,
}

/// Counts the sequences of `depth` moves.
pub(crate) fn perft(board: &mut Board, depth: u32, counting: Counting) -> u64 {
    let is_strict = counting == Counting::Strict;
    match depth {
        0 => return 1,
        1 => return count(board) - u64::from(is_strict && ko_binds(board)),
        _ => {}
    }
    let mut nodes = 0;
    for mv in moves(board) {
        let undo = board.make(mv);
        if undo.lost().is_some() {
            nodes += u64::from(!is_strict);
        } else if !is_strict || !undo.breaks_ko() {
            nodes += perft(board, depth - 1, counting);
        }
        board.unmake(&undo);
    }
    nodes
}

/// Whether Ko forbids a move.
fn ko_binds(board: &Board) -> bool {
    let ko = board.ko();
    ko != crate::turn::Move::NONE && !board.target(ko).is_some()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
mod tests {
    use super::*;
    use crate::fen;

    #[test]
    fn counts_are_those_of_other_programs() {
        for line in include_str!("../tests/perft.txt").lines() {
            if line.starts_with('#') {
                continue;
            }
            let fields: Vec<&str> = line.split(';').map(str::trim).collect();
            let mut board = fen::parse(fields[0]).unwrap();
            for (counting, text) in [(Counting::Staff, fields[1]), (Counting::Strict, fields[2])] {
                for (depth, expected) in (1..).zip(text.split_ascii_whitespace()) {
                    let expected: u64 = expected.parse().unwrap();
                    if expected > 50_000_000 {
                        continue;
                    }
                    let before = fen::write(&board);
                    let counted = perft(&mut board, depth, counting);
                    assert_eq!(counted, expected, "{line}: {counting:?} {depth}");
                    assert_eq!(fen::write(&board), before);
                }
            }
        }
    }
}
