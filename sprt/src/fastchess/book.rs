//! The openings that fastchess would draw from a book, in its order.
//!
//! Workers that run fastchess and workers that run this share the openings of a test among them by
//! number, so the order must be fastchess's to the bit. It holds every line of the file that is not
//! empty (every game of a PGN), shuffles them with a Mersenne Twister, rotates them to the start,
//! and plays them one a round, from the first again after the last. Only the openings that are
//! played are kept: a book may have millions.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use foundation::{Failure, failure::OrUnable, files};
use rand_mt::Mt64;

use super::values::{Format, Openings};
use referee::game::chess::{ChessVariant, epd, pgn};
use referee::game::{Opening, Variant, game_starts};
use referee::openings::book::playable;

/// The openings of a match, one for each round.
#[derive(Debug)]
pub(crate) struct Book {
    /// Round 1 plays the first; after the last comes the first again.
    openings: Vec<Opening>,
}

impl Book {
    /// The book of a match that was given none: the usual start position.
    pub(crate) fn start_position() -> Self {
        Self {
            openings: vec![Opening::default()],
        }
    }

    /// Reads the openings of `rounds` rounds, and makes sure that each can be played.
    ///
    /// # Errors
    /// The file cannot be read, holds nothing, or an opening that would be played is broken.
    pub(crate) fn open(
        from: &Openings,
        seed: u64,
        rounds: u64,
        variant: &'static dyn Variant,
    ) -> Result<Self, Failure> {
        // The book is read once to count its openings, and once to take them.
        files::refuse_stream(&from.file)
            .map_err(|failure| failure.hint("write the book to a file first"))?;
        let name = from.file.display().to_string();
        let texts = match from.format {
            Format::Epd => {
                let count = count_lines(&from.file)?;
                take_lines(&from.file, &order(from, seed, rounds, count))
            }
            Format::Pgn => take_games(&from.file, |count| order(from, seed, rounds, count)),
        }?;
        if texts.is_empty() {
            return Err(
                Failure::unable(format!("the book `{name}` holds no opening"))
                    .hint("expected one position a line (EPD), or games (PGN)"),
            );
        }
        let openings = texts
            .iter()
            .map(|(number, text)| {
                let opening = match from.format {
                    Format::Epd => Ok(Opening {
                        start: Some(epd::parse_line(&String::from_utf8_lossy(text))),
                        moves: Vec::new(),
                    }),
                    Format::Pgn => game(text, from.plies, variant),
                };
                opening
                    .and_then(|opening| playable(opening, variant))
                    .map_err(|failure| {
                        failure.context(format_args!("book `{name}`, opening {number}"))
                    })
            })
            .collect::<Result<_, _>>()?;
        Ok(Self { openings })
    }

    /// The opening of a round, counted from 1.
    pub(crate) fn round(&self, round: u64) -> &Opening {
        let index = round.saturating_sub(1) % self.openings.len() as u64;
        &self.openings[index as usize]
    }
}

/// Which openings of the file are played, counted from 0, in the order of their rounds.
fn order(from: &Openings, seed: u64, rounds: u64, count: usize) -> Vec<u32> {
    let mut order: Vec<u32> = (0..count as u32).collect();
    if from.random {
        let mut random = Mt64::new(seed);
        // Forward Fisher-Yates: fastchess's loop, with its slightly uneven remainder.
        for place in 0..count.saturating_sub(1) {
            let other = place as u64 + random.next_u64() % (count - place) as u64;
            order.swap(place, other as usize);
        }
    }
    if count > 0 {
        order.rotate_left(((from.start - 1) % count as u64) as usize);
    }
    order.truncate(usize::try_from(rounds).unwrap_or(usize::MAX));
    order
}

/// A text of the book and its number in it, from 1.
type Text = (usize, Vec<u8>);

fn open(file: &Path) -> Result<BufReader<File>, Failure> {
    let reading = || format!("read the book `{}`", file.display());
    let file = File::open(file).or_unable(reading())?;
    Ok(BufReader::with_capacity(1 << 16, file))
}

/// Goes through the lines of a file that are not empty. They end with a line feed, a carriage
/// return or both.
fn each_line(file: &Path, mut see: impl FnMut(usize, &[u8])) -> Result<(), Failure> {
    let mut reader = open(file)?;
    let mut line = Vec::new();
    let mut number = 0;
    loop {
        line.clear();
        let read = reader
            .read_until(b'\n', &mut line)
            .or_unable(format_args!("read the book `{}`", file.display()))?;
        if read == 0 {
            return Ok(());
        }
        let parts = line.split(|byte| matches!(byte, b'\n' | b'\r'));
        for part in parts.filter(|part| !part.is_empty()) {
            see(number, part);
            number += 1;
        }
    }
}

fn count_lines(file: &Path) -> Result<usize, Failure> {
    let mut count = 0;
    each_line(file, |_, _| count += 1)?;
    if count > u32::MAX as usize {
        return Err(Failure::unable(format!(
            "the book `{}` has {count} lines, at most {} can be read",
            file.display(),
            u32::MAX
        )));
    }
    Ok(count)
}

/// The lines with these numbers, in this order.
fn take_lines(file: &Path, order: &[u32]) -> Result<Vec<Text>, Failure> {
    // Sorted by the place in the file, with the place in the order beside it.
    let mut wanted: Vec<(u32, usize)> = order.iter().copied().zip(0..).collect();
    wanted.sort_unstable();
    let mut next = wanted.into_iter().peekable();
    let mut taken = vec![(0, Vec::new()); order.len()];
    each_line(file, |number, line| {
        if let Some((_, place)) = next.next_if(|(wanted, _)| *wanted as usize == number) {
            taken[place] = (number + 1, line.to_vec());
        }
    })?;
    Ok(taken)
}

/// The games with the numbers that `order` gives for their count.
fn take_games(file: &Path, order: impl Fn(usize) -> Vec<u32>) -> Result<Vec<Text>, Failure> {
    let mut text = Vec::new();
    open(file)?
        .read_to_end(&mut text)
        .or_unable(format_args!("read the book `{}`", file.display()))?;
    let starts = game_starts(&text);
    let game = |number: u32| {
        let number = number as usize;
        let start = starts[number] as usize;
        let end = starts
            .get(number + 1)
            .map_or(text.len(), |end| *end as usize);
        (number + 1, text[start..end].to_vec())
    };
    Ok(order(starts.len()).into_iter().map(game).collect())
}

/// A game's first moves, up to `plies` of them.
fn game(text: &[u8], plies: Option<u32>, variant: &dyn Variant) -> Result<Opening, Failure> {
    let mode = ChessVariant::castling_mode(variant.name())
        .ok_or_else(|| Failure::unable(format!("PGN is not read for `{}`", variant.name())))?;
    pgn::parse_game(text, mode, plies)
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;
    use referee::game::chess::{CHESS960, STANDARD};

    fn openings(text: &str, format: Format) -> (tempfile::NamedTempFile, Openings) {
        let mut file = tempfile::NamedTempFile::new().expect("a file");
        file.write_all(text.as_bytes()).expect("written");
        let from = Openings {
            file: file.path().to_owned(),
            format,
            random: false,
            start: 1,
            plies: None,
        };
        (file, from)
    }

    fn starts(book: &Book, rounds: std::ops::RangeInclusive<u64>) -> Vec<&str> {
        rounds
            .map(|round| book.round(round).start.as_deref().unwrap_or("startpos"))
            .collect()
    }

    fn epd(pawn_files: &[u8]) -> String {
        let line = |file: &u8| {
            let (before, after) = (file, 7 - file);
            format!("4k3/8/8/8/8/8/{before}P{after}/4K3 w - - hmvc 0; fmvn {file};\n")
                .replace("/0P", "/P")
                .replace("P0/", "P/")
        };
        pawn_files.iter().map(line).collect()
    }

    #[test]
    fn the_shuffle_is_that_of_the_standard_mersenne_twister() {
        let mut random = Mt64::new(5489);
        // The C++ standard, [rand.predef].
        let ten_thousandth = (0..10_000).map(|_| random.next_u64()).last();
        assert_eq!(ten_thousandth, Some(9_981_545_732_273_789_042));
    }

    /// What fastchess played from `8moves_v3.epd`, a book of 34,700 lines, with `-srand 14`, by
    /// line numbers from 0.
    #[test]
    fn the_order_is_that_which_fastchess_was_seen_to_play() {
        let (_file, mut from) = openings("", Format::Epd);
        from.random = true;
        let first = order(&from, 14, 16, 34_700);
        assert_eq!(first.len(), 16);
        assert_eq!(first[..2], [967, 24_256]);
        from.start = 9;
        let ninth = order(&from, 14, 16, 34_700);
        assert_eq!(ninth[0], 16_935);
        assert_eq!(ninth[..8], first[8..]);
        from.start = 34_701;
        assert_eq!(order(&from, 14, 16, 34_700), first, "around the book");
    }

    #[test]
    fn rounds_beyond_the_last_opening_begin_again_at_the_first() {
        let (_file, mut from) = openings(&epd(&[0, 1, 2]), Format::Epd);
        from.start = 3;
        let book = Book::open(&from, 0, 16, &STANDARD).expect("a book");
        let fens: Vec<String> = (1..=7)
            .map(|round| book.round(round).start.clone().expect("a FEN"))
            .collect();
        let moves: Vec<&str> = fens
            .iter()
            .map(|fen| fen.rsplit(' ').next().unwrap_or(""))
            .collect();
        assert_eq!(moves, ["2", "0", "1", "2", "0", "1", "2"]);
        assert_eq!(starts(&book, 4..=5), starts(&book, 1..=2));
    }

    #[test]
    fn only_the_openings_that_are_played_are_kept_and_looked_at() {
        let text = format!("{}nonsense\n\r\n{}", epd(&[1]), epd(&[2]));
        let (_file, from) = openings(&text, Format::Epd);
        assert_eq!(
            Book::open(&from, 0, 1, &STANDARD)
                .expect("a book")
                .openings
                .len(),
            1
        );
        let failure = Book::open(&from, 0, 2, &STANDARD).expect_err("nonsense is played");
        assert!(failure.message().contains("opening 2"), "{failure}");
    }

    #[test]
    fn games_are_played_up_to_the_plies_and_not_beyond_their_end() {
        let pgn =
            "[Event \"a\"]\n\n1. e4 e5 2. Nf3 *\n\n[Event \"b\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";
        let (_file, mut from) = openings(pgn, Format::Pgn);
        let book = Book::open(&from, 0, 2, &STANDARD).expect("a book");
        assert_eq!(book.round(1).moves, ["e2e4", "e7e5", "g1f3"]);
        assert_eq!(book.round(2).moves, ["f2f3", "e7e5", "g2g4"]);
        from.plies = Some(2);
        let book = Book::open(&from, 0, 2, &STANDARD).expect("a book");
        assert_eq!(book.round(1).moves.len(), 2);
    }

    #[test]
    fn fischer_positions_are_read_in_their_own_castling_letters() {
        let fen = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9";
        let (_file, from) = openings(fen, Format::Epd);
        let book = Book::open(&from, 0, 1, &CHESS960).expect("a book");
        assert_eq!(book.round(1).start.as_deref(), Some(fen));
        let failure = Book::open(&from, 0, 1, &STANDARD).expect_err("not classical");
        assert!(failure.message().contains("no chess position"), "{failure}");
    }

    #[test]
    fn an_empty_book_and_one_that_is_not_there_are_reported() {
        let (_file, mut from) = openings("\n\n", Format::Epd);
        let failure = Book::open(&from, 0, 1, &STANDARD).expect_err("nothing");
        assert!(failure.message().contains("holds no opening"));
        from.file = "no/such.epd".into();
        let failure = Book::open(&from, 0, 1, &STANDARD).expect_err("nothing");
        assert!(failure.message().contains("no/such.epd"));
    }
}
