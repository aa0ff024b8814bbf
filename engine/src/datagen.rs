//! Games of the engine against itself, as data to train an evaluation on.
//!
//! Games are numbered. A game depends on the seed and its number only, as each starts with a random
//! opening and empty tables, so the data of `games N` are the same with any number of threads, and
//! those of `positions N` with a single one. Each block of games is a file of [`crate::packed`]
//! positions, to which whole games are appended. A run that was interrupted goes on after the last
//! whole game of each block, and several processes may work on the same folder.

mod block;
pub(crate) mod game;
mod progress;
mod request;

use std::fs;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};

use crate::genfens::{self, Openings};
use crate::origin::{self, Origin};
use crate::packed::{self, FileHeader};
use crate::player::{Player, unfaded};
use crate::random::SplitMix;
use crate::search::job::Settings;
use crate::workers;
use block::Block;
use progress::{Amount, Progress};
use request::{Bound, Request};

/// Games of a block: some 100,000 positions.
const BLOCK_GAMES: u64 = 1_000;

/// Generates games until the bound is reached, and prints the progress as `info string` lines.
pub fn run(words: &[&str], settings: &Settings, print: impl Fn(&str)) -> Result<(), String> {
    let request = request::parse(words)?;
    fs::create_dir_all(&request.folder)
        .map_err(|error| format!("{}: {error}", request.folder.display()))?;
    let before = block::survey(&request.folder, request.seed, request.nodes)?;
    let settings = &unfaded(settings);
    let origin = Origin::of(settings)
        .with("book", origin::book(request.book.as_deref())?)
        .with("seed", request.seed.to_string())
        .with("nodes", request.nodes.to_string());
    if !origin.settle(&request.folder, before.games > 0)? {
        print(&origin::unknown("datagen", &request.folder));
    }
    let work = Work {
        request: &request,
        settings,
        next_block: AtomicU32::new(0),
        games: AtomicU64::new(before.games),
        positions: AtomicU64::new(before.positions),
    };
    let mut progress = Progress::new(&request, before);
    let result = workers::run(
        request.threads,
        |failed| work.generate(failed),
        || {
            if let Some(line) = progress.line(work.amount(), false) {
                print(&line);
            }
        },
    );
    if let Some(line) = progress.line(work.amount(), true) {
        print(&line);
    }
    result
}

/// What the threads of a run share.
struct Work<'a> {
    request: &'a Request,
    settings: &'a Settings,
    next_block: AtomicU32,
    /// In the folder when this process began, and its own. Others that add to it count theirs.
    games: AtomicU64,
    positions: AtomicU64,
}

impl Work<'_> {
    fn generate(&self, failed: &AtomicBool) -> Result<(), String> {
        let book = self.request.book.as_deref();
        let nodes = u64::from(self.request.nodes);
        // With short searches, a long one for the opening would take much of the time of a game.
        let mut openings = Openings::new(book, nodes.min(genfens::CHECK_NODES))?;
        let mut player = Player::new(self.settings, nodes);
        while !self.is_done(failed) {
            let number = self.next_block.fetch_add(1, Relaxed);
            let games = self.games_of(number);
            if games.is_empty() {
                break;
            }
            let header = FileHeader {
                seed: self.request.seed,
                nodes: self.request.nodes,
                block: number,
            };
            // Another process may be at work on it.
            let Some(mut block) = Block::open(&self.request.folder, header, games.start)? else {
                continue;
            };
            while block.next_game() < games.end && !self.is_done(failed) {
                let mut random = game_random(self.request.seed, block.next_game());
                let opening = openings.draw(&mut player, &mut random)?;
                let positions = game::play(&mut player, opening);
                block.append(&packed::pack_game(block.next_game(), &positions))?;
                self.positions.fetch_add(positions.len() as u64, Relaxed);
                self.games.fetch_add(1, Relaxed);
            }
        }
        Ok(())
    }

    fn games_of(&self, block: u32) -> Range<u64> {
        let start = u64::from(block) * BLOCK_GAMES;
        let end = match self.request.bound {
            Bound::Games(games) => games.min(start + BLOCK_GAMES),
            Bound::Positions(_) => start + BLOCK_GAMES,
        };
        start..end
    }

    fn amount(&self) -> Amount {
        Amount {
            games: self.games.load(Relaxed),
            positions: self.positions.load(Relaxed),
        }
    }

    fn is_done(&self, failed: &AtomicBool) -> bool {
        let enough = match self.request.bound {
            Bound::Positions(positions) => self.positions.load(Relaxed) >= positions,
            Bound::Games(_) => false,
        };
        enough || failed.load(Relaxed)
    }
}

/// The random numbers of one game.
fn game_random(seed: u64, game: u64) -> SplitMix {
    // Scattered, so that the sequences of neighbours do not overlap.
    let mut seeds = SplitMix::new(seed ^ game.wrapping_mul(0xd134_2543_de82_ef95));
    SplitMix::new(seeds.below(u64::MAX))
}

#[cfg(test)]
pub(crate) mod tests;
