//! All events of a run as JSON Lines, for programs that follow it.
//!
//! Each line is an object with `type`. The first has `schema` ("sprt-events") and `version`, and is
//! there as soon as the file is. Members are only ever added within a version; unknown types and
//! members are to be ignored.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use foundation::{Failure, failure::OrUnable};
use serde::Serialize;

use super::{Event, MatchState, Reporter, RunEnd, State, TournamentState};
use crate::standing::Standing;
use referee::arena::{self, FinishedPair, SchedulerState};

const SCHEMA: &str = "sprt-events";
const VERSION: u32 = 1;

/// Where the lines go.
pub(super) struct Events {
    /// As on the command line.
    file: PathBuf,
    out: Box<dyn Write>,
}

/// The first line.
#[derive(Serialize)]
struct Header {
    #[serde(rename = "type")]
    kind: &'static str,
    schema: &'static str,
    version: u32,
}

/// The other lines.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Line<'a> {
    RunStarted(&'a MatchState<'a>),
    Progress(&'a Standing),
    RunFinished(Ended<&'a MatchState<'a>>),
    TournamentStarted(&'a TournamentState<'a>),
    TournamentProgress(&'a TournamentState<'a>),
    TournamentFinished(Ended<&'a TournamentState<'a>>),
    PairFinished(&'a FinishedPair),
    PaceChanged(SchedulerState),
    #[serde(untagged)]
    Live(&'a arena::Event),
}

#[derive(Serialize)]
struct Ended<S> {
    #[serde(flatten)]
    state: S,
    end: RunEnd,
}

impl<'a> Line<'a> {
    fn of(event: &'a Event<'a>) -> Option<Self> {
        Some(match event {
            Event::Started(State::Match(state)) => Self::RunStarted(state),
            Event::Started(State::Tournament(state)) => Self::TournamentStarted(state),
            Event::Progress(State::Match(state)) => Self::Progress(state.standing),
            Event::Progress(State::Tournament(state)) => Self::TournamentProgress(state),
            Event::Finished(State::Match(state), end) => {
                Self::RunFinished(Ended { state, end: *end })
            }
            Event::Finished(State::Tournament(state), end) => {
                Self::TournamentFinished(Ended { state, end: *end })
            }
            Event::PairFinished(pair) => Self::PairFinished(pair),
            Event::StateChanged(state) => Self::PaceChanged(*state),
            // The lower number of slots follows.
            Event::SlotFailed(..) => return None,
            Event::Live(event) => Self::Live(event),
        })
    }
}

impl Events {
    /// Begins the file anew; `-` is standard output.
    pub(super) fn create(file: &Path) -> Result<Self, Failure> {
        let out: Box<dyn Write> = if is_stdout(file) {
            Box::new(io::stdout())
        } else {
            let file = File::create(file)
                .or_unable(format_args!("write events to `{}`", file.display()))
                .map_err(|failure| {
                    failure.hint("name a file that you may write to with --events")
                })?;
            Box::new(BufWriter::new(file))
        };
        let mut events = Self {
            file: file.to_owned(),
            out,
        };
        events.write(&Header {
            kind: "header",
            schema: SCHEMA,
            version: VERSION,
        })?;
        Ok(events)
    }

    fn write(&mut self, line: &impl Serialize) -> Result<(), Failure> {
        let mut text = serde_json::to_string(line).or_unable("write an event as JSON")?;
        text.push('\n');
        // Each line is written as soon as its event has happened.
        let written = self
            .out
            .write_all(text.as_bytes())
            .and_then(|()| self.out.flush());
        match written {
            // The reader of the events has closed its end; the run continues.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.out = Box::new(io::sink());
                Ok(())
            }
            written => written.or_unable(format_args!("write events to `{}`", self.file.display())),
        }
    }
}

/// Whether events go where results go.
pub(crate) fn is_stdout(file: &Path) -> bool {
    file == Path::new("-")
}

impl Reporter for Events {
    fn on_event(&mut self, event: &Event<'_>) -> Result<(), Failure> {
        Line::of(event).map_or(Ok(()), |line| self.write(&line))
    }

    fn wants_live(&self) -> bool {
        true
    }
}
