//! The files of a run, from which it can be resumed after any end.
//!
//! `plan.json` says what is played, `pairs.jsonl` has one line a finished pair, `games.pgn` the
//! games, `result.json` the end. Pairs are written in the order of their scheduling, so the journal
//! is at every instant a prefix of the schedule: the state of a run is a pure function of plan and
//! journal, and of `limit.json` where it was resumed with another limit. A pair's games are written
//! before its line is, and the line says where they end; what stands after that, and a torn last
//! line, is cut off when the run is opened again.
//!
//! What is written outlives the process. It is synced, and outlives the machine too, once a second
//! at most. After a power failure the journal may count games that never reached the disk: their
//! pairs are cut off it and played again. Each line says how much of the games had been synced when
//! it was written; if less than that is there, something else has changed the file.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use foundation::journal::Journal;
use foundation::run_folder::{self, Place, RunFolder, SPRT};
use foundation::{Failure, failure::OrUnable};
use serde::Deserialize;

use crate::pair_record::{GameRecord, PairLine};
use crate::plan::RunPlan;
use crate::recorded::{GAMES, PAIRS, Recorded, STRAY};

/// Pairs that follow each other faster than this wait for the disk together.
const SYNC: Duration = Duration::from_secs(1);

/// A run directory that this process alone may write to.
#[derive(Debug)]
pub struct MatchFolder {
    folder: RunFolder,
    pairs: Journal,
    games: File,
    /// Where the games of the last journaled pair end.
    games_end: u64,
    /// How much of the games is known to be on disk, and since when.
    games_synced: u64,
    synced: Option<Instant>,
    /// How long pairs wait for the disk at most.
    sync_interval: Duration,
}

/// A finished pair that is to be kept.
pub struct PairEntry {
    pub pair: u64,
    pub players: Option<[String; 2]>,
    pub games: Vec<GameRecord>,
    pub pgn: String,
}

impl MatchFolder {
    /// Makes a directory for a new run. It appears whole or not at all.
    pub fn create(path: &Path, plan: &impl RunPlan) -> Result<Self, Failure> {
        let files = [(PAIRS, ""), (GAMES, "")];
        let folder = RunFolder::create(path, &plan.to_json()?, &files, &SPRT)?;
        let games = open_games(&folder)?;
        Self::writing_to(folder, games, 0, 0)
    }

    /// Opens the folder of an earlier run to resume it: its plan, its pairs, and the open files.
    pub fn open<P: RunPlan>(path: &Path) -> Result<(Self, P, Recorded), Failure> {
        let folder = RunFolder::open(path, &SPRT)?;
        let plan = read_plan(path)?;
        let recorded = Recorded::read_at_rest(path)?;
        let games = open_games(&folder)?;
        if recorded.has_stray_games {
            keep_stray_games(path)?;
        }
        let games_end = recorded.lines.last().map_or(0, |line| line.games_end);
        let mut directory = Self::writing_to(folder, games, recorded.length, games_end)?;
        directory.sync()?;
        Ok((directory, plan, recorded))
    }

    /// Truncates the files after the last complete line and its games, to append there.
    fn writing_to(
        folder: RunFolder,
        mut games: File,
        whole: u64,
        games_end: u64,
    ) -> Result<Self, Failure> {
        let path = folder.file(GAMES);
        let pairs = Journal::open(&folder.file(PAIRS), whole)?;
        games
            .set_len(games_end)
            // From here on, readers of the run may count on what the file holds.
            .and_then(|()| games.sync_data())
            .and_then(|()| games.seek(SeekFrom::End(0)))
            .or_unable(format_args!(
                "cut unfinished games off `{}`",
                path.display()
            ))?;
        Ok(Self {
            folder,
            pairs,
            games,
            games_end,
            games_synced: games_end,
            synced: None,
            sync_interval: SYNC,
        })
    }

    /// Reads a run without the right to change it, also while it is being played.
    pub fn read<P: RunPlan>(path: &Path) -> Result<(P, Vec<PairLine>), Failure> {
        Self::read_recorded(path).map(|(plan, recorded)| (plan, recorded.lines))
    }

    /// The same, with what a crash took from it.
    pub fn read_recorded<P: RunPlan>(path: &Path) -> Result<(P, Recorded), Failure> {
        Ok((read_plan(path)?, Recorded::read(path)?))
    }

    /// Adds finished pairs with their games as PGN, which are those that follow the last ones. They
    /// are synced if the last time was long enough ago; see [`MatchFolder::sync`].
    pub fn append(&mut self, finished: Vec<PairEntry>) -> Result<(), Failure> {
        let mut text = String::new();
        let mut lines = Vec::with_capacity(finished.len());
        for entry in finished {
            text.push_str(&entry.pgn);
            let games_end = self.games_end + text.len() as u64;
            lines.push(PairLine {
                pair: entry.pair,
                players: entry.players,
                games: entry.games,
                games_end,
                games_synced: Some(self.games_synced),
            });
        }
        self.folder.place().check()?;
        if self.games.metadata().is_ok_and(|file| file.nlink() == 0) {
            return Err(Failure::unable(format!(
                "`{}` was deleted while the run was being played",
                self.games_path().display()
            ))
            .hint("what was played is lost with it; start a new run"));
        }
        let written = self.games.write_all(text.as_bytes());
        let written = self.games_are_written(written);
        let written = written.and_then(|()| self.pairs.append(lines));
        if written.is_err() {
            // Games without lines look as if the journal had been emptied. Where they cannot be
            // cut off, the error that is returned says why.
            let _ = self.games.set_len(self.games_end);
        }
        written?;
        self.games_end += text.len() as u64;
        let is_soon = |synced: Instant| synced.elapsed() < self.sync_interval;
        if self.synced.is_some_and(is_soon) {
            return Ok(());
        }
        self.sync()
    }

    /// Waits until all is on disk.
    pub fn sync(&mut self) -> Result<(), Failure> {
        if self.games_synced < self.games_end {
            self.games_are_written(self.games.sync_data())?;
            self.pairs.sync()?;
            self.games_synced = self.games_end;
        }
        self.synced = Some(Instant::now());
        Ok(())
    }

    fn games_are_written(&self, result: io::Result<()>) -> Result<(), Failure> {
        let path = self.games_path();
        result
            .or_unable(format_args!("write games to `{}`", path.display()))
            .map_err(|failure| failure.hint("make room"))
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn place(&self) -> Place {
        self.folder.place()
    }

    fn games_path(&self) -> PathBuf {
        games_path(self.path())
    }
}

/// What the plan of a run calls itself: a match or a tournament.
///
/// # Errors
/// It has no plan that can be read.
pub(crate) fn schema_of(run: &Path) -> Result<String, Failure> {
    #[derive(Deserialize)]
    struct Header {
        #[serde(default)]
        schema: String,
    }
    let text = run_folder::read_plan(run, &SPRT)?;
    let header = serde_json::from_str::<Header>(&text);
    Ok(header.map_or_else(|_| String::new(), |header| header.schema))
}

/// The file of a run's games.
pub fn games_path(run: &Path) -> PathBuf {
    run.join(GAMES)
}

/// The file of a run's journal.
pub(crate) fn journal_path(run: &Path) -> PathBuf {
    run.join(PAIRS)
}

/// Copies games that no line counts, under a name that nothing has yet.
fn keep_stray_games(run: &Path) -> Result<(), Failure> {
    let (mut number, mut kept) = (1, run.join(STRAY));
    while kept.exists() {
        number += 1;
        kept.set_file_name(format!("{STRAY}-{number}"));
    }
    fs::copy(games_path(run), &kept)
        .map(drop)
        .or_unable(format_args!("write `{}`", kept.display()))
        .map_err(|failure| failure.hint("make room"))
}

fn open_games(folder: &RunFolder) -> Result<File, Failure> {
    let path = folder.file(GAMES);
    OpenOptions::new()
        .read(true)
        .write(true)
        .open(&path)
        .or_unable(format_args!("open `{}`", path.display()))
        .map_err(|failure| {
            failure.hint("a run is continued by who may write to it; `sprt show` only reads")
        })
}

/// The plan of a run alone, with the limit that it was resumed with.
pub fn read_plan<P: RunPlan>(path: &Path) -> Result<P, Failure> {
    let text = run_folder::read_plan(path, &SPRT)?;
    let mut plan = P::from_json(&text)
        .map_err(|failure| failure.context(format_args!("`{}`", path.display())))?;
    plan.amend(path)?;
    Ok(plan)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::diagnostics::BothDiagnostics;
    use engine_client::Color;
    use referee::arena::EndKind;

    /// A plan that says nothing.
    #[derive(serde::Serialize, Deserialize)]
    struct NoPlan {}

    impl RunPlan for NoPlan {
        const OF: &str = "run";
    }

    fn pair(number: u64) -> PairEntry {
        PairEntry {
            pair: number,
            players: None,
            games: vec![game(Color::White, None, EndKind::Rules)],
            pgn: format!("game {number}\n"),
        }
    }

    const PGN_OF_PAIR: u64 = 7;

    /// The folder of a run whose first pair was synced, and those after it not.
    pub(crate) fn run_of(pairs: u64) -> tempfile::TempDir {
        let place = tempfile::tempdir().expect("a folder");
        let run = place.path().join("run");
        let mut directory = MatchFolder::create(&run, &NoPlan {}).expect("a run");
        directory.sync_interval = Duration::MAX;
        for number in 0..pairs {
            directory.append(vec![pair(number)]).expect("room");
        }
        assert_eq!(directory.games_synced, PGN_OF_PAIR);
        place
    }

    fn reopened(run: &Path) -> Result<(MatchFolder, Recorded), Failure> {
        let (directory, NoPlan {}, recorded) = MatchFolder::open(run)?;
        Ok((directory, recorded))
    }

    #[test]
    fn a_run_continues_without_the_games_that_a_power_failure_took() {
        for length in PGN_OF_PAIR..=5 * PGN_OF_PAIR {
            let place = run_of(5);
            let run = place.path().join("run");
            let games = OpenOptions::new().write(true).open(games_path(&run));
            games
                .expect("a file")
                .set_len(length)
                .expect("a shorter file");
            let (mut directory, recorded) = reopened(&run).expect("a run to go on with");
            let whole = length / PGN_OF_PAIR;
            assert_eq!(recorded.lines.len() as u64, whole, "{length} bytes");
            assert_eq!(recorded.lost_pairs, 5 - whole);
            for number in whole..5 {
                directory.append(vec![pair(number)]).expect("room");
            }
            drop(directory);
            let (_, recorded) = reopened(&run).expect("a whole run");
            assert_eq!((recorded.lines.len(), recorded.lost_pairs), (5, 0));
            let games = fs::read_to_string(games_path(&run)).expect("games");
            assert_eq!(games, "game 0\ngame 1\ngame 2\ngame 3\ngame 4\n");
        }
    }

    #[test]
    fn zeros_that_a_power_failure_left_are_no_games() {
        let place = run_of(4);
        let run = place.path().join("run");
        let mut games = fs::read(games_path(&run)).expect("games");
        games[2 * PGN_OF_PAIR as usize + 3..].fill(0);
        fs::write(games_path(&run), games).expect("a file");
        let (_, recorded) = reopened(&run).expect("a run to go on with");
        assert_eq!((recorded.lines.len(), recorded.lost_pairs), (2, 2));
        let games = fs::read_to_string(games_path(&run)).expect("games");
        assert_eq!(games, "game 0\ngame 1\n");
    }

    #[test]
    fn games_that_were_on_disk_and_are_gone_are_an_error() {
        let place = run_of(3);
        let run = place.path().join("run");
        fs::write(games_path(&run), "game").expect("a file");
        let failure = reopened(&run).expect_err("a changed file").to_string();
        assert!(failure.contains("has 4 bytes"), "{failure}");
    }

    #[test]
    fn games_of_a_journal_that_was_emptied_are_kept() {
        let place = run_of(3);
        let run = place.path().join("run");
        let games = fs::read(games_path(&run)).expect("games");
        fs::write(journal_path(&run), "").expect("a file");
        let (mut directory, recorded) = reopened(&run).expect("a run");
        assert!(recorded.losses()[0].contains("games.pgn.stray"));
        directory.append(vec![pair(0)]).expect("room");
        drop(directory);
        fs::write(journal_path(&run), "").expect("a file");
        reopened(&run).expect("a run");
        let kept = |name| fs::read(run.join(name)).expect("games");
        assert_eq!(kept("games.pgn.stray"), games);
        assert!(games.starts_with(&kept("games.pgn.stray-2")));
    }

    #[test]
    fn a_resumed_run_says_that_its_earlier_games_are_on_disk() {
        let place = run_of(3);
        let run = place.path().join("run");
        let (mut directory, _) = reopened(&run).expect("a run");
        directory.append(vec![pair(3)]).expect("room");
        drop(directory);
        let (_, recorded) = reopened(&run).expect("a whole run");
        let synced: Vec<_> = recorded
            .lines
            .iter()
            .map(|line| line.games_synced)
            .collect();
        let expected = [0, PGN_OF_PAIR, PGN_OF_PAIR, 3 * PGN_OF_PAIR].map(Some);
        assert_eq!(synced, expected);
    }

    #[test]
    fn the_end_of_a_run_is_on_disk() {
        let place = run_of(1);
        let run = place.path().join("run");
        let (mut directory, _) = reopened(&run).expect("a run");
        for number in 1..4 {
            directory.append(vec![pair(number)]).expect("room");
        }
        directory.sync().expect("room");
        assert_eq!(directory.games_synced, 4 * PGN_OF_PAIR);
    }

    /// A game as the journal keeps it.
    pub(crate) fn game(new: Color, winner: Option<Color>, end: EndKind) -> GameRecord {
        GameRecord {
            new,
            winner,
            end,
            spoiler: None,
            text: String::new(),
            detail: None,
            plies: 40,
            diagnostics: BothDiagnostics::default(),
        }
    }
}
