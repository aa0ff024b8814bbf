//! A book of openings of any size, of which only the lines that are drawn are read.
//!
//! A line is drawn by a random offset into the file: the line that contains it is taken if the
//! offset is among the first [`SHORTEST`] bytes of the line, otherwise another offset is drawn. As
//! no position is shorter than that, all positions are equally likely, whatever their length, and
//! neither the number of lines nor their places need be known.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};

use crate::position::Position;
use crate::random::SplitMix;

/// Length of the shortest line that can be a position, `k7/8/8/8/8/8/8/7K w - -`, without its end.
const SHORTEST: u64 = 23;
/// Longest line that is read: far longer than any EPD with its operations.
const LONGEST: u64 = 4_096;
/// Offsets drawn until the file is taken to hold no position.
const MAX_DRAWS: usize = 20_000;

pub struct Book {
    path: String,
    file: File,
    size: u64,
}

impl Book {
    pub fn open(path: &str) -> Result<Self, String> {
        let describe = |error: io::Error| format!("{path}: {error}");
        let file = File::open(path).map_err(describe)?;
        let metadata = file.metadata().map_err(describe)?;
        if !metadata.is_file() {
            return Err(format!("{path}: expected a file"));
        }
        Ok(Self {
            path: path.to_owned(),
            file,
            size: metadata.len(),
        })
    }

    /// A random position of the book.
    pub fn draw(&mut self, random: &mut SplitMix) -> Result<Position, String> {
        for _ in 0..MAX_DRAWS {
            if self.size == 0 {
                break;
            }
            let offset = random.below(self.size);
            let line = self
                .line_at(offset)
                .map_err(|error| format!("{}: {error}", self.path))?;
            if let Some(position) = line.and_then(|line| parse(&line)) {
                return Ok(position);
            }
        }
        Err(format!("{}: no position found", self.path))
    }

    /// The line that contains `offset`, if `offset` is among its first [`SHORTEST`] bytes.
    fn line_at(&mut self, offset: u64) -> io::Result<Option<String>> {
        // One byte more, to see whether the line starts at the first byte that is allowed.
        let start = offset.saturating_sub(SHORTEST);
        self.file.seek(SeekFrom::Start(start))?;
        let mut bytes = Vec::new();
        (&mut self.file)
            .take(SHORTEST + LONGEST)
            .read_to_end(&mut bytes)?;
        let (before, rest) = bytes.split_at((offset - start) as usize);
        let line_start = match before.iter().rposition(|&byte| byte == b'\n') {
            Some(end) => end + 1,
            None if offset < SHORTEST => 0,
            None => return Ok(None),
        };
        let length = rest.iter().position(|&byte| byte == b'\n');
        let line_end = before.len() + length.unwrap_or(rest.len());
        Ok(Some(
            String::from_utf8_lossy(&bytes[line_start..line_end]).into_owned(),
        ))
    }
}

/// A FEN, or an EPD with its move counters in `hmvc` and `fmvn`.
fn parse(line: &str) -> Option<Position> {
    let line = line.trim_start_matches('\u{feff}').replace(';', " ");
    let words: Vec<&str> = line.split_whitespace().collect();
    let operand = |name: &str| {
        let at = words.iter().position(|&word| word == name)?;
        words.get(at + 1)?.parse::<u32>().ok()
    };
    let number = |index: usize| words.get(index)?.parse::<u32>().ok();
    let (half, full) = match (number(4), number(5)) {
        (Some(half), Some(full)) => (half, full),
        _ => (operand("hmvc").unwrap_or(0), operand("fmvn").unwrap_or(1)),
    };
    let fields = words.get(..4)?.join(" ");
    Position::from_fen(&format!("{fields} {half} {full}")).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;
    use std::io::Write as _;

    /// A file in the system's temporary folder, removed when dropped.
    struct TemporaryFile(std::path::PathBuf);

    impl TemporaryFile {
        fn new(name: &str, text: &[u8]) -> Self {
            let name = format!("whetstone-{}-{name}", std::process::id());
            let path = std::env::temp_dir().join(name);
            File::create(&path).unwrap().write_all(text).unwrap();
            Self(path)
        }

        fn book(&self) -> Book {
            Book::open(self.0.to_str().unwrap()).unwrap()
        }
    }

    impl Drop for TemporaryFile {
        fn drop(&mut self) {
            let _ = std::fs::remove_file(&self.0);
        }
    }

    #[test]
    fn lines_of_any_length_are_equally_likely() {
        let long = format!(
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - c0 \"{}\";",
            "x".repeat(300)
        );
        let lines = [
            "# a comment that is longer than the shortest position",
            "k7/8/8/8/8/8/8/7K w - -",
            "",
            &long,
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - hmvc 0; fmvn 1;\r",
            "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
        ];
        let file = TemporaryFile::new("lengths", lines.join("\n").as_bytes());
        let mut book = file.book();
        let mut random = SplitMix::new(3);
        let mut counts: HashMap<String, u32> = HashMap::new();
        for _ in 0..4_000 {
            let position = book.draw(&mut random).unwrap();
            *counts.entry(position.board().to_string()).or_default() += 1;
        }
        assert_eq!(counts.len(), 4);
        // 1000 expected, with a standard deviation of 27.
        assert!(
            counts.values().all(|count| (880..1_120).contains(count)),
            "{counts:?}"
        );
    }

    #[test]
    fn a_big_book_is_drawn_from_all_over_and_the_seed_decides() {
        // Every line says by its move number where it stands.
        let text: Vec<String> = (1..=50_000)
            .map(|number| format!("4k3/8/8/8/8/8/4P3/4K3 w - - hmvc 3; fmvn {number};"))
            .collect();
        let file = TemporaryFile::new("big", text.join("\n").as_bytes());
        let draw = |seed| -> Vec<u16> {
            let (mut book, mut random) = (file.book(), SplitMix::new(seed));
            (0..2_000)
                .map(|_| {
                    let position = book.draw(&mut random).unwrap();
                    assert_eq!(position.board().halfmove_clock(), 3);
                    position.board().fullmove_number()
                })
                .collect()
        };
        let numbers = draw(1);
        for tenth in 0..10 {
            let range = tenth * 5_000 + 1..=(tenth + 1) * 5_000;
            let count = numbers
                .iter()
                .filter(|number| range.contains(*number))
                .count();
            assert!((140..260).contains(&count), "{range:?}: {count}");
        }
        assert_eq!(draw(1), numbers);
        assert_ne!(draw(2), numbers);
    }

    #[test]
    fn move_counters_are_kept_in_both_notations() {
        for line in [
            "4k3/8/8/8/8/8/4P3/4K3 b - - 7 34",
            "4k3/8/8/8/8/8/4P3/4K3 b - - hmvc 7; fmvn 34;",
            "4k3/8/8/8/8/8/4P3/4K3 b - - bm Kd7; fmvn 34; hmvc 7;",
        ] {
            let board = parse(line).unwrap().board().clone();
            assert_eq!((board.halfmove_clock(), board.fullmove_number()), (7, 34));
        }
        assert!(parse("4k3/8/8/8/8/8/4P3/4K3 b - -").is_some());
        assert!(parse("4k3/8/8/8/8/8/4P3/4K3 b").is_none());
        assert!(parse("4k3/8/8/8/8/8/4P3 b - - 0 1").is_none());
    }

    #[test]
    fn a_file_without_positions_is_refused() {
        for text in ["", "\n", "no position here\n", &"x".repeat(100_000)] {
            let file = TemporaryFile::new("empty", text.as_bytes());
            let error = file.book().draw(&mut SplitMix::new(1)).unwrap_err();
            assert!(error.ends_with("no position found"), "{error}");
        }
        assert!(Book::open("/no/such/book").is_err());
        assert!(Book::open("/").is_err_and(|error| error.contains("expected a file")));
    }
}
