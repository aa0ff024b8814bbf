//! A file of JSON Lines to which lines are only ever added.
//!
//! Each line is an object whose last member is a checksum of the others, so that a line that was
//! changed, or that a disk lost a part of, is found out; lines of earlier releases have none and
//! are taken as they are. A process that is killed leaves a torn last line at most: it is left out
//! when the journal is read and cut off when it is opened again. A power failure may leave zeros
//! where lines were written that had not reached the disk: there the journal ends too.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Serialize, de::DeserializeOwned};

use crate::{Failure, failure::OrUnable};

/// A reading buffer: journals have up to some hundred thousand lines.
const BUFFER: usize = 1 << 20;
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

    /// Adds lines, all or, when the process is killed, a part of them.
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
            .map_err(|failure| failure.hint("make room, then resume the run"))
    }

    /// Waits until all is on disk.
    pub fn sync(&mut self) -> Result<(), Failure> {
        self.synced = Instant::now();
        self.file
            .sync_data()
            .or_unable(format_args!("write to `{}`", self.path.display()))
    }

    /// The same, if the last time was so long ago.
    pub fn sync_after(&mut self, interval: Duration) -> Result<(), Failure> {
        if self.synced.elapsed() < interval {
            return Ok(());
        }
        self.sync()
    }
}

/// Hands the whole lines of a journal to `take`, which says what is wrong with a line that does not
/// belong there. The number of bytes of the whole lines.
pub fn read<T: DeserializeOwned>(
    path: &Path,
    mut take: impl FnMut(T) -> Result<(), String>,
) -> Result<u64, Failure> {
    let shown = path.display();
    let file = File::open(path).or_unable(format_args!("open `{shown}`"))?;
    let mut reader = BufReader::with_capacity(BUFFER, file);
    let mut length = 0;
    let mut line = Vec::new();
    for number in 1_u64.. {
        line.clear();
        let read = reader
            .read_until(b'\n', &mut line)
            .or_unable(format_args!("read `{shown}`"))?;
        if line.pop() != Some(b'\n') {
            break;
        }
        let taken = decode(&line).and_then(&mut take);
        if taken.is_err() && line.contains(&0) {
            break;
        }
        length += read as u64;
        taken.map_err(|what| {
            Failure::unable(format!("`{shown}`, line {number}: {what}")).hint(
                "the journal was changed by something else, or written by another release; \
                 restore it from a copy, or continue with that release",
            )
        })?;
    }
    Ok(length)
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
    let parsed = match split_checksum(line) {
        None => serde_json::from_slice(line),
        Some((members, checksum)) => {
            let actual = format!("{:08x}", crc32fast::hash(members));
            if actual.as_bytes() != checksum {
                let written = String::from_utf8_lossy(checksum);
                return Err(format!(
                    "the checksum is {written}, but that of the line is {actual}"
                ));
            }
            serde_json::from_slice(&[members, b"}"].concat())
        }
    };
    parsed.map_err(|error| format!("not a line of this journal: {error}"))
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

    fn lines(path: &Path) -> Result<(Vec<Line>, u64), Failure> {
        let mut lines = Vec::new();
        let length = read(path, |line| {
            lines.push(line);
            Ok(())
        })?;
        Ok((lines, length))
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
            let (read, length) = lines(&path).expect("whole lines");
            let expected = usize::from(end >= first) + usize::from(end == whole.len());
            assert_eq!(read.len(), expected, "{end} bytes");
            let mut journal = Journal::open(&path, length).expect("a journal");
            journal.append([line(7)]).expect("room");
            let (read, _) = lines(&path).expect("whole lines");
            assert_eq!(read.last(), Some(&line(7)));
        }
    }

    #[test]
    fn zeros_after_a_power_failure_are_cut_off() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("journal.jsonl");
        let whole = [line(0), line(1), line(2)].map(|line| encode(&line).expect("a line"));
        let first = whole[0].len();
        let mut bytes = whole.concat();
        // A block that never reached the disk, before one that did.
        bytes[first + 3..first + 40].fill(0);
        std::fs::write(&path, &bytes).expect("a file");
        let (read, length) = lines(&path).expect("the lines before it");
        assert_eq!((read, length), (vec![line(0)], first as u64));
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
    fn a_line_that_does_not_belong_there_is_told_with_its_number() {
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
