//! Finds what is sound in a run whose files were damaged, and replaces the files by repaired ones.
//!
//! A pair is sound if its line is, and if its games are there. The damaged files stay beside the
//! mended ones, under names that end in `.damaged`.

use std::collections::{BTreeMap, btree_map::Entry};
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use foundation::journal::{self, Damage, Journal};
use foundation::run_folder::{RunFolder, SPRT};
use foundation::{Failure, failure::OrUnable};

use crate::analysis::record::read_text;
use crate::pair_record::PairLine;
use crate::recorded::{GAMES, PAIRS, check};
use crate::run_folder::PairEntry;

/// The sound pairs of a run that this process alone may write to.
#[derive(Debug)]
pub(crate) struct Salvage {
    folder: RunFolder,
    sound: BTreeMap<u64, PairLine>,
    /// What was found wrong, a sentence each.
    pub(crate) damage: Vec<String>,
}

impl Salvage {
    pub(crate) fn open(run: &Path) -> Result<Self, Failure> {
        let folder = RunFolder::open(run, &SPRT)?;
        finish_exchange(run)?;
        let path = run.join(PAIRS);
        let (mut sound, mut before) = (BTreeMap::new(), None);
        let (extent, damaged) = journal::scan(&path, |line: PairLine| {
            check(&line)?;
            let pair = line.pair;
            let Entry::Vacant(place) = sound.entry(pair) else {
                return Err(format!("pair {} is there twice", pair + 1));
            };
            place.insert(line);
            match before.replace(pair) {
                Some(before) if before > pair => {
                    Err(format!("pair {} follows pair {}", pair + 1, before + 1))
                }
                _ => Ok(()),
            }
        })?;
        let in_words = |Damage { line, what }: &Damage| format!("line {line}: {what}");
        let mut damage: Vec<String> = damaged.iter().map(in_words).collect();
        damage.extend(extent.lost.map(|lost| lost.to_string()));
        sound.retain(|pair, line| {
            let has_games = games_of(run, line).is_some();
            if !has_games {
                damage.push(format!(
                    "`{GAMES}` does not hold the games of pair {}",
                    pair + 1
                ));
            }
            has_games
        });
        let mut salvage = Self {
            folder,
            sound,
            damage,
        };
        // A line that is damaged has been named already, and so have games that are gone.
        if salvage.damage.is_empty() {
            let missing = (0..salvage.end()).filter(|pair| !salvage.sound.contains_key(pair));
            let missing = missing.map(|pair| format!("the journal has no pair {}", pair + 1));
            salvage.damage = missing.collect();
        }
        Ok(salvage)
    }

    /// The number after the last sound pair.
    pub(crate) fn end(&self) -> u64 {
        self.sound.last_key_value().map_or(0, |(last, _)| last + 1)
    }

    /// The number of the first sound pair from this one on.
    pub(crate) fn next_sound(&self, pair: u64) -> u64 {
        let next = self.sound.range(pair..).next();
        next.map_or_else(|| self.end(), |(next, _)| *next)
    }

    /// How many sound pairs nobody has taken.
    pub(crate) fn left(&self) -> usize {
        self.sound.len()
    }

    /// Whether others played this pair than those that are to play it.
    pub(crate) fn is_of_others(&self, pair: u64, awaited: Option<&[String; 2]>) -> bool {
        let line = self.sound.get(&pair);
        let players = line.and_then(|line| line.players.as_ref());
        players.is_some() && players != awaited
    }

    /// A sound pair with its games.
    pub(crate) fn take(&mut self, pair: u64) -> Option<PairEntry> {
        let line = self.sound.remove(&pair)?;
        Some(PairEntry {
            pair,
            pgn: games_of(self.folder.path(), &line)?,
            players: line.players,
            games: line.games,
        })
    }

    /// Puts files with these pairs in the place of the damaged ones.
    pub(crate) fn replace(self, entries: Vec<PairEntry>) -> Result<(), Failure> {
        let run = self.folder.path();
        let (mut games, mut lines) = (String::new(), Vec::new());
        for entry in entries {
            games.push_str(&entry.pgn);
            lines.push(PairLine {
                pair: entry.pair,
                players: entry.players,
                games: entry.games,
                games_end: games.len() as u64,
                games_synced: None,
            });
        }
        write(&mended(run, GAMES), games.as_bytes())?;
        write(&mended(run, PAIRS), b"")?;
        let mut journal = Journal::open(&mended(run, PAIRS), 0)?;
        journal.append(lines)?;
        journal.sync()?;
        // From here on the run has no journal until it has both new files.
        rename(&run.join(PAIRS), &damaged(run, PAIRS))?;
        finish_exchange(run)
    }
}

/// The games of a pair as PGN; none where they are not there or not whole.
fn games_of(run: &Path, line: &PairLine) -> Option<String> {
    let text = read_text(run, line).ok()?;
    let is_whole = text.starts_with("[Event \"") && text.ends_with('\n') && !text.contains('\0');
    is_whole.then_some(text)
}

fn mended(run: &Path, name: &str) -> PathBuf {
    run.join(format!("{name}.mended"))
}

fn damaged(run: &Path, name: &str) -> PathBuf {
    run.join(format!("{name}.damaged"))
}

/// Puts mended files in their places, also after a kill in the middle of that.
fn finish_exchange(run: &Path) -> Result<(), Failure> {
    if run.join(PAIRS).exists() || !mended(run, PAIRS).exists() {
        return Ok(());
    }
    if mended(run, GAMES).exists() {
        rename(&run.join(GAMES), &damaged(run, GAMES))?;
        rename(&mended(run, GAMES), &run.join(GAMES))?;
    }
    rename(&mended(run, PAIRS), &run.join(PAIRS))?;
    File::open(run)
        .and_then(|folder| folder.sync_all())
        .or_unable(format_args!("write to `{}`", run.display()))
}

fn rename(from: &Path, to: &Path) -> Result<(), Failure> {
    match fs::rename(from, to) {
        // It was moved before a kill.
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        result => result.or_unable(format_args!("rename `{}`", from.display())),
    }
}

fn write(path: &Path, content: &[u8]) -> Result<(), Failure> {
    File::create(path)
        .and_then(|mut file| {
            file.write_all(content)?;
            file.sync_all()
        })
        .or_unable(format_args!("write `{}`", path.display()))
        .map_err(|failure| failure.hint("make room"))
}
