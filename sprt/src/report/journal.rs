//! Keeps finished pairs in the run's folder, from which the run can go on.

use foundation::Failure;

use super::{Event, Reporter, pgn};
use crate::game::Variant;
use crate::run_directory::{GameRecord, RunDirectory};

/// Gathers pairs and writes them with the next [`Event::Progress`], so that a batch waits for the
/// disk once.
pub struct Journal {
    directory: RunDirectory,
    variant: &'static dyn Variant,
    pairs: Vec<(u64, Vec<GameRecord>, String)>,
}

impl Journal {
    pub fn new(directory: RunDirectory, variant: &'static dyn Variant) -> Self {
        Self {
            directory,
            variant,
            pairs: Vec::new(),
        }
    }
}

impl Reporter for Journal {
    fn hear(&mut self, event: &Event<'_>) -> Result<(), Failure> {
        match event {
            Event::PairFinished(pair) => {
                let text = pgn::write_pair(self.variant, &pgn::Heading::default(), pair)?;
                self.pairs
                    .push((pair.pair, GameRecord::of_pair(pair), text));
                Ok(())
            }
            Event::Progress(_) => self.directory.append(std::mem::take(&mut self.pairs)),
            _ => Ok(()),
        }
    }
}
