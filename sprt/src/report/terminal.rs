//! Live progress on stderr: one line that is redrawn on a terminal, a line now and then elsewhere.

use std::path::Path;
use std::time::{Duration, Instant};

use foundation::Printer;
use indicatif::{ProgressBar, ProgressStyle};

use crate::arena::FinishedPair;
use crate::plan::Plan;
use crate::tally::Tally;
use stats::{MatchCounts, Summary, Test};

/// Off a terminal, a line no more often than this.
const PAUSE: Duration = Duration::from_secs(10);
/// So many spoiled games are told one by one; after that they are only counted.
const FAULTS_TOLD: u32 = 5;

/// The progress of one run.
pub struct Terminal {
    printer: Printer,
    test: Test,
    bar: Option<ProgressBar>,
    started: Instant,
    /// Games that were played before this process began.
    games_before: u64,
    last_line: Instant,
    faults: u32,
}

impl Terminal {
    pub fn start(plan: &Plan, tally: &Tally, run: &Path, printer: Printer) -> Self {
        let play = &plan.play;
        let (games, openings) = (tally.wdl.games(), play.book.openings);
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
        } = plan.test;
        printer.note(&format!(
            "SPRT [{elo0:.2}, {elo1:.2}] {}, alpha {alpha}, beta {beta}; run {}",
            model.name(),
            run.display()
        ));
        if games > 0 {
            printer.note(&format!("continuing after {games} games"));
        }
        let now = Instant::now();
        Self {
            printer,
            test: plan.test,
            bar: printer.draws_progress().then(new_bar),
            started: now,
            games_before: games,
            last_line: now,
            faults: 0,
        }
    }

    /// Tells of games that an engine spoiled.
    pub fn pair(&mut self, pair: &FinishedPair) {
        for (number, game) in pair
            .games
            .iter()
            .enumerate()
            .filter(|(_, game)| game.end.is_fault())
        {
            self.faults += 1;
            if self.faults > FAULTS_TOLD {
                continue;
            }
            let loser = if game.winner == Some(game.new) {
                "base"
            } else {
                "new"
            };
            let detail = game
                .detail
                .as_ref()
                .map_or_else(String::new, |detail| format!(": {detail}"));
            let more = if self.faults == FAULTS_TOLD {
                " (more of these are only counted)"
            } else {
                ""
            };
            let game_number = 2 * pair.pair + number as u64 + 1;
            let text = format!("game {game_number}: {} ({loser}){detail}{more}", game.text);
            self.aside(|printer| printer.warn(&text));
        }
    }

    pub fn tally(&mut self, tally: &Tally) {
        let now = Instant::now();
        if self.bar.is_none() && now - self.last_line < PAUSE {
            return;
        }
        self.last_line = now;
        let line = self.line(tally, now);
        match &self.bar {
            Some(bar) => bar.set_message(line),
            None => self.printer.note(&line),
        }
    }

    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    /// Prints above the bar.
    fn aside(&self, print: impl FnOnce(Printer)) {
        match &self.bar {
            Some(bar) => bar.suspend(|| print(self.printer)),
            None => print(self.printer),
        }
    }

    fn line(&self, tally: &Tally, now: Instant) -> String {
        let games = tally.wdl.games();
        let seconds = (now - self.started).as_secs_f64().max(0.001);
        let speed = (games - self.games_before) as f64 / seconds;
        let mut line = progress(&self.test, tally);
        line.push_str(&format_speed(speed));
        line
    }
}

/// The state of a test in one line.
pub fn progress(test: &Test, tally: &Tally) -> String {
    let summary = match MatchCounts::new(tally.pentanomial, tally.wdl) {
        Ok(score) => Summary::of(test, &score),
        // The tally counts both from the same games, so they always agree.
        Err(failure) => return failure.to_string(),
    };
    let llr = summary.llr.unwrap_or(0.0);
    let elo = match (summary.elo.low, summary.elo.value, summary.elo.high) {
        (Some(low), Some(value), Some(high)) => {
            format!("{value:.1} +- {:.1}", (high - value).max(value - low))
        }
        _ => "-".to_owned(),
    };
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
