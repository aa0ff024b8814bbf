//! `sprt calc`: the statistics of a match, from its counts.

mod details;
mod outcomes;
mod row;

use foundation::printer::Verbosity;
use foundation::{Exit, Failure, Printer};
use schemars::JsonSchema;
use serde::Serialize;
use tabled::builder::Builder;
use tabled::settings::Style;

use details::Details;
use outcomes::{Course, Outcomes};
use row::{Row, estimate, number, percent, row};
use stats::{MatchCounts, Model, Pentanomial, Summary, Test, Verdict, Wdl, parse_bounds};

/// Compute the statistics of a match from its counts
#[derive(clap::Args, Clone, Debug)]
#[command(group = clap::ArgGroup::new("counts").required(true).multiple(true))]
pub struct Args {
    /// Pairs of games from worst to best: LL,LD,DD+WL,WD,WW of the new engine
    #[arg(long, value_name = "A,B,C,D,E", group = "counts", value_parser = parse_penta)]
    pub penta: Option<Pentanomial>,
    /// Single games: wins, losses and draws of the new engine
    #[arg(long, value_name = "W,L,D", group = "counts", value_parser = parse_wdl)]
    pub wdl: Option<Wdl>,
    /// Pairs in the order of play, a digit each from 0 (LL) to 4 (WW); `-` reads them from standard
    /// input
    #[arg(long, value_name = "DIGITS|-", group = "counts", conflicts_with_all = ["penta", "wdl"])]
    pub outcomes: Option<String>,
    /// Hypotheses: the new engine is stronger by ELO0 (H0) or by ELO1 (H1)
    #[arg(
        long,
        value_name = "ELO0,ELO1",
        default_value = "0,5",
        value_parser = parse_bounds,
        allow_hyphen_values = true
    )]
    pub bounds: (f64, f64),
    /// Probability of accepting H1 under H0
    #[arg(
        long,
        value_name = "P",
        default_value_t = 0.05,
        allow_hyphen_values = true
    )]
    pub alpha: f64,
    /// Probability of accepting H0 under H1
    #[arg(
        long,
        value_name = "P",
        default_value_t = 0.05,
        allow_hyphen_values = true
    )]
    pub beta: f64,
    /// Unit of the hypotheses
    #[arg(long, value_enum, default_value_t)]
    pub model: Model,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// The JSON object.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Output {
    schema: &'static str,
    version: u32,
    #[serde(flatten)]
    summary: Summary,
    #[serde(flatten)]
    details: Details,
    /// Only where the order of play is known.
    course: Option<Course>,
}

/// Exit 0 for H1, 1 for H0, 4 for neither.
pub fn run(args: &Args, printer: Printer) -> Result<Exit, Failure> {
    let (elo0, elo1) = args.bounds;
    let test = Test::of_any_bounds(elo0, elo1, args.alpha, args.beta, args.model)?;
    if elo0 >= elo1 {
        printer.warn(&format!(
            "bounds {elo0},{elo1} are not in order: matches are tested with ELO0 below ELO1"
        ));
    }
    let outcomes = args.outcomes.as_deref().map(Outcomes::read).transpose()?;
    let score = match (&outcomes, args.penta, args.wdl) {
        (Some(outcomes), ..) => MatchCounts::of_pairs(outcomes.pairs())?,
        (None, Some(pairs), Some(games)) => MatchCounts::new(pairs, games)?,
        (None, Some(pairs), None) => MatchCounts::of_pairs(pairs)?,
        (None, None, games) => MatchCounts::of_games(games.unwrap_or_default())?,
    };
    let summary = Summary::of(&test, &score);
    if summary.llr.is_none() {
        return Err(Failure::unable(format!(
            "the {} model needs the numbers of wins, losses and draws, which pairs do not give",
            test.model.name()
        ))
        .hint("add --wdl W,L,D"));
    }
    let verdict = summary.verdict;
    let details = Details::of(&test, &score);
    let course = outcomes.map(|outcomes| outcomes.course(&test));
    if args.json {
        let output = Output {
            schema: "sprt-calc",
            version: 1,
            summary,
            details,
            course,
        };
        printer.json(&output)?;
    } else {
        let mut rows = summary_rows(&test, &summary);
        if let Some(course) = course {
            rows.extend(course.rows());
        }
        if printer.verbosity() >= Verbosity::Verbose {
            rows.extend(details.rows());
        }
        printer.result(&table(rows));
    }
    Ok(verdict.exit())
}

/// A line of the table: what, and how much.
fn table(rows: Vec<Row>) -> String {
    let padded = Builder::from_iter(rows)
        .build()
        .with(Style::psql().remove_horizontals())
        .to_string();
    padded.lines().map(str::trim).collect::<Vec<_>>().join("\n")
}

fn summary_rows(test: &Test, summary: &Summary) -> Vec<Row> {
    let Test { elo0, elo1, .. } = test;
    let (lower, upper) = (test.lower(), test.upper());
    let hypotheses = format!("[{elo0:.2}, {elo1:.2}]");
    let llr = number(summary.llr, 2);
    let games = match (summary.wins, summary.losses, summary.draws) {
        (Some(wins), Some(losses), Some(draws)) => {
            format!("N: {} W: {wins} L: {losses} D: {draws}", summary.games)
        }
        _ => format!("N: {}", summary.games),
    };
    let mut rows = vec![
        row("Verdict", summary.verdict.words()),
        row(
            "LLR",
            format!(
                "{llr} ({lower:.2}, {upper:.2}) {hypotheses} {}",
                test.model.name()
            ),
        ),
        row("Elo", estimate(&summary.elo)),
        row(
            "nElo",
            match (summary.nelo, summary.nelo_margin) {
                (Some(value), Some(margin)) => format!("{value:.2} +- {margin:.2}"),
                _ => "n/a".to_owned(),
            },
        ),
        row("LOS", percent(summary.los)),
        row("Elo unbiased by the stop", estimate(&summary.unbiased_elo)),
        row("Games", games),
    ];
    if let Some(pairs) = summary.pentanomial {
        rows.push(row("Penta", format!("{:?}", pairs.0)));
    }
    if summary.verdict == Verdict::Undecided {
        rows.push(row(
            "Pairs still expected",
            number(summary.expected_pairs_left, 0),
        ));
    }
    rows
}

pub(super) fn parse_penta(text: &str) -> Result<Pentanomial, String> {
    let expected = "expected five counts with commas between, as in 28,858,1839,983,33";
    parse_counts(text)
        .map(Pentanomial)
        .ok_or_else(|| expected.to_owned())
}

fn parse_wdl(text: &str) -> Result<Wdl, String> {
    let expected = "expected three counts with commas between, as in 1780,1645,4057";
    let [wins, losses, draws] = parse_counts(text).ok_or_else(|| expected.to_owned())?;
    Ok(Wdl {
        wins,
        losses,
        draws,
    })
}

fn parse_counts<const K: usize>(text: &str) -> Option<[u64; K]> {
    let inner = text.trim().trim_start_matches('[').trim_end_matches(']');
    let counts: Option<Vec<u64>> = inner
        .split(',')
        .map(|count| count.trim().parse().ok())
        .collect();
    counts?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_may_be_pasted_as_printed() {
        assert_eq!(
            parse_penta("[28, 858, 1839, 983, 33]"),
            Ok(Pentanomial([28, 858, 1839, 983, 33]))
        );
        assert!(parse_penta("1,2,3,4").is_err());
        assert!(parse_wdl("1,2,-3").is_err());
        assert_eq!(parse_bounds("[-5.00, 0.00]"), Ok((-5.0, 0.0)));
        assert!(parse_bounds("5").is_err());
    }
}
