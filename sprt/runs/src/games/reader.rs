//! Reads the games of a finished or running run: whole stretches of its `games.pgn` at a time.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use foundation::{Failure, counted};
use referee::game::Variant;

use super::{GameEntry, Mistakes, Replay};
use crate::analysis::record::{self, RecordedGame};
use crate::pair_record::PairLine;
use crate::plan::PlayPlan;
use crate::recorded::Recorded;
use crate::run_folder::{games_path, read_plan};

/// The journal of a run, and where its games are.
pub struct GamesReader {
    file: PathBuf,
    variant: &'static dyn Variant,
    lines: Arc<[PairLine]>,
    /// Number of each pair's first game, from 0, and of the game after the last.
    numbers: Vec<u64>,
}

impl GamesReader {
    pub fn open(run: &Path) -> Result<Self, Failure> {
        Self::after(run, Recorded::read(run)?.lines.into())
    }

    /// The same of a run whose journal was read already.
    pub fn after(run: &Path, lines: Arc<[PairLine]>) -> Result<Self, Failure> {
        let play: PlayPlan = read_plan(run)?;
        let mut numbers = vec![0];
        let mut sum = 0;
        for line in &*lines {
            sum += line.games.len() as u64;
            numbers.push(sum);
        }
        Ok(Self {
            file: games_path(run),
            variant: play.variant()?,
            lines,
            numbers,
        })
    }

    pub fn pairs(&self) -> usize {
        self.lines.len()
    }

    /// All games that were played.
    pub fn games(&self) -> u64 {
        self.numbers.last().copied().unwrap_or(0)
    }

    /// Length of their text in bytes.
    pub fn bytes(&self) -> u64 {
        self.lines.last().map_or(0, |line| line.games_end)
    }

    pub fn path(&self) -> &Path {
        &self.file
    }

    /// The games of some pairs, as they were written.
    pub fn text(&self, pairs: Range<usize>) -> Result<String, Failure> {
        record::read_pairs(&self.file, &self.lines, pairs)
    }

    /// The games of some pairs for a list, in order.
    pub fn entries(&self, pairs: Range<usize>) -> Result<Vec<GameEntry>, Failure> {
        let games = record::parse(&self.text(pairs.clone())?);
        Ok(self.entries_of(pairs, &games))
    }

    fn entries_of(&self, pairs: Range<usize>, games: &[RecordedGame]) -> Vec<GameEntry> {
        let lines = self.lines.iter().enumerate();
        let wanted = lines.skip(pairs.start).take(pairs.len());
        let kept = wanted.flat_map(|(pair, line)| {
            let games = line.games.iter().enumerate();
            games.map(move |(game, kept)| {
                let number = self.numbers[pair] + game as u64 + 1;
                ((number, pair as u64, game), kept)
            })
        });
        kept.zip(games)
            .map(|((place, kept), recorded)| GameEntry::new(place, kept, recorded))
            .collect()
    }

    /// All games of one pair, with their entries.
    pub fn replays(
        &self,
        pair: usize,
        mistakes: &Mistakes,
    ) -> Result<Vec<(GameEntry, Replay)>, Failure> {
        if pair >= self.lines.len() {
            return Err(Failure::unable(format!(
                "the run has {}, and no pair {}",
                counted(self.lines.len(), "pair"),
                pair + 1
            )));
        }
        let text = self.text(pair..pair + 1)?;
        let games = record::parse(&text);
        let entries = self.entries_of(pair..pair + 1, &games);
        let replay = |(game, entry): (usize, GameEntry)| {
            let number = entry.number;
            let replay = Replay::of(self.variant, &text, &games, game)?;
            Ok((entry, replay.with_mistakes(number, mistakes)))
        };
        entries.into_iter().enumerate().map(replay).collect()
    }

    /// The texts of some games, by their numbers, in the order of the run.
    pub fn texts(&self, numbers: &[u64]) -> Result<String, Failure> {
        let mut all = String::new();
        let mut numbers: Vec<u64> = numbers.to_vec();
        numbers.sort_unstable();
        numbers.dedup();
        for number in numbers {
            let place = number.checked_sub(1).filter(|place| *place < self.games());
            let place = place.ok_or_else(|| {
                Failure::unable(format!(
                    "the run has {}, and no game {number}",
                    counted(self.games(), "game")
                ))
            })?;
            let pair = self.numbers.partition_point(|first| *first <= place) - 1;
            let text = self.text(pair..pair + 1)?;
            let starts: Vec<usize> =
                memchr::memmem::find_iter(text.as_bytes(), b"[Event \"").collect();
            let game = (place - self.numbers[pair]) as usize;
            let Some(from) = starts.get(game) else {
                return Err(Failure::unable(format!(
                    "game {number} is not in the record"
                )));
            };
            let to = starts.get(game + 1).copied().unwrap_or(text.len());
            all.push_str(&text[*from..to]);
        }
        Ok(all)
    }
}
