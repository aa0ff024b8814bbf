//! Tables and sentences about a suite's run.

use foundation::counted;
use std::fmt::Write as _;

use super::rows::{self, by_engine, by_theme};
use super::words;
use crate::suite::comparison::Comparison;
use crate::suite::figures::{Figures, in_order};
use crate::suite::folder::SuiteRun;
use crate::table::drawn;

/// Positions that are named; `--json` has all.
const MOST_NAMES: usize = 12;

/// What each engine found, and by theme where there are several.
pub fn tables(run: &SuiteRun) -> String {
    let figures = Figures::of(run);
    let mut text = drawn(by_engine(run, &figures));
    if let Some(rows) = by_theme(run, &figures) {
        text.push_str("\n\n");
        text.push_str(&drawn(rows));
    }
    text
}

/// Where the two engines of a comparison differ: themes and positions.
pub fn changes(run: &SuiteRun, comparison: &Comparison) -> String {
    let themes = rows::changes(comparison).map(drawn);
    let mut text = themes.map_or_else(String::new, |table| table + "\n");
    for (words, side) in [("solved by BASE only", 0), ("solved by NEW only", 1)] {
        let names = solved_only_by(run, side);
        if !names.is_empty() {
            let more = match names.len().saturating_sub(MOST_NAMES) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            let shown = names[..names.len().min(MOST_NAMES)].join("; ");
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

/// The gate's verdict, after the figures that it is made of.
pub fn verdict(comparison: &Comparison) -> String {
    let figures = words::figures(comparison).map(|figures| figures + "\n");
    figures.unwrap_or_default() + &words::verdict(comparison)
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
            "{}: {} {}{score}, {is}{}, {}, {} ms; expected {}",
            position.name(),
            run.plan.engines[answer.engine].name,
            answer.best,
            since.map_or_else(String::new, |nodes| format!(
                " from {} on",
                counted(nodes, "node")
            )),
            counted(answer.nodes.unwrap_or(0), "node"),
            answer.ms,
            position.solution(),
        )
    });
    lines.collect::<Vec<_>>().join("\n")
}
