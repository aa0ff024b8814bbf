//! What is asked of positions of games and suites: moves as people write them, phase and material.

use foundation::Failure;
use shakmaty::fen::Fen;
use shakmaty::san::{SanError, SanPlus};
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Move, Position as _, PositionError, Role};

use super::fen;
use crate::game::Phase;
use engine_client::Color;

/// Pawns and pieces that count as material, and what they count.
const VALUES: [(Role, i32); 5] = [
    (Role::Pawn, 1),
    (Role::Knight, 3),
    (Role::Bishop, 3),
    (Role::Rook, 5),
    (Role::Queen, 9),
];

/// Reads a position; composed ones may have material that no game has.
///
/// # Errors
/// It is no position.
pub(super) fn parse_fen(text: &str, mode: CastlingMode) -> Result<Chess, Failure> {
    let composed = Fen::from_ascii(text.as_bytes()).ok().and_then(|fen| {
        fen.into_position(mode)
            .or_else(PositionError::ignore_too_much_material)
            .or_else(PositionError::ignore_impossible_check)
            .or_else(PositionError::ignore_invalid_ep_square)
            .ok()
    });
    composed.map_or_else(|| fen::parse_fen(text, mode), Ok)
}

/// A legal move in SAN, long algebraic or UCI's notation, with or without marks.
///
/// # Errors
/// What is wrong with it, in words that follow it.
pub(super) fn find(position: &Chess, said: &str) -> Result<Move, &'static str> {
    let bare = said.trim_end_matches(['!', '?', '+', '#']);
    let is_castling = bare.starts_with(['O', '0']);
    let bare = &if is_castling {
        bare.to_owned()
    } else {
        bare.replacen('-', "", 1)
    };
    let why = match SanPlus::from_ascii(bare.replace('0', "O").as_bytes()) {
        Err(_) => "is no move",
        Ok(san) => match san.san.to_move(position) {
            Ok(found) => return Ok(found),
            Err(SanError::AmbiguousSan) => "is ambiguous: several pieces can make it",
            Err(SanError::IllegalSan) => "is illegal",
        },
    };
    let in_uci = UciMove::from_ascii(bare.as_bytes()).ok();
    in_uci.and_then(|it| it.to_move(position).ok()).ok_or(why)
}

/// By what is left besides pawns and kings: a queen counts 4, a rook 2, a bishop or knight 1, both
/// sides' together, 24 at the beginning.
pub(super) fn phase(position: &Chess) -> Phase {
    let board = position.board();
    let heavy = 4 * board.queens().count() + 2 * board.rooks().count();
    match heavy + board.bishops().count() + board.knights().count() {
        0..=8 => Phase::Endgame,
        9..=19 => Phase::Middlegame,
        _ => Phase::Opening,
    }
}

/// `opening`, `middlegame`, `middlegame without queens`, `rook endgame`, …
pub(super) fn theme(position: &Chess) -> String {
    let board = position.board();
    let (queens, rooks) = (board.queens().any(), board.rooks().any());
    let minors = (board.bishops() | board.knights()).any();
    match phase(position) {
        Phase::Middlegame if !queens => "middlegame without queens".to_owned(),
        Phase::Endgame => {
            let pieces = match (queens, rooks, minors) {
                (true, ..) => "queen",
                (_, true, _) => "rook",
                (.., true) => "minor piece",
                _ => "pawn",
            };
            format!("{pieces} endgame")
        }
        phase => phase.name().to_owned(),
    }
}

pub(super) fn material(position: &Chess, color: Color) -> i32 {
    let board = position.board();
    let side = match color {
        Color::White => board.white(),
        Color::Black => board.black(),
    };
    let of = |(role, value): &(Role, i32)| value * (side & board.by_role(*role)).count() as i32;
    VALUES.iter().map(of).sum()
}

/// Whether a move captures, promotes or gives check.
pub(super) fn is_forcing(position: &Chess, played: Move) -> bool {
    let mut next = position.clone();
    next.play_unchecked(played);
    played.is_capture() || played.is_promotion() || next.is_check()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Variant as _;
    use crate::game::chess::STANDARD;

    #[test]
    fn positions_are_named_by_what_is_left_on_the_board() {
        for (fen, name) in [
            (fen::CLASSICAL, "opening"),
            ("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", "pawn endgame"),
            ("4k3/8/8/8/8/8/P7/N3K3 w - - 0 1", "minor piece endgame"),
            ("4k3/8/8/8/8/8/P7/R3K2N w - - 0 1", "rook endgame"),
            ("4k3/8/8/8/8/8/P7/Q3K3 w - - 0 1", "queen endgame"),
            (
                "rnb1kbnr/8/8/8/8/8/8/RNB1KB1R w - - 0 1",
                "middlegame without queens",
            ),
        ] {
            assert_eq!(STANDARD.study(fen).expect(fen).theme(), name);
        }
    }
}
