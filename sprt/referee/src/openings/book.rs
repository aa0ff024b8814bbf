//! A book of openings, and the opening that each pair of games gets from it.
//!
//! Input is a file in one of the variant's formats, which may be zipped, or the book built in.
//! Opening a book reads all of it but looks only at the first openings; each is checked when it is
//! used. Invariants: a book is not empty, and what it answers depends on its bytes, the variant and
//! the [`Reading`] alone.

use std::path::Path;

use foundation::{Failure, digest, failure::OrUnable, is_default};
use serde::{Deserialize, Serialize};
use shakmaty::CastlingMode;

use super::{Order, Used, file};
use crate::game::chess::ChessVariant;
use crate::game::{Opening, Openings, Variant, variants};

/// Openings checked before the first game, so that a file that is no book is rejected at once.
const CHECKED_AT_ONCE: u64 = 32;

/// How a book is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reading {
    pub order: Order,
    pub seed: u64,
    /// The place in the order at which the first pair begins, from 1.
    pub start: u64,
    /// Moves taken from each line or game of the book; `None` is all of them.
    pub plies: Option<u32>,
    /// Openings to leave out, because another run has had them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub used: Option<Used>,
    /// The number of openings at the end of the first pass that are kept back for another run.
    #[serde(default, skip_serializing_if = "is_default")]
    pub reserved: u64,
}

impl Reading {
    /// How many openings of a book of `len` come before the first that has come already.
    pub fn openings_once(&self, len: u64) -> u64 {
        let usable = match self.used {
            Some(used) if used.fresh(len) > 0 => used.fresh(len),
            _ => len.saturating_sub(self.reserved).max(1),
        };
        match self.order {
            Order::Sequential => usable,
            // Each pass has an order of its own.
            Order::Random => usable - self.start.saturating_sub(1) % usable,
        }
    }
}

impl Default for Reading {
    fn default() -> Self {
        Self {
            order: Order::Random,
            seed: 0,
            start: 1,
            plies: None,
            used: None,
            reserved: 0,
        }
    }
}

/// A book of openings for one variant.
pub struct Book {
    name: String,
    sha256: String,
    openings: Box<dyn Openings>,
    variant: &'static dyn Variant,
    reading: Reading,
}

impl Book {
    /// Opens a file.
    ///
    /// # Errors
    /// The file cannot be read, is no book, holds no opening, or one of its first openings is
    /// broken.
    pub fn open(
        path: &Path,
        variant: &'static dyn Variant,
        reading: Reading,
    ) -> Result<Self, Failure> {
        let book = Self::open_unchecked(path, variant, reading)?;
        for index in 0..book.len().min(CHECKED_AT_ONCE) {
            book.read(index)?;
        }
        Ok(book)
    }

    /// Opens a file whose openings may all be broken.
    ///
    /// # Errors
    /// The file cannot be read, is no book, or holds no opening.
    pub fn open_unchecked(
        path: &Path,
        variant: &'static dyn Variant,
        reading: Reading,
    ) -> Result<Self, Failure> {
        let name = path.display().to_string();
        let bytes = std::fs::read(path)
            .or_unable(format_args!("read the book `{name}`"))
            .map_err(|failure| {
                failure.hint("a book is an EPD, PGN or Polyglot file, also as .gz or .zip")
            })?;
        let sha256 = digest::of_bytes(&bytes);
        let openings = variant.read_openings(file::unpack(&name, bytes)?, reading.plies)?;
        let book = Self {
            name,
            sha256,
            openings,
            variant,
            reading,
        };
        if book.is_empty() {
            return Err(
                Failure::unable(format!("the book `{}` holds no opening", book.name))
                    .hint("expected one position a line (EPD), or games (PGN)"),
            );
        }
        Ok(book)
    }

    /// The book that the variant brings with it.
    ///
    /// # Errors
    /// There is none.
    pub fn embedded(variant: &'static dyn Variant, reading: Reading) -> Result<Self, Failure> {
        let embedded = variant.embedded_openings()?;
        Ok(Self {
            name: "embedded".to_owned(),
            sha256: digest::of_bytes(embedded.bytes),
            openings: embedded.openings,
            variant,
            reading,
        })
    }

    /// The opening of a pair of games, counted from 0.
    ///
    /// # Errors
    /// That place of the book is broken; the message names it.
    pub fn opening(&self, pair: u64) -> Result<Opening, Failure> {
        let Reading {
            order,
            seed,
            start,
            used,
            reserved,
            ..
        } = self.reading;
        let (len, place) = (self.len(), pair.saturating_add(start.saturating_sub(1)));
        self.read(match used {
            Some(used) if used.fresh(len) > 0 => used.pick_fresh(order, place, len, seed),
            _ => order.pick_unreserved(place, len, reserved.min(len - 1), seed),
        })
    }

    /// The opening at a place of the book itself, counted from 0, checked by the rules of the
    /// variant.
    ///
    /// # Errors
    /// As for [`Book::opening`].
    pub fn read(&self, index: u64) -> Result<Opening, Failure> {
        self.check_variant(index)
            .and_then(|()| self.openings.read(index))
            .and_then(|opening| playable(opening, self.variant))
            .map_err(|failure| match failure.next_step() {
                Some(_) => failure,
                None => failure.hint("take it out of the book"),
            })
            .map_err(|failure| {
                let place = self.openings.place(index);
                failure.context(format_args!("book `{}`, {place}", self.name))
            })
    }

    /// Refuses the record of a game of another variant.
    fn check_variant(&self, index: u64) -> Result<(), Failure> {
        let is_chess960 = |variant: &dyn Variant| {
            ChessVariant::castling_mode(variant.name()).map(CastlingMode::is_chess960)
        };
        let Some(tag) = self.openings.variant(index) else {
            return Ok(());
        };
        let named = variants::named_in_pgn(&tag);
        // A game of standard chess is one of Chess960, too.
        let is_wider =
            is_chess960(self.variant) == Some(true) && named.and_then(is_chess960).is_some();
        if is_wider || self.variant.is_named_in_pgn(&tag) {
            return Ok(());
        }
        let failure = Failure::unable(format!(
            "a game of the variant `{tag}`, expected {}",
            self.variant.name()
        ));
        Err(match named {
            Some(named) => failure.hint(format!("add `--variant {}`", named.name())),
            None => failure,
        })
    }

    /// Openings in the book.
    pub fn len(&self) -> u64 {
        self.openings.len()
    }

    /// Never true of a book that was opened.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The path as it was given, or `embedded`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Of the file's bytes, in hexadecimal: a run that is resumed can tell that its book has
    /// changed.
    pub fn sha256(&self) -> &str {
        &self.sha256
    }
}

/// Plays the opening, and cuts off a move that would end the game and all after it.
///
/// # Errors
/// It begins in no position of the game, or has an illegal move.
pub fn playable(mut opening: Opening, variant: &dyn Variant) -> Result<Opening, Failure> {
    let moves = std::mem::take(&mut opening.moves);
    let mut game = variant.start(&opening)?;
    for text in moves {
        game.play(&text).map_err(|illegal| {
            let number = opening.moves.len() + 1;
            Failure::unable(format!("half-move {number}, `{}`, is illegal", illegal.0))
        })?;
        if game.ending().is_some() {
            break;
        }
        opening.moves.push(text);
    }
    Ok(opening)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::io::Write as _;
    use std::path::PathBuf;

    use super::*;
    use crate::game::chess::{CHESS960, DFRC, STANDARD};

    const SEQUENTIAL: Reading = Reading {
        order: Order::Sequential,
        seed: 0,
        start: 1,
        plies: None,
        used: None,
        reserved: 0,
    };

    const EPD: &str = "# three positions\r\n\r\n\
        rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3\r\n\
        r3k2r/8/8/8/8/8/8/R3K2R w KQkq - hmvc 3; fmvn 7; id \"b\";\n\
        4k3/8/8/8/8/8/4P3/4K3 w - - 5 60";

    const PGN: &str =
        "[Event \"a\"]\n\n1. e4 e5 2. Nf3 *\n\n[Event \"b\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";

    struct Folder(tempfile::TempDir);

    impl Folder {
        fn new() -> Self {
            Self(tempfile::tempdir().expect("a temporary folder"))
        }

        fn file(&self, name: &str, bytes: &[u8]) -> PathBuf {
            let path = self.0.path().join(name);
            std::fs::write(&path, bytes).expect("writable");
            path
        }

        fn zip(&self, name: &str, members: &[(&str, &str)]) -> PathBuf {
            let path = self.0.path().join(name);
            let mut archive = zip::ZipWriter::new(std::fs::File::create(&path).expect("writable"));
            for (member, text) in members {
                let options = zip::write::SimpleFileOptions::default();
                archive.start_file(*member, options).expect("a member");
                archive.write_all(text.as_bytes()).expect("writable");
            }
            archive.finish().expect("complete");
            path
        }
    }

    fn open(path: &Path, reading: Reading) -> Result<Book, Failure> {
        Book::open(path, &STANDARD, reading)
    }

    fn refusal(path: &Path) -> String {
        open(path, SEQUENTIAL).err().expect("refused").to_string()
    }

    #[test]
    fn positions_are_read_whatever_the_file_is_called() {
        let folder = Folder::new();
        for name in ["book.epd", "book", "book.txt"] {
            let book = open(&folder.file(name, EPD.as_bytes()), SEQUENTIAL).expect(name);
            assert_eq!(book.len(), 3);
            let starts: Vec<_> = (0..3)
                .map(|pair| book.opening(pair).expect("legal").start)
                .collect();
            assert_eq!(starts[0].as_deref(), EPD.lines().nth(2));
            assert_eq!(
                starts[1].as_deref(),
                Some("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 7")
            );
            assert_eq!(starts[2].as_deref(), EPD.lines().nth(4));
            assert_eq!(
                book.opening(3).expect("from the beginning").start,
                starts[0]
            );
        }
    }

    #[test]
    fn games_are_cut_at_the_limit_and_before_their_end() {
        let folder = Folder::new();
        let path = folder.file("book.pgn", PGN.as_bytes());
        let lengths = |reading| -> Vec<usize> {
            let book = open(&path, reading).expect("legal");
            (0..book.len())
                .map(|pair| book.opening(pair).expect("legal").moves.len())
                .collect()
        };
        assert_eq!(lengths(SEQUENTIAL), [3, 3]);
        assert_eq!(
            lengths(Reading {
                plies: Some(2),
                ..SEQUENTIAL
            }),
            [2, 2]
        );
    }

    #[test]
    fn archives_of_one_book_are_read() {
        let folder = Folder::new();
        let book =
            open(&folder.zip("a.zip", &[("deep/book.epd", EPD)]), SEQUENTIAL).expect("one book");
        assert_eq!(book.len(), 3);
        let book = open(&folder.zip("b.epd", &[("book", PGN)]), SEQUENTIAL).expect("one book");
        assert_eq!(book.len(), 2);
        let two = folder.zip("c.zip", &[("a.epd", EPD), ("b.epd", EPD)]);
        assert!(refusal(&two).contains("holds 2 files, expected one"));
        let torn = std::fs::read(folder.0.path().join("a.zip")).expect("readable");
        let torn = folder.file("torn.zip", &torn[..torn.len() / 2]);
        assert!(
            refusal(&torn).contains("failed to read the archive"),
            "{}",
            refusal(&torn)
        );
    }

    #[test]
    fn compressed_books_are_read() {
        let folder = Folder::new();
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(EPD.as_bytes()).expect("in memory");
        let bytes = gzip.finish().expect("in memory");
        let book = open(&folder.file("a.epd.gz", &bytes), SEQUENTIAL).expect("a book");
        assert_eq!(book.len(), 3);
        let torn = folder.file("torn.epd.gz", &bytes[..bytes.len() / 2]);
        assert!(refusal(&torn).contains("failed to decompress"));
    }

    #[test]
    fn what_is_no_book_is_refused_at_once_with_its_place() {
        let folder = Folder::new();
        let missing = folder.0.path().join("missing.epd");
        for (path, reason) in [
            (missing, "failed to read the book"),
            (folder.0.path().to_owned(), "failed to read the book"),
            (folder.file("empty.epd", b""), "holds no opening"),
            (
                folder.file("blank.epd", b"\n# nothing\n\n"),
                "holds no opening",
            ),
            (folder.file("empty.pgn", b"\n"), "holds no opening"),
            (
                folder.file("binary.epd", b"\x7fELF\0\0"),
                "holds binary data",
            ),
            (
                folder.file("packed.epd.gz", b"\x1f\x8b\x08\0"),
                "failed to decompress",
            ),
            (
                folder.file("text.epd", b"\nhello world\n"),
                "text.epd`, line 2: `hello world` is no chess position: got 2 fields",
            ),
            (
                folder.file("over.epd", b"k7/8/1K6/8/8/8/8/8 w - -\n"),
                "line 1: the game is over",
            ),
            (
                folder.file(
                    "bad.pgn",
                    b"[Event \"a\"]\n\n1. e4 *\n\n[Event \"b\"]\n\n1. e5 *\n",
                ),
                "game 2 at line 5: half-move 1, `e5`, is illegal",
            ),
            (
                folder.file("bad.bin", b"WSOB\x01"),
                "ends within its header",
            ),
        ] {
            assert!(refusal(&path).contains(reason), "{}", refusal(&path));
        }
    }

    #[test]
    fn games_of_other_variants_are_refused() {
        let folder = Folder::new();
        let book = |tag: &str| {
            let text = format!("[Variant \"{tag}\"]\n\n1. e4 e5 *\n");
            folder.file("book.pgn", text.as_bytes())
        };
        let atomic = refusal(&book("Atomic"));
        assert!(
            atomic.contains("game 1 at line 1: a game of the variant `Atomic`, expected standard"),
            "{atomic}"
        );
        let fischer = refusal(&book("Chess 960"));
        assert!(
            fischer.contains("hint: add `--variant chess960`"),
            "{fischer}"
        );
        for (tag, variant) in [
            ("Standard", &STANDARD),
            ("From Position", &STANDARD),
            ("Standard", &CHESS960),
            ("fischerandom", &CHESS960),
            ("Chess 960", &DFRC),
        ] {
            assert!(Book::open(&book(tag), variant, SEQUENTIAL).is_ok(), "{tag}");
        }
    }

    #[test]
    fn a_broken_line_far_on_is_found_when_it_is_used() {
        let folder = Folder::new();
        let good = "4k3/8/8/8/8/8/4P3/4K3 w - - 5 60\n";
        let text = format!("{}oops\n{good}", good.repeat(99));
        let book =
            open(&folder.file("long.epd", text.as_bytes()), SEQUENTIAL).expect("begins well");
        book.opening(98).expect("legal");
        let failure = book.opening(99).expect_err("broken");
        assert!(
            failure.message().contains("long.epd`, line 100: `oops`"),
            "{failure}"
        );
        book.opening(100).expect("legal");
    }

    #[test]
    fn the_start_shifts_the_order_and_a_changed_file_has_another_hash() {
        let folder = Folder::new();
        let path = folder.file("book.epd", EPD.as_bytes());
        let reading = Reading {
            order: Order::Random,
            seed: 4,
            ..SEQUENTIAL
        };
        let (book, later) = (
            open(&path, reading).expect("legal"),
            open(
                &path,
                Reading {
                    start: 3,
                    ..reading
                },
            )
            .expect("legal"),
        );
        assert_eq!(book.opening(7), later.opening(5));
        assert_eq!(book.sha256(), later.sha256());
        let changed = open(&folder.file("book.epd", &EPD.as_bytes()[1..]), reading);
        assert!(changed.is_err_and(|failure| failure.message().contains("three positions")));
        let changed = open(
            &folder.file("book.epd", format!("{EPD}\n").as_bytes()),
            reading,
        )
        .expect("legal");
        assert_ne!(book.sha256(), changed.sha256());
    }

    #[test]
    fn openings_come_again_where_the_reading_says_so() {
        let folder = Folder::new();
        let line = |number| format!("4k3/8/8/8/8/8/4P3/4K3 w - - 0 {number}\n");
        let text = [1, 2, 3, 4, 5, 6, 7, 8, 9].map(line).concat();
        let path = folder.file("book.epd", text.as_bytes());
        let used = Used {
            seed: 5,
            start: 2,
            count: 4,
        };
        for order in [Order::Sequential, Order::Random] {
            for (start, used, reserved) in [
                (1, None, 0),
                (3, None, 0),
                (12, None, 2),
                (2, Some(used), 0),
            ] {
                let reading = Reading {
                    order,
                    start,
                    used,
                    reserved,
                    ..SEQUENTIAL
                };
                let book = open(&path, reading).expect("legal");
                let mut seen = HashSet::new();
                let is_new = |pair: &u64| seen.insert(book.opening(*pair).expect("legal").start);
                let once = (0..99).take_while(is_new).count() as u64;
                let said = reading.openings_once(book.len());
                // A new order may begin with openings that the last one left over.
                let is_right = match order {
                    Order::Sequential => said == once,
                    Order::Random => said <= once,
                };
                assert!(is_right, "{reading:?}: {said}, {once}");
            }
        }
    }

    #[test]
    fn the_embedded_book_is_legal_and_varied_and_repeats_no_position() {
        let book = Book::embedded(&STANDARD, SEQUENTIAL).expect("built in");
        assert!(book.len() >= 10_000, "{}", book.len());
        let (mut positions, mut firsts) = (HashSet::new(), HashSet::new());
        for index in 0..book.len() {
            let opening = book.read(index).expect("legal and not over");
            assert_eq!(opening.moves.len(), 8);
            firsts.insert(opening.moves[0].clone());
            let game = STANDARD.start(&opening).expect("legal and not over");
            let last = game.record().last_position;
            let counted = last.rsplitn(3, ' ').nth(2).expect("six fields").to_owned();
            assert!(positions.insert(counted), "{last} comes twice");
        }
        assert_eq!(firsts.len(), 20);
    }

    #[test]
    fn double_chess960_has_every_pair_of_back_ranks() {
        let book = Book::embedded(&DFRC, SEQUENTIAL).expect("built in");
        assert_eq!(book.len(), 960 * 960);
        let start = |pair| {
            book.opening(pair)
                .expect("legal")
                .start
                .expect("a position")
        };
        assert_eq!(start(518 * 960 + 518), start(518 * 961));
        let different = (0..2000).filter(|pair| {
            let start = start(pair * 461);
            let (black, white) = (&start[..8], &start[35..43]);
            black.to_ascii_uppercase() != white
        });
        assert!(different.count() > 1900);
    }

    #[test]
    fn chess960_starts_from_each_of_its_positions() {
        let book = Book::embedded(&CHESS960, SEQUENTIAL).expect("built in");
        let starts: HashSet<_> = (0..960)
            .map(|pair| book.opening(pair).expect("legal").start)
            .collect();
        assert_eq!(starts.len(), 960);
        let classical = book.opening(518).expect("legal").start;
        assert_eq!(
            classical.as_deref(),
            Some("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1")
        );
        assert_eq!(
            book.opening(0).expect("legal").start.as_deref(),
            Some("bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1")
        );
    }
}
