//! The rows of tables about a suite's run, the head first: for a terminal and for a page.

use super::words::{percent, signed};
use crate::p_value::p_value;
use crate::suite::comparison::{Comparison, ThemeChange};
use crate::suite::figures::{Figures, Found};
use crate::suite::folder::SuiteRun;

/// More themes than this are left to the JSON object.
const MOST_THEMES: usize = 40;

/// A table, its head first.
pub(super) type Rows = Vec<Vec<String>>;

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

/// What each engine found.
pub(super) fn by_engine(run: &SuiteRun, figures: &Figures) -> Rows {
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
    rows
}

/// Shares of points where positions have them, else of solutions; `None` where there are not
/// several themes, or too many.
pub(super) fn by_theme(run: &SuiteRun, figures: &Figures) -> Option<Rows> {
    if !(2..=MOST_THEMES).contains(&figures.themes.len()) {
        return None;
    }
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
    Some(rows)
}

/// Themes in which two engines differ; `None` where there is none, and as for [`by_theme`].
pub(super) fn changes(comparison: &Comparison) -> Option<Rows> {
    if !(2..=MOST_THEMES).contains(&comparison.themes.len()) {
        return None;
    }
    let differs = |theme: &&ThemeChange| theme.change.better + theme.change.worse > 0;
    let themes = comparison.themes.iter().filter(differs);
    let rows = themes.map(|ThemeChange { theme, change }| {
        let difference = change.difference.map_or_else(String::new, signed);
        vec![
            theme.clone(),
            change.better.to_string(),
            change.worse.to_string(),
            difference,
            p_value(change.p),
        ]
    });
    let head = ["theme", "better", "worse", "change", "p (Holm)"];
    let head = head.map(str::to_owned).to_vec();
    let rows: Rows = [head].into_iter().chain(rows).collect();
    (rows.len() > 1).then_some(rows)
}
