//! The result at the end: on stdout, and as JSON in the run's folder.

use foundation::{Failure, Printer, files};

use super::{Event, Reporter, RunEnd, State, block, json, tournament};
use crate::recorded::RESULT;

/// Writes the result to the run's folder, whatever the end.
pub(super) struct ResultFile;

impl Reporter for ResultFile {
    fn on_event(&mut self, event: &Event<'_>) -> Result<(), Failure> {
        match event {
            Event::Finished(state, _) => files::replace(&state.run().join(RESULT), json_of(state)?),
            _ => Ok(()),
        }
    }
}

/// Prints the result at the end, as JSON or as text.
pub(super) struct Printed {
    pub printer: Printer,
    pub json: bool,
}

impl Reporter for Printed {
    fn on_event(&mut self, event: &Event<'_>) -> Result<(), Failure> {
        let Event::Finished(state, RunEnd::Over | RunEnd::Interrupted) = event else {
            return Ok(());
        };
        match state {
            _ if self.json => self.printer.result(&json_of(state)?),
            State::Match(state) => block::print(state, self.printer)?,
            State::Tournament(state) => self.printer.result(&tournament::tables(state)),
        }
        Ok(())
    }
}

fn json_of(state: &State<'_>) -> Result<String, Failure> {
    match state {
        State::Match(state) => json::json(state),
        State::Tournament(state) => tournament::json(state),
    }
}
