//! `sprt plan`: forecasts how long a test will take and how it will end.

use std::path::PathBuf;
use std::time::Duration;

use foundation::{Exit, Failure, Printer, counted, pool};
use schemars::JsonSchema;
use serde::Serialize;
use stats::{MatchCounts, Outcomes, Pentanomial, Prospect, Test};
use tabled::builder::Builder;
use tabled::settings::{Alignment, Style, object::Columns};

use super::calc::parse_penta;
use runs::activity::now;
use runs::analysis::Analysis;
use runs::plan::TestFlags;
use runs::plan::project_file::{WITH_LENGTH, match_section, overlay};
use runs::state_folder::{find_run, paths, runs};

/// Strengths that are tried where none is given, in widths of the bounds from the first.
const USUAL_STRENGTHS: [f64; 7] = [-0.5, 0.0, 0.25, 0.5, 0.75, 1.0, 1.5];

/// Runs of fewer games are no measure of a machine's speed, unless they are named.
const FEWEST_GAMES: u64 = 20;

/// Where more than this share of tests ends undecided, the limit decides the length.
const MOSTLY: f64 = 0.9;

/// A test that may be played
#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// True strength of the new engine, in the unit of the bounds; may be repeated [default: a
    /// range around the bounds]
    #[arg(
        long,
        value_name = "ELO",
        value_delimiter = ',',
        allow_hyphen_values = true
    )]
    pub elo: Vec<f64>,
    #[command(flatten)]
    pub test: TestFlags,
    /// Pairs of an earlier match with the same limits, whose spread this one will have:
    /// LL,LD,DD+WL,WD,WW
    #[arg(long, value_name = "A,B,C,D,E", value_parser = parse_penta, conflicts_with = "like")]
    pub penta: Option<Pentanomial>,
    /// An earlier run with the same limits, for spread and speed [default: the latest one of 20
    /// games or more, for speed]
    #[arg(long, value_name = "RUN")]
    pub like: Option<PathBuf>,
    /// Games per second that this machine plays
    #[arg(long, value_name = "N")]
    pub games_per_second: Option<f64>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// The JSON object.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Output {
    schema: &'static str,
    version: u32,
    test: Test,
    max_pairs: Option<u64>,
    games_per_second: Option<f64>,
    strengths: Vec<Strength>,
}

#[derive(Serialize, JsonSchema)]
struct Strength {
    elo: f64,
    #[serde(flatten)]
    figures: Prospect,
    expected_hours: Option<f64>,
}

/// How fast games are played, and how that is known.
struct Speed {
    games_per_second: f64,
    source: String,
}

pub fn run(args: &Args, printer: Printer) -> Result<Exit, Failure> {
    let mut section = match_section("sprt run --help")?;
    // A match without a test, which may be what the file is about, has no forecast.
    section.retain(|key, _| !WITH_LENGTH.contains(&key));
    let question = overlay(&args.test, &section)?.resolve()?;
    if question.no_test {
        return Err(
            Failure::unable("--games: a match without a test has no forecast")
                .hint("`sprt plan --max-games N` shows what a test of so many games can find"),
        );
    }
    let (test, max_pairs) = (question.test, question.max_pairs);
    let like = args
        .like
        .as_deref()
        .map(|run| Analysis::of(&find_run(run)?))
        .transpose()?;
    let earlier = match (&args.penta, &like) {
        (Some(pairs), _) => Some(MatchCounts::of_pairs(*pairs)?),
        (None, Some(run)) => run.standing.counts(),
        (None, None) => None,
    };
    if earlier.as_ref().is_some_and(|counts| counts.games() == 0) {
        return Err(
            Failure::unable("no game was played, so there is nothing to forecast by").hint(
                "name a run with finished pairs, or leave --like and --penta out: usual results are taken then",
            ),
        );
    }
    let speed = speed(args, like.as_ref())?;
    let strengths = strengths(args, &test)?;
    // Short tests are simulated, which takes a while.
    let strengths = pool::map(pool::cores(), &strengths, |&elo| {
        let outcomes = match &earlier {
            Some(earlier) => Outcomes::like(earlier, test.model, elo),
            None => Outcomes::usual(test.model, elo),
        };
        let figures = Prospect::of(&test, &outcomes, max_pairs);
        Ok::<_, Failure>(Strength {
            elo,
            figures,
            expected_hours: speed
                .as_ref()
                .map(|speed| 2.0 * figures.expected_pairs / speed.games_per_second / 3600.0),
        })
    })?;
    if args.json {
        let output = Output {
            schema: "sprt-forecast",
            version: 1,
            test,
            max_pairs,
            games_per_second: speed.map(|speed| speed.games_per_second),
            strengths,
        };
        printer.json(&output)?;
        return Ok(Exit::Yes);
    }
    printer.result(&table(&strengths, max_pairs.is_some()));
    let limit = max_pairs.map_or_else(String::new, |pairs| {
        format!(", at most {}", counted(pairs, "pair"))
    });
    printer.note(&format!(
        "SPRT [{:.2}, {:.2}] {}, alpha {}, beta {}{limit}; strengths are {} Elo",
        test.elo0,
        test.elo1,
        test.model.name(),
        test.alpha,
        test.beta,
        test.model.name()
    ));
    printer.note(
        "pairs: on average; half, 80% and 95% of such tests end by so many pairs; time: of an average test",
    );
    let undecided = |strength: &Strength| strength.figures.undecided > MOSTLY;
    if strengths.iter().all(undecided) {
        printer.note(
            "at all these strengths nearly all such tests end undecided: allow more games, or put \
             the bounds further apart",
        );
    }
    match speed {
        Some(speed) => printer.note(&format!(
            "times are for {:.2} games/s, {}",
            speed.games_per_second, speed.source
        )),
        None => printer.note("for hours, give --games-per-second N, or --like RUN"),
    }
    Ok(Exit::Yes)
}

fn strengths(args: &Args, test: &Test) -> Result<Vec<f64>, Failure> {
    if let Some(odd) = args
        .elo
        .iter()
        .find(|elo| !elo.is_finite() || elo.abs() > 1000.0)
    {
        return Err(Failure::unable(format!(
            "--elo {odd}: expected a number between -1000 and 1000"
        )));
    }
    if !args.elo.is_empty() {
        return Ok(args.elo.clone());
    }
    let width = test.elo1 - test.elo0;
    Ok(USUAL_STRENGTHS
        .iter()
        .map(|share| test.elo0 + share * width)
        .collect())
}

fn speed(args: &Args, like: Option<&Analysis>) -> Result<Option<Speed>, Failure> {
    if let Some(games_per_second) = args.games_per_second {
        if !(games_per_second > 0.0 && games_per_second.is_finite()) {
            return Err(Failure::unable(format!(
                "--games-per-second {games_per_second}: expected a number above zero"
            )));
        }
        return Ok(Some(Speed {
            games_per_second,
            source: "as given".to_owned(),
        }));
    }
    let measured = |analysis: &Analysis, whose: &str| {
        let games = analysis.standing.tally().wdl.games();
        let activity = analysis.activity.as_ref();
        Some(Speed {
            games_per_second: activity?.games_per_second(games, now())?,
            source: format!(
                "as in {whose} ({}, {} at a time)",
                analysis.plan.limit_in_prose(),
                analysis.plan.play.concurrency
            ),
        })
    };
    if let Some(analysis) = like {
        let games = analysis.standing.tally().wdl.games();
        return Ok(measured(
            analysis,
            &format!("that run of {}", counted(games, "game")),
        ));
    }
    // Runs that cannot be read have no speed; a plan can do without one.
    let Ok(paths) = paths(&runs()?) else {
        return Ok(None);
    };
    let latest = paths.iter().rev().find_map(|path| {
        let analysis = Analysis::of(path).ok()?;
        let games = analysis.standing.tally().wdl.games();
        let name = path.file_name()?.to_string_lossy().into_owned();
        let speed = measured(
            &analysis,
            &format!("run {name}, {}", counted(games, "game")),
        )?;
        (games >= FEWEST_GAMES).then_some(speed)
    });
    Ok(latest)
}

fn table(strengths: &[Strength], is_limited: bool) -> String {
    let mut table = Builder::new();
    let mut head = vec!["Elo", "H1", "H0"];
    if is_limited {
        head.push("undecided");
    }
    head.extend(["pairs", "half by", "80% by", "95% by"]);
    let has_time = strengths
        .iter()
        .any(|strength| strength.expected_hours.is_some());
    if has_time {
        head.push("time");
    }
    table.push_record(head);
    for strength in strengths {
        let figures = &strength.figures;
        let percent = |share: f64| format!("{:.1}%", 100.0 * share);
        let mut row = vec![
            format!("{:.2}", strength.elo),
            percent(figures.h1),
            percent(figures.h0),
        ];
        if is_limited {
            row.push(percent(figures.undecided));
        }
        row.extend(
            [
                figures.expected_pairs,
                figures.median_pairs,
                figures.pairs_80,
                figures.pairs_95,
            ]
            .map(|pairs| format!("{pairs:.0}")),
        );
        if let Some(hours) = strength.expected_hours {
            row.push(duration(hours));
        }
        table.push_record(row);
    }
    let mut table = table.build();
    table
        .with(Style::sharp())
        .modify(Columns::new(..), Alignment::right());
    table.to_string()
}

/// A time, as precisely as one plans with it: `3 d 4 h`, `5 h 20 min`, `12 min`.
fn duration(hours: f64) -> String {
    let minutes = Duration::from_secs_f64((3600.0 * hours).clamp(0.0, 1e12)).as_secs() / 60;
    let (days, hours) = (minutes / 1440, minutes / 60 % 24);
    match (days, hours) {
        (0, 0) if minutes == 0 => "under 1 min".to_owned(),
        (0, 0) => format!("{minutes} min"),
        (0, hours) => format!("{hours} h {} min", minutes % 60),
        (days, hours) => format!("{days} d {hours} h"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_told_as_one_plans_with_them() {
        assert_eq!(duration(0.001), "under 1 min");
        assert_eq!(duration(0.5), "30 min");
        assert_eq!(duration(5.35), "5 h 21 min");
        assert_eq!(duration(76.0), "3 d 4 h");
    }
}
