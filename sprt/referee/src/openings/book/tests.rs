//! Books of all formats, whole and broken, and the openings that they give.

use std::collections::HashSet;
use std::io::Write as _;
use std::path::PathBuf;

use super::*;
use crate::game::chess::{CHESS960, DFRC, STANDARD};
use crate::openings::{Order, Used};

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
    let book = open(&folder.zip("a.zip", &[("deep/book.epd", EPD)]), SEQUENTIAL).expect("one book");
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
    let book = open(&folder.file("long.epd", text.as_bytes()), SEQUENTIAL).expect("begins well");
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
fn openings_that_are_left_out_make_room_for_those_after_them() {
    let folder = Folder::new();
    let line = |number| format!("4k3/8/8/8/8/8/4P3/4K3 w - - 0 {number}\n");
    let path = folder.file("book.epd", (0..40).map(line).collect::<String>().as_bytes());
    let all = open(&path, SEQUENTIAL).expect("legal");
    let opening = |book: &Book, pair| book.opening(pair).expect("legal");
    for left_out in [
        vec![],
        vec![0],
        vec![39],
        vec![0, 1, 2, 7, 8, 30],
        vec![1, 3, 5, 39],
    ] {
        let book = open(&path, SEQUENTIAL).expect("legal").without(&left_out);
        let kept = (0..100).filter(|pair| !left_out.contains(pair));
        for (pair, kept) in (0..).zip(kept) {
            assert_eq!(opening(&book, pair), opening(&all, kept), "{left_out:?}");
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
