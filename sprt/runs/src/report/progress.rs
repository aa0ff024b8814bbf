//! Live progress on stderr: one line that is redrawn on a terminal, a line now and then elsewhere, and
//! of a tournament the table every minute.

use std::time::{Duration, Instant};

use foundation::{Failure, Printer, counted};
use indicatif::{ProgressBar, ProgressStyle};

use super::part::fitting;
use super::spoiled::Spoiled;
use super::{Event, MatchState, Reporter, State, command, line, tournament};
use crate::activity::{Activity, now};
use referee::arena::{FinishedPair, SchedulerState};

/// Off a terminal, a line no more often than this.
const PAUSE: Duration = Duration::from_secs(10);
/// On a terminal, no more often than can be read.
const REDRAW: Duration = Duration::from_millis(200);
/// Between two tables of a tournament.
const TABLE_PAUSE: Duration = Duration::from_mins(1);

/// After so many pairs a kind of result that is missing may not come at all.
const ENOUGH_PAIRS: u64 = 50;

/// Columns that the bar takes before the line: a spinner and the time.
const BEFORE_LINE: usize = 11;

/// The progress of one run.
pub struct Progress {
    printer: Printer,
    bar: Option<ProgressBar>,
    activity: Activity,
    last_table: Instant,
    last_line: Instant,
    /// What it said.
    last_words: String,
    /// Whether no line was drawn yet; on a terminal the first one is drawn at once.
    is_first: bool,
    /// Whether engines are called by their names: of two, one is `new`.
    is_tournament: bool,
    spoiled: Spoiled,
    /// Whether somebody was warned of a kind of result that is missing.
    is_warned: bool,
}

impl Reporter for Progress {
    fn on_event(&mut self, event: &Event<'_>) -> Result<(), Failure> {
        match event {
            Event::Started(state) => self.begin(state),
            Event::PairFinished(pair) => self.print_faults(pair),
            Event::Progress(state) => {
                if let State::Match(state) = state {
                    self.warn_of_no_ratio(state);
                }
                self.show(state);
            }
            Event::Finished(..) => {
                if let Some(bar) = &self.bar {
                    bar.finish_and_clear();
                }
            }
            Event::StateChanged(state) => self.change_state(*state),
            Event::SlotFailed(slots, failure) => {
                let games = counted(*slots, "game");
                let text =
                    format!("{games} at a time: the engines of another did not start: {failure}");
                self.aside(|printer| printer.warn(&text));
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
            activity: Activity::default(),
            last_table: now,
            last_line: now,
            last_words: String::new(),
            is_first: false,
            is_tournament: false,
            spoiled: Spoiled::default(),
            is_warned: false,
        }
    }

    fn begin(&mut self, state: &State<'_>) {
        let printer = self.printer;
        let (lines, is_over, played) = match state {
            State::Match(of) => (
                line::introduction(of),
                of.standing.is_over(of.plan),
                counted(state.games(), "game"),
            ),
            State::Tournament(of) => (
                tournament::introduction(of),
                of.standing.is_over(),
                counted(of.standing.pairs(), "pair"),
            ),
        };
        for line in lines {
            printer.note(&line);
        }
        let watch = command::to_serve(state.run());
        printer.note(&format!("watch it in a browser: `{watch}`"));
        if is_over {
            printer.note(&format!("over after {played}; nothing is left to play"));
        } else if state.games() > 0 {
            printer.note(&format!("continuing after {played}"));
        }
        let slots = state.play().concurrency;
        self.activity = Activity::begin(None, state.games(), slots, now());
        let now = Instant::now();
        (self.last_line, self.last_table) = (now, now);
        self.bar = printer.draws_progress().then(new_bar);
        self.is_first = self.bar.is_some();
        self.is_tournament = matches!(state, State::Tournament(_));
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
            let number = pair.games.len() as u64 * pair.pair + number + 1;
            let (text, detail) = (game.end.text(), game.end.detail());
            let detail = detail.map_or_else(String::new, |detail| format!(": {detail}"));
            let text = if self.is_tournament {
                let (white, black) = (&game.white.name, &game.black.name);
                format!("game {number}, {white} against {black}: {text}{detail}{more}")
            } else {
                let is_new = game.end.spoiled_by() == Some(game.new);
                let side = if is_new { "new" } else { "base" };
                format!("game {number}: {text} ({side}){detail}{more}")
            };
            self.aside(|printer| printer.warn(&text));
        }
        self.spoiled = spoiled;
    }

    /// Says once that a test may never end.
    fn warn_of_no_ratio(&mut self, state: &MatchState<'_>) {
        let standing = state.standing;
        let pairs = standing.tally().pairs_played();
        if self.is_warned || pairs < ENOUGH_PAIRS || !standing.lacks_a_result() {
            return;
        }
        self.is_warned = true;
        let games = standing.tally().wdl;
        let text = format!(
            "after {pairs} pairs {} W {} L {} D: the bayesian model has no LLR, and the test no end, until wins, \
             losses and draws have all occurred; a test with `--model normalized` decides",
            games.wins, games.losses, games.draws
        );
        self.aside(|printer| printer.warn(&text));
    }

    fn show(&mut self, state: &State<'_>) {
        if let State::Tournament(state) = state
            && self.last_table.elapsed() >= TABLE_PAUSE
            && !state.standing.is_over()
        {
            self.last_table = Instant::now();
            let table = tournament::ratings(state);
            self.aside(|printer| printer.note(table.trim_end()));
        }
        let pause = if self.bar.is_some() { REDRAW } else { PAUSE };
        if !self.is_first && self.last_line.elapsed() < pause {
            return;
        }
        self.is_first = false;
        self.last_line = Instant::now();
        self.last_words = self.line(state);
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

    fn line(&self, state: &State<'_>) -> String {
        // While nothing new is begun there is no time to go.
        let is_paused = self.activity.state.is_paused;
        let speed = self
            .activity
            .games_per_second(state.games(), now())
            .filter(|_| !is_paused);
        let parts = match state {
            State::Match(state) => line::parts(state.standing, speed),
            State::Tournament(state) => tournament::parts(state, speed),
        };
        let columns = match &self.bar {
            Some(_) => columns().saturating_sub(BEFORE_LINE),
            None => usize::MAX,
        };
        fitting(&parts, columns)
    }
}

/// UTC, as in the names of runs.
fn time_of_day() -> impl std::fmt::Display {
    jiff::Timestamp::now().strftime("%H:%M:%SZ")
}

/// Columns of the terminal that the line is drawn on.
pub fn columns() -> usize {
    usize::from(console::Term::stderr().size().1)
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
}
