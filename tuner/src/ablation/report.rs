//! Settings as a table, a JSON object and a page.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use foundation::{Failure, counted};
use plot::escape;
use schemars::JsonSchema;
use serde::Serialize;
use stats::EloFigures;

use super::cuts::PruningTally;
use super::figures::{Ablated, Rate, SuiteResult};
use crate::run::printed::{drawn, to_json};

/// Of the table of cuts.
const UNITS: &str = "counts are the engine's own: what is tried at a node may cut several moves, \
                     and each is a cut; sampled are cuts that were searched after all, false those \
                     that the search contradicts";

/// What stands where there is no figure, as in the tables of `sprt`.
const NO_FIGURE: &str = "n/a";

/// Whether the column is shown, its head, and its cell for a setting.
type Column = (bool, String, fn(&Ablated) -> String);

/// What was asked, and what was found.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Report {
    pub schema: &'static str,
    pub version: u32,
    pub engine: String,
    /// Of the fixed searches.
    pub depth: u32,
    pub positions: usize,
    /// Of a move in a game.
    pub limit: String,
    /// Of a search of the suite; null without one.
    pub suite_limit: Option<String>,
    /// Null without one.
    pub judge: Option<String>,
    /// The baseline first.
    pub settings: Vec<Ablated>,
    /// What the baseline counts of its own cuts, by technique; empty where it counts none.
    pub pruning: BTreeMap<String, PruningTally>,
}

impl Report {
    pub(crate) fn json(&self) -> Result<String, Failure> {
        to_json(self)
    }

    pub(crate) fn table(&self) -> String {
        let mut text = drawn(self.rows());
        let idle = self.settings.iter().filter(|it| it.changes_nothing);
        let idle: Vec<&str> = idle.skip(1).map(|it| it.name.as_str()).collect();
        if !idle.is_empty() {
            // Writing to a `String` cannot fail.
            let _ = write!(
                text,
                "\nno search to depth {} changes: {}",
                self.depth,
                idle.join(", ")
            );
        }
        if !self.pruning.is_empty() {
            // Writing to a `String` cannot fail.
            let _ = write!(text, "\n{}\n{UNITS}", drawn(self.cuts()));
        }
        text
    }

    /// What the engine counts itself.
    fn cuts(&self) -> Vec<Vec<String>> {
        let heads = [
            "pruning of the baseline",
            "tried",
            "cut",
            "sampled",
            "false",
        ];
        let mut rows = vec![heads.map(str::to_owned).to_vec()];
        let acting = self.pruning.iter().filter(|(_, cuts)| cuts.cut > 0);
        rows.extend(acting.map(|(technique, cuts)| {
            let share = 100.0 * cuts.false_cuts as f64 / cuts.sampled as f64;
            let counts = [cuts.tried, cuts.cut, cuts.sampled].map(|it| it.to_string());
            let wrong = if cuts.sampled > 0 {
                format!("{} ({share:.1}%)", cuts.false_cuts)
            } else {
                String::new()
            };
            [vec![technique.clone()], counts.to_vec(), vec![wrong]].concat()
        }));
        rows
    }

    /// A page that loads nothing.
    pub(crate) fn page(&self) -> String {
        let mut tables = in_html(&self.rows());
        if !self.pruning.is_empty() {
            tables += &in_html(&self.cuts());
            // Writing to a `String` cannot fail.
            let _ = writeln!(tables, "<p>{}</p>", escape(UNITS));
        }
        let body = format!(
            "<p>Each setting against the baseline. Searches to depth {} of {}; games with {}.</p>\n\
             {tables}",
            self.depth,
            counted(self.positions, "position"),
            escape(&self.limit),
        );
        plot::page(&format!("Ablation of {}", self.engine), &body)
    }

    /// Heads, then the settings that change something; columns that were not asked for are left out.
    fn rows(&self) -> Vec<Vec<String>> {
        let has = |is: fn(&Ablated) -> bool| self.settings.iter().any(is);
        let columns: [Column; 7] = [
            (true, "setting".to_owned(), |it| it.name.clone()),
            (true, format!("nodes to depth {}", self.depth), |it| {
                it.nodes.map_or_else(String::new, |nodes| nodes.to_string())
            }),
            (true, "ratio".to_owned(), |it| {
                it.ratio
                    .map_or_else(String::new, |ratio| format!("{ratio:.3}"))
            }),
            (true, "changed".to_owned(), |it| {
                format!("{:.0}%", 100.0 * it.changed)
            }),
            (has(|it| it.suite.is_some()), "suite".to_owned(), |it| {
                it.suite.map_or_else(String::new, solved)
            }),
            (
                has(|it| it.blunders.is_some()),
                "blunders a game (95%)".to_owned(),
                |it| {
                    it.blunders
                        .map_or_else(String::new, |Rate { low, value, high }| {
                            format!("{value:.2} ({low:.2} to {high:.2})")
                        })
                },
            ),
            (
                has(|it| it.games.is_some()),
                "Elo (95%), W L D".to_owned(),
                |it| {
                    it.games.map_or_else(String::new, |games| {
                        let elo = games.elo.map_or_else(|| NO_FIGURE.to_owned(), elo);
                        format!("{elo}, {} {} {}", games.wins, games.losses, games.draws)
                    })
                },
            ),
        ];
        let shown = || columns.iter().filter(|(is_shown, ..)| *is_shown);
        let mut rows: Vec<Vec<String>> = vec![shown().map(|(_, head, _)| head.clone()).collect()];
        let shown_settings = self.settings.iter().enumerate();
        let shown_settings =
            shown_settings.filter(|(place, it)| *place == 0 || !it.changes_nothing);
        rows.extend(shown_settings.map(|(_, it)| shown().map(|(_, _, cell)| cell(it)).collect()));
        rows
    }
}

/// The first row has the heads.
fn in_html(rows: &[Vec<String>]) -> String {
    let row = |(place, row): (usize, &Vec<String>)| {
        let tag = if place == 0 { "th" } else { "td" };
        let cells = row
            .iter()
            .map(|cell| format!("<{tag}>{}</{tag}>", escape(cell)));
        format!("<tr>{}</tr>\n", cells.collect::<String>())
    };
    let rows: String = rows.iter().enumerate().map(row).collect();
    format!("<table>\n{rows}</table>\n")
}

fn solved(found: SuiteResult) -> String {
    if found.most_points > 0 {
        format!("{}/{} points", found.points, found.most_points)
    } else {
        format!("{}/{}", found.solved, found.searches)
    }
}

fn elo(figures: EloFigures) -> String {
    let one = |elo: Option<f64>| {
        // Rounded first, so that no zero has a minus.
        let rounded = elo.map(|elo| (elo * 10.0).round() / 10.0 + 0.0);
        rounded.map_or_else(|| NO_FIGURE.to_owned(), |elo| format!("{elo:+.1}"))
    };
    let EloFigures { low, value, high } = figures;
    format!("{} ({} to {})", one(value), one(low), one(high))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_even_score_has_no_minus() {
        let mut figures = EloFigures {
            low: Some(-20.04),
            value: Some(-1e-9),
            high: Some(20.0),
        };
        assert_eq!(elo(figures), "+0.0 (-20.0 to +20.0)");
        figures.low = Some(f64::NEG_INFINITY);
        assert_eq!(elo(figures), "+0.0 (-inf to +20.0)");
    }
}
