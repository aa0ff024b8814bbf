//! Counts of move sequences, by both conventions; and what they count when a rule is got wrong.
//!
//! The staff's player ignores Ko, counts the moves of the last ply without making them, and a King
//! that is zapped before the last ply as one sequence. Strictly, Ko holds, nothing follows the end
//! of the game, and every move of the last ply counts.

use serde::Deserialize;

use engine_client::Color;

use super::super::board::{Board, Role};
use super::super::fen::parse_fen;
use super::super::square::Square;
use super::super::{laser, vectors};
use super::{Turn, breaks_ko, is_enemy, moved, moves, turn};

fn staff(board: &Board, depth: u32) -> u64 {
    let moves = moves(board);
    if depth == 1 {
        return moves.len() as u64;
    }
    let counts = moves.into_iter().map(|played| turn(board, played));
    counts
        .map(|turn| below(&turn, |next| staff(next, depth - 1)))
        .sum()
}

/// One for a King that was zapped, otherwise what follows.
fn below(turn: &Turn, count: impl Fn(&Board) -> u64) -> u64 {
    match turn.zapped {
        Some(piece) if piece.role == Role::King => 1,
        _ => count(&turn.board),
    }
}

fn strict(before: Option<&Board>, board: &Board, depth: u32) -> u64 {
    moves(board)
        .into_iter()
        .map(|played| turn(board, played))
        .filter(|turn| !breaks_ko(before, &turn.board))
        .map(|turn| match turn.zapped {
            _ if depth == 1 => 1,
            Some(piece) if piece.role == Role::King => 0,
            _ => strict(Some(board), &turn.board, depth - 1),
        })
        .sum()
}

#[derive(Deserialize)]
struct Counts {
    name: String,
    fen: String,
    staff: Vec<u64>,
    strict: Vec<u64>,
}

/// Counts of more sequences than `most` are left out.
fn check_counts(most: u64) {
    for counts in vectors::section::<Vec<Counts>>("perft") {
        let board = parse_fen(&counts.fen).expect(&counts.name);
        let by_depth = |counts: &[u64]| {
            let depths = (1..).zip(counts.to_vec());
            depths
                .filter(move |(_, count)| *count <= most)
                .collect::<Vec<(u32, u64)>>()
        };
        for (depth, count) in by_depth(&counts.staff) {
            assert_eq!(
                staff(&board, depth),
                count,
                "{} at depth {depth}",
                counts.name
            );
        }
        for (depth, count) in by_depth(&counts.strict) {
            let strict = strict(None, &board, depth);
            assert_eq!(strict, count, "{} at depth {depth}, strictly", counts.name);
        }
    }
}

#[test]
fn positions_have_the_counts_of_other_programs() {
    check_counts(600_000);
}

#[test]
#[ignore = "minutes unless optimised"]
fn positions_have_the_counts_of_other_programs_at_every_depth() {
    check_counts(u64::MAX);
}

/// Rules that programs have got wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mistake {
    BareSwap,
    NoSwap,
    NullMove,
    FiresOn,
    Pinning,
    ImmunePawns,
    NoLaser,
    FixedKing,
}

impl Mistake {
    /// The turns of a board under rules with this mistake.
    fn turns(self, board: &Board) -> Vec<Turn> {
        let is_allowed = |played: &super::Move| match (self, played.swap) {
            (Self::NoSwap, Some(_)) => false,
            (Self::FixedKing, Some(swap)) => board
                .piece(swap)
                .is_none_or(|piece| piece.role == Role::Pawn),
            (Self::Pinning, _) => !is_pinned(board, played.from),
            _ => true,
        };
        let moves = moves(board).into_iter().filter(is_allowed);
        let mut boards: Vec<Board> = moves.map(|played| moved(board, played)).collect();
        match self {
            Self::BareSwap => boards.extend(bare_swaps(board)),
            Self::NullMove => boards.push(board.clone()),
            _ => {}
        }
        boards.into_iter().map(|board| self.fire(board)).collect()
    }

    fn fire(self, mut board: Board) -> Turn {
        let shooter = board.to_move;
        let mut zapped = None;
        while let Some((square, piece)) = laser::target(&board, shooter) {
            let is_own_pawn = piece.role == Role::Pawn && piece.color == shooter;
            if self == Self::NoLaser || (self == Self::ImmunePawns && is_own_pawn) {
                break;
            }
            board.put(square, None);
            zapped = Some(piece);
            if self != Self::FiresOn || piece.role == Role::King {
                break;
            }
        }
        board.to_move = shooter.opponent();
        Turn { board, zapped }
    }

    fn perft(self, board: &Board, depth: u32) -> u64 {
        let turns = self.turns(board);
        if depth == 1 {
            return turns.len() as u64;
        }
        let counts = turns
            .iter()
            .map(|turn| below(turn, |next| self.perft(next, depth - 1)));
        counts.sum()
    }
}

/// Whether the opponent's beam reaches a Pawn, even if it is reflected there: it would hit a King
/// on that square.
fn is_pinned(board: &Board, square: Square) -> bool {
    let shooter = board.to_move.opponent();
    let mut probe = board.clone();
    let king = board.king(board.to_move);
    probe.put(square, king.map(|(_, king)| king));
    king.is_none_or(|(at, _)| at != square)
        && laser::target(&probe, shooter).is_some_and(|(hit, _)| hit == square)
}

/// Swaps without the basic move that must follow.
fn bare_swaps(board: &Board) -> Vec<Board> {
    let mut boards = Vec::new();
    for (from, _) in super::own(board) {
        for swap in from.neighbours().filter(|swap| is_enemy(board, *swap)) {
            let mut swapped = board.clone();
            swapped.exchange(from, swap);
            boards.push(swapped);
        }
    }
    boards
}

#[test]
fn each_mistake_changes_the_counts_that_give_it_away() {
    let opening = parse_fen(super::super::fen::OPENING).expect("the opening");
    let tactics = "ssse3SW2/3sw4/5se1sw/ne1nw5/6SESW/2NE1NE3/6NW1/7NN W";
    let tactics = parse_fen(tactics).expect("the diagram");
    for (mistake, in_opening, in_tactics) in [
        (Mistake::BareSwap, [61, 3761, 240_298], [62, 3902, 249_282]),
        (Mistake::NoSwap, [61, 3717, 230_887], [62, 3731, 219_127]),
        (Mistake::NullMove, [62, 3880, 250_725], [63, 4008, 257_789]),
        (Mistake::FiresOn, [61, 3757, 239_205], [62, 3830, 237_437]),
        (Mistake::Pinning, [61, 3757, 239_205], [62, 3738, 232_579]),
        (
            Mistake::ImmunePawns,
            [61, 3757, 240_425],
            [62, 3884, 250_977],
        ),
        (Mistake::NoLaser, [61, 3757, 240_425], [62, 3917, 258_055]),
        (Mistake::FixedKing, [61, 3757, 239_205], [62, 3884, 246_049]),
    ] {
        for depth in 1..=3 {
            let counts = [&opening, &tactics].map(|board| mistake.perft(board, depth));
            let place = depth as usize - 1;
            assert_eq!(
                counts,
                [in_opening[place], in_tactics[place]],
                "{mistake:?} at {depth}"
            );
        }
    }
}

#[test]
fn two_kings_beside_each_other_tell_whether_they_can_swap() {
    let board = parse_fen("8/8/8/3ee4/3WW4/8/8/8 W").expect("two Kings");
    assert_eq!(board.to_move, Color::White);
    assert_eq!(staff(&board, 1), 20);
    assert_eq!(Mistake::FixedKing.perft(&board, 1), 10);
}
