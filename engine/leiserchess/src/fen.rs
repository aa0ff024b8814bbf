//! Positions as text: the ranks from 7 down to 0, then the side to move.

use std::fmt::Write as _;

use crate::board::Board;
use crate::piece::{Color, Piece};

/// The starting position.
pub(crate) const OPENING: &str = "ss7/3nwse3/2nwse4/1nwse3NW1/1se3NWSE1/4NWSE2/3NWSE3/7NN W";

const KINGS: [&str; 4] = ["nn", "ee", "ss", "ww"];
const PAWNS: [&str; 4] = ["nw", "ne", "se", "sw"];

/// Reads a position.
///
/// # Errors
/// The text is not a position; the message names the rank, what was found and what was expected.
pub(crate) fn parse(text: &str) -> Result<Board, String> {
    let mut words = text.split_ascii_whitespace();
    let (placement, side) = (words.next().unwrap_or_default(), words.next());
    let side = match side {
        Some("W" | "w") => Color::White,
        Some("B" | "b") => Color::Black,
        other => {
            let got = other.unwrap_or_default();
            return Err(format!("expected W or B after the board, got '{got}'"));
        }
    };
    if let Some(more) = words.next() {
        return Err(format!("expected nothing after the side, got '{more}'"));
    }
    let ranks: Vec<&str> = placement.split('/').collect();
    if ranks.len() != 8 {
        return Err(format!("expected 8 ranks, got {}", ranks.len()));
    }
    let mut board = [Piece::NONE; 64];
    for (rank, text) in (0..8).rev().zip(ranks) {
        let row = &mut board[rank * 8..][..8];
        read_rank(text, row).map_err(|error| format!("rank {rank}, '{text}': {error}"))?;
    }
    Board::new(board, side)
}

fn read_rank(text: &str, row: &mut [Piece]) -> Result<(), String> {
    let mut rest = text;
    let mut file = 0;
    while let Some(letter) = rest.chars().next() {
        if let Some(empty @ 1..=8) = letter.to_digit(10) {
            file += empty as usize;
            rest = &rest[1..];
        } else {
            let piece = rest
                .get(..2)
                .and_then(piece)
                .ok_or_else(|| format!("expected a number from 1 to 8 or a piece, got '{rest}'"))?;
            *row.get_mut(file).ok_or("more than 8 squares")? = piece;
            file += 1;
            rest = &rest[2..];
        }
    }
    if file == 8 {
        Ok(())
    } else {
        Err(format!("expected 8 squares, got {file}"))
    }
}

fn piece(text: &str) -> Option<Piece> {
    let lower = text.to_ascii_lowercase();
    let color = if text == lower {
        Color::Black
    } else if text == text.to_ascii_uppercase() {
        Color::White
    } else {
        return None;
    };
    let find = |names: [&str; 4]| names.into_iter().position(|name| name == lower);
    let king = find(KINGS).map(|at| Piece::new(color, true, at as u8));
    king.or_else(|| find(PAWNS).map(|at| Piece::new(color, false, at as u8)))
}

/// The two letters of a piece.
pub(crate) fn letters(piece: Piece) -> String {
    let names = if piece.is_king() { KINGS } else { PAWNS };
    let name = names[usize::from(piece.orientation())];
    match piece.color() {
        Color::White => name.to_ascii_uppercase(),
        Color::Black => name.to_owned(),
    }
}

/// Writes a position.
pub(crate) fn write(board: &Board) -> String {
    let mut text = String::new();
    for (index, row) in board.squares().chunks_exact(8).rev().enumerate() {
        if index > 0 {
            text.push('/');
        }
        let mut empty = 0;
        for &piece in row {
            if !piece.is_some() {
                empty += 1;
                continue;
            }
            if empty > 0 {
                // Writing to a string cannot fail.
                let _ = write!(text, "{empty}");
                empty = 0;
            }
            text.push_str(&letters(piece));
        }
        if empty > 0 {
            let _ = write!(text, "{empty}");
        }
    }
    text.push_str(match board.side() {
        Color::White => " W",
        Color::Black => " B",
    });
    text
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
mod tests {
    use super::*;

    #[test]
    fn positions_are_written_as_they_were_read() {
        for fen in [
            OPENING,
            "8/8/8/3ee4/3WW4/8/8/8 B",
            "ssse3SW2/3sw4/5se1sw/ne1nw5/6SESW/2NE1NE3/6NW1/7NN W",
        ] {
            assert_eq!(write(&parse(fen).unwrap()), fen);
        }
    }

    #[test]
    fn what_is_no_position_is_refused_with_its_place() {
        for (fen, told) in [
            ("", "W or B"),
            ("ss7/8/8/8/8/8/8/7NN", "W or B"),
            ("ss7/8/8/8/8/8/8/7NN W 1", "nothing after"),
            ("ss7/8/8/8/8/8/7NN W", "8 ranks, got 7"),
            ("ss7/8/8/8/8/8/8/8 W", "one white king, got 0"),
            ("ss6ee/8/8/8/8/8/8/7NN W", "one black king, got 2"),
            ("ss7/9/8/8/8/8/8/7NN W", "rank 6, '9'"),
            (
                "ss7/7/8/8/8/8/8/7NN W",
                "rank 6, '7': expected 8 squares, got 7",
            ),
            ("ss8/8/8/8/8/8/8/7NN W", "rank 7"),
            ("ss7/8nw/8/8/8/8/8/7NN W", "more than 8"),
            ("sS7/8/8/8/8/8/8/7NN W", "rank 7"),
            ("ss7/8/8/nä7/8/8/8/7NN W", "rank 4"),
        ] {
            let error = parse(fen).unwrap_err();
            assert!(error.contains(told), "{fen}: {error}");
        }
    }
}
