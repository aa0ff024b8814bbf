//! Books: lines of moves from the start position, positions, and records of games.
//!
//! A line of moves is one opening, its moves between blanks; so is a line with a position, whose
//! ranks have slashes, and perhaps moves after it. Blank lines and those that begin with `#` hold
//! nothing. A file that begins with a tag or a move number is a record (PGN) whose moves are in the
//! engines' notation.

use foundation::Failure;

use super::notation::Move;
use crate::game::{BookFile, Embedded, Opening, Openings, first_game, game_starts, tag};

/// The book built in: 2,000 lines that end in different positions, each within 80 centipawns in the
/// eyes of `engine/leiserchess` with the bench 788389. Made, and to be made again bit for bit, by
/// `sprt book make --variant leiserchess --engine engine/leiserchess/leiserchess --option Hash=16
/// --nodes 5000 --max-score 80 --plies 6 --count 2000 --seed 1 -o book.dta`.
const EMBEDDED: &[u8] = include_bytes!("book.dta");

pub(super) fn embedded() -> Result<Embedded, Failure> {
    let file = BookFile {
        name: "embedded".to_owned(),
        inner_name: "book.dta".to_owned(),
        bytes: EMBEDDED.to_vec(),
    };
    Ok(Embedded {
        openings: Box::new(Book::read(file, None)?),
        bytes: EMBEDDED,
    })
}

pub(super) struct Book {
    entries: Vec<Entry>,
    /// Moves taken from each.
    plies: usize,
}

/// An opening as text, and the line where it begins, counted from 1.
struct Entry {
    line: usize,
    text: String,
    is_game: bool,
}

impl Book {
    /// Splits a file into its openings, which are not checked yet.
    ///
    /// # Errors
    /// It is no text.
    pub(super) fn read(file: BookFile, plies: Option<u32>) -> Result<Self, Failure> {
        let is_record = file.extension().as_deref() == Some("pgn");
        let text = file.into_text("lines of moves such as `g4g5 e6e7`, or PGN")?;
        let head = text.trim_ascii_start();
        let is_record = is_record || head.starts_with(b"[") || head.starts_with(b"1.");
        Ok(Self {
            entries: if is_record {
                games(&text)
            } else {
                lines(&text)
            },
            plies: plies.map_or(usize::MAX, |plies| plies as usize),
        })
    }
}

fn lines(text: &[u8]) -> Vec<Entry> {
    let text = String::from_utf8_lossy(text);
    let numbered = text.lines().map(str::trim).zip(1..);
    numbered
        .filter(|(text, _)| !text.is_empty() && !text.starts_with('#'))
        .map(|(text, line)| Entry {
            line,
            text: text.to_owned(),
            is_game: false,
        })
        .collect()
}

fn games(text: &[u8]) -> Vec<Entry> {
    let starts: Vec<usize> = game_starts(text).iter().map(|it| *it as usize).collect();
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    let spans = starts.iter().copied().zip(ends);
    spans
        .map(|(start, end)| Entry {
            line: 1 + memchr::memchr_iter(b'\n', &text[..start]).count(),
            text: String::from_utf8_lossy(&text[start..end]).into_owned(),
            is_game: true,
        })
        .collect()
}

impl Openings for Book {
    fn len(&self) -> u64 {
        self.entries.len() as u64
    }

    fn read(&self, index: u64) -> Result<Opening, Failure> {
        let entry = self
            .entries
            .get(index as usize)
            .ok_or_else(|| Failure::unable("there is no such opening"))?;
        if entry.is_game {
            game(&first_game(entry.text.as_bytes())?, self.plies)
        } else {
            line(&entry.text, self.plies)
        }
    }

    fn variant(&self, index: u64) -> Option<String> {
        let entry = self.entries.get(index as usize)?;
        let game = first_game(entry.text.as_bytes()).ok()?;
        tag(&game, "Variant").map(str::to_owned)
    }

    fn place(&self, index: u64) -> String {
        match self.entries.get(index as usize) {
            Some(entry) if entry.is_game => format!("game {} at line {}", index + 1, entry.line),
            Some(entry) => format!("line {}", entry.line),
            None => format!("opening {}", index + 1),
        }
    }
}

/// The opening of a line.
fn line(text: &str, plies: usize) -> Result<Opening, Failure> {
    let mut words = text.split_ascii_whitespace().peekable();
    let start = words.next_if(|word| word.contains('/')).map(|placement| {
        let side = words.next().unwrap_or_default();
        format!("{placement} {side}")
    });
    Ok(Opening {
        start,
        moves: moves(words, plies)?,
    })
}

/// The opening of a game in PGN.
fn game(text: &str, plies: usize) -> Result<Opening, Failure> {
    let start = tag(text, "FEN");
    let movetext = text.split_once("\n\n").map_or(text, |(_, moves)| moves);
    let movetext = without_comments(movetext);
    let words = movetext.split_ascii_whitespace();
    // A number may touch its move: `1.g4L`.
    let words = words.map(|word| word.rsplit('.').next().unwrap_or(word));
    let played = words.filter(|word| !word.is_empty() && !is_no_move(word));
    Ok(Opening {
        start: start.map(str::to_owned),
        moves: moves(played, plies)?,
    })
}

/// Results and annotations.
fn is_no_move(word: &str) -> bool {
    matches!(word, "1-0" | "0-1" | "1/2-1/2" | "*") || word.starts_with('$')
}

/// The movetext without `{comments}`, `; comments` to the end of a line, and `(other lines)`.
fn without_comments(movetext: &str) -> String {
    let (mut plain, mut until, mut depth) = (String::new(), None, 0_u32);
    for letter in movetext.chars() {
        match (until, letter) {
            (Some(end), _) if letter == end => {
                until = None;
                plain.push(' ');
            }
            (None, '{') => until = Some('}'),
            (None, ';') => until = Some('\n'),
            (None, '(') => depth += 1,
            (None, ')') => depth = depth.saturating_sub(1),
            (None, _) if depth == 0 => plain.push(letter),
            _ => {}
        }
    }
    plain
}

fn moves<'a>(words: impl Iterator<Item = &'a str>, plies: usize) -> Result<Vec<String>, Failure> {
    words
        .take(plies)
        .map(|word| {
            if Move::parse(word).is_some() {
                return Ok(word.to_owned());
            }
            let shown: String = word.chars().take(20).collect();
            Err(Failure::unable(format!(
                "`{}` is no move of Leiserchess, such as g4g5, g4L or d5e4f5",
                shown.escape_debug()
            ))
            .hint("expected moves from the start position, one opening a line, or PGN"))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn openings(name: &str, text: &str, plies: Option<u32>) -> Vec<Result<Opening, Failure>> {
        let file = BookFile {
            name: name.to_owned(),
            inner_name: name.to_owned(),
            bytes: text.as_bytes().to_vec(),
        };
        let book = Book::read(file, plies).expect("text");
        (0..book.len()).map(|index| book.read(index)).collect()
    }

    fn opening(start: Option<&str>, moves: &[&str]) -> Opening {
        Opening {
            start: start.map(str::to_owned),
            moves: moves.iter().map(|text| (*text).to_owned()).collect(),
        }
    }

    #[test]
    fn a_line_is_an_opening() {
        let kings = "ss7/8/8/8/8/8/8/7NN W";
        let text = format!("# ours\ng4g5 e6e7 g5g4\r\n\n{kings}\n{kings} h0L a7U\n");
        let expected = [
            opening(None, &["g4g5", "e6e7", "g5g4"]),
            opening(Some(kings), &[]),
            opening(Some(kings), &["h0L", "a7U"]),
        ];
        assert_eq!(openings("book.dta", &text, None), expected.map(Ok));
        let expected = opening(None, &["g4g5"]);
        assert_eq!(openings("book.dta", &text, Some(1))[0], Ok(expected));
    }

    #[test]
    fn a_game_is_an_opening() {
        let text = "[Event \"a\"]\n[FEN \"ss7/8/8/8/8/8/8/7NN W\"]\n\n\
            1. h0L {116073 0 0} a7U {book} 2.h0g0 $1 (2. h0U) a7b6 ; fine\n1-0\n\n\
            [Event \"b\"]\n\n1. g4g5 e6e7 1/2-1/2\n";
        let expected = [
            opening(
                Some("ss7/8/8/8/8/8/8/7NN W"),
                &["h0L", "a7U", "h0g0", "a7b6"],
            ),
            opening(None, &["g4g5", "e6e7"]),
        ];
        assert_eq!(openings("games.pgn", text, None), expected.map(Ok));
    }

    #[test]
    fn the_book_of_another_game_is_refused() {
        let failure = openings("book.dta", "e2e4 e7e8q\n", None).remove(0);
        let failure = failure.expect_err("a promotion");
        assert!(
            failure.message().contains("`e7e8q` is no move"),
            "{failure}"
        );
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "\\PC{0,80}|[]\\[\"{}();.a-h0-8LRU/W \n*#-]{0,120}", name in "a.dta|a.pgn") {
            for opening in openings(&name, &text, Some(5)).into_iter().flatten() {
                prop_assert!(opening.moves.len() <= 5);
            }
        }
    }
}
