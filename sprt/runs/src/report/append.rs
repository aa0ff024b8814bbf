//! The games of a run at the end of a PGN file that may hold others, each of them once.
//!
//! A file in the run's folder says how many of its games have been copied, and to where: a run that
//! was interrupted adds only the rest, although another may have written to the file meanwhile.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use foundation::{Failure, failure::OrUnable, files};
use serde::{Deserialize, Serialize};

/// Beside the games.
const COPIED: &str = "copied.json";

/// As many bytes show that a file still holds what was copied to it.
const COMPARED: u64 = 4096;

/// What was copied to a file.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Copied {
    /// Bytes of the games of the run.
    bytes: u64,
    /// As many of them were added the last time, in one piece.
    added: u64,
    /// Where they end in the file.
    end: u64,
}

/// Appends the games in `from` to `to`, but those that were appended earlier; nothing is
/// overwritten.
pub(crate) fn append_games(from: &Path, to: &Path) -> Result<(), Failure> {
    let notes = from.with_file_name(COPIED);
    let mut all: BTreeMap<PathBuf, Copied> = fs::read(&notes)
        .ok()
        .and_then(|text| serde_json::from_slice(&text).ok())
        .unwrap_or_default();
    let target = fs::canonicalize(to).or_unable(format_args!("find `{}`", to.display()))?;
    // A file that was moved keeps what is in it.
    let copied = append_rest(from, to, all.values().copied())
        .or_unable(format_args!("append games to `{}`", to.display()))
        .map_err(|failure| failure.hint(format!("they are in `{}`", from.display())))?;
    all.insert(target, copied);
    let text = serde_json::to_string(&all).or_unable("write what was copied as JSON")?;
    files::replace(&notes, text)
}

fn append_rest(from: &Path, to: &Path, known: impl Iterator<Item = Copied>) -> io::Result<Copied> {
    let mut games = File::open(from)?;
    let mut target = OpenOptions::new().read(true).append(true).open(to)?;
    // Runs that end at the same moment add their games one after the other.
    target.lock()?;
    let mut is_there = |it: &Copied| -> io::Result<bool> {
        let length = COMPARED.min(it.added);
        Ok(bytes_before(&mut target, it.end, length)?
            == bytes_before(&mut games, it.bytes, length)?)
    };
    let earlier = known
        .filter(|it| is_there(it).unwrap_or(false))
        .max_by_key(|it| it.bytes)
        .unwrap_or_default();
    let end = games.seek(SeekFrom::End(0))?;
    if end <= earlier.bytes {
        return Ok(earlier);
    }
    let size = target.metadata()?.len();
    let last = bytes_before(&mut target, size, 2)?;
    games.seek(SeekFrom::Start(earlier.bytes))?;
    let mut add = || {
        if !last.is_empty() && last != b"\n\n" {
            target.write_all(b"\n\n")?;
        }
        io::copy(&mut games, &mut target)
    };
    if let Err(error) = add() {
        // No part of a game stays.
        target.set_len(size)?;
        return Err(error);
    }
    Ok(Copied {
        bytes: end,
        added: end - earlier.bytes,
        end: target.metadata()?.len(),
    })
}

/// Ends what a file holds with `end` before more is appended to it; an empty one and a pipe are left
/// as they are.
pub(super) fn end_last(file: &mut File, path: &Path, end: &[u8]) -> io::Result<()> {
    let held = fs::metadata(path)?;
    if !held.is_file() {
        return Ok(());
    }
    let last = bytes_before(&mut File::open(path)?, held.len(), end.len() as u64)?;
    if !last.is_empty() && last != end {
        file.write_all(end)?;
    }
    Ok(())
}

/// Fewer where the file ends before.
fn bytes_before(file: &mut File, end: u64, length: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(end.saturating_sub(length)))?;
    file.take(length).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: &str = "[Event \"1\"]\n\n1. e4 1-0\n\n";
    const SECOND: &str = "[Event \"2\"]\n\n1. d4 0-1\n\n";
    const OTHER: &str = "[Event \"other\"]\n\n1. c4 *";

    #[test]
    fn games_are_appended_once_after_those_of_others() {
        let folder = tempfile::tempdir().expect("a folder");
        let [from, to] = ["from", "to"].map(|name| folder.path().join(name));
        let append = |games: &str| {
            fs::write(&from, games).expect("written");
            append_games(&from, &to).expect("appended");
            fs::read_to_string(&to).expect("read")
        };
        fs::write(&to, OTHER).expect("written");
        let once = append(FIRST);
        assert_eq!(once, format!("{OTHER}\n\n{FIRST}"));
        assert_eq!(append(FIRST), once);
        // Another run has written to it meanwhile.
        fs::write(&to, format!("{once}{OTHER}\n\n")).expect("written");
        let both = append(&format!("{FIRST}{SECOND}"));
        assert_eq!(both, format!("{once}{OTHER}\n\n{SECOND}"));
        assert_eq!(append(&format!("{FIRST}{SECOND}")), both);
    }

    #[test]
    fn the_last_line_is_ended_before_another_follows() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        for (held, ended) in [("", ""), ("a", "a\n"), ("a\n", "a\n"), ("a\nb", "a\nb\n")] {
            fs::write(&path, held).expect("written");
            let mut file = OpenOptions::new().append(true).open(&path).expect("opened");
            end_last(&mut file, &path, b"\n").expect("ended");
            assert_eq!(fs::read_to_string(&path).expect("read"), ended);
        }
    }

    #[test]
    fn a_file_that_was_moved_gets_no_game_twice() {
        let folder = tempfile::tempdir().expect("a folder");
        let [from, to, moved] = ["from", "to", "moved"].map(|name| folder.path().join(name));
        fs::write(&from, FIRST).expect("written");
        fs::write(&to, OTHER).expect("written");
        append_games(&from, &to).expect("appended");
        fs::rename(&to, &moved).expect("moved");
        fs::write(&from, format!("{FIRST}{SECOND}")).expect("written");
        append_games(&from, &moved).expect("appended");
        let there = fs::read_to_string(&moved).expect("read");
        assert_eq!(there, format!("{OTHER}\n\n{FIRST}{SECOND}"));
    }

    #[test]
    fn of_several_files_that_it_may_have_been_the_last_one_counts() {
        let folder = tempfile::tempdir().expect("a folder");
        let [from, a, b, c] = ["from", "a", "b", "c"].map(|name| folder.path().join(name));
        fs::write(&from, FIRST).expect("written");
        fs::write(&a, "").expect("written");
        append_games(&from, &a).expect("appended");
        fs::copy(&a, &b).expect("copied");
        let both = format!("{FIRST}{SECOND}");
        fs::write(&from, &both).expect("written");
        append_games(&from, &b).expect("appended");
        fs::rename(&b, &c).expect("moved");
        append_games(&from, &c).expect("appended");
        assert_eq!(fs::read_to_string(&c).expect("read"), both);
    }

    #[test]
    fn a_file_that_was_emptied_gets_all_games_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let [from, to] = ["from", "to"].map(|name| folder.path().join(name));
        fs::write(&from, format!("{FIRST}{SECOND}")).expect("written");
        for _ in 0..2 {
            fs::write(&to, "").expect("written");
            append_games(&from, &to).expect("appended");
            let there = fs::read_to_string(&to).expect("read");
            assert_eq!(there, format!("{FIRST}{SECOND}"));
        }
    }
}
