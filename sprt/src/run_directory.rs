//! The files of a run, from which it can go on after any end.
//!
//! `plan.json` says what is played, `pairs.jsonl` has one line a finished pair, `games.pgn` the games, `result.json` the
//! end. Pairs are written in the order of their scheduling, so the journal is at every instant a prefix of the schedule:
//! the state of a run is a pure function of plan and journal. A pair's games are on disk before its line is, and the
//! line says where they end; what stands after that, and a torn last line, is cut off when the run is opened again.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use foundation::{Failure, failure::OrUnable};
use serde::{Deserialize, Serialize};

use crate::arena::{FinishedPair, GameRecord};
use crate::plan::Plan;

const PLAN: &str = "plan.json";
const PAIRS: &str = "pairs.jsonl";
const GAMES: &str = "games.pgn";
const RESULT: &str = "result.json";

/// Temporary files are made for their owner alone; these become ordinary ones, as far as the user's umask allows.
const FOLDER_MODE: u32 = 0o777;
const FILE_MODE: u32 = 0o666;

/// A run directory that this process alone may write to.
#[derive(Debug)]
pub struct RunDirectory {
    path: PathBuf,
    pairs: File,
    games: File,
    /// Where the games of the last journaled pair end.
    games_end: u64,
    /// Holds the lock as long as it lives.
    _plan: File,
}

/// A line of the journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairLine {
    pub pair: u64,
    pub games: [GameRecord; 2],
    /// Length of `games.pgn` with this pair's games.
    pub games_end: u64,
}

impl RunDirectory {
    /// Makes a directory for a new run. It appears whole or not at all.
    pub fn create(path: &Path, plan: &Plan) -> Result<Self, Failure> {
        if path.exists() {
            return Err(
                Failure::unable(format!("`{}` exists already", path.display())).hint(format!(
                    "continue it with `sprt resume {}`, or name another --out",
                    path.display()
                )),
            );
        }
        let parent = path
            .parent()
            .filter(|parent| !parent.as_os_str().is_empty());
        let parent = parent.unwrap_or(Path::new("."));
        let unwritable =
            |failure: Failure| failure.hint("name a folder that you may write to with --out");
        fs::create_dir_all(parent)
            .or_unable(format_args!("create the folder `{}`", parent.display()))
            .map_err(unwritable)?;
        let making = tempfile::Builder::new()
            .prefix(".run-")
            .permissions(fs::Permissions::from_mode(FOLDER_MODE))
            .tempdir_in(parent)
            .or_unable(format_args!(
                "create a run directory in `{}`",
                parent.display()
            ))
            .map_err(unwritable)?;
        let write = |name: &str, content: &str| {
            fs::write(making.path().join(name), content)
                .or_unable(format_args!(
                    "write `{}`",
                    making.path().join(name).display()
                ))
                .map_err(unwritable)
        };
        write(PLAN, &plan.to_json())?;
        write(PAIRS, "")?;
        write(GAMES, "")?;
        fs::rename(making.path(), path)
            .or_unable(format_args!(
                "create the run directory `{}`",
                path.display()
            ))
            .map_err(unwritable)?;
        // Renamed away: there is nothing left to clean up.
        let _ = making.keep();
        let (directory, _, _) = Self::open(path)?;
        Ok(directory)
    }

    /// Opens the directory of an earlier run: its plan, its pairs, and the means to go on.
    pub fn open(path: &Path) -> Result<(Self, Plan, Vec<PairLine>), Failure> {
        let plan_file = lock(&path.join(PLAN), path)?;
        let plan = read_plan(path)?;
        let (mut pairs, lines, whole) = read_pairs(&path.join(PAIRS))?;
        let games_path = path.join(GAMES);
        let mut games = open(&games_path)?;
        let games_end = lines.last().map_or(0, |line| line.games_end);
        let length = games
            .metadata()
            .or_unable(format_args!("read `{}`", games_path.display()))?
            .len();
        if length < games_end {
            return Err(Failure::unable(format!(
                "`{}` has {length} bytes, but the journal counts games up to byte {games_end}",
                games_path.display()
            ))
            .hint("the file was changed or lost its end; the run cannot be continued without losing games"));
        }
        pairs
            .set_len(whole)
            .and_then(|()| pairs.seek(SeekFrom::End(0)))
            .or_unable(format_args!(
                "cut the torn end off `{}`",
                path.join(PAIRS).display()
            ))?;
        games
            .set_len(games_end)
            .and_then(|()| games.seek(SeekFrom::End(0)))
            .or_unable(format_args!(
                "cut unfinished games off `{}`",
                games_path.display()
            ))?;
        let directory = Self {
            path: path.to_owned(),
            pairs,
            games,
            games_end,
            _plan: plan_file,
        };
        Ok((directory, plan, lines))
    }

    /// Reads a run without the right to change it, also while it is being played.
    pub fn read(path: &Path) -> Result<(Plan, Vec<PairLine>), Failure> {
        let plan = read_plan(path)?;
        let (_, lines, _) = read_pairs(&path.join(PAIRS))?;
        Ok((plan, lines))
    }

    /// Adds finished pairs, which are those that follow the last ones, and waits until they are on disk.
    pub fn append(&mut self, finished: &[FinishedPair]) -> Result<(), Failure> {
        let mut games = String::new();
        let mut lines = Vec::new();
        for pair in finished {
            games.push_str(&pair.pgn);
            let games_end = self.games_end + games.len() as u64;
            let line = PairLine {
                pair: pair.pair,
                games: pair.games.clone(),
                games_end,
            };
            serde_json::to_writer(&mut lines, &line).or_unable("write a pair as JSON")?;
            lines.push(b'\n');
        }
        let write =
            |file: &mut File, bytes: &[u8]| file.write_all(bytes).and_then(|()| file.sync_data());
        write(&mut self.games, games.as_bytes())
            .and_then(|()| write(&mut self.pairs, &lines))
            .or_unable(format_args!(
                "write finished pairs to `{}`",
                self.path.display()
            ))
            .map_err(|failure| failure.hint("make room"))?;
        self.games_end += games.len() as u64;
        Ok(())
    }

    /// Writes how the run stands or ended.
    pub fn write_result(&self, json: &str) -> Result<(), Failure> {
        let path = self.path.join(RESULT);
        tempfile::Builder::new()
            .permissions(fs::Permissions::from_mode(FILE_MODE))
            .tempfile_in(&self.path)
            .and_then(|mut file| {
                file.write_all(json.as_bytes())?;
                file.persist(&path)?;
                Ok(())
            })
            .or_unable(format_args!("write `{}`", path.display()))
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn games_path(&self) -> PathBuf {
        self.path.join(GAMES)
    }
}

fn read_plan(path: &Path) -> Result<Plan, Failure> {
    let file = path.join(PLAN);
    let text = fs::read_to_string(&file)
        .or_unable(format_args!("read `{}`", file.display()))
        .map_err(|failure| {
            failure.hint("expected the directory of a run; `sprt list` shows those that there are")
        })?;
    Plan::from_json(&text).map_err(|failure| failure.context(format_args!("`{}`", file.display())))
}

fn open(path: &Path) -> Result<File, Failure> {
    OpenOptions::new()
        .read(true)
        .write(true)
        .open(path)
        .or_unable(format_args!("open `{}`", path.display()))
        .map_err(|failure| {
            failure.hint("a run is continued by who may write to it; `sprt show` only reads")
        })
}

fn lock(file: &Path, path: &Path) -> Result<File, Failure> {
    let handle = File::open(file)
        .or_unable(format_args!("open `{}`", file.display()))
        .map_err(|failure| {
            failure.hint("expected the directory of a run; `sprt list` shows those that there are")
        })?;
    match handle.try_lock() {
        Ok(()) => Ok(handle),
        Err(TryLockError::WouldBlock) => Err(Failure::unable(format!(
            "the run in `{}` is being played by another process",
            path.display()
        ))
        .hint(format!("watch it with `sprt show {}`", path.display()))),
        Err(TryLockError::Error(error)) => Err(Failure::unable(format!(
            "failed to lock `{}`: {error}",
            file.display()
        ))),
    }
}

/// The journal, its whole lines, and the length of those; a torn last line is left out.
fn read_pairs(path: &Path) -> Result<(File, Vec<PairLine>, u64), Failure> {
    let mut file = OpenOptions::new()
        .read(true)
        .write(true)
        .open(path)
        .or_else(|_| File::open(path))
        .or_unable(format_args!("open `{}`", path.display()))?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)
        .or_unable(format_args!("read `{}`", path.display()))?;
    let whole = memchr::memrchr(b'\n', &bytes).map_or(0, |end| end + 1);
    let mut lines = Vec::new();
    for (number, text) in bytes[..whole]
        .split_inclusive(|&byte| byte == b'\n')
        .enumerate()
    {
        let wrong = |what: String| {
            Failure::unable(format!("`{}`, line {}: {what}", path.display(), number + 1))
                .hint("the journal was changed by something else; restore it from a copy")
        };
        let line: PairLine = serde_json::from_slice(text)
            .map_err(|error| wrong(format!("not a finished pair: {error}")))?;
        if line.pair != number as u64 {
            return Err(wrong(format!(
                "expected pair {number}, got pair {}",
                line.pair
            )));
        }
        lines.push(line);
    }
    Ok((file, lines, whole as u64))
}
