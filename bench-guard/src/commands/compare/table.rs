//! A comparison as text.

use std::fmt::Write as _;

use super::comparison::{Comparison, Row};

/// What the figures do not show.
pub(crate) const CAUTION: &str = "Nodes at equal depth do not order engines by strength: sane engines differ by a factor of \
     ten. Compare versions of one engine, and play a match to learn which is stronger.";

/// An engine's column is as wide as its name, and no narrower than a node count.
fn width(name: &str) -> usize {
    name.chars().count().max(12)
}

/// The table. Engines are named by the last part of their paths, if these differ.
pub(crate) fn text(comparison: &Comparison) -> String {
    let names = short_names(comparison);
    let mut text = String::new();
    // Writing to a `String` cannot fail.
    let _ = sums(&mut text, comparison, &names);
    let _ = depths(&mut text, comparison, &names);
    let _ = positions(&mut text, comparison, &names);
    let _ = write!(text, "\n{}", CAUTION.replace(". ", ".\n"));
    text
}

fn short_names(comparison: &Comparison) -> Vec<String> {
    let all: Vec<&str> = comparison
        .engines
        .iter()
        .map(|it| it.name.as_str())
        .collect();
    let last = |name: &str| name.rsplit('/').next().unwrap_or(name).to_owned();
    let mut short: Vec<String> = all.iter().map(|name| last(name)).collect();
    short.sort();
    short.dedup();
    if short.len() == all.len() && !short.iter().any(String::is_empty) {
        all.iter().map(|name| last(name)).collect()
    } else {
        all.iter().map(|name| (*name).to_owned()).collect()
    }
}

fn sums(text: &mut String, comparison: &Comparison, names: &[String]) -> std::fmt::Result {
    let widest = names.iter().map(|name| name.chars().count()).max();
    let widest = widest.unwrap_or(0).max(6);
    writeln!(
        text,
        "{:widest$} {:>13} {:>9} {:>9} {:>9}",
        "engine", "nodes", "to first", "branching", "seconds"
    )?;
    let first = comparison.engines[0].nodes;
    for (engine, name) in comparison.engines.iter().zip(names) {
        let change = percent((first > 0).then(|| engine.nodes as f64 / first as f64));
        let factor = engine.branching_factor;
        let factor = factor.map_or_else(|| "-".to_owned(), |factor| format!("{factor:.2}"));
        writeln!(
            text,
            "{name:widest$} {:>13} {change:>9} {factor:>9} {:>9.2}",
            engine.nodes, engine.seconds
        )?;
    }
    Ok(())
}

fn depths(text: &mut String, comparison: &Comparison, names: &[String]) -> std::fmt::Result {
    let engines = &comparison.engines;
    let count = comparison.positions.len();
    writeln!(
        text,
        "\nnodes to depth, geometric mean of {count} positions"
    )?;
    header(text, "depth", names)?;
    for depth in 1..=comparison.depth {
        let means: Vec<Option<f64>> = engines.iter().map(|it| it.nodes_to(depth)).collect();
        if means.iter().all(Option::is_none) {
            continue;
        }
        write!(text, "{depth:>8}")?;
        for (mean, name) in means.iter().zip(names) {
            let mean = mean.map_or_else(|| "-".to_owned(), |mean| format!("{mean:.0}"));
            write!(text, " {mean:>0$}", width(name))?;
        }
        writeln!(text)?;
    }
    Ok(())
}

fn positions(text: &mut String, comparison: &Comparison, names: &[String]) -> std::fmt::Result {
    writeln!(
        text,
        "\nnodes, score and seconds by position at depth {}, largest difference first",
        comparison.depth
    )?;
    for row in &comparison.positions {
        writeln!(text, "{}", row.fen)?;
        line(text, row, names)?;
    }
    Ok(())
}

fn line(text: &mut String, row: &Row, names: &[String]) -> std::fmt::Result {
    let first = row.engines[0].nodes;
    for (cell, name) in row.engines.iter().zip(names) {
        let change = percent((first > 0).then(|| cell.nodes as f64 / first as f64));
        let score = cell
            .reported_score
            .map_or_else(|| "-".to_owned(), |it| it.to_string());
        writeln!(
            text,
            "  {:>12} {change:>9} {score:>8} {:>8.2}  {name}",
            cell.nodes, cell.seconds
        )?;
    }
    Ok(())
}

fn header(text: &mut String, first: &str, names: &[String]) -> std::fmt::Result {
    write!(text, "{first:>8}")?;
    for name in names {
        write!(text, " {name:>0$}", width(name))?;
    }
    writeln!(text)
}

/// A ratio as its difference from 1.
fn percent(ratio: Option<f64>) -> String {
    ratio.map_or_else(
        || "-".to_owned(),
        |ratio| format!("{:+.1}%", 100.0 * (ratio - 1.0)),
    )
}
