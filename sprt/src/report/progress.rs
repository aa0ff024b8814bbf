//! Live progress on stderr: one line that is redrawn on a terminal, a line now and then elsewhere.

use std::time::{Duration, Instant};

use foundation::{Failure, Printer};
use indicatif::{ProgressBar, ProgressStyle};

use super::{Event, Reporter, RunState};
use crate::arena::FinishedPair;
use crate::standing::Standing;
use stats::Test;

/// Off a terminal, a line no more often than this.
const PAUSE: Duration = Duration::from_secs(10);
/// So many spoiled games are told one by one; after that they are only counted.
const FAULTS_TOLD: u32 = 5;

/// The progress of one run.
pub struct Progress {
    printer: Printer,
    bar: Option<ProgressBar>,
    started: Instant,
    /// Games that were played before this process began.
    games_before: u64,
    last_line: Instant,
    faults: u32,
}

impl Reporter for Progress {
    fn hear(&mut self, event: &Event<'_>) -> Result<(), Failure> {
        match event {
            Event::RunStarted(state) => self.begin(state),
            Event::PairFinished(pair) => self.tell_faults(pair),
            Event::Progress(standing) => self.show(standing),
            Event::RunFinished(_) => {
                if let Some(bar) = &self.bar {
                    bar.finish_and_clear();
                }
            }
            Event::Live(_) => {}
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
            games_before: 0,
            last_line: now,
            faults: 0,
        }
    }

    fn begin(&mut self, state: &RunState<'_>) {
        let RunState {
            plan,
            run,
            standing,
        } = state;
        let (printer, play) = (self.printer, &plan.play);
        let (games, openings) = (standing.tally().wdl.games(), play.book.openings);
        printer.note(&format!(
            "{} against {}: {}, {} at a time, {openings} openings, seed {}",
            plan.new.name, plan.base.name, play.limit, play.concurrency, play.book.reading.seed
        ));
        let Test {
            elo0,
            elo1,
            alpha,
            beta,
            model,
            ..
        } = plan.test;
        printer.note(&format!(
            "SPRT [{elo0:.2}, {elo1:.2}] {}, alpha {alpha}, beta {beta}; run {}",
            model.name(),
            run.display()
        ));
        if games > 0 {
            printer.note(&format!("continuing after {games} games"));
        }
        self.games_before = games;
        self.started = Instant::now();
        self.last_line = self.started;
        self.bar = printer.draws_progress().then(new_bar);
    }

    /// Tells of games that an engine spoiled.
    fn tell_faults(&mut self, pair: &FinishedPair) {
        for (number, game) in pair.games.iter().enumerate() {
            if !game.end.is_fault() {
                continue;
            }
            self.faults += 1;
            if self.faults > FAULTS_TOLD {
                continue;
            }
            let loser = if game.end.winner() == Some(game.new) {
                "base"
            } else {
                "new"
            };
            let detail = game
                .end
                .detail()
                .map_or_else(String::new, |detail| format!(": {detail}"));
            let more = if self.faults == FAULTS_TOLD {
                " (more of these are only counted)"
            } else {
                ""
            };
            let game_number = 2 * pair.pair + number as u64 + 1;
            let text = game.end.text();
            let text = format!("game {game_number}: {text} ({loser}){detail}{more}");
            self.aside(|printer| printer.warn(&text));
        }
    }

    fn show(&mut self, standing: &Standing) {
        let now = Instant::now();
        if self.bar.is_none() && now - self.last_line < PAUSE {
            return;
        }
        self.last_line = now;
        let line = self.line(standing, now);
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

    fn line(&self, standing: &Standing, now: Instant) -> String {
        let games = standing.tally().wdl.games();
        let seconds = (now - self.started).as_secs_f64().max(0.001);
        let speed = (games - self.games_before) as f64 / seconds;
        let mut line = progress(standing);
        line.push_str(&format_speed(speed));
        line
    }
}

/// The state of a test in one line.
fn progress(standing: &Standing) -> String {
    let Some(summary) = standing.summary() else {
        return "no games yet".to_owned();
    };
    let llr = summary.llr.unwrap_or(0.0);
    let elo = match (summary.elo.low, summary.elo.value, summary.elo.high) {
        (Some(low), Some(value), Some(high)) => {
            format!("{value:.1} +- {:.1}", (high - value).max(value - low))
        }
        _ => "-".to_owned(),
    };
    let tally = standing.tally();
    let [ll, ld, middle, dw, ww] = tally.pentanomial.0;
    let left = match summary.expected_pairs_left {
        Some(pairs) if pairs > 0.0 => format!(" | ~{pairs:.0} pairs to go"),
        _ => String::new(),
    };
    format!(
        "LLR {llr:.2} ({:.2}, {:.2}) | Elo {elo} | {} games: {} W {} L {} D | penta {ll}, {ld}, {middle}, {dw}, {ww}{left}",
        summary.lower,
        summary.upper,
        tally.wdl.games(),
        tally.wdl.wins,
        tally.wdl.losses,
        tally.wdl.draws,
    )
}

fn format_speed(games_per_second: f64) -> String {
    if games_per_second >= 1.0 {
        format!(" | {games_per_second:.1} games/s")
    } else {
        format!(" | {:.1} games/min", games_per_second * 60.0)
    }
}

fn new_bar() -> ProgressBar {
    let bar = ProgressBar::new_spinner();
    // The template is a constant; should it be wrong, the default style does.
    if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed_precise} {wide_msg}") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(250));
    bar
}
