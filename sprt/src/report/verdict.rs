//! The verdict in words on stderr, with what a reader must know beside it.

use std::fmt::Write as _;

use foundation::{Failure, Printer};
use stats::Verdict;

use super::{Event, Reporter, RunEnd, RunState};

/// Says at the end how the run ended.
pub struct Printed(pub Printer);

impl Reporter for Printed {
    fn hear(&mut self, event: &Event<'_>) -> Result<(), Failure> {
        if let Event::RunFinished(finished) = event {
            match finished.end {
                RunEnd::Over => self.0.note(&sentence(&finished.state)),
                RunEnd::Interrupted => self.0.note(&format!(
                    "interrupted; continue with `sprt resume {}`",
                    finished.state.run.display()
                )),
                RunEnd::Failed => {}
            }
        }
        Ok(())
    }
}

/// How a run ended, or stands.
pub fn sentence(state: &RunState<'_>) -> String {
    let (plan, standing) = (state.plan, state.standing);
    let (new, base) = (&plan.new.name, &plan.base.name);
    let mut sentence = match standing.verdict() {
        Verdict::H1 => format!("H1 accepted: {new} is stronger than {base}"),
        Verdict::H0 => format!("H0 accepted: {new} is not stronger than {base}"),
        Verdict::Undecided => format!("undecided between {new} and {base}"),
    };
    // Writing to a `String` cannot fail.
    let unbiased = standing.summary().map(|summary| summary.unbiased_elo);
    if let Some((low, value, high)) =
        unbiased.and_then(|elo| Some((elo.low?, elo.value?, elo.high?)))
    {
        let _ = write!(
            sentence,
            "; allowing for the stop, Elo {value:.1} [{low:.1}, {high:.1}]"
        );
    }
    let tally = standing.tally();
    for (name, faults) in [(base, &tally.base_faults), (new, &tally.new_faults)] {
        if faults.sum() > 0 {
            let _ = write!(sentence, "\n{name} spoiled games: {}", faults.words());
        }
    }
    sentence
}
