//! The games of a run at the end of a PGN file that may hold others, each of them once.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;

use foundation::{Failure, failure::OrUnable};

/// Appends the games in `from` to `to`. Where `to` ends with some of them, as after an interrupted
/// run, only the rest is added; nothing is overwritten.
pub(crate) fn append_games(from: &Path, to: &Path) -> Result<(), Failure> {
    let games = fs::read(from).or_unable(format_args!("read `{}`", from.display()))?;
    let there = tail(to, games.len()).or_unable(format_args!("read `{}`", to.display()))?;
    let copied = copied(&games, &there);
    let is_open = copied == 0 && !there.is_empty() && !there.ends_with(b"\n\n");
    let gap: &[u8] = if is_open { b"\n\n" } else { b"" };
    OpenOptions::new()
        .append(true)
        .open(to)
        .and_then(|mut file| {
            file.write_all(gap)?;
            file.write_all(&games[copied..])
        })
        .or_unable(format_args!("append games to `{}`", to.display()))
        .map_err(|failure| failure.hint(format!("they are in `{}`", from.display())))
}

/// The last bytes of a file, so many at most.
fn tail(path: &Path, length: usize) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    let end = file.metadata()?.len();
    file.seek(SeekFrom::Start(end.saturating_sub(length as u64)))?;
    let mut bytes = Vec::new();
    file.take(length as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// How many bytes of whole games at the beginning of `games` are at the end of `there`.
fn copied(games: &[u8], there: &[u8]) -> usize {
    let ends = memchr::memmem::find_iter(games, b"\n\n[Event ").map(|place| place + 2);
    let mut ends: Vec<usize> = ends.chain([games.len()]).collect();
    ends.reverse();
    let copied = ends.into_iter().find(|&end| there.ends_with(&games[..end]));
    copied.unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_appended_after_those_of_others() {
        let folder = tempfile::tempdir().expect("a folder");
        let [from, to] = ["from", "to"].map(|name| folder.path().join(name));
        let [first, second] = [
            "[Event \"1\"]\n\n1. e4 1-0\n\n",
            "[Event \"2\"]\n\n1. d4 0-1\n\n",
        ];
        fs::write(&to, "[Event \"other\"]\n\n1. c4 *").expect("written");
        let append = |games: &str| {
            fs::write(&from, games).expect("written");
            append_games(&from, &to).expect("appended");
            fs::read_to_string(&to).expect("read")
        };
        let once = append(first);
        assert_eq!(once, format!("[Event \"other\"]\n\n1. c4 *\n\n{first}"));
        assert_eq!(append(first), once);
        assert_eq!(
            append(&format!("{first}{second}")),
            format!("{once}{second}")
        );
    }
}
