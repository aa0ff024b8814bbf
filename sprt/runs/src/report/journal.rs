//! Keeps finished pairs in the run folder, from which the run can be resumed.

use foundation::Failure;

use super::pgn::{EngineTags, GameWriter};
use super::{Event, Reporter, State};
use crate::pair_record::GameRecord;
use crate::run_folder::{MatchFolder, PairEntry};
use referee::arena::FinishedPair;

/// Turns pairs that were played into what a run's folder keeps.
pub(crate) struct EntryWriter {
    games: GameWriter,
    /// Whether each line says who played, as in a tournament, in which players change.
    names_players: bool,
}

impl EntryWriter {
    pub(crate) fn of(state: &State<'_>) -> Result<Self, Failure> {
        let (style, names_players) = match state {
            State::Match(state) => (state.plan.pgn.clone(), false),
            State::Tournament(state) => (state.plan.record_style(), true),
        };
        let mut tags = EngineTags::default();
        for engine in state.engines() {
            let settings = &engine.settings;
            tags.add(&engine.name, &settings.options, settings.folder.as_deref());
        }
        let variant = state.play().variant()?;
        Ok(Self {
            games: GameWriter {
                variant,
                style,
                tags,
            },
            names_players,
        })
    }

    pub(crate) fn entry(&self, pair: &FinishedPair) -> Result<PairEntry, Failure> {
        Ok(PairEntry {
            pair: pair.pair,
            players: self.names_players.then(|| pair.players()).flatten(),
            games: GameRecord::of_pair(pair),
            pgn: self.games.pair(pair)?,
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
            // Another reporter may have failed between a pair and its progress.
            Event::Finished(..) => {
                self.directory.append(std::mem::take(&mut self.pairs))?;
                self.directory.sync()
            }
            _ => Ok(()),
        }
    }
}
