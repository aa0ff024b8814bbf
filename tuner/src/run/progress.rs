//! What is seen while a run is played: a line that changes on a terminal, a line now and then
//! elsewhere.

use std::time::{Duration, Instant};

use foundation::{Printer, counted};
use indicatif::{ProgressBar, ProgressStyle};

use crate::parameter::Parameter;
use crate::run::lines::FaultLine;
use crate::run::printed::{interval, shown};
use crate::run::session::Session;

/// How often movers and Elo are computed anew, and lines printed off a terminal.
const INTERVAL: Duration = Duration::from_mins(1);
const MOVERS: usize = 3;

/// Tells how a run goes.
pub(crate) struct Progress {
    printer: Printer,
    bar: Option<ProgressBar>,
    started: Instant,
    first: u64,
    printed: Instant,
    faults: u64,
}

impl Progress {
    pub(crate) fn start(session: &Session, run: &str, printer: Printer) -> Self {
        let begun = if session.taken_in() == 0 {
            "starts"
        } else {
            "continues"
        };
        printer.note(&format!(
            "the run {begun} in {run} at pair {}",
            session.taken_in()
        ));
        let bar = printer.draws_progress().then(|| {
            let bar = ProgressBar::new(session.pairs());
            let template = "{bar:24} {pos}/{len} pairs, {per_sec}, {eta} left  {wide_msg}";
            if let Ok(style) = ProgressStyle::with_template(template) {
                bar.set_style(style);
            }
            bar.set_position(session.taken_in());
            bar.reset_eta();
            bar
        });
        Self {
            printer,
            bar,
            started: Instant::now(),
            first: session.taken_in(),
            printed: Instant::now(),
            faults: 0,
        }
    }

    pub(crate) fn pair(&mut self, session: &Session) {
        if let Some(bar) = &self.bar {
            bar.set_position(session.taken_in());
        }
        if self.printed.elapsed() >= INTERVAL {
            self.printed = Instant::now();
            let movers = movers(session);
            match &self.bar {
                Some(bar) => bar.set_message(movers),
                None => self.printer.note(&self.line(session, &movers)),
            }
        }
    }

    fn line(&self, session: &Session, movers: &str) -> String {
        let played = (session.taken_in() - self.first) as f64;
        let speed = played / self.started.elapsed().as_secs_f64().max(1e-9);
        let left = session.pairs().saturating_sub(session.taken_in()) as f64 / speed.max(1e-9);
        format!(
            "{} of {}, {speed:.2}/s, {:.0} min left; {movers}",
            session.taken_in(),
            counted(session.pairs(), "pair"),
            left / 60.0
        )
    }

    /// An engine has failed: which values it had.
    pub(crate) fn fault(&mut self, fault: &FaultLine, parameters: &[Parameter]) {
        self.faults += 1;
        let values: Vec<String> = parameters
            .iter()
            .zip(fault.plus.iter().zip(&fault.minus))
            .map(|(parameter, (plus, minus))| {
                let [plus, minus] = [plus, minus].map(|value| shown(&parameter.choices, *value));
                format!("{}={plus}|{minus}", parameter.name)
            })
            .collect();
        let text = format!(
            "pair {}, try {}: {}; values plus|minus: {}",
            fault.pair,
            fault.attempt.saturating_add(1),
            fault.words(),
            values.join(" ")
        );
        match &self.bar {
            Some(bar) => bar.suspend(|| self.printer.warn(&text)),
            None => self.printer.warn(&text),
        }
    }

    pub(crate) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// The parameters that moved most, with the evidence for it, and the Elo expected.
fn movers(session: &Session) -> String {
    let summary = session.summary();
    let mut order: Vec<usize> = (0..session.tune().parameters.len()).collect();
    let moved = |index: &usize| summary.parameters[*index].moved.abs();
    order.sort_by(|a, b| moved(b).total_cmp(&moved(a)));
    let words: Vec<String> = order
        .iter()
        .take(MOVERS)
        .map(|&index| {
            let (parameter, found) = (
                &session.tune().parameters[index],
                &summary.parameters[index],
            );
            let value = parameter.settle(session.point()[index]);
            let evidence = match found.levels.iter().find(|level| level.value == value) {
                Some(level) => format!("{} Elo", interval(level.elo, level.elo_sd, 1)),
                None => format!(
                    "{:+.1} c, gradient {}",
                    found.moved,
                    interval(found.gradient, found.gradient_sd, 1)
                ),
            };
            let value = shown(&parameter.choices, value);
            format!("{} {value} ({evidence})", parameter.name)
        })
        .collect();
    format!(
        "{} Elo; {}",
        interval(summary.elo, summary.elo_sd, 1),
        words.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithm::AlgorithmName;
    use crate::algorithm::schedule::Schedule;
    use crate::evidence::anchors::Anchors;
    use crate::parameter::Kind;
    use crate::run::tune::Tune;
    use crate::synthetic::study;

    #[test]
    fn a_fraction_is_shown_with_its_digits() {
        let mut parameters = study::parameters(1, 1);
        (parameters[0].kind, parameters[0].value) = (Kind::Float, 1.5);
        (parameters[0].min, parameters[0].max, parameters[0].c_end) = (0.0, 4.0, 0.25);
        let session = Session::new(Tune {
            parameters,
            schedule: Schedule::default(),
            algorithm: AlgorithmName::default(),
            seed: 1,
            window: 1,
            anchors: Anchors::NONE,
        });
        let line = movers(&session);
        assert!(line.contains("P0 1.5 ("), "{line}");
    }
}
