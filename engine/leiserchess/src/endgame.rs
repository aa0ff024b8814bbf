//! The endgame of two bare kings, solved by retrograde analysis.
//!
//! Positions in the table have no history, so Ko and draws are left out. Wins and losses are
//! correct all the same:
//!
//! - The winner can follow the table, each move of which leads to a loss in fewer plies. Suppose
//!   that in a win in `n` Ko forbids that move. It then leads back to the position before the
//!   opponent's last move, which is a loss in `n - 1` plies; all moves in it lead to wins in at
//!   most `n - 2`, so the current position is no win in `n`. So Ko never forbids the move of the
//!   table, and no position is repeated.
//! - Ko does not help the loser: it only removes moves, all of which lose.
//!
//! A position that is neither a win nor a loss may be won thanks to Ko, so it is searched.
//!
//! A table of king and pawn against king is left out. Reduced by the symmetries of the board it has
//! 4.2 million positions, 64 times as many as this one, with more moves each. This one takes 0.1
//! seconds at the start, so that one would take about ten, and few games would need it: of 537
//! between builds of the engine, resigned when hopeless, one came down to fewer than four pieces.

use std::sync::OnceLock;

use crate::board::Board;
use crate::moves::moves;
use crate::piece::{Color, Piece};

/// The number of squares and orientations of a king.
const PLACES: usize = 64 * 4;

/// Plies to the end, by square and orientation of the mover's king and of the other: odd for a win
/// of the mover, even for a loss, 0 for neither.
static TABLE: OnceLock<Vec<u8>> = OnceLock::new();

/// Computes the table on the first call.
pub(crate) fn prepare() {
    TABLE.get_or_init(solve);
}

/// Plies to the end for the mover, positive for a win; `None` if there are pawns, if neither side
/// wins, or before [`prepare`].
pub(crate) fn probe(board: &Board) -> Option<i32> {
    if board.occupied().count_ones() != 2 {
        return None;
    }
    let plies = i32::from(*TABLE.get()?.get(index(board))?);
    match plies {
        0 => None,
        _ if plies % 2 == 1 => Some(plies),
        _ => Some(-plies),
    }
}

fn index(board: &Board) -> usize {
    let place = |color: Color| {
        let king = board.king(color);
        usize::from(king) * 4 + usize::from(board.at(king).orientation())
    };
    place(board.side()) * PLACES + place(!board.side())
}

fn solve() -> Vec<u8> {
    let mut table = vec![0; PLACES * PLACES];
    let mut open: Vec<Board> = (0..PLACES * PLACES).filter_map(position).collect();
    for plies in 1..u8::MAX {
        let mut found = Vec::new();
        open.retain_mut(|board| {
            let is_solved = ends_in(board, plies, &table);
            if is_solved {
                found.push(index(board));
            }
            !is_solved
        });
        if found.is_empty() && plies > 2 {
            break;
        }
        for index in found {
            table[index] = plies;
        }
    }
    table
}

/// The position of an index, with white to move; `None` if both kings would be on one square.
fn position(index: usize) -> Option<Board> {
    let (own, other) = (index / PLACES, index % PLACES);
    let mut squares = [Piece::NONE; 64];
    squares[other / 4] = Piece::new(Color::Black, true, other as u8);
    squares[own / 4] = Piece::new(Color::White, true, own as u8);
    Board::new(squares, Color::White).ok()
}

/// Whether a position is a win for the mover (`plies` is odd) or a loss (even) in so many plies,
/// given a table of all shorter wins and losses.
fn ends_in(board: &mut Board, plies: u8, table: &[u8]) -> bool {
    let side = board.side();
    let wins = plies % 2 == 1;
    let list = moves(board);
    // Plies to the end for the opponent after a move: 0 if it zaps the opponent's king.
    let mut after = |mv| {
        let undo = board.make(mv);
        let result = match undo.lost() {
            Some(loser) if loser == side => None,
            Some(_) => Some(0),
            None => Some(table[index(board)]).filter(|&plies| plies != 0),
        };
        let own_shot = undo.lost() == Some(side);
        board.unmake(&undo);
        (result, own_shot)
    };
    let mut board_after = list.into_iter().map(&mut after);
    if wins {
        board_after.any(|(result, _)| result == Some(plies - 1))
    } else {
        board_after.all(|(result, own_shot)| own_shot || result.is_some_and(|it| it % 2 == 1))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
mod tests {
    use super::*;
    use crate::fen;

    /// Plies to the end by a full search to some depth.
    fn by_search(board: &mut Board, depth: i32) -> Option<i32> {
        let side = board.side();
        let (mut best, mut open): (Option<i32>, bool) = (None, false);
        for mv in moves(board) {
            let undo = board.make(mv);
            let result = match undo.lost() {
                Some(loser) if loser == side => Some(-1),
                Some(_) => Some(1),
                None if depth > 1 => {
                    by_search(board, depth - 1).map(|it| if it > 0 { -(it + 1) } else { 1 - it })
                }
                None => None,
            };
            board.unmake(&undo);
            match result {
                None => open = true,
                Some(it) => {
                    // Any win, then the shorter of two wins or the longer of two losses.
                    let better = |old: i32| {
                        if (it > 0) == (old > 0) {
                            it < old
                        } else {
                            it > 0
                        }
                    };
                    if best.is_none_or(better) {
                        best = Some(it);
                    }
                }
            }
        }
        best.filter(|&it| it > 0 || !open)
    }

    #[test]
    fn the_table_agrees_with_a_search_of_all_moves() {
        prepare();
        for number in (0..PLACES * PLACES).step_by(97) {
            let Some(mut board) = position(number) else {
                continue;
            };
            let expected = by_search(&mut board, 3);
            let plies = probe(&board).filter(|it| it.abs() <= 3);
            assert_eq!(
                plies,
                expected.filter(|it| it.abs() <= 3),
                "{}",
                fen::write(&board)
            );
        }
    }

    #[test]
    fn a_won_position_is_played_to_its_end_without_a_move_that_ko_forbids() {
        prepare();
        for number in (0..PLACES * PLACES).step_by(211) {
            let Some(mut board) = position(number) else {
                continue;
            };
            let Some(mut left) = probe(&board) else {
                continue;
            };
            while left != 0 {
                let next = crate::moves::legal(&board).into_iter().find_map(|mv| {
                    let undo = board.make(mv);
                    let lost = undo.lost().is_some();
                    let plies = if lost { Some(0) } else { probe(&board) };
                    board.unmake(&undo);
                    let ends = plies.is_some_and(|it| it.abs() == left.abs() - 1);
                    ends.then_some((mv, lost))
                });
                let (mv, lost) = next.unwrap();
                board.make(mv);
                left = if lost { 0 } else { probe(&board).unwrap() };
            }
        }
    }
}
