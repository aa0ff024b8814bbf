//! Tables and sentences about a suite's run.

use std::fmt::Write as _;

use crate::suite::comparison::{Change, Comparison, GateVerdict};
use crate::suite::figures::{Figures, Found, in_order};
use crate::suite::folder::SuiteRun;
use crate::suite::gate::Measure;
use crate::table::drawn;

/// More themes than this are left to the JSON object.
const MOST_THEMES: usize = 40;

/// What each engine found, and by theme where there are several.
pub fn tables(run: &SuiteRun) -> String {
    let figures = Figures::of(run);
    let mut text = by_engine(run, &figures);
    if (2..=MOST_THEMES).contains(&figures.themes.len()) {
        text.push_str("\n\n");
        text.push_str(&by_theme(run, &figures));
    }
    text
}

/// Positions that are named; `--json` has all.
const MOST_NAMES: usize = 12;

/// A column: its head, and its cell where the engine has one.
type Column = (&'static str, fn(&Found) -> Option<String>);

const COLUMNS: [Column; 9] = [
    ("solved", |found| {
        Some(format!("{}/{}", found.solved, found.searches))
    }),
    ("share", |found| found.share_solved().map(percent)),
    ("points", |found| {
        let share = found.share_of_points()?;
        Some(format!(
            "{}/{} {}",
            found.points,
            found.most_points,
            percent(share)
        ))
    }),
    ("mates", |found| {
        (found.mates_asked > 0).then(|| format!("{}/{}", found.mates, found.mates_asked))
    }),
    ("shortest", |found| {
        (found.mates_asked > 0).then(|| found.best_mates.to_string())
    }),
    ("proved", |found| {
        (found.mates_asked > 0).then(|| found.proved_mates.to_string())
    }),
    ("nodes", |found| Some(found.nodes.to_string())),
    ("to solution", |found| {
        let nodes = found
            .nodes_to_solution
            .map(|nodes| format!("{nodes} nodes, "));
        let ms = found.ms_to_solution?;
        Some(format!("{}{ms} ms", nodes.unwrap_or_default()))
    }),
    ("faults", |found| {
        (found.faults > 0).then(|| found.faults.to_string())
    }),
];

fn by_engine(run: &SuiteRun, figures: &Figures) -> String {
    let used = COLUMNS
        .iter()
        .filter(|(_, cell)| figures.engines.iter().any(|found| cell(found).is_some()));
    let used: Vec<&Column> = used.collect();
    let head = ["engine"]
        .into_iter()
        .chain(used.iter().map(|(head, _)| *head));
    let mut rows = vec![head.map(str::to_owned).collect::<Vec<_>>()];
    for (engine, found) in run.plan.engines.iter().zip(&figures.engines) {
        let cells = used.iter().map(|(_, cell)| cell(found).unwrap_or_default());
        rows.push([engine.name.clone()].into_iter().chain(cells).collect());
    }
    drawn(rows)
}

/// Shares of points where positions have them, else of solutions.
fn by_theme(run: &SuiteRun, figures: &Figures) -> String {
    let names = run.plan.engines.iter().map(|engine| engine.name.clone());
    let head = ["theme".to_owned(), "positions".to_owned()]
        .into_iter()
        .chain(names);
    let mut rows = vec![head.collect::<Vec<_>>()];
    for (theme, engines) in &figures.themes {
        let positions = engines
            .iter()
            .map(|found| found.positions)
            .max()
            .unwrap_or(0);
        let shares = engines.iter().map(|found| {
            let share = found.share_of_points().or(found.share_solved());
            share.map_or_else(String::new, percent)
        });
        rows.push(
            [theme.clone(), positions.to_string()]
                .into_iter()
                .chain(shares)
                .collect(),
        );
    }
    drawn(rows)
}

/// Where the two engines of a comparison differ: themes and positions.
pub fn changes(run: &SuiteRun, comparison: &Comparison) -> String {
    let mut text = String::new();
    if (2..=MOST_THEMES).contains(&comparison.themes.len()) {
        let mut rows = vec![
            ["theme", "better", "worse", "change", "p (Holm)"]
                .map(str::to_owned)
                .to_vec(),
        ];
        for theme in comparison
            .themes
            .iter()
            .filter(|theme| theme.change.better + theme.change.worse > 0)
        {
            let Change {
                better,
                worse,
                difference,
                p,
                ..
            } = theme.change;
            let change = difference.map_or_else(String::new, signed);
            rows.push(vec![
                theme.theme.clone(),
                better.to_string(),
                worse.to_string(),
                change,
                format!("{p:.3}"),
            ]);
        }
        if rows.len() > 1 {
            text.push_str(&drawn(rows));
            text.push('\n');
        }
    }
    for (words, side) in [("solved by BASE only", 0), ("solved by NEW only", 1)] {
        let names = solved_only_by(run, side);
        if !names.is_empty() {
            let more = match names.len().saturating_sub(MOST_NAMES) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            let shown = names[..names.len().min(MOST_NAMES)].join(", ");
            // Writing to a `String` cannot fail.
            let _ = writeln!(text, "{words} ({}): {shown}{more}", names.len());
        }
    }
    text.trim_end().to_owned()
}

/// Positions at which all searches of one engine ended with a solution and none of the other's.
fn solved_only_by(run: &SuiteRun, side: usize) -> Vec<&str> {
    let answers = in_order(run);
    let by_position = answers.chunk_by(|a, b| a.position == b.position);
    by_position
        .filter(|answers| answers.len() == 2 * run.plan.budgets as usize)
        .filter(|answers| {
            answers
                .iter()
                .all(|answer| answer.solved == (answer.engine == side))
        })
        .map(|answers| run.positions[answers[0].position].name())
        .collect()
}

/// The gate's verdict in a sentence.
pub fn verdict(comparison: &Comparison) -> String {
    let Comparison {
        all, margin, alpha, ..
    } = comparison;
    let measure = match comparison.measure {
        Measure::Solved => "solved",
        Measure::Points => "points",
    };
    let (Some(difference), Some(low), Some(high)) = (all.difference, all.low, all.high) else {
        return "no position was searched by both engines".to_owned();
    };
    let is = match comparison.verdict {
        GateVerdict::Passed => {
            format!("passed: a loss of {} or more is excluded", percent(*margin))
        }
        GateVerdict::Loss => "a loss is shown".to_owned(),
        GateVerdict::Undecided => {
            format!(
                "undecided: neither is a loss shown, nor that it is below {}",
                percent(*margin)
            )
        }
    };
    format!(
        "{measure}, NEW less BASE: {} ({} to {}, {:.0} %) in {} positions, {} better, {} worse; \
         p of a loss {:.4}, p of the margin {:.4}\n{is}",
        signed(difference),
        signed(low),
        signed(high),
        100.0 * (1.0 - 2.0 * alpha),
        all.positions,
        all.better,
        all.worse,
        all.p_loss,
        comparison.p_margin.unwrap_or(1.0),
    )
}

/// Every answer, a line each.
pub fn position_lines(run: &SuiteRun) -> String {
    let lines = in_order(run).into_iter().map(|answer| {
        let position = &run.positions[answer.position];
        let is = match (&answer.fault, answer.solved) {
            (Some(fault), _) => fault.as_str(),
            (None, true) => "solved",
            (None, false) => "not solved",
        };
        let score = answer
            .score
            .map_or_else(String::new, |score| format!(" {score}"));
        let since = answer.since.and_then(|since| since.nodes);
        format!(
            "{}: {} {}{score}, {is}{}, {} nodes, {} ms; expected {}",
            position.name(),
            run.plan.engines[answer.engine].name,
            answer.best,
            since.map_or_else(String::new, |nodes| format!(" from {nodes} nodes on")),
            answer.nodes.unwrap_or(0),
            answer.ms,
            position.solution(),
        )
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

fn signed(share: f64) -> String {
    format!("{:+.1} %", 100.0 * share)
}
