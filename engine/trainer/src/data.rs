//! The data: files of packed positions, read in random order with bounded memory.
//!
//! Whole games that follow one another in a file are a chunk. An epoch reads all chunks in random
//! order into a buffer, cuts its games into short runs, shuffles these, and cuts them into batches.
//! Positions of a run have most inputs in common, so training computes little more than what changes.

use std::fs::{self, File};
use std::io::{Read as _, Seek as _, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};

use engine::packed::{self, FileHeader, PackedPosition, UNIT, Unit};
use foundation::Failure;
use foundation::failure::OrUnable as _;
use rand::SeedableRng as _;
use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom as _;
use rayon::prelude::*;

use crate::filter::Filter;
use crate::objective::Objective;
use crate::teachers::Teachers;

/// Least number of units in a chunk, unless there is little data.
const CHUNK: u64 = 4_096;
/// The least number of chunks, if there are as many games.
const MIN_CHUNKS: u64 = 500;
/// Positions in the buffer that is shuffled: 128 MiB.
pub const BUFFER: usize = 1 << 22;

/// Positions in a run at most. Longer ones are faster to train on, but a step then has fewer games,
/// and learns less.
const RUN: usize = 4;

pub struct Dataset {
    files: Vec<PathBuf>,
    /// The chunks of positions to train on.
    filter: Filter,
    training: Vec<Chunk>,
    /// The scores to train on, by chunk, if there are teachers.
    taught: Vec<Vec<i16>>,
    validation: Vec<Chunk>,
    pub games: u64,
    /// All positions, including those that are not trained on.
    pub positions: u64,
    /// Bytes of incomplete games at the ends of files.
    pub ignored: u64,
}

#[derive(Clone, Copy)]
struct Chunk {
    file: usize,
    offset: u64,
    units: u64,
}

impl Dataset {
    /// Checks all files in the folders and divides them into chunks. One in `validation_every`
    /// chunks is kept for validation: from 2 million positions on the same ones of a file whatever
    /// other files there are, so that a network can be trained on with more data and judged by
    /// positions it has not seen. With fewer, chunks are smaller.
    pub fn open(
        folders: &[PathBuf],
        filter: Filter,
        validation_every: usize,
    ) -> Result<Self, Failure> {
        let files = files(folders)?;
        let mut bytes = 0;
        for file in &files {
            let metadata = fs::metadata(file).or_unable(reading(file))?;
            bytes += metadata.len();
        }
        let size = (bytes / UNIT as u64 / MIN_CHUNKS).min(CHUNK);
        let mut dataset = Self {
            files: Vec::new(),
            filter,
            training: Vec::new(),
            taught: Vec::new(),
            validation: Vec::new(),
            games: 0,
            positions: 0,
            ignored: 0,
        };
        for file in files {
            dataset.add_file(file, size, validation_every)?;
        }
        Ok(dataset)
    }

    /// Checks a file and divides it into chunks.
    fn add_file(
        &mut self,
        path: PathBuf,
        size: u64,
        validation_every: usize,
    ) -> Result<(), Failure> {
        let bytes = fs::read(&path).or_unable(reading(&path))?;
        let Some(header) = bytes.first_chunk() else {
            self.ignored += bytes.len() as u64;
            return Ok(());
        };
        let header = FileHeader::unpack(header)
            .map_err(|error| Failure::unable(error).context(path.display()))?;
        let file = self.files.len();
        let mut chunks = Vec::new();
        let mut chunk: Option<Chunk> = None;
        let mut end = UNIT;
        for game in packed::games(&bytes) {
            let game =
                game.map_err(|damaged| {
                    Failure::unable(damaged.to_string()).context(path.display()).hint(
                    "run `datagen` again with its former arguments: it cuts the file there and \
                     goes on",
                )
                })?;
            self.games += 1;
            self.positions += game.positions.len() as u64;
            let open = chunk.get_or_insert(Chunk {
                file,
                offset: game.range.start as u64,
                units: 0,
            });
            open.units += game.positions.len() as u64 + 1;
            if open.units >= size {
                chunks.extend(chunk.take());
            }
            end = game.range.end;
        }
        chunks.extend(chunk);
        // A file may have fewer chunks than that, so blocks begin to count at scattered numbers.
        let first = header.block.wrapping_mul(0x9e37_79b9) >> 7;
        for (number, chunk) in (1 + first as usize..).zip(chunks) {
            if number.is_multiple_of(validation_every) {
                self.validation.push(chunk);
            } else {
                self.training.push(chunk);
            }
        }
        self.ignored += (bytes.len() - end) as u64;
        self.files.push(path);
        Ok(())
    }

    /// Has the teachers judge all positions to train on, once for all epochs. It takes two bytes of
    /// memory for each.
    pub fn teach(&mut self, teachers: &Teachers, objective: Objective) -> Result<(), Failure> {
        let scores = |number| {
            let mut positions = Vec::new();
            self.read(number, objective, &mut positions, &mut Vec::new())?;
            teachers.teach(&mut positions, objective);
            let scores = positions.iter().map(|position| position.score() as i16);
            Ok::<Vec<i16>, Failure>(scores.collect())
        };
        let numbers = 0..self.training.len();
        self.taught = (numbers.into_par_iter().map(scores)).collect::<Result<_, _>>()?;
        Ok(())
    }

    /// The positions to train on, in an order that depends only on seed and epoch.
    pub fn epoch(&self, objective: Objective, seed: u64, epoch: usize) -> Epoch<'_> {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream(1 + epoch as u64);
        let mut order: Vec<usize> = (0..self.training.len()).collect();
        order.shuffle(&mut random);
        Epoch {
            dataset: self,
            objective,
            order,
            next_chunk: 0,
            buffer: Vec::new(),
            runs: Vec::new(),
            left: 0,
            positions_read: 0,
            random,
        }
    }

    /// Some `most` positions for validation at most, with the scores by which to judge a training. All
    /// files have a share in them: they may be of different kinds.
    pub fn validation(
        &self,
        objective: Objective,
        most: usize,
    ) -> Result<Vec<PackedPosition>, Failure> {
        let units: u64 = self.validation.iter().map(|chunk| chunk.units).sum();
        let step = units.div_ceil(most as u64).max(1) as usize;
        let mut positions = Vec::new();
        for &chunk in self.validation.iter().step_by(step) {
            self.read_games(chunk, |game| {
                positions.extend(usable(game, objective, Filter::default()));
            })?;
        }
        Ok(positions)
    }

    /// All positions that pass the filter, with the scores that the objective makes of theirs.
    pub fn usable(&self, objective: Objective) -> Result<Vec<PackedPosition>, Failure> {
        let mut positions = Vec::new();
        for &chunk in self.training.iter().chain(&self.validation) {
            self.read_games(chunk, |game| {
                positions.extend(usable(game, objective, self.filter));
            })?;
        }
        Ok(positions)
    }

    /// Calls `visit` with every position, usable or not.
    pub fn for_each(&self, mut visit: impl FnMut(&PackedPosition)) -> Result<(), Failure> {
        for &chunk in self.training.iter().chain(&self.validation) {
            self.read_games(chunk, |game| game.iter().for_each(&mut visit))?;
        }
        Ok(())
    }

    /// Appends the positions of a chunk that pass the filter, with the scores to train on, and runs
    /// of them.
    fn read(
        &self,
        number: usize,
        objective: Objective,
        positions: &mut Vec<PackedPosition>,
        runs: &mut Vec<Range<usize>>,
    ) -> Result<(), Failure> {
        let first = positions.len();
        self.read_games(self.training[number], |game| {
            let start = positions.len();
            positions.extend(usable(game, objective, self.filter));
            let end = positions.len();
            runs.extend(
                (start..end)
                    .step_by(RUN)
                    .map(|start| start..end.min(start + RUN)),
            );
        })?;
        let taught = self.taught.get(number).into_iter().flatten();
        for (position, &score) in positions[first..].iter_mut().zip(taught) {
            *position = position.with_score(score.into());
        }
        Ok(())
    }

    fn read_games(
        &self,
        chunk: Chunk,
        mut look: impl FnMut(&[PackedPosition]),
    ) -> Result<(), Failure> {
        let path = &self.files[chunk.file];
        let mut bytes = vec![0; chunk.units as usize * UNIT];
        let mut file = File::open(path).or_unable(reading(path))?;
        file.seek(SeekFrom::Start(chunk.offset))
            .and_then(|_| file.read_exact(&mut bytes))
            .or_unable(reading(path))?;
        let mut game = Vec::new();
        for (index, unit) in bytes.as_chunks::<UNIT>().0.iter().enumerate() {
            if is_header(unit) {
                look(&game);
                game.clear();
                continue;
            }
            let position = PackedPosition::from_unit(unit).ok_or_else(|| {
                let offset = chunk.offset + (index * UNIT) as u64;
                Failure::unable(format!(
                    "{}: expected a position at byte {offset}, got something else",
                    path.display()
                ))
            })?;
            game.push(position);
        }
        look(&game);
        Ok(())
    }
}

/// The positions of a game that pass the filter, with the scores that the objective makes of theirs.
fn usable(
    game: &[PackedPosition],
    objective: Objective,
    filter: Filter,
) -> impl Iterator<Item = PackedPosition> {
    let scored = game.iter().zip(objective.returns(game));
    let kept = scored.filter(move |(position, _)| filter.keeps(position));
    kept.map(|(position, score)| position.with_score(score))
}

fn is_header(unit: &Unit) -> bool {
    unit[..8] == [0; 8]
}

/// All files of packed positions in the folders.
fn files(folders: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for folder in folders {
        let found = packed::files(folder).or_unable(reading(folder))?;
        if found.is_empty() {
            return Err(Failure::unable(format!(
                "{}: no files of packed positions (*.positions)",
                folder.display()
            ))
            .hint("make some: engine \"datagen out FOLDER positions 1000000 nodes 500\""));
        }
        files.extend(found);
    }
    files.sort();
    Ok(files)
}

fn reading(path: &Path) -> String {
    format!("read `{}`", path.display())
}

/// One pass over the training positions.
pub struct Epoch<'a> {
    dataset: &'a Dataset,
    objective: Objective,
    /// Numbers of chunks.
    order: Vec<usize>,
    next_chunk: usize,
    buffer: Vec<PackedPosition>,
    /// Runs of the buffer. Batches are taken from their end.
    runs: Vec<Range<usize>>,
    /// Positions in the runs.
    left: usize,
    /// Usable positions read so far.
    positions_read: usize,
    random: ChaCha8Rng,
}

impl Epoch<'_> {
    /// The next batch, which is full except at the end.
    pub fn batch(&mut self, size: usize) -> Result<Option<Vec<PackedPosition>>, Failure> {
        if self.left < size && self.next_chunk < self.order.len() {
            self.fill()?;
        }
        let mut batch = Vec::with_capacity(size.min(self.left));
        while batch.len() < size
            && let Some(mut run) = self.runs.pop()
        {
            let kept = run.start + (size - batch.len());
            if kept < run.end {
                self.runs.push(kept..run.end);
                run.end = kept;
            }
            batch.extend_from_slice(&self.buffer[run]);
        }
        self.left -= batch.len();
        Ok((!batch.is_empty()).then_some(batch))
    }

    /// Reads into the buffer behind what is left of it, and shuffles all runs.
    fn fill(&mut self) -> Result<(), Failure> {
        let mut buffer = Vec::with_capacity(BUFFER);
        for run in &mut self.runs {
            let start = buffer.len();
            buffer.extend_from_slice(&self.buffer[run.clone()]);
            *run = start..buffer.len();
        }
        self.buffer = buffer;
        while self.buffer.len() < BUFFER && self.next_chunk < self.order.len() {
            let number = self.order[self.next_chunk];
            (self.dataset).read(number, self.objective, &mut self.buffer, &mut self.runs)?;
            self.next_chunk += 1;
        }
        self.positions_read += self.buffer.len() - self.left;
        self.left = self.buffer.len();
        self.runs.shuffle(&mut self.random);
        Ok(())
    }

    /// The fraction of the epoch that has been used, from 0 to 1: what was read, minus the buffer.
    pub fn progress(&self) -> f32 {
        let read = self.positions_read.max(1) as f32;
        let taken = (self.positions_read - self.left) as f32 / read;
        taken * self.next_chunk as f32 / self.order.len().max(1) as f32
    }
}
