//! Positions as text: ranks 7 to 0 between slashes, a blank, and the side to move.
//!
//! A digit is so many empty squares, two letters are a piece: a King facing `NN EE SS WW`, a Pawn
//! whose mirror faces `NW NE SE SW`; Tangerine's in upper case, Lavender's in lower. There are no
//! counters and no history.

use engine_client::Color;
use foundation::Failure;

use super::board::{Board, Piece, Role};
use super::square::{Heading, SIZE, Square};

/// The start position of 2018.
pub(super) const OPENING: &str = "ss7/3nwse3/2nwse4/1nwse3NW1/1se3NWSE1/4NWSE2/3NWSE3/7NN W";

const KINGS: [&str; 4] = ["NN", "EE", "SS", "WW"];
const PAWNS: [&str; 4] = ["NW", "NE", "SE", "SW"];

/// Reads a position from which a game can start: exactly one King each.
///
/// # Errors
/// The text is not a position; the message says why.
pub(super) fn parse_fen(text: &str) -> Result<Board, Failure> {
    read(text).map_err(|why| {
        let shown: String = text.chars().take(120).collect();
        Failure::unable(format!(
            "`{}` is no position of Leiserchess: {why}",
            shown.escape_debug()
        ))
        .hint(format!(
            "expected ranks 7 to 0 and the side to move, W or B, such as {OPENING}"
        ))
    })
}

/// Writes a position, also one without a King.
pub(super) fn write_fen(board: &Board) -> String {
    let ranks: Vec<String> = (0..SIZE)
        .rev()
        .map(|rank| write_rank(board, rank))
        .collect();
    let side = match board.to_move {
        Color::White => 'W',
        Color::Black => 'B',
    };
    format!("{} {side}", ranks.join("/"))
}

fn read(text: &str) -> Result<Board, String> {
    let fields: Vec<&str> = text.split_ascii_whitespace().collect();
    let [placement, side] = fields[..] else {
        return Err(format!("got {} fields, expected 2", fields.len()));
    };
    let to_move = match side {
        "W" => Color::White,
        "B" => Color::Black,
        _ => return Err(format!("the side to move is `{side}`, expected W or B")),
    };
    let ranks: Vec<&str> = placement.split('/').collect();
    if ranks.len() != usize::from(SIZE) {
        return Err(format!("got {} ranks, expected {SIZE}", ranks.len()));
    }
    let mut board = Board::empty(to_move);
    for (rank, row) in (0..SIZE).rev().zip(ranks) {
        read_rank(&mut board, rank, row).map_err(|why| format!("rank {rank}, `{row}`, {why}"))?;
    }
    for color in [Color::White, Color::Black] {
        let kings = board
            .pieces()
            .filter(|(_, piece)| piece.role == Role::King && piece.color == color)
            .count();
        if kings != 1 {
            return Err(format!("{} has {kings} Kings, expected 1", color.name()));
        }
    }
    Ok(board)
}

fn read_rank(board: &mut Board, rank: u8, row: &str) -> Result<(), String> {
    let mut file = 0;
    let mut letters = row.chars();
    while let Some(first) = letters.next() {
        if let Some(empty) = first.to_digit(10).filter(|empty| (1..=8).contains(empty)) {
            file += empty as u8;
        } else {
            let word: String = [first].into_iter().chain(letters.next()).collect();
            let piece = piece(&word).ok_or_else(|| format!("has `{word}`, which is no piece"))?;
            let square = Square::new(file, rank).ok_or("is too long")?;
            board.put(square, Some(piece));
            file += 1;
        }
        if file > SIZE {
            return Err("is too long".to_owned());
        }
    }
    if file < SIZE {
        return Err(format!("has {file} squares, expected {SIZE}"));
    }
    Ok(())
}

/// The piece of two letters.
fn piece(word: &str) -> Option<Piece> {
    let color = if word == word.to_ascii_uppercase() {
        Color::White
    } else if word == word.to_ascii_lowercase() {
        Color::Black
    } else {
        return None;
    };
    [(Role::King, KINGS), (Role::Pawn, PAWNS)]
        .into_iter()
        .find_map(|(role, names)| {
            let place = names.iter().position(|it| word.eq_ignore_ascii_case(it))?;
            Some(Piece {
                color,
                role,
                heading: Heading::ALL[place],
            })
        })
}

fn write_rank(board: &Board, rank: u8) -> String {
    let mut row = String::new();
    let mut empty = 0;
    for file in 0..SIZE {
        match Square::new(file, rank).and_then(|square| board.piece(square)) {
            None => empty += 1,
            Some(piece) => {
                write_empty(&mut row, &mut empty);
                row.push_str(&letters(piece));
            }
        }
    }
    write_empty(&mut row, &mut empty);
    row
}

fn write_empty(row: &mut String, empty: &mut u32) {
    if *empty > 0 {
        row.push_str(&empty.to_string());
    }
    *empty = 0;
}

fn letters(piece: Piece) -> String {
    let names = match piece.role {
        Role::King => KINGS,
        Role::Pawn => PAWNS,
    };
    let name = names[piece.heading.index()];
    match piece.color {
        Color::White => name.to_owned(),
        Color::Black => name.to_ascii_lowercase(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_opening_is_read_and_written() {
        let board = parse_fen(&format!("  {OPENING}\n")).expect("the opening");
        assert_eq!(write_fen(&board), OPENING);
        let at = |file, rank| Square::parse(file, rank).and_then(|square| board.piece(square));
        let king = Piece {
            color: Color::White,
            role: Role::King,
            heading: Heading::ALL[0],
        };
        assert_eq!(at(b'h', b'0'), Some(king));
        let pawn = Piece {
            color: Color::Black,
            role: Role::Pawn,
            heading: Heading::ALL[2],
        };
        assert_eq!(at(b'd', b'5'), Some(pawn));
        assert_eq!(at(b'a', b'0'), None);
    }

    #[test]
    fn what_is_no_position_is_refused_with_the_reason() {
        for (text, reason) in [
            ("", "got 0 fields, expected 2"),
            ("ss7/8/8/8/8/8/8/7NN", "got 1 fields"),
            ("ss7/8/8/8/8/8/8/7NN W extra", "got 3 fields"),
            ("ss7/8/8/8/8/8/8/7NN w", "the side to move is `w`"),
            ("ss7/8/8/8/8/8/7NN W", "got 7 ranks, expected 8"),
            ("ss7/8/8/8/8/8/8/8/7NN W", "got 9 ranks"),
            ("ss6/8/8/8/8/8/8/7NN W", "rank 7, `ss6`, has 7 squares"),
            ("ss7/8/8/8/8/8/8/8NN W", "rank 0, `8NN`, is too long"),
            ("ss7/8/8/8/8/8/8/7NNNW W", "rank 0, `7NNNW`, is too long"),
            ("ss7/9/8/8/8/8/8/7NN W", "has `9`, which is no piece"),
            ("ss7/0/8/8/8/8/8/7NN W", "has `0`, which is no piece"),
            ("ss7/8/8/8/8/8/8/7NS W", "has `NS`, which is no piece"),
            ("ss7/8/8/8/8/8/8/7Nn W", "has `Nn`, which is no piece"),
            ("ss7/8/8/8/8/8/8/7N W", "has `N`, which is no piece"),
            ("ss7/8/8/8/8/8/8/7é W", "has `é`, which is no piece"),
            ("8/8/8/8/8/8/8/7NN W", "Black has 0 Kings, expected 1"),
            ("ss7/8/8/8/8/8/8/6NNNN W", "White has 2 Kings, expected 1"),
        ] {
            let failure = parse_fen(text).expect_err(text);
            assert!(failure.message().contains(reason), "{failure}");
        }
    }

    proptest! {
        #[test]
        fn reading_never_panics(text in "\\PC{0,80}|(([1-8]|NN|ss|[ns][ew]|[NS][EW]){0,9}/){7}([1-8]|NN|NW){0,9} [WBw]") {
            if let Ok(board) = parse_fen(&text) {
                let again = parse_fen(&write_fen(&board)).expect("our own text is read back");
                prop_assert_eq!(again, board);
            }
        }
    }
}
