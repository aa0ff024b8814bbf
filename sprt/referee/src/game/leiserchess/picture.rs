//! What a page shows of a position: pieces with their headings, and the beam of the last shot.

use std::collections::BTreeMap;

use engine_client::Color;

use super::board::{Board, Piece, Role};
use super::laser;
use super::moves::{moved, moves, turn};
use super::notation::Move;
use crate::game::{Picture, Shot};

/// A position, and the shot of the move that led to it from the board before.
pub(super) fn picture(board: &Board, last: Option<(&Board, Move)>) -> Picture {
    let pieces: BTreeMap<String, String> = board
        .pieces()
        .map(|(square, piece)| (square.to_string(), shape(piece)))
        .collect();
    Picture {
        files: "abcdefgh",
        ranks: "76543210",
        pieces,
        shot: last.map_or_else(Shot::default, |(before, played)| shot(before, played)),
    }
}

fn shot(before: &Board, played: Move) -> Shot {
    let mut beam = Vec::new();
    let board = moved(before, played);
    let target = laser::fire(&board, board.to_move, |square| {
        beam.push(square.to_string());
    });
    Shot {
        beam,
        victim: target.map(|(_, piece)| shape(piece)),
    }
}

/// A Pawn's mirror faces north-west when it is not turned.
fn shape(piece: Piece) -> String {
    let color = match piece.color {
        Color::White => 'w',
        Color::Black => 'b',
    };
    let role = match piece.role {
        Role::King => 'K',
        Role::Pawn => 'P',
    };
    format!("l{color}{role}{}", piece.heading.index())
}

/// What a move means for the mover's own King.
pub(super) fn danger(board: &Board, played: Move) -> Option<&'static str> {
    let mover = board.to_move;
    let after = turn(board, played);
    let is_king = |piece: Piece, color| piece.role == Role::King && piece.color == color;
    match after.zapped {
        Some(piece) if is_king(piece, mover) => return Some("your laser hits your own King"),
        Some(piece) if is_king(piece, mover.opponent()) => return None,
        _ => {}
    }
    let shoots = |reply: Move| {
        let zapped = turn(&after.board, reply).zapped;
        zapped.is_some_and(|piece| is_king(piece, mover))
    };
    let is_shot = moves(&after.board).into_iter().any(shoots);
    is_shot.then_some("your King can be shot after this move")
}

#[cfg(test)]
mod tests {
    use super::super::fen::{OPENING, parse_fen};
    use super::*;

    fn board(fen: &str) -> Board {
        parse_fen(fen).expect(fen)
    }

    fn play(text: &str) -> Move {
        Move::parse(text).expect(text)
    }

    #[test]
    fn a_beam_is_drawn_from_the_king_to_its_victim() {
        // Tangerine's King on e0 faces north; a mirror on e3 that faces south-east sends it east.
        let before = board("ss7/8/8/8/4SE2ne/8/8/4EE3 W");
        let picture = picture(
            &turn(&before, play("e0L")).board,
            Some((&before, play("e0L"))),
        );
        assert_eq!(
            picture.shot.beam,
            ["e0", "e1", "e2", "e3", "f3", "g3", "h3"]
        );
        assert_eq!(picture.shot.victim.as_deref(), Some("lbP1"));
        assert_eq!(picture.pieces.get("h3"), None);
        assert_eq!(picture.pieces["e0"], "lwK0");
    }

    #[test]
    fn a_beam_that_hits_nothing_ends_at_the_edge() {
        let before = board("ss7/8/8/8/8/8/8/4EE3 W");
        let shown = shot(&before, play("e0L"));
        assert_eq!(shown.beam.last().map(String::as_str), Some("e7"));
        assert_eq!(shown.victim, None);
        assert!(picture(&before, None).shot.is_empty());
    }

    #[test]
    fn a_king_that_can_be_shot_is_reported_before_the_move() {
        // Lavender's King on a7 can turn east; the row is empty up to Tangerine's King.
        let before = board("ss6NN/8/8/8/8/8/8/8 W");
        let danger = |text| danger(&before, play(text));
        assert_eq!(danger("h7R"), Some("your King can be shot after this move"));
        // The same move that shoots first is no danger.
        assert_eq!(danger("h7L"), None);
        let own = board("ss7/8/8/8/4SE2SW/8/8/4EE2NW W");
        assert_eq!(
            super::danger(&own, play("e0L")),
            Some("your laser hits your own King")
        );
        assert_eq!(super::danger(&board(OPENING), play("h0U")), None);
    }
}
