//! The pairs of a run as its files have them, checked against each other: the journal's lines, and
//! the games that they count.
//!
//! A crash may tear the end of either file. What is lost by it is left out and reported by
//! [`Recorded::losses`]. Damage anywhere else is an error that names the line.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read as _, Seek, SeekFrom};
use std::path::Path;

use foundation::journal::{self, LostEnd};
use foundation::{Failure, failure::OrUnable, process::command_on, run_folder};
use serde::Deserialize;

use crate::pair_record::PairLine;

/// The journal.
pub const PAIRS: &str = "pairs.jsonl";
pub(crate) const GAMES: &str = "games.pgn";
/// Games that the journal does not know.
pub(crate) const STRAY: &str = "games.pgn.stray";
/// How the run stands or ended, written whenever it is left.
pub(crate) const RESULT: &str = "result.json";

/// What was recorded of a run.
#[derive(Debug, Default)]
pub struct Recorded {
    /// Those whose games are there too, in the order of the schedule.
    pub lines: Vec<PairLine>,
    /// Bytes of the journal with these lines.
    pub(crate) length: u64,
    lost_end: Option<LostEnd>,
    /// Pairs in the journal whose games a power failure kept off the disk.
    pub(crate) lost_pairs: u64,
    /// Whether there are games, but no line of the journal that counts one.
    pub(crate) has_stray_games: bool,
}

impl Recorded {
    /// Reads the files of a run, also while it is being played.
    ///
    /// # Errors
    /// They were damaged otherwise than by a crash.
    pub fn read(run: &Path) -> Result<Self, Failure> {
        // The process that plays the run is about to write what is missing.
        if run_folder::is_being_played(run) {
            let (lines, extent) = read_pairs(run)?;
            return Ok(Self {
                lines,
                length: extent.length,
                ..Self::default()
            });
        }
        Self::read_at_rest(run)
    }

    /// The same of a run that no other process plays.
    pub(crate) fn read_at_rest(run: &Path) -> Result<Self, Failure> {
        let (mut lines, extent) = read_pairs(run)?;
        let (pairs, games) = (run.join(PAIRS), run.join(GAMES));
        let reading = || format!("read `{}`", games.display());
        let mut file = File::open(&games).or_unable(reading())?;
        let mut length = extent.length;
        // A run that was killed before its first line leaves the games of one batch, and no result
        // with games.
        let has_stray_games = length == 0 && file.metadata().or_unable(reading())?.len() > 0;
        if has_stray_games && has_result_of_games(run) {
            return Err(Failure::unable(format!(
                "`{}` is empty, but `{}` holds games",
                pairs.display(),
                games.display()
            ))
            .hint("the journal was emptied by something else; restore it from a copy, or start a new run"));
        }
        let whole = whole_games(&mut file, &lines).or_unable(reading())?;
        if let Some(last) = lines.last()
            && whole < synced(&lines)
        {
            return Err(Failure::unable(format!(
                "`{}` has {whole} bytes, but the journal counts games up to byte {}",
                games.display(),
                last.games_end
            ))
            .hint(format!(
                "the file was changed or lost its end; play the missing games again with `{}`, \
                 or restore it from a copy",
                command_on("sprt resume --repair", run)
            )));
        }
        let counted = lines.len();
        while lines.pop_if(|line| line.games_end > whole).is_some() {}
        if lines.len() < counted {
            length = journal::length_of(&pairs, lines.len())?;
        }
        Ok(Self {
            lost_pairs: (counted - lines.len()) as u64,
            lines,
            length,
            lost_end: extent.lost,
            has_stray_games,
        })
    }

    /// What a crash took, in sentences.
    pub fn losses(&self) -> Vec<String> {
        let next = self.lines.len() as u64 + self.lost_pairs + 1;
        let end = self
            .lost_end
            .map(|end| format!("{end}: pair {next} is played again"));
        let games = match self.lost_pairs {
            0 => None,
            1 => Some(
                "the games of the last pair never reached the disk; it is played again".to_owned(),
            ),
            pairs => Some(format!(
                "the games of the last {pairs} pairs never reached the disk; they are played again"
            )),
        };
        let stray = self.has_stray_games.then(|| {
            format!("the journal is empty; the games in `{GAMES}` are kept beside it as `{STRAY}` or `{STRAY}-N`, and all are played again")
        });
        end.into_iter().chain(games).chain(stray).collect()
    }
}

/// Whether the run was once left with games; one that was left before its first pair had none.
fn has_result_of_games(run: &Path) -> bool {
    #[derive(Deserialize)]
    struct Counts {
        pairs: u64,
        void_pairs: u64,
        games: Option<u64>,
    }
    let Ok(text) = std::fs::read(run.join(RESULT)) else {
        return false;
    };
    let is_of_games = |it: Counts| it.pairs + it.void_pairs + it.games.unwrap_or(0) > 0;
    serde_json::from_slice(&text).map_or(true, is_of_games)
}

/// The whole lines of the journal.
fn read_pairs(run: &Path) -> Result<(Vec<PairLine>, journal::Extent), Failure> {
    let mut lines: Vec<PairLine> = Vec::new();
    let path = run.join(PAIRS);
    let (extent, damaged) = journal::scan(&path, |line: PairLine| {
        check(&line)?;
        if line.pair != lines.len() as u64 {
            let (expected, got) = (lines.len() + 1, line.pair.saturating_add(1));
            return Err(format!("expected pair {expected}, got pair {got}"));
        }
        lines.push(line);
        Ok(())
    })?;
    match damaged.first() {
        None => Ok((lines, extent)),
        Some(damage) => Err(damage.failure(&path).hint(format!(
            "keep the pairs that are sound and play the others again with `{}`, \
             or restore the journal from a copy",
            command_on("sprt resume --repair", run)
        ))),
    }
}

/// Whether a line could be one of a run.
pub(crate) fn check(line: &PairLine) -> Result<(), String> {
    if (1..=2).contains(&line.games.len()) {
        return Ok(());
    }
    let (pair, games) = (line.pair, line.games.len());
    Err(format!("pair {pair} has {games} games, expected 1 or 2"))
}

/// The bytes of the games that were on the disk when the last of these lines was written. A run
/// that was resumed by an earlier release began to count at 0 again, so earlier lines count too.
fn synced(lines: &[PairLine]) -> u64 {
    let most = lines.iter().filter_map(|line| line.games_synced).max();
    most.unwrap_or_else(|| lines.last().map_or(0, |last| last.games_end))
}

/// How many bytes of the games that are counted in these lines are there. What was not synced may
/// be missing, or zeros, after a power failure.
fn whole_games(games: &mut File, lines: &[PairLine]) -> io::Result<u64> {
    let counted = lines.last().map_or(0, |last| last.games_end);
    let length = games.metadata()?.len().min(counted);
    let synced = synced(lines);
    if length <= synced {
        return Ok(length);
    }
    games.seek(SeekFrom::Start(synced))?;
    let mut rest = BufReader::new(games.take(length - synced));
    let mut sound = synced;
    loop {
        let bytes = rest.fill_buf()?;
        if bytes.is_empty() {
            return Ok(sound);
        }
        let zero = memchr::memchr(0, bytes);
        let (whole, read) = (zero.unwrap_or(bytes.len()), bytes.len());
        sound += whole as u64;
        if zero.is_some() {
            return Ok(sound);
        }
        rest.consume(read);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run_folder::tests::run_of;

    #[test]
    fn a_changed_byte_is_refused_or_reported_or_changes_nothing() {
        let place = run_of(4);
        let run = place.path().join("run");
        let journal = std::fs::read(run.join(PAIRS)).expect("a journal");
        let whole = Recorded::read_at_rest(&run).expect("a sound run").lines;
        for place in 0..journal.len() {
            let mut changed = journal.clone();
            changed[place] ^= 1 << (place % 8);
            std::fs::write(run.join(PAIRS), &changed).expect("written");
            let Ok(read) = Recorded::read_at_rest(&run) else {
                continue;
            };
            let is_told = read.lines.len() == whole.len() || !read.losses().is_empty();
            assert!(whole.starts_with(&read.lines) && is_told, "byte {place}");
        }
    }
}
