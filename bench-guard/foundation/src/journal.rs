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
use std::io::{self, BufRead, Read, Seek, SeekFrom, Write};
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
        cut(&file, length)
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

/// The time of a journal remains that of its last line.
fn cut(file: &File, length: u64) -> io::Result<()> {
    let written = file.metadata()?.modified()?;
    file.set_len(length)?;
    // Who is not the owner of a file cannot set its time.
    let _ = file.set_modified(written);
    Ok(())
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
mod tests;
