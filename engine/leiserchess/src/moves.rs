//! Move generation, without regard to Ko unless a function says otherwise.

use crate::board::Board;
use crate::square::{NEIGHBOURS, Set, bit, squares};
use crate::turn::Move;

fn around(square: u8) -> Set {
    NEIGHBOURS[usize::from(square)]
}

/// Visits the moves of the side to move: rotations, steps to empty squares, and swaps with a piece of
/// the opponent followed by either.
#[inline]
pub(crate) fn each(board: &Board, visit: impl FnMut(Move)) {
    each_touching(board, Set::MAX, visit);
}

/// Visits the moves of [`each`] that start on, pass through or end on one of the squares `touched`.
#[inline]
pub(crate) fn each_touching(board: &Board, touched: Set, mut visit: impl FnMut(Move)) {
    let (empty, enemies) = (!board.occupied(), board.of(!board.side()));
    for from in squares(board.of(board.side())) {
        let is_from = touched & bit(from) != 0;
        let mut basic = |mid| {
            let is_touched = is_from || touched & bit(mid) != 0;
            if is_touched {
                for quarters in 1..4 {
                    visit(Move::rotation(from, mid, quarters));
                }
            }
            let ends = if is_touched { empty } else { empty & touched };
            for to in squares(around(mid) & ends) {
                visit(Move::step(from, mid, to));
            }
        };
        basic(from);
        squares(around(from) & enemies).for_each(&mut basic);
    }
}

/// Lists the moves of [`each`].
pub(crate) fn moves(board: &Board) -> Vec<Move> {
    let mut list = Vec::new();
    each(board, |mv| list.push(mv));
    list
}

/// The number of moves that [`each`] visits.
pub(crate) fn count(board: &Board) -> u64 {
    let (empty, enemies) = (!board.occupied(), board.of(!board.side()));
    let basic = |mid| u64::from(3 + (around(mid) & empty).count_ones());
    let of = |from| basic(from) + squares(around(from) & enemies).map(basic).sum::<u64>();
    squares(board.of(board.side())).map(of).sum()
}

/// Whether a move, which may come from another position, is among those of [`each`].
pub(crate) fn contains(board: &Board, mv: Move) -> bool {
    let (from, mid, to) = (bit(mv.from()), bit(mv.mid()), bit(mv.to()));
    let may_stand = !mv.is_swap() || around(mv.from()) & mid & board.of(!board.side()) != 0;
    let may_move = if mv.quarters() != 0 {
        mid == to
    } else {
        around(mv.mid()) & to & !board.occupied() != 0
    };
    board.of(board.side()) & from != 0 && may_stand && may_move
}

/// Whether Ko allows a move of [`each`].
fn may_play(board: &Board, mv: Move) -> bool {
    mv != board.ko() || board.target(mv).is_some()
}

/// The legal moves, with regard to Ko.
pub(crate) fn legal(board: &Board) -> Vec<Move> {
    let mut list = moves(board);
    list.retain(|mv| may_play(board, *mv));
    list
}

/// Parses a legal move; the case does not matter.
pub(crate) fn parse(board: &Board, text: &str) -> Option<Move> {
    Move::parse(text).filter(|&mv| contains(board, mv) && may_play(board, mv))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
mod tests {
    use super::*;
    use crate::fen;
    use crate::square::RAYS;

    #[test]
    fn some_moves_are_found_among_all() {
        let fens = include_str!("../bench.txt").lines();
        for board in fens.skip(1).map(|text| fen::parse(text).unwrap()) {
            let all = moves(&board);
            assert_eq!(all.len() as u64, count(&board));
            assert!(all.iter().all(|&mv| contains(&board, mv)));
            for touched in RAYS.iter().flatten().copied() {
                let touches =
                    |mv: &&Move| touched & (bit(mv.from()) | bit(mv.mid()) | bit(mv.to())) != 0;
                let mut found = Vec::new();
                each_touching(&board, touched, |mv| found.push(mv));
                let expected: Vec<Move> = all.iter().filter(touches).copied().collect();
                assert_eq!(found, expected);
            }
        }
    }

    #[test]
    fn the_text_of_a_move_names_it_and_no_other_text_does() {
        let mut names = 0;
        for board in include_str!("../bench.txt").lines().skip(1) {
            let board = fen::parse(board).unwrap();
            for mv in legal(&board) {
                let text = mv.to_string();
                assert_eq!(parse(&board, &text), Some(mv));
                assert_eq!(parse(&board, &text.to_uppercase()), Some(mv));
                for wrong in [
                    format!("{}{text}", &text[..2]),
                    format!("{text}R"),
                    format!("{text} "),
                ] {
                    let named = parse(&board, &wrong).map(|it| it.to_string());
                    assert!(named.is_none_or(|it| it == wrong), "{wrong}");
                }
                names += 1;
            }
        }
        assert!(names > 1000);
        let board = fen::parse(fen::OPENING).unwrap();
        for text in [
            "", "g4", "g4g4", "g4g4R", "a0a0", "g4i5", "g4g8", "4g5g", "g4é", "L", "g4gL",
        ] {
            assert_eq!(parse(&board, text), None, "{text}");
        }
    }

    #[test]
    fn moves_of_other_positions_are_distinguished() {
        let boards: Vec<_> = include_str!("../bench.txt")
            .lines()
            .skip(1)
            .map(|text| fen::parse(text).unwrap())
            .collect();
        for board in &boards {
            let own = moves(board);
            for mv in boards.iter().flat_map(moves) {
                assert_eq!(contains(board, mv), own.contains(&mv), "{mv}");
            }
        }
    }
}
