//! Rows of the table: a name and a figure in words.

use std::fmt::Display;

use stats::EloFigures;

pub(super) type Row = [String; 2];

pub(super) fn row(name: &str, value: impl Display) -> Row {
    [name.to_owned(), value.to_string()]
}

pub(super) fn number(value: Option<f64>, decimals: usize) -> String {
    value.map_or_else(|| "n/a".to_owned(), |value| format!("{value:.decimals$}"))
}

pub(super) fn percent(share: Option<f64>) -> String {
    share.map_or_else(
        || "n/a".to_owned(),
        |share| format!("{:.2} %", 100.0 * share),
    )
}

/// An estimate without an interval says nothing.
pub(super) fn estimate(elo: &EloFigures) -> String {
    match (elo.low, elo.value, elo.high) {
        (Some(low), Some(value), Some(high)) => format!("{value:.2} [{low:.2}, {high:.2}] (95%)"),
        _ => "n/a".to_owned(),
    }
}
