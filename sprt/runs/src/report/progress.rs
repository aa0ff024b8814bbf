//! Live progress on stderr: one line that is redrawn on a terminal, a line now and then elsewhere.

use std::time::{Duration, Instant};

use foundation::{Failure, Printer, counted};
use indicatif::{ProgressBar, ProgressStyle};

use super::outlook::{self, Outlook};
use super::spoiled::Spoiled;
use super::{Event, MatchState, Reporter, State, command};
use crate::activity::{Activity, now};
use crate::standing::Standing;
use referee::arena::{FinishedPair, SchedulerState};
use stats::Test;

/// Off a terminal, a line no more often than this.
const PAUSE: Duration = Duration::from_secs(10);
/// On a terminal, no more often than can be read.
const REDRAW: Duration = Duration::from_millis(200);

/// An Elo with a wider margin says nothing yet.
pub(crate) const WIDEST_MARGIN: f64 = 200.0;

/// Columns that the bar takes before the line: a spinner and the time.
pub(super) const BEFORE_LINE: usize = 11;

/// The progress of one run.
pub struct Progress {
    printer: Printer,
    bar: Option<ProgressBar>,
    activity: Activity,
    last_line: Instant,
    /// What it said.
    last_words: String,
    /// Whether no line was drawn yet; on a terminal the first one is drawn at once.
    is_first: bool,
    spoiled: Spoiled,
}

impl Reporter for Progress {
    fn on_event(&mut self, event: &Event<'_>) -> Result<(), Failure> {
        match event {
            Event::Started(State::Match(state)) => self.begin(state),
            Event::PairFinished(pair) => self.print_faults(pair),
            Event::Progress(State::Match(state)) => self.show(state.standing),
            Event::Finished(..) => {
                if let Some(bar) = &self.bar {
                    bar.finish_and_clear();
                }
            }
            Event::StateChanged(state) => self.change_state(*state),
            _ => {}
        }
        Ok(())
    }
}

impl Progress {
    pub fn new(printer: Printer) -> Self {
        Self {
            printer,
            bar: None,
            activity: Activity::default(),
            last_line: Instant::now(),
            last_words: String::new(),
            is_first: false,
            spoiled: Spoiled::default(),
        }
    }

    fn begin(&mut self, state: &MatchState<'_>) {
        let MatchState {
            plan,
            run,
            standing,
        } = state;
        let (printer, play) = (self.printer, &plan.play);
        let (games, openings) = (standing.tally().wdl.games(), play.book.openings);
        printer.note(&format!(
            "{} against {}: {}, {} at a time, {}, seed {}",
            plan.new.name,
            plan.base.name,
            plan.limit_in_prose(),
            play.concurrency,
            counted(openings, "opening"),
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
        let question = match standing.max_games().filter(|_| plan.no_test) {
            Some(games) => format!("{} without a test", counted(games, "game")),
            None => format!(
                "SPRT [{elo0:.2}, {elo1:.2}] {}, alpha {alpha}, beta {beta}",
                model.name()
            ),
        };
        printer.note(&format!("{question}; run {}", run.display()));
        if let Some(difference) = plan.difference() {
            printer.note(&format!("settings, base -> new: {difference}"));
        }
        let watch = command::to_serve(run);
        printer.note(&format!("watch it in a browser: `{watch}`"));
        if standing.is_over(plan) {
            printer.note(&format!(
                "over after {}; nothing is left to play",
                counted(games, "game")
            ));
        } else if games > 0 {
            printer.note(&format!("continuing after {}", counted(games, "game")));
        }
        self.activity = Activity::begin(None, games, play.concurrency, now());
        self.last_line = Instant::now();
        self.bar = printer.draws_progress().then(new_bar);
        self.is_first = self.bar.is_some();
    }

    /// Reports games that an engine spoiled.
    fn print_faults(&mut self, pair: &FinishedPair) {
        if pair.void_games > 0 {
            let (number, games) = (pair.pair + 1, pair.void_games);
            let text = format!(
                "pair {number}: this process or the machine stood still; void and played again: {games} of its games"
            );
            self.aside(|printer| printer.warn(&text));
        }
        let mut spoiled = std::mem::take(&mut self.spoiled);
        for (number, game, more) in spoiled.games(pair) {
            let side = if game.end.spoiled_by() == Some(game.new) {
                "new"
            } else {
                "base"
            };
            let detail = game
                .end
                .detail()
                .map_or_else(String::new, |detail| format!(": {detail}"));
            let game_number = pair.games.len() as u64 * pair.pair + number + 1;
            let text = game.end.text();
            let text = format!("game {game_number}: {text} ({side}){detail}{more}");
            self.aside(|printer| printer.warn(&text));
        }
        self.spoiled = spoiled;
    }

    fn show(&mut self, standing: &Standing) {
        let pause = if self.bar.is_some() { REDRAW } else { PAUSE };
        if !self.is_first && self.last_line.elapsed() < pause {
            return;
        }
        self.is_first = false;
        self.last_line = Instant::now();
        self.last_words = self.line(standing);
        match &self.bar {
            Some(bar) => bar.set_message(self.words()),
            None => self
                .printer
                .note(&format!("{} {}", time_of_day(), self.words())),
        }
    }

    /// The last line, which a pause may have made stale.
    fn words(&self) -> String {
        if self.activity.state.is_paused {
            format!("paused | {}", self.last_words)
        } else {
            self.last_words.clone()
        }
    }

    fn change_state(&mut self, state: SchedulerState) {
        let before = std::mem::replace(&mut self.activity.state, state);
        self.activity.change(state, now());
        if let Some(bar) = &self.bar {
            bar.set_message(self.words());
        }
        let games = format!("{} at a time", counted(state.slots, "game"));
        let words = match (before.is_paused, state.is_paused, state.playing) {
            (true, true, _) if before.slots != state.slots => {
                format!("{games} when the run goes on")
            }
            (true, true, 0) if before.playing == 0 => return,
            (_, true, 0) => "paused".to_owned(),
            (false, true, 1) => "pausing: one pair is played to its end".to_owned(),
            (false, true, pairs) => format!("pausing: {pairs} pairs are played to their end"),
            (true, true, _) => return,
            (true, false, _) => "playing again".to_owned(),
            (false, false, _) => games,
        };
        self.aside(|printer| printer.note(&format!("{} {words}", time_of_day())));
    }

    /// Prints above the bar.
    fn aside(&self, print: impl FnOnce(Printer)) {
        match &self.bar {
            Some(bar) => bar.suspend(|| print(self.printer)),
            None => print(self.printer),
        }
    }

    fn line(&self, standing: &Standing) -> String {
        let games = standing.tally().wdl.games();
        // While nothing new is begun there is no time to go.
        let is_paused = self.activity.state.is_paused;
        let speed = self
            .activity
            .games_per_second(games, now())
            .filter(|_| !is_paused);
        let columns = match &self.bar {
            Some(_) => columns().saturating_sub(BEFORE_LINE),
            None => usize::MAX,
        };
        fitting(&parts(standing, speed), columns)
    }
}

/// Something to say, shorter where there is little room.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    short: String,
    long: String,
}

impl Part {
    pub fn of(text: String) -> Self {
        Self {
            long: text.clone(),
            short: text,
        }
    }
}

/// The parts of the line about a running test, the most important first.
pub fn parts(standing: &Standing, games_per_second: Option<f64>) -> Vec<Part> {
    let Some(summary) = standing.summary() else {
        return vec![Part::of("no games yet".to_owned())];
    };
    let tally = standing.tally();
    let mut parts = Vec::new();
    if standing.test().is_some() {
        let (lower, upper) = standing.bounds();
        let short = format!("LLR {:.2}", summary.llr.unwrap_or(0.0));
        parts.push(Part {
            long: format!("{short} ({lower:.2}, {upper:.2})"),
            short,
        });
    }
    parts.push(Part::of(outlook::games(standing)));
    if let Some(outlook) = Outlook::of(standing, games_per_second) {
        let short = outlook.expected();
        let most = outlook.at_most().map(|most| format!(", {most}"));
        parts.push(Part {
            long: format!("{short}{}", most.unwrap_or_default()),
            short,
        });
        parts.extend(outlook.no_decision().map(Part::of));
    }
    if let (Some(low), Some(value), Some(high)) =
        (summary.elo.low, summary.elo.value, summary.elo.high)
    {
        let margin = (high - value).max(value - low);
        if margin <= WIDEST_MARGIN {
            parts.push(Part::of(format!("Elo {value:.1} +- {margin:.1}")));
        }
    }
    let wdl = &tally.wdl;
    let games = format!("{} W {} L {} D", wdl.wins, wdl.losses, wdl.draws);
    parts.push(Part::of(games));
    if tally.pentanomial.pairs() > 0 {
        let [ll, ld, middle, dw, ww] = tally.pentanomial.0;
        parts.push(Part::of(format!("penta {ll}, {ld}, {middle}, {dw}, {ww}")));
    }
    parts.extend(games_per_second.map(|speed| Part::of(outlook::speed(speed))));
    parts
}

/// As many of the parts as there is room for, and of these as many at length.
pub fn fitting(parts: &[Part], columns: usize) -> String {
    const BETWEEN: &str = " | ";
    let mut chosen: Vec<&str> = Vec::new();
    let mut length = 0;
    for part in parts {
        let between = if chosen.is_empty() { 0 } else { BETWEEN.len() };
        let longer = length + between + part.short.chars().count();
        if longer > columns {
            break;
        }
        length = longer;
        chosen.push(&part.short);
    }
    for (words, part) in chosen.iter_mut().zip(parts) {
        let longer = length + part.long.chars().count() - part.short.chars().count();
        if longer <= columns {
            length = longer;
            *words = &part.long;
        }
    }
    chosen.join(BETWEEN)
}

/// UTC, as in the names of runs.
fn time_of_day() -> impl std::fmt::Display {
    jiff::Timestamp::now().strftime("%H:%M:%SZ")
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
    fn the_line_of_a_paused_run_says_that_it_is_paused() {
        let mut progress = Progress::new(Printer::new(foundation::printer::OutputArgs::default()));
        progress.last_words = "142/400 games".to_owned();
        assert_eq!(progress.words(), "142/400 games");
        progress.activity.state.is_paused = true;
        assert_eq!(progress.words(), "paused | 142/400 games");
    }

    #[test]
    fn the_line_has_no_elo_before_there_are_enough_pairs() {
        let plan = crate::plan::tests::plan();
        let told = |pairs| {
            let tally = crate::standing::tests::tally(pairs);
            let parts = parts(&Standing::new(&plan, &tally), None);
            fitting(&parts, usize::MAX)
        };
        assert!(!told([0, 1, 0, 1, 0]).contains("Elo"));
        assert!(told([0, 10, 80, 12, 0]).contains("Elo "));
    }

    #[test]
    fn a_narrow_terminal_shows_games_before_bounds() {
        let part = |short: &str, long: &str| Part {
            short: short.to_owned(),
            long: long.to_owned(),
        };
        let parts = [
            part("LLR 2.44", "LLR 2.44 (-2.94, 2.94)"),
            part("142/400 games", "142/400 games"),
            part("~3 min to go", "~3 min to go, 5 min at most"),
            part("Elo 24.9 +- 32.3", "Elo 24.9 +- 32.3"),
        ];
        assert_eq!(fitting(&parts, 29), "LLR 2.44 | 142/400 games");
        assert_eq!(
            fitting(&parts, 38),
            "LLR 2.44 (-2.94, 2.94) | 142/400 games"
        );
        assert_eq!(
            fitting(&parts, 55),
            "LLR 2.44 (-2.94, 2.94) | 142/400 games | ~3 min to go"
        );
        assert_eq!(fitting(&parts, 7), "");
        let all = fitting(&parts, usize::MAX);
        assert_eq!(all.matches(" | ").count(), 3);
        assert!(all.contains("5 min at most"));
    }
}
