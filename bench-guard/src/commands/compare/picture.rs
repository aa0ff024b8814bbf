//! A comparison as a page with one chart: nodes to each depth, one line per engine.

use std::fmt::Write as _;

use plot::{Chart, Line, escape};

use super::comparison::Comparison;
use super::table::CAUTION;

/// Hues of the pages' style sheet.
const HUES: usize = 8;

pub(crate) fn page(comparison: &Comparison) -> String {
    let lines = comparison
        .engines
        .iter()
        .enumerate()
        .map(|(index, engine)| {
            let points = engine.depths.iter();
            Line {
                label: engine.name.clone(),
                class: format!("c{}", index % HUES),
                points: points
                    .map(|mean| (f64::from(mean.depth), mean.nodes.log10()))
                    .collect(),
            }
        });
    let chart = Chart {
        title: "nodes to depth, powers of ten".to_owned(),
        width: 900.0,
        height: 420.0,
        lines: lines.collect(),
        bands: Vec::new(),
        levels: Vec::new(),
        end: f64::from(comparison.depth),
        x_name: "plies",
    };
    let mut keys = String::new();
    for (index, engine) in comparison.engines.iter().enumerate() {
        let factor = engine.branching_factor;
        let factor = factor.map_or_else(String::new, |it| format!(", branching factor {it:.2}"));
        // Writing to a `String` cannot fail.
        let _ = write!(
            keys,
            "<span class=\"key c{}\">{}{factor}</span>",
            index % HUES,
            escape(&engine.name)
        );
    }
    let body = format!(
        "{}\n<p class=\"legend\">{keys}</p>\n\
         <p class=\"note\">Geometric mean of {} positions. {CAUTION}</p>\n",
        chart.svg(),
        comparison.positions.len()
    );
    plot::page("Nodes to depth", &body)
}
