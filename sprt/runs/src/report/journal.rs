//! Keeps finished pairs in the run's folder, from which the run can go on.

use foundation::Failure;

use super::{Event, Reporter, pgn};
use crate::pair_record::GameRecord;
use crate::plan::RecordStyle;
use crate::run_folder::{MatchFolder, PairEntry};
use referee::game::Variant;

/// Gathers pairs and writes them with the next [`Event::Progress`], so that a batch waits for the
/// disk once.
pub(super) struct Journal {
    directory: MatchFolder,
    variant: &'static dyn Variant,
    style: RecordStyle,
    /// Whether each line says who played.
    names_players: bool,
    pairs: Vec<PairEntry>,
}

impl Journal {
    pub(super) fn new(
        directory: MatchFolder,
        variant: &'static dyn Variant,
        style: RecordStyle,
    ) -> Self {
        Self {
            directory,
            variant,
            style,
            names_players: false,
            pairs: Vec::new(),
        }
    }

    /// Of a tournament, in which players change from pair to pair.
    pub(crate) fn of_tournament(
        directory: MatchFolder,
        variant: &'static dyn Variant,
        style: RecordStyle,
    ) -> Self {
        Self {
            names_players: true,
            ..Self::new(directory, variant, style)
        }
    }
}

impl Reporter for Journal {
    fn on_event(&mut self, event: &Event<'_>) -> Result<(), Failure> {
        match event {
            Event::PairFinished(pair) => {
                let players = self.names_players.then(|| pair.players()).flatten();
                self.pairs.push(PairEntry {
                    pair: pair.pair,
                    players,
                    games: GameRecord::of_pair(pair),
                    pgn: pgn::write_pair(self.variant, &self.style, pair)?,
                });
                Ok(())
            }
            Event::Progress(_) => self.directory.append(std::mem::take(&mut self.pairs)),
            Event::Finished(..) => self.directory.sync(),
            _ => Ok(()),
        }
    }
}
