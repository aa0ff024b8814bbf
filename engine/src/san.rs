//! Reads moves in standard algebraic notation.

use cozy_chess::{File, Move, Piece, Rank, Square};

use crate::position::Position;

/// The legal move that the text names, in SAN or in UCI notation. Marks of check, mate and praise
/// are not examined. `None` if no move fits, or more than one.
pub(crate) fn parse(position: &Position, text: &str) -> Option<Move> {
    let text = text.trim_end_matches(['+', '#', '!', '?']);
    let fits = pattern(text);
    let mut found = position.moves().into_iter().filter(|&mv| {
        let is_castling = position.is_castling(mv);
        match text {
            "O-O" | "0-0" => is_castling && mv.to > mv.from,
            "O-O-O" | "0-0-0" => is_castling && mv.to < mv.from,
            _ => fits
                .as_ref()
                .is_some_and(|pattern| !is_castling && pattern.fits(position.moved_piece(mv), mv)),
        }
    });
    let first = found.next();
    match found.next() {
        None => first.or_else(|| position.parse_move(text, false)),
        Some(_) => None,
    }
}

/// What a text like `Nbxd2` or `exd8=Q` says of a move.
struct Pattern {
    piece: Piece,
    file: Option<File>,
    rank: Option<Rank>,
    to: Square,
    promotion: Option<Piece>,
}

impl Pattern {
    fn fits(&self, piece: Piece, mv: Move) -> bool {
        piece == self.piece
            && mv.to == self.to
            && mv.promotion == self.promotion
            && self.file.is_none_or(|file| mv.from.file() == file)
            && self.rank.is_none_or(|rank| mv.from.rank() == rank)
    }
}

fn pattern(text: &str) -> Option<Pattern> {
    let (text, promotion) = match text.split_once('=') {
        Some((text, letter)) => (text, Some(piece(letter.chars().next()?)?)),
        None => (text, None),
    };
    let mut letters: Vec<char> = text.chars().filter(|&letter| letter != 'x').collect();
    let leading = letters.first().copied().and_then(piece);
    if leading.is_some() {
        letters.remove(0);
    }
    let square: String = letters
        .split_off(letters.len().checked_sub(2)?)
        .iter()
        .collect();
    let (mut file, mut rank) = (None, None);
    for letter in letters {
        match (letter.to_string().parse(), letter.to_string().parse()) {
            (Ok(found), _) => file = Some(found),
            (_, Ok(found)) => rank = Some(found),
            _ => return None,
        }
    }
    Some(Pattern {
        piece: leading.unwrap_or(Piece::Pawn),
        file,
        rank,
        to: square.parse().ok()?,
        promotion,
    })
}

/// The piece of a capital letter; pawns have none.
fn piece(letter: char) -> Option<Piece> {
    Some(match letter {
        'N' => Piece::Knight,
        'B' => Piece::Bishop,
        'R' => Piece::Rook,
        'Q' => Piece::Queen,
        'K' => Piece::King,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(fen: &str, text: &str) -> Option<String> {
        let position = Position::from_fen(fen).unwrap();
        parse(&position, text).map(|mv| position.uci(mv, false))
    }

    #[test]
    fn all_kinds_of_moves_are_read() {
        let castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        let promotion = "1r5k/P7/8/3pP3/8/8/8/K7 w - d6 0 1";
        let knights = "7k/8/8/8/8/N5N1/8/K3N3 w - - 0 1";
        for (fen, text, uci) in [
            (castling, "O-O", "e1g1"),
            (castling, "0-0-0+", "e1c1"),
            (castling, "Rxa8+", "a1a8"),
            (castling, "Kd2!?", "e1d2"),
            (promotion, "axb8=Q#", "a7b8q"),
            (promotion, "a8=N", "a7a8n"),
            (promotion, "exd6", "e5d6"),
            (promotion, "e6", "e5e6"),
            (knights, "Nac2", "a3c2"),
            (knights, "N3c2", "a3c2"),
            (knights, "Nf5", "g3f5"),
            (knights, "e1f3", "e1f3"),
        ] {
            assert_eq!(read(fen, text).as_deref(), Some(uci), "{text}");
        }
        for text in ["Nc2", "Qd1", "a4", "N", "", "=Q", "Nz9", "Kb2b"] {
            assert_eq!(read(knights, text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn nothing_panics(text in "\\PC{0,12}") {
            read("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", &text);
        }
    }
}
