//! Whether a gain is there at a longer limit, too: a match is played twice, the second time with four
//! times the nodes or the time and openings that the first one has not had.
//!
//! Each is a match of its own in a folder of its own. The same command continues them.

use std::path::{Path, PathBuf};

use foundation::{Exit, Failure, Printer, counted};
use runs::plan::{Plan, RunPlan as _};
use runs::report::Output;
use runs::run_folder::read_plan;
use runs::session;
use runs::signals::Signals;
use runs::standing::Standing;
use runs::state_folder::new_run_path;
use schemars::JsonSchema;
use serde::Serialize;
use stats::{EloFigures, Verdict};

use crate::run::printed::{table, to_json};
use crate::words;

/// How many times longer the second limit is.
const FACTOR: u64 = 4;

/// Half of all tests of [0, 5] have ended after so many pairs, where the gain is 0 or 5.
pub(super) const LONG: u64 = 10_000;

/// The two matches.
pub(crate) struct Transfer {
    own: Plan,
    longer: Plan,
}

impl Transfer {
    /// # Errors
    /// The limit has no multiple.
    pub(crate) fn new(own: Plan) -> Result<Self, Failure> {
        let mut longer = own.clone();
        longer.play.limit = own.play.limit.times(FACTOR).ok_or_else(|| {
            Failure::unable(format!(
                "--transfer: a limit of plies ({}) has no multiple",
                own.play.limit
            ))
            .hint("expected a limit of nodes or time; play two plies more by `tuner validate RUN --depth N`")
        })?;
        let mut both = Self { own, longer };
        both.leave_out(both.own.max_pairs.unwrap_or_default());
        Ok(both)
    }

    /// Has the second match begin behind the openings of the first one, which played so many pairs.
    fn leave_out(&mut self, pairs: u64) {
        self.longer.play.book = self.own.play.book.behind(pairs);
    }

    /// What to know of a second match that comes to openings of the first one.
    fn repeats(&self) -> Option<String> {
        let book = &self.longer.play.book;
        let unseen = book.reading.used.map(|used| used.fresh(book.openings));
        let usable = unseen.filter(|unseen| *unseen > 0).unwrap_or(book.openings);
        let left = usable.saturating_sub(book.reading.start.saturating_sub(1));
        let left = book.kept_of(left);
        (left < self.longer.max_pairs.unwrap_or(LONG) && book.openings > 0).then(|| {
            format!(
                "after {} the second match comes to openings of the first one; --book FILE takes a \
                 larger book",
                counted(left, "pair")
            )
        })
    }

    /// A list of both plans. Where the second one begins in the book is known only when the first
    /// match has ended, unless that has a fixed number of games.
    pub(crate) fn to_json(&self) -> Result<String, Failure> {
        Ok(format!(
            "[{},{}]",
            self.own.to_json()?,
            self.longer.to_json()?
        ))
    }

    /// Plays both, each from where it stands, and compares them.
    pub(crate) async fn play(
        mut self,
        out: Option<PathBuf>,
        json: bool,
        signals: &Signals,
        printer: Printer,
    ) -> Result<Exit, Failure> {
        let out = out.map_or_else(|| new_run_path("transfer"), Ok)?;
        let output = |folder: &Path| Output {
            out: Some(folder.to_owned()),
            json,
            is_part: json,
            resume: Some(words::same_command(&out)),
            ..Output::default()
        };
        let exit = Box::pin(played(&self.own, &output(&out), signals, printer)).await?;
        let own = Outcome::read(&out)?;
        if !own.is_over {
            return Ok(exit);
        }
        self.leave_out(own.pairs);
        if let Some(warning) = self.repeats() {
            printer.warn(&warning);
        }
        let folder = beside(&out);
        let second = Box::pin(played(&self.longer, &output(&folder), signals, printer)).await?;
        let longer = Outcome::read(&folder)?;
        if !longer.is_over {
            return Ok(second);
        }
        let report = TransferReport::new(own, longer);
        printer.result(&if json {
            to_json(&report)?
        } else {
            report.text()
        });
        Ok(if exit == Exit::Yes { second } else { exit })
    }
}

/// The folder of the second match.
fn beside(out: &Path) -> PathBuf {
    let mut name = out.file_name().unwrap_or_default().to_owned();
    name.push("-longer");
    out.with_file_name(name)
}

/// Plays a match, or goes on with it.
async fn played(
    plan: &Plan,
    output: &Output,
    signals: &Signals,
    printer: Printer,
) -> Result<Exit, Failure> {
    let folder = output.out.clone().unwrap_or_default();
    if !folder.join("plan.json").exists() {
        return session::start(plan.clone(), output, signals, printer).await;
    }
    if read_plan::<Plan>(&folder)? != *plan {
        return Err(Failure::unable(format!(
            "`{}` holds another match than this one",
            folder.display()
        ))
        .hint("give the flags that it began with, or another folder with --out"));
    }
    session::resume(&folder, |_: &mut Plan| Ok(()), output, signals, printer).await
}

/// What `validate --transfer --json` prints.
#[derive(Serialize, JsonSchema)]
pub(crate) struct TransferReport {
    schema: &'static str,
    version: u32,
    /// The match at the limit of the tune.
    own: Outcome,
    /// The one at a longer limit.
    longer: Outcome,
    /// Elo at the longer limit less that at the other one, with its 95 % interval.
    difference: EloFigures,
    finding: Finding,
}

/// How a match ended.
#[derive(Serialize, JsonSchema)]
struct Outcome {
    run: String,
    limit: String,
    games: u64,
    #[serde(skip)]
    pairs: u64,
    #[serde(skip)]
    is_over: bool,
    verdict: Verdict,
    /// Logistic Elo with its 95 % interval; after a test, corrected for its stopping rule.
    elo: EloFigures,
}

impl Outcome {
    fn read(run: &Path) -> Result<Self, Failure> {
        let (plan, standing) = Standing::read(run)?;
        let summary = standing.summary();
        let unbiased = summary.map(|summary| summary.unbiased_elo);
        let elo = match unbiased.filter(|elo| elo.value.is_some()) {
            Some(unbiased) => unbiased,
            None => standing.elo(),
        };
        Ok(Self {
            run: run.display().to_string(),
            limit: plan.play.limit.to_string(),
            games: summary.map_or(0, |summary| summary.games),
            pairs: standing.tally().pairs_played(),
            is_over: standing.is_over(&plan) && standing.no_verdict().is_none(),
            verdict: standing.verdict(),
            elo,
        })
    }
}

/// What both matches say together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Finding {
    CarriesOver,
    Lost,
    NoGain,
    Undecided,
}

impl Finding {
    fn of(own: EloFigures, longer: EloFigures, difference: EloFigures) -> Self {
        let is_above = |elo: EloFigures| elo.low.is_some_and(|low| low > 0.0);
        if is_above(longer) {
            Self::CarriesOver
        } else if !is_above(own) {
            Self::NoGain
        } else if difference.high.is_some_and(|high| high < 0.0) {
            Self::Lost
        } else {
            Self::Undecided
        }
    }

    fn words(self) -> &'static str {
        match self {
            Self::CarriesOver => "the gain carries over: there is one at the longer limit, too",
            Self::Lost => {
                "the gain does not carry over: it is smaller at the longer limit, where none is shown"
            }
            Self::NoGain => "no gain is shown at the longer limit, nor at the other one",
            Self::Undecided => {
                "undecided: at the longer limit the games are too few to tell whether the gain is there"
            }
        }
    }
}

impl TransferReport {
    fn new(own: Outcome, longer: Outcome) -> Self {
        let difference = difference(own.elo, longer.elo);
        Self {
            schema: "tuner-transfer",
            version: 1,
            finding: Finding::of(own.elo, longer.elo, difference),
            own,
            longer,
            difference,
        }
    }

    fn text(&self) -> String {
        let row = |outcome: &Outcome| {
            let verdict = outcome.verdict.accepted().unwrap_or("-").to_owned();
            let games = outcome.games.to_string();
            [outcome.limit.clone(), games, words_of(outcome.elo), verdict]
        };
        let difference = ["difference", "", &words_of(self.difference), ""].map(str::to_owned);
        let rows = [row(&self.own), row(&self.longer), difference];
        let heads = ["limit", "games", "Elo (95%)", "accepted"];
        format!("{}\n{}", table(heads, rows), self.finding.words())
    }
}

/// The second estimate less the first one. Each side of the interval combines those sides of both
/// that lead there, as intervals of Elo are skew.
fn difference(first: EloFigures, second: EloFigures) -> EloFigures {
    let whole = |elo: EloFigures| Some([elo.low?, elo.value?, elo.high?]);
    let (Some(first), Some(second)) = (whole(first), whole(second)) else {
        return EloFigures::default();
    };
    let ([low, value, high], [to_low, to_value, to_high]) = (first, second);
    let mean = to_value - value;
    EloFigures {
        low: Some(mean - (to_value - to_low).hypot(high - value)),
        value: Some(mean),
        high: Some(mean + (to_high - to_value).hypot(value - low)),
    }
}

fn words_of(elo: EloFigures) -> String {
    match (elo.low, elo.value, elo.high) {
        (Some(low), Some(value), Some(high)) => {
            format!("{value:+.1} ({low:+.1} to {high:+.1})")
        }
        (_, Some(value), _) => format!("{value:+.1}"),
        _ => "-".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn elo(low: f64, value: f64, high: f64) -> EloFigures {
        EloFigures {
            low: Some(low),
            value: Some(value),
            high: Some(high),
        }
    }

    #[test]
    fn a_gain_carries_over_shrinks_or_remains_open() {
        let finding =
            |own: EloFigures, longer: EloFigures| Finding::of(own, longer, difference(own, longer));
        let gain = elo(30.0, 40.0, 50.0);
        assert_eq!(finding(gain, elo(1.0, 9.0, 17.0)), Finding::CarriesOver);
        assert_eq!(finding(gain, elo(-9.0, -1.0, 7.0)), Finding::Lost);
        assert_eq!(finding(gain, elo(-30.0, 20.0, 70.0)), Finding::Undecided);
        let nothing = elo(-8.0, 1.0, 10.0);
        assert_eq!(finding(nothing, elo(-9.0, 1.0, 11.0)), Finding::NoGain);
        assert_eq!(finding(nothing, EloFigures::default()), Finding::NoGain);
        let skew = difference(elo(-4.0, 0.0, 3.0), elo(6.0, 10.0, 22.0));
        assert_eq!(skew, elo(5.0, 10.0, 10.0 + 12f64.hypot(4.0)));
    }
}
