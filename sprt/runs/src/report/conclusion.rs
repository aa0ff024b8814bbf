//! How a run ended, in words on stderr.

use foundation::{Failure, Printer};
use referee::arena::FinishedPair;

use super::{Event, MatchState, Output, Reporter, RunEnd, State, tournament, verdict};
use crate::control::Control;
use crate::status::Status;

/// Says at the end how the run ended.
pub(super) struct Conclusion {
    printer: Printer,
    output: Output,
    last_fault: Option<Fault>,
}

/// A game that an engine spoiled.
struct Fault {
    /// From 1.
    pair: u64,
    players: String,
    what: String,
}

impl Reporter for Conclusion {
    fn on_event(&mut self, event: &Event<'_>) -> Result<(), Failure> {
        match event {
            Event::PairFinished(pair) => {
                self.last_fault = Fault::of(pair).or(self.last_fault.take());
            }
            Event::Finished(state, end) => self.conclude(state, *end),
            _ => {}
        }
        Ok(())
    }
}

impl Conclusion {
    pub(super) fn new(printer: Printer, output: &Output) -> Self {
        Self {
            printer,
            output: output.clone(),
            last_fault: None,
        }
    }

    fn conclude(&self, state: &State<'_>, end: RunEnd) {
        match (end, state) {
            (RunEnd::Over, State::Match(state)) => {
                self.printer.note(&verdict::sentence(state, Status::Over));
            }
            (RunEnd::Over, State::Tournament(state)) => {
                self.printer.note(&tournament::sentence(state));
            }
            // The whole says it once for all of its parts.
            (RunEnd::Interrupted, State::Tournament(_)) if self.output.is_part => {}
            (RunEnd::Interrupted, _) => {
                let by = if Control::read(state.run()).stop {
                    "stopped from its page"
                } else {
                    "interrupted"
                };
                let resume = self.output.resume_command(state.run());
                self.printer.note(&format!("{by}; continue with {resume}"));
            }
            (RunEnd::Failed, _) => {}
        }
        if let State::Match(state) = state {
            self.print_latencies(state);
        }
        if let (RunEnd::Over, Some(fault)) = (end, &self.last_fault) {
            self.print_fault(state, fault);
        }
    }

    fn print_latencies(&self, state: &MatchState<'_>) {
        let (plan, diagnostics) = (state.plan, state.standing.tally().diagnostics);
        for (name, diagnostics) in [
            (&plan.base.name, diagnostics.base),
            (&plan.new.name, diagnostics.new),
        ] {
            if let Some([mean, most]) = diagnostics.latency_ms() {
                self.printer.detail(&format!(
                    "{name}: moves took {mean:.1} ms longer than it said on average, {most:.1} ms at most"
                ));
            }
        }
    }

    /// Names the last fault where faults took the result away.
    fn print_fault(&self, state: &State<'_>, fault: &Fault) {
        let Fault {
            pair,
            players,
            what,
        } = fault;
        match state {
            State::Match(state) if state.standing.no_verdict().is_some() => {
                self.printer
                    .note(&format!("last fault: pair {pair}: {what}"));
            }
            State::Tournament(state) if !state.standing.spoiled().is_empty() => {
                let text = format!("last fault: pair {pair}, {players}: {what}");
                self.printer.note(&text);
            }
            _ => {}
        }
    }
}

impl Fault {
    fn of(pair: &FinishedPair) -> Option<Self> {
        let game = pair.faulty_game()?;
        let detail = game.end.detail().map(|detail| format!(": {detail}"));
        Some(Self {
            pair: pair.pair + 1,
            players: format!("{} against {}", game.white.name, game.black.name),
            what: format!("{}{}", game.end.text(), detail.unwrap_or_default()),
        })
    }
}
