//! A file of JSON Lines to which lines are only ever added.
//!
//! Each line is an object whose last member is a checksum of the others, so that a line that was
//! changed, or partly lost on a disk, is noticed; lines of earlier releases have none and are
//! accepted as they are, as long as no line before them has one.
//!
//! A process that is killed leaves at most a torn last line, and a power failure may leave zeros
//! where the last lines had not reached the disk. Such an end is left out when the journal is read,
//! reported as a [`LostEnd`], and cut off when the journal is opened again. A line that is damaged
//! anywhere else is an error, and nothing is cut off, because sound lines come after it.

use std::convert::Infallible;
use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Serialize, de::DeserializeOwned};

use crate::{Failure, failure::OrUnable, pool};

/// Bytes that are read at a time: journals have up to some hundred thousand lines.
const BLOCK: u64 = 4 << 20;
/// Bytes that one thread decodes at a time.
const PART: usize = 1 << 19;
/// Between the other members and the checksum of a line.
const CHECKSUM: &str = ",\"crc32\":\"";
/// Of the checksum, the quotation mark and the brace after it.
const CHECKSUM_END: usize = 8 + 2;

/// A journal that is being written to.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    synced: Instant,
}

impl Journal {
    /// Opens a journal whose whole lines are `length` bytes, as [`read`] found them, and cuts off
    /// what comes after.
    pub fn open(path: &Path, length: u64) -> Result<Self, Failure> {
        let shown = path.display();
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .open(path)
            .or_unable(format_args!("open `{shown}`"))
            .map_err(|failure| failure.hint("a run is continued by who may write to its folder"))?;
        file.set_len(length)
            .and_then(|()| file.seek(SeekFrom::End(0)))
            .or_unable(format_args!("cut the torn end off `{shown}`"))?;
        Ok(Self {
            path: path.to_owned(),
            file,
            synced: Instant::now(),
        })
    }

    /// Adds lines: all of them, or only a part if the process is killed.
    pub fn append<T: Serialize>(
        &mut self,
        lines: impl IntoIterator<Item = T>,
    ) -> Result<(), Failure> {
        let mut bytes = Vec::new();
        for line in lines {
            bytes.extend(encode(&line).or_unable("write a line of the journal")?);
        }
        self.file
            .write_all(&bytes)
            .or_unable(format_args!("write to `{}`", self.path.display()))
            .map_err(|failure| failure.hint("make room"))
    }

    /// Waits until all is on disk.
    pub fn sync(&mut self) -> Result<(), Failure> {
        self.synced = Instant::now();
        self.file
            .sync_data()
            .or_unable(format_args!("write to `{}`", self.path.display()))
    }

    /// The same, if the last time was at least that long ago.
    pub fn sync_after(&mut self, interval: Duration) -> Result<(), Failure> {
        if self.synced.elapsed() < interval {
            return Ok(());
        }
        self.sync()
    }
}

/// What a journal contains.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extent {
    /// Bytes of the whole lines.
    pub length: u64,
    /// The torn end after them, which was left out.
    pub lost: Option<LostEnd>,
}

/// The end of a journal that a kill or a power failure has torn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LostEnd {
    /// The number of the first line that is lost, from 1.
    pub line: u64,
    pub bytes: u64,
}

impl LostEnd {
    fn at(line: u64) -> Self {
        Self { line, bytes: 0 }
    }
}

impl fmt::Display for LostEnd {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, bytes } = self;
        write!(
            formatter,
            "the journal ends in {bytes} bytes that are no whole line (line {line}), as after a crash"
        )
    }
}

/// A line of a journal that is neither sound nor a part of a torn end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// From 1.
    pub line: u64,
    pub what: String,
}

impl Damage {
    pub fn failure(&self, path: &Path) -> Failure {
        let (shown, Self { line, what }) = (path.display(), self);
        Failure::unable(format!("`{shown}`, line {line}: {what}")).hint(
            "the journal was changed by something else, or written by another release; restore it \
             from a copy, or continue with that release",
        )
    }
}

/// Hands the whole lines of a journal to `take`, which returns what is wrong with a line that does
/// not belong there.
///
/// # Errors
/// A line is damaged that is not at the end.
pub fn read<T: DeserializeOwned + Send>(
    path: &Path,
    take: impl FnMut(T) -> Result<(), String>,
) -> Result<Extent, Failure> {
    let (extent, damaged) = scan(path, take)?;
    match damaged.first() {
        None => Ok(extent),
        Some(damage) => Err(damage.failure(path)),
    }
}

/// The same, but continues after damaged lines, which are not included in the length.
pub fn scan<T: DeserializeOwned + Send>(
    path: &Path,
    mut take: impl FnMut(T) -> Result<(), String>,
) -> Result<(Extent, Vec<Damage>), Failure> {
    let shown = path.display();
    let mut file = File::open(path).or_unable(format_args!("open `{shown}`"))?;
    let (mut extent, mut damaged) = (Extent::default(), Vec::new());
    // Lines with zeros that no sound line has followed yet, and where they begin.
    let mut zeroed: Option<(Vec<Damage>, LostEnd)> = None;
    let mut has_checksums = false;
    let mut number = 1;
    // The beginning of a line whose end was not read yet.
    let mut rest = Vec::new();
    loop {
        let mut block = std::mem::take(&mut rest);
        let begun = block.len();
        let read = Read::take(&mut file, BLOCK).read_to_end(&mut block);
        if read.or_unable(format_args!("read `{shown}`"))? == 0 {
            rest = block;
            break;
        }
        // The beginning has no end of a line, and may be long.
        let end = block[begun..].iter().rposition(|byte| *byte == b'\n');
        let Some(end) = end else {
            rest = block;
            continue;
        };
        rest = block.split_off(begun + end + 1);
        for line in decode_all(&block) {
            let entry = if has_checksums && !line.is_checked {
                Err("it has no checksum, as the lines before it have".to_owned())
            } else {
                line.entry
            };
            has_checksums |= line.is_checked;
            let damage = |what| Damage { line: number, what };
            match entry {
                Err(what) if line.has_zeros || zeroed.is_some() => {
                    let (lines, end) = zeroed.get_or_insert((Vec::new(), LostEnd::at(number)));
                    lines.push(damage(what));
                    end.bytes += line.bytes;
                }
                Err(what) => damaged.push(damage(what)),
                Ok(entry) => {
                    // What came before was not the end of the journal.
                    damaged.extend(zeroed.take().into_iter().flat_map(|(lines, _)| lines));
                    match take(entry) {
                        Ok(()) => extent.length += line.bytes,
                        Err(what) => damaged.push(damage(what)),
                    }
                }
            }
            number += 1;
        }
    }
    if !rest.is_empty() {
        let (_, end) = zeroed.get_or_insert((Vec::new(), LostEnd::at(number)));
        end.bytes += rest.len() as u64;
    }
    extent.lost = zeroed.map(|(_, end)| end);
    Ok((extent, damaged))
}

/// A whole line.
struct Line<T> {
    /// Its length with the line end.
    bytes: u64,
    is_checked: bool,
    has_zeros: bool,
    entry: Result<T, String>,
}

/// Decodes whole lines, on all cores where there are many.
fn decode_all<T: DeserializeOwned + Send>(lines: &[u8]) -> Vec<Line<T>> {
    let mut parts = Vec::new();
    let mut left = lines;
    while !left.is_empty() {
        let from = PART.min(left.len());
        let end = left[from..].iter().position(|byte| *byte == b'\n');
        let (part, others) = left.split_at(end.map_or(left.len(), |end| from + end + 1));
        parts.push(part);
        left = others;
    }
    if let [part] = parts[..] {
        return decode_part(part);
    }
    let decode = |part: &&[u8]| Ok::<_, Infallible>(decode_part(part));
    let decoded = pool::map(pool::cores(), &parts, decode).unwrap_or_else(|never| match never {});
    decoded.into_iter().flatten().collect()
}

fn decode_part<T: DeserializeOwned>(mut lines: &[u8]) -> Vec<Line<T>> {
    let (mut line, mut decoded) = (Vec::new(), Vec::new());
    // Reading from memory cannot fail.
    while let Ok(bytes @ 1..) = lines.read_until(b'\n', &mut line) {
        line.pop_if(|last| *last == b'\n');
        decoded.push(Line {
            bytes: bytes as u64,
            is_checked: split_checksum(&line).is_some(),
            has_zeros: line.contains(&0),
            entry: decode_in(&mut line),
        });
        line.clear();
    }
    decoded
}

/// The length of the first `lines` lines of a journal that has as many.
pub fn length_of(path: &Path, lines: usize) -> Result<u64, Failure> {
    let text = std::fs::read(path).or_unable(format_args!("read `{}`", path.display()))?;
    let whole = text.split_inclusive(|byte| *byte == b'\n').take(lines);
    Ok(whole.map(|line| line.len() as u64).sum())
}

fn encode(line: &impl Serialize) -> serde_json::Result<Vec<u8>> {
    let mut text = serde_json::to_vec(line)?;
    if text.len() > 2 && text.pop_if(|last| *last == b'}').is_some() {
        let checksum = crc32fast::hash(&text);
        text.extend(format!("{CHECKSUM}{checksum:08x}\"}}").bytes());
    }
    text.push(b'\n');
    Ok(text)
}

/// Reads one line, without its line end.
///
/// # Errors
/// What is wrong with it, in words that follow its place.
pub fn decode<T: DeserializeOwned>(line: &[u8]) -> Result<T, String> {
    decode_in(&mut line.to_vec())
}

/// The same, which closes the object where the checksum began.
fn decode_in<T: DeserializeOwned>(line: &mut [u8]) -> Result<T, String> {
    let mut object = &*line;
    if let Some((members, checksum)) = split_checksum(line) {
        let actual = format!("{:08x}", crc32fast::hash(members));
        if actual.as_bytes() != checksum {
            let written = String::from_utf8_lossy(checksum);
            return Err(format!(
                "the checksum is {written}, but that of the line is {actual}"
            ));
        }
        let end = members.len();
        line[end] = b'}';
        object = &line[..=end];
    }
    serde_json::from_slice(object).map_err(|error| format!("not a line of this journal: {error}"))
}

/// What comes before the checksum, and the checksum.
fn split_checksum(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let start = line.len().checked_sub(CHECKSUM.len() + CHECKSUM_END)?;
    let (members, end) = line.split_at(start);
    let checksum = end.strip_prefix(CHECKSUM.as_bytes())?;
    Some((members, checksum.strip_suffix(b"\"}")?))
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    struct Line {
        pair: u64,
        text: String,
    }

    fn line(pair: u64) -> Line {
        let text = "a \"quoted\" text }".to_owned();
        Line { pair, text }
    }

    fn lines(path: &Path) -> Result<(Vec<Line>, Extent), Failure> {
        let mut lines = Vec::new();
        let extent = read(path, |line| {
            lines.push(line);
            Ok(())
        })?;
        Ok((lines, extent))
    }

    #[test]
    fn a_torn_last_line_is_cut_off_wherever_it_is_torn() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("journal.jsonl");
        std::fs::write(&path, "").expect("a file");
        let mut journal = Journal::open(&path, 0).expect("a journal");
        journal.append([line(0), line(1)]).expect("room");
        journal.sync().expect("room");
        let whole = std::fs::read(&path).expect("a file");
        let first = whole
            .iter()
            .position(|byte| *byte == b'\n')
            .expect("a line")
            + 1;
        for end in 0..=whole.len() {
            std::fs::write(&path, &whole[..end]).expect("a file");
            let (read, extent) = lines(&path).expect("whole lines");
            let expected = usize::from(end >= first) + usize::from(end == whole.len());
            assert_eq!(read.len(), expected, "{end} bytes");
            let lost = extent.lost.map_or(0, |lost| lost.bytes);
            assert_eq!(
                extent.length + lost,
                end as u64,
                "every byte is kept or told"
            );
            let mut journal = Journal::open(&path, extent.length).expect("a journal");
            journal.append([line(7)]).expect("room");
            let (read, _) = lines(&path).expect("whole lines");
            assert_eq!(read.last(), Some(&line(7)));
        }
    }

    /// Three lines of which some bytes are zeros, and where each line begins.
    fn zeroed(from: usize, to: usize) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("journal.jsonl");
        let whole = [line(0), line(1), line(2)].map(|line| encode(&line).expect("a line"));
        let each = whole[0].len();
        let mut bytes = whole.concat();
        bytes[from * each + 3..to * each - 2].fill(0);
        std::fs::write(&path, &bytes).expect("a file");
        (folder, path)
    }

    #[test]
    fn zeros_at_the_end_are_left_out_and_reported() {
        let (_folder, path) = zeroed(1, 3);
        let (read, extent) = lines(&path).expect("the line before them");
        assert_eq!(read, vec![line(0)]);
        let lost = extent.lost.expect("a lost end");
        assert_eq!((lost.line, lost.bytes), (2, 2 * extent.length));
        assert!(lost.to_string().contains("line 2"), "{lost}");
    }

    #[test]
    fn zeros_before_a_sound_line_are_refused_with_their_line() {
        let (_folder, path) = zeroed(1, 2);
        let failure = lines(&path).expect_err("damage in the middle");
        assert!(failure.message().contains("line 2"), "{failure}");
        // Also where the sound line does not follow on what came before.
        let mut next = 0;
        let failure = read(&path, |line: Line| {
            next += 1;
            (line.pair + 1 == next)
                .then_some(())
                .ok_or_else(String::new)
        });
        let failure = failure.expect_err("damage in the middle");
        assert!(failure.message().contains("line 2"), "{failure}");
    }

    #[test]
    fn all_sound_lines_are_read_around_damage() {
        let (_folder, path) = zeroed(1, 2);
        let mut pairs = Vec::new();
        let scanned = scan(&path, |line: Line| {
            pairs.push(line.pair);
            Ok(())
        });
        let (_, damaged) = scanned.expect("a file");
        assert_eq!((pairs, damaged.len(), damaged[0].line), (vec![0, 2], 1, 2));
    }

    #[test]
    fn lines_of_a_large_journal_are_read_in_order_and_numbered() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("journal.jsonl");
        std::fs::write(&path, "").expect("a file");
        let text = "x".repeat((BLOCK / 1000) as usize);
        let line = |pair| Line {
            pair,
            text: text.clone(),
        };
        let mut journal = Journal::open(&path, 0).expect("a journal");
        journal.append((0..1100).map(line)).expect("room");
        let (read, extent) = lines(&path).expect("whole lines");
        assert!(read.iter().map(|line| line.pair).eq(0..1100));
        let length = std::fs::metadata(&path).expect("a file").len();
        assert_eq!((extent.length, extent.lost), (length, None));

        let mut bytes = std::fs::read(&path).expect("a file");
        let place = bytes.len() * 1050 / 1100 - 100;
        bytes[place] ^= 1;
        std::fs::write(&path, &bytes).expect("a file");
        let failure = lines(&path).expect_err("a changed line").to_string();
        assert!(failure.contains("line 1050"), "{failure}");
    }

    #[test]
    fn a_line_without_checksum_after_one_that_has_it_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("journal.jsonl");
        let whole = [line(0), line(1)].map(|line| encode(&line).expect("a line"));
        let text = String::from_utf8(whole.concat()).expect("text");
        let at = text.rfind("crc32").expect("a checksum");
        let mut changed = text;
        changed.replace_range(at..=at, "b");
        std::fs::write(&path, changed).expect("a file");
        let failure = lines(&path).expect_err("a changed line");
        assert!(failure.message().contains("line 2"), "{failure}");
    }

    #[test]
    fn any_changed_byte_of_a_member_is_found_and_a_line_without_checksum_is_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("journal.jsonl");
        let written = encode(&line(12)).expect("a line");
        for place in 0..written.len() - CHECKSUM_END - CHECKSUM.len() - 1 {
            let mut changed = written.clone();
            changed[place] ^= 1;
            std::fs::write(&path, &changed).expect("a file");
            let failure = lines(&path).expect_err("a changed line");
            assert!(failure.message().contains("line 1"), "{failure}");
        }
        std::fs::write(&path, "{\"pair\":3,\"text\":\"\"}\n").expect("a file");
        assert_eq!(lines(&path).expect("an older line").0[0].pair, 3);
    }

    #[test]
    fn a_line_that_does_not_belong_there_is_reported_with_its_number() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("journal.jsonl");
        let text = [encode(&line(0)), encode(&line(9))].map(|line| line.expect("a line"));
        std::fs::write(&path, text.concat()).expect("a file");
        let failure = read(&path, |line: Line| match line.pair {
            0 => Ok(()),
            other => Err(format!("expected pair 1, got pair {other}")),
        });
        let failure = failure.expect_err("pair 9").to_string();
        assert!(
            failure.contains("line 2: expected pair 1, got pair 9"),
            "{failure}"
        );
    }
}
