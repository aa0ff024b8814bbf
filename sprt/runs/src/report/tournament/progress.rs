//! Live progress of a tournament on stderr: a line, and now and then the table.

use std::time::{Duration, Instant};

use foundation::{Failure, Printer, counted};
use indicatif::ProgressBar;
use stats::ratings::rating_table;

use super::sentence::progress_in_words;
use crate::report::command::to_serve;
use crate::report::outlook::{duration, speed as in_words};
use crate::report::progress::{BEFORE_LINE, Part, WIDEST_MARGIN, columns, fitting, new_bar};
use crate::report::spoiled::Spoiled;
use crate::report::{Event, Reporter, State, TournamentState};
use crate::tournament::Figures;
use referee::arena::FinishedPair;

/// Off a terminal, a line no more often than this.
const PAUSE: Duration = Duration::from_secs(10);
/// Between two tables.
const TABLE_PAUSE: Duration = Duration::from_mins(1);

/// The progress of one tournament.
pub struct Progress {
    printer: Printer,
    bar: Option<ProgressBar>,
    started: Instant,
    /// Pairs that were played before this process began.
    pairs_before: u64,
    last_line: Instant,
    last_table: Instant,
    spoiled: Spoiled,
}

impl Reporter for Progress {
    fn on_event(&mut self, event: &Event<'_>) -> Result<(), Failure> {
        match event {
            Event::Started(State::Tournament(state)) => self.begin(state),
            Event::PairFinished(pair) => self.print_faults(pair),
            Event::Progress(State::Tournament(state)) => self.show(state),
            Event::Finished(..) => {
                if let Some(bar) = &self.bar {
                    bar.finish_and_clear();
                }
            }
            _ => {}
        }
        Ok(())
    }
}

impl Progress {
    pub fn new(printer: Printer) -> Self {
        let now = Instant::now();
        Self {
            printer,
            bar: None,
            started: now,
            pairs_before: 0,
            last_line: now,
            last_table: now,
            spoiled: Spoiled::default(),
        }
    }

    fn begin(&mut self, state: &TournamentState<'_>) {
        let (plan, printer) = (state.plan, self.printer);
        let (format, play) = (&plan.format, &plan.play);
        printer.note(&format!(
            "{}: {} of {} engines, {} of two games a pairing",
            format.title,
            format.kind.words(),
            plan.engines.len(),
            counted(format.rounds, "round")
        ));
        printer.note(&format!(
            "{}, {} at a time, {}, seed {}; run {}",
            plan.limit_in_prose(),
            play.concurrency,
            counted(play.book.openings, "opening"),
            play.book.reading.seed,
            state.run.display()
        ));
        let watch = to_serve(state.run);
        printer.note(&format!("watch it in a browser: `{watch}`"));
        let pairs = state.standing.pairs();
        if state.standing.is_over() {
            printer.note(&format!(
                "over after {}; nothing is left to play",
                counted(pairs, "pair")
            ));
        } else if pairs > 0 {
            printer.note(&format!("continuing after {}", counted(pairs, "pair")));
        }
        let now = Instant::now();
        self.pairs_before = pairs;
        (self.started, self.last_line, self.last_table) = (now, now, now);
        self.bar = printer.draws_progress().then(new_bar);
    }

    /// Reports games that an engine spoiled.
    fn print_faults(&mut self, pair: &FinishedPair) {
        let mut spoiled = std::mem::take(&mut self.spoiled);
        for (number, game, more) in spoiled.games(pair) {
            let detail = game.end.detail().map(|detail| format!(": {detail}"));
            let text = format!(
                "game {}, {} against {}: {}{}{more}",
                2 * pair.pair + number + 1,
                game.white.name,
                game.black.name,
                game.end.text(),
                detail.unwrap_or_default()
            );
            self.aside(|printer| printer.warn(&text));
        }
        self.spoiled = spoiled;
    }

    fn show(&mut self, state: &TournamentState<'_>) {
        let now = Instant::now();
        if now - self.last_table >= TABLE_PAUSE && !state.standing.is_over() {
            self.last_table = now;
            let (names, table) = (state.plan.names(), state.standing.table());
            let text = rating_table(&names, table, state.standing.ratings());
            self.aside(|printer| printer.note(text.trim_end()));
        }
        if self.bar.is_none() && now - self.last_line < PAUSE {
            return;
        }
        self.last_line = now;
        let seconds = (now - self.started).as_secs_f64().max(0.001);
        let speed = (state.standing.pairs() - self.pairs_before) as f64 / seconds;
        let columns = match &self.bar {
            Some(_) => columns().saturating_sub(BEFORE_LINE),
            None => usize::MAX,
        };
        let line = fitting(&parts(state, Some(speed)), columns);
        match &self.bar {
            Some(bar) => bar.set_message(line),
            None => self.printer.note(&line),
        }
    }

    /// Prints above the bar.
    fn aside(&self, print: impl FnOnce(Printer)) {
        match &self.bar {
            Some(bar) => bar.suspend(|| print(self.printer)),
            None => print(self.printer),
        }
    }
}

/// The parts of the line about a running tournament, the most important first.
pub fn parts(state: &TournamentState<'_>, pairs_per_second: Option<f64>) -> Vec<Part> {
    let figures = Figures::of(state.plan, state.standing);
    let stage = figures
        .stages
        .last()
        .map(|stage| format!("{}: ", stage.name));
    let mut parts = vec![stage.unwrap_or_default() + &progress_in_words(state.standing)];
    let left = state.standing.schedule().pairs_left();
    let speed = pairs_per_second.filter(|speed| *speed > 0.0);
    if let Some(speed) = speed.filter(|_| left > 0) {
        parts.push(format!("~{} to go", duration(left as f64 / speed)));
    }
    if let Some(leader) = figures.leader()
        && let (Some(elo), Some(error)) = (leader.elo, leader.error)
    {
        if error <= WIDEST_MARGIN {
            parts.push(format!("{} leads: {elo:.0} +- {error:.0}", leader.name));
        } else {
            parts.push(format!("{} leads", leader.name));
        }
    } else if figures.engines.iter().any(|row| row.elo.is_some()) {
        parts.push("nobody leads".to_owned());
    }
    parts.extend(speed.map(|speed| in_words(2.0 * speed)));
    parts.into_iter().map(Part::of).collect()
}
