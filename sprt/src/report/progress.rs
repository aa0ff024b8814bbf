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

/// Columns that the bar takes before the line: a spinner and the time.
pub(super) const BEFORE_LINE: usize = 11;

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
            plan.new.name,
            plan.base.name,
            plan.limit_in_prose(),
            play.concurrency,
            play.book.reading.seed
        ));
        let Test {
            elo0,
            elo1,
            alpha,
            beta,
            model,
            ..
        } = plan.test;
        let question = match plan.max_pairs.filter(|_| plan.no_test) {
            Some(openings) => format!("{} games without a test", openings * plan.games_per_opening),
            None => format!(
                "SPRT [{elo0:.2}, {elo1:.2}] {}, alpha {alpha}, beta {beta}",
                model.name()
            ),
        };
        printer.note(&format!("{question}; run {}", run.display()));
        printer.note("watch it in a browser: `sprt serve`");
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
            let game_number = pair.games.len() as u64 * pair.pair + number as u64 + 1;
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
        let columns = match &self.bar {
            Some(_) => columns().saturating_sub(BEFORE_LINE),
            None => usize::MAX,
        };
        fitting(&parts(standing, Some(speed)), columns)
    }
}

/// What is said of a running test, the most important first.
pub fn parts(standing: &Standing, games_per_second: Option<f64>) -> Vec<String> {
    let Some(summary) = standing.summary() else {
        return vec!["no games yet".to_owned()];
    };
    let tally = standing.tally();
    let mut parts = Vec::new();
    if let (Some(lower), Some(upper)) = (summary.lower, summary.upper) {
        let llr = summary.llr.unwrap_or(0.0);
        parts.push(format!("LLR {llr:.2} ({lower:.2}, {upper:.2})"));
    }
    if let Some(left) = summary.expected_pairs_left.filter(|left| *left > 0.0) {
        let time = games_per_second
            .filter(|speed| *speed > 0.0)
            .map(|speed| 2.0 * left / speed);
        parts.push(match time {
            Some(seconds) => format!("~{} to go", duration(seconds)),
            None => format!("~{left:.0} pairs to go"),
        });
    }
    if let (Some(low), Some(value), Some(high)) =
        (summary.elo.low, summary.elo.value, summary.elo.high)
    {
        parts.push(format!(
            "Elo {value:.1} +- {:.1}",
            (high - value).max(value - low)
        ));
    }
    let wdl = &tally.wdl;
    parts.push(format!(
        "{} games: {} W {} L {} D",
        wdl.games(),
        wdl.wins,
        wdl.losses,
        wdl.draws
    ));
    if let Some(pairs) = summary.pentanomial {
        let [ll, ld, middle, dw, ww] = pairs.0;
        parts.push(format!("penta {ll}, {ld}, {middle}, {dw}, {ww}"));
    }
    if let Some(speed) = games_per_second {
        parts.push(format_speed(speed));
    }
    parts
}

/// As many of the parts as there is room for.
pub fn fitting(parts: &[String], columns: usize) -> String {
    let mut line = String::new();
    for part in parts {
        let separator = if line.is_empty() { "" } else { " | " };
        if line.chars().count() + separator.len() + part.chars().count() > columns {
            break;
        }
        line.push_str(separator);
        line.push_str(part);
    }
    line
}

/// A time to wait, as coarse as it is uncertain.
pub(super) fn duration(seconds: f64) -> String {
    let minutes = seconds / 60.0;
    if minutes < 1.0 {
        "1 min".to_owned()
    } else if minutes < 90.0 {
        format!("{minutes:.0} min")
    } else if minutes < 2880.0 {
        format!("{:.1} h", minutes / 60.0)
    } else {
        format!("{:.1} d", minutes / 1440.0)
    }
}

pub(super) fn format_speed(games_per_second: f64) -> String {
    if games_per_second >= 1.0 {
        format!("{games_per_second:.1} games/s")
    } else {
        format!("{:.1} games/min", games_per_second * 60.0)
    }
}

/// Columns of the terminal that the line is drawn on.
pub fn columns() -> usize {
    usize::from(console::Term::stderr().size().1)
}

pub(super) fn new_bar() -> ProgressBar {
    let bar = ProgressBar::new_spinner();
    // The template is a constant; should it be wrong, the default style does.
    if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed_precise} {wide_msg}") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(250));
    bar
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_narrow_terminal_gets_whole_parts_only() {
        let parts: Vec<String> = [
            "LLR 2.44 (-2.94, 2.94)",
            "~12 min to go",
            "Elo 24.9 +- 32.3",
        ]
        .map(str::to_owned)
        .to_vec();
        assert_eq!(
            fitting(&parts, 40),
            "LLR 2.44 (-2.94, 2.94) | ~12 min to go"
        );
        assert_eq!(fitting(&parts, 29), "LLR 2.44 (-2.94, 2.94)");
        assert_eq!(fitting(&parts, usize::MAX).matches(" | ").count(), 2);
    }

    #[test]
    fn times_to_wait_are_coarse() {
        assert_eq!(
            [20.0, 500.0, 5400.0, 400_000.0].map(duration),
            ["1 min", "8 min", "1.5 h", "4.6 d"]
        );
    }
}
