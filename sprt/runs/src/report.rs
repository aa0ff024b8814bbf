//! Everything that a run writes. Each writer is a [`Reporter`] in its own file, which is given the one
//! stream of [`Event`]s and computes no statistic: those are in the standing that events carry.
//!
//! To add a reporter, write its file, with its module and a line in [`Reporters::new`] here.

use foundation::{Failure, Printer};

use crate::run_folder::MatchFolder;

mod append;
pub mod block;
pub mod command;
mod conclusion;
mod epd;
mod event;
mod events;
pub mod html;
pub(crate) mod journal;
pub mod json;
pub mod line;
pub mod live;
pub mod outlook;
mod output;
pub mod part;
pub mod pgn;
pub mod progress;
mod proof;
mod recorder;
mod reporter;
mod result;
mod spoiled;
pub mod tournament;
pub mod verdict;

pub use event::{Event, MatchState, RunEnd, State, TournamentState};
pub use output::{Output, check_writable};
pub use proof::same_proof;
pub use reporter::Reporter;

/// All reporters of a run, which get each event in the order of the list.
pub struct Reporters {
    list: Vec<Box<dyn Reporter>>,
    /// So many at its beginning write to the folder of the run.
    in_folder: usize,
}

impl Reporters {
    /// The reporters of a run that stands like this.
    pub fn new(
        state: &State<'_>,
        folder: MatchFolder,
        output: &Output,
        printer: Printer,
    ) -> Result<Self, Failure> {
        let (run, variant) = (state.run(), state.play().variant()?);
        let is_stdout_taken =
            output.is_part || output.events.as_deref().is_some_and(events::is_stdout);
        let writer = journal::EntryWriter::of(state)?;
        let mut list: Vec<Box<dyn Reporter>> = vec![
            Box::new(journal::Journal::new(folder, writer)),
            Box::new(recorder::Recorder::new(run)),
            Box::new(result::ResultFile),
            Box::new(live::Live::new(run, &state.limits())),
        ];
        let in_folder = list.len();
        list.push(Box::new(progress::Progress::new(printer)));
        if !is_stdout_taken {
            let json = output.json;
            list.push(Box::new(result::Printed { printer, json }));
        }
        if let Some(file) = &output.events {
            list.push(Box::new(events::Events::create(file)?));
        }
        if let Some(file) = &output.epd {
            list.push(Box::new(epd::Appended::open(file, variant)?));
        }
        if let Some(file) = &output.pgn {
            let checksum = output.pgn_crc32.then_some(printer);
            let file = file.clone();
            list.push(Box::new(pgn::Copy { file, checksum }));
        }
        list.push(Box::new(conclusion::Conclusion::new(printer, output)));
        Ok(Self { list, in_folder })
    }

    /// Nothing more is written to the folder of the run, where another run may lie now.
    pub(crate) fn leave_folder(&mut self) {
        self.list.drain(..std::mem::take(&mut self.in_folder));
    }

    /// Gives an event to all reporters; the first failure is returned after the others have had it.
    pub fn report(&mut self, event: &Event<'_>) -> Result<(), Failure> {
        let results: Vec<_> = self
            .list
            .iter_mut()
            .map(|one| one.on_event(event))
            .collect();
        results.into_iter().collect()
    }

    pub(crate) fn want_live(&self) -> bool {
        self.list.iter().any(|reporter| reporter.wants_live())
    }

    pub fn want_moves(&mut self) -> bool {
        // All of them are asked, for some remember what they answered.
        let mut wanted = false;
        for reporter in &mut self.list {
            wanted |= reporter.wants_moves();
        }
        wanted
    }
}
