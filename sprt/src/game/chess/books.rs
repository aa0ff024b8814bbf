//! Books of chess openings: EPD, PGN, our packed form, and the books built in.

use foundation::Failure;
use shakmaty::CastlingMode;

use super::packed::{self, Packed};
use super::{epd, fischer, pgn, polyglot};
use crate::game::{BookFile, Embedded, Opening, Openings};

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
}

/// Reads a file whose format is known by extension or content.
///
/// # Errors
/// It is neither EPD nor PGN nor packed.
pub fn read(
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
    Ok(Box::new(if is_pgn {
        Book::Text {
            starts: pgn::game_starts(&text),
            text,
            format: Format::Pgn(mode, plies),
        }
    } else {
        Book::Text {
            starts: epd::line_starts(&text),
            text,
            format: Format::Epd,
        }
    }))
}

/// Lines of eight plies for standard chess, the 960 start positions for Chess960, or with a back
/// rank for each side 921,600.
pub fn embedded(mode: CastlingMode, is_double: bool) -> Result<Embedded, Failure> {
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
                let index = index as usize;
                let end = starts
                    .get(index + 1)
                    .map_or(text.len(), |end| *end as usize);
                let span = starts
                    .get(index)
                    .and_then(|start| text.get(*start as usize..end))
                    .ok_or_else(|| Failure::unable("there is no such opening"))?;
                match format {
                    Format::Epd => {
                        let line = span.split(|byte| *byte == b'\n').next().unwrap_or_default();
                        Ok(Opening {
                            start: Some(epd::parse_line(&String::from_utf8_lossy(line))),
                            moves: Vec::new(),
                        })
                    }
                    Format::Pgn(mode, plies) => pgn::parse_game(span, *mode, *plies),
                }
            }
            Self::Packed(packed) => packed
                .moves(index as usize)
                .map(|moves| Opening { start: None, moves })
                .ok_or_else(|| Failure::unable("a move is no legal one")),
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
                    Format::Epd => format!("line {line}"),
                    Format::Pgn(..) => format!("game {} at line {line}", index + 1),
                }
            }
            Self::Packed(_) | Self::Lines(_) | Self::Fischer | Self::DoubleFischer => {
                format!("opening {}", index + 1)
            }
        }
    }
}
