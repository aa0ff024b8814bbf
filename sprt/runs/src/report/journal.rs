//! Keeps finished pairs in the run's folder, from which the run can go on.

use foundation::Failure;

use super::{Event, Reporter, State, pgn};
use crate::pair_record::GameRecord;
use crate::plan::RecordStyle;
use crate::run_folder::{MatchFolder, PairEntry};
use referee::arena::FinishedPair;
use referee::game::Variant;

/// Turns pairs that were played into what a run's folder keeps.
pub(crate) struct EntryWriter {
    variant: &'static dyn Variant,
    style: RecordStyle,
    /// Whether each line says who played, as in a tournament, in which players change.
    names_players: bool,
}

impl EntryWriter {
    pub(crate) fn of(state: &State<'_>) -> Result<Self, Failure> {
        let (style, names_players) = match state {
            State::Match(state) => (state.plan.pgn.clone(), false),
            State::Tournament(state) => (state.plan.record_style(), true),
        };
        Ok(Self {
            variant: state.play().variant()?,
            style,
            names_players,
        })
    }

    pub(crate) fn entry(&self, pair: &FinishedPair) -> Result<PairEntry, Failure> {
        Ok(PairEntry {
            pair: pair.pair,
            players: self.names_players.then(|| pair.players()).flatten(),
            games: GameRecord::of_pair(pair),
            pgn: pgn::write_pair(self.variant, &self.style, pair)?,
        })
    }
}

/// Gathers pairs and writes them with the next [`Event::Progress`], so that a batch waits for the
/// disk once.
pub(super) struct Journal {
    directory: MatchFolder,
    writer: EntryWriter,
    pairs: Vec<PairEntry>,
}

impl Journal {
    pub(super) fn new(directory: MatchFolder, writer: EntryWriter) -> Self {
        Self {
            directory,
            writer,
            pairs: Vec::new(),
        }
    }
}

impl Reporter for Journal {
    fn on_event(&mut self, event: &Event<'_>) -> Result<(), Failure> {
        match event {
            Event::PairFinished(pair) => {
                self.pairs.push(self.writer.entry(pair)?);
                Ok(())
            }
            Event::Progress(_) => self.directory.append(std::mem::take(&mut self.pairs)),
            Event::Finished(..) => self.directory.sync(),
            _ => Ok(()),
        }
    }
}
