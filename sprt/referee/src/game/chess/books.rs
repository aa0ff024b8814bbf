//! Books of chess openings: EPD, PGN, lines of moves, our packed form, and the books built in.

use foundation::Failure;
use shakmaty::CastlingMode;
use shakmaty::uci::UciMove;

use super::packed::{self, Packed};
use super::{epd, fischer, pgn, polyglot};
use crate::game::{BookFile, Embedded, Opening, Openings, first_game, game_starts, tag};

/// The book built in for standard chess: 24,000 lines that end in different positions, each within
/// 80 centipawns in the eyes of Stockfish 15.1 (as Debian 12 packages it) at 5,000 nodes. Made, and
/// to be made again bit for bit, by `sprt book make --engine stockfish --option Hash=16 --nodes
/// 5000 --max-score 80 --plies 8 --count 24000 --seed 1 -o book.bin`.
const EMBEDDED: &[u8] = include_bytes!("book.bin");

/// What a book holds.
enum Book {
    /// A line or game begins at each of `starts`.
    Text {
        text: Vec<u8>,
        starts: Vec<u32>,
        format: Format,
    },
    Packed(Packed),
    /// Lines from the usual start position.
    Lines(Vec<Vec<String>>),
    /// The start positions of Chess960.
    Fischer,
    /// Those in which each side has a back rank of its own.
    DoubleFischer,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    Epd,
    /// Games, their castling rule, and how many moves are taken from each.
    Pgn(CastlingMode, Option<u32>),
    /// Moves in the engines' notation from the usual start position, and how many are taken.
    Moves(Option<u32>),
}

/// Reads a file whose format is known by extension or content.
///
/// # Errors
/// It is in none of these formats.
pub(super) fn read(
    file: BookFile,
    mode: CastlingMode,
    plies: Option<u32>,
) -> Result<Box<dyn Openings>, Failure> {
    if file.bytes.starts_with(packed::MAGIC) {
        let packed = Packed::decode(&file.bytes)
            .map_err(|why| Failure::unable(format!("the book `{}` {why}", file.name)))?;
        return Ok(Box::new(Book::Packed(packed)));
    }
    let extension = file.extension();
    if extension.as_deref() == Some("bin")
        && mode == CastlingMode::Standard
        && polyglot::looks_like(&file.bytes)
    {
        return Ok(Box::new(Book::Lines(polyglot::lines(&file.bytes, plies))));
    }
    let text = file.into_text("EPD, PGN or a Polyglot book (.bin)")?;
    let is_pgn = match extension.as_deref() {
        Some("epd" | "fen") => false,
        Some("pgn") => true,
        _ => looks_like_pgn(&text),
    };
    let has_moves = extension.as_deref() != Some("epd") && !is_pgn && looks_like_moves(&text);
    Ok(Box::new(if is_pgn {
        Book::Text {
            starts: game_starts(&text),
            text,
            format: Format::Pgn(mode, plies),
        }
    } else {
        Book::Text {
            starts: epd::line_starts(&text),
            text,
            format: if has_moves {
                Format::Moves(plies)
            } else {
                Format::Epd
            },
        }
    }))
}

/// Lines of eight plies for standard chess, the 960 start positions for Chess960, or with a back
/// rank for each side 921,600.
pub(super) fn embedded(mode: CastlingMode, is_double: bool) -> Result<Embedded, Failure> {
    let (book, bytes) = match mode {
        CastlingMode::Chess960 if is_double => (Book::DoubleFischer, &b"dfrc"[..]),
        CastlingMode::Standard => {
            let packed = Packed::decode(EMBEDDED)
                .map_err(|why| Failure::unable(format!("the embedded book {why}")))?;
            (Book::Packed(packed), EMBEDDED)
        }
        CastlingMode::Chess960 => (Book::Fischer, &b"chess960"[..]),
    };
    Ok(Embedded {
        openings: Box::new(book),
        bytes,
    })
}

fn start(position: String) -> Opening {
    Opening {
        start: Some(position),
        moves: Vec::new(),
    }
}

/// A game begins with a tag or a move number, a position with pieces and digits up to its first
/// slash.
fn looks_like_pgn(text: &[u8]) -> bool {
    let head = text.trim_ascii_start();
    head.starts_with(b"[") || head.starts_with(b"1.") || head.starts_with(b"{")
}

/// The first word of a position has slashes, a move begins with its square.
fn looks_like_moves(text: &[u8]) -> bool {
    let first = epd::line_starts(text).first().copied().unwrap_or_default();
    let line = text[first as usize..].trim_ascii_start();
    let word = line.split(u8::is_ascii_whitespace).next();
    word.is_some_and(|word| {
        matches!(word, [b'a'..=b'z', b'0'..=b'9', _, ..]) && word.len() < 6 && !word.contains(&b'/')
    })
}

/// An opening that is written as its moves.
fn line_of_moves(line: &str, plies: Option<u32>) -> Result<Opening, Failure> {
    let words = line.split_whitespace();
    if let Some(word) = words.clone().find(|word| word.parse::<UciMove>().is_err()) {
        return Err(
            Failure::unable(format!("`{word}` is no move of chess, such as e2e4"))
                .hint("expected a book of chess; those of other games, which --variant names, hold moves of their own"),
        );
    }
    let moves = words.take(plies.map_or(usize::MAX, |plies| plies as usize));
    Ok(Opening {
        start: None,
        moves: moves.map(str::to_owned).collect(),
    })
}

/// The text of an opening.
fn span<'a>(text: &'a [u8], starts: &[u32], index: u64) -> Option<&'a [u8]> {
    let index = index as usize;
    let end = starts.get(index + 1).map(|end| *end as usize);
    text.get(*starts.get(index)? as usize..end.unwrap_or(text.len()))
}

impl Openings for Book {
    fn len(&self) -> u64 {
        match self {
            Self::Text { starts, .. } => starts.len() as u64,
            Self::Packed(packed) => packed.len() as u64,
            Self::Lines(lines) => lines.len() as u64,
            Self::Fischer => u64::from(fischer::POSITIONS),
            Self::DoubleFischer => u64::from(fischer::POSITIONS).pow(2),
        }
    }

    fn read(&self, index: u64) -> Result<Opening, Failure> {
        match self {
            Self::Text {
                text,
                starts,
                format,
            } => {
                let span = span(text, starts, index)
                    .ok_or_else(|| Failure::unable("there is no such opening"))?;
                let line = span.split(|byte| *byte == b'\n').next().unwrap_or_default();
                match format {
                    Format::Epd => Ok(start(epd::parse_line(&String::from_utf8_lossy(line)))),
                    Format::Moves(plies) => line_of_moves(&String::from_utf8_lossy(line), *plies),
                    Format::Pgn(mode, plies) => pgn::parse_game(span, *mode, *plies),
                }
            }
            Self::Packed(packed) => packed
                .moves(index as usize)
                .map(|moves| Opening { start: None, moves })
                .ok_or_else(|| Failure::unable("a move is illegal")),
            Self::Lines(lines) => lines
                .get(index as usize)
                .map(|moves| Opening {
                    start: None,
                    moves: moves.clone(),
                })
                .ok_or_else(|| Failure::unable("there is no such opening")),
            Self::Fischer => Ok(start(fischer::position(index as u32))),
            Self::DoubleFischer => {
                let number = |index: u64| (index % u64::from(fischer::POSITIONS)) as u32;
                let (white, black) = (number(index), number(index / u64::from(fischer::POSITIONS)));
                Ok(start(fischer::double_position(white, black)))
            }
        }
    }

    fn variant(&self, index: u64) -> Option<String> {
        match self {
            Self::Text {
                text,
                starts,
                format: Format::Pgn(..),
            } => {
                let game = first_game(span(text, starts, index)?).ok()?;
                tag(&game, "Variant").map(str::to_owned)
            }
            _ => None,
        }
    }

    fn place(&self, index: u64) -> String {
        match self {
            Self::Text {
                text,
                starts,
                format,
            } => {
                let start = starts
                    .get(index as usize)
                    .map_or(text.len(), |start| *start as usize);
                let line = 1 + memchr::memchr_iter(b'\n', &text[..start]).count();
                match format {
                    Format::Epd | Format::Moves(_) => format!("line {line}"),
                    Format::Pgn(..) => format!("game {} at line {line}", index + 1),
                }
            }
            Self::Packed(_) | Self::Lines(_) | Self::Fischer | Self::DoubleFischer => {
                format!("opening {}", index + 1)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn openings(name: &str, text: &str, plies: Option<u32>) -> Vec<Result<Opening, Failure>> {
        let file = BookFile {
            name: name.to_owned(),
            inner_name: name.to_owned(),
            bytes: text.as_bytes().to_vec(),
        };
        let book = read(file, CastlingMode::Standard, plies).expect("a book");
        (0..book.len()).map(|index| book.read(index)).collect()
    }

    #[test]
    fn a_line_of_moves_is_an_opening() {
        let text = "# from the start\ne2e4 e7e5 g1f3\n\nd2d4 d7d5\r\n";
        let lines = |plies| {
            let lines = openings("book.dta", text, plies).into_iter();
            let lines = lines.map(|opening| opening.expect("an opening").moves.join(" "));
            lines.collect::<Vec<_>>()
        };
        assert_eq!(lines(None), ["e2e4 e7e5 g1f3", "d2d4 d7d5"]);
        assert_eq!(lines(Some(1)), ["e2e4", "d2d4"]);
        let position = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
        let read = openings("book.dta", position, None).remove(0);
        assert_eq!(
            read.map(|opening| opening.start),
            Ok(Some(position.to_owned()))
        );
    }

    #[test]
    fn the_book_of_another_game_is_said_to_be_one() {
        let read = openings("book.dta", "h4g5 a3a2 g3R a2a1 e1U\n", None).remove(0);
        let failure = read.expect_err("no chess");
        assert!(failure.message().contains("`g3R` is no move"), "{failure}");
        let hint = failure.next_step().unwrap_or_default();
        assert!(hint.contains("--variant"), "{hint}");
    }
}
