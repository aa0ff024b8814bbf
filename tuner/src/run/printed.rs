//! How figures are printed, the same by every command: numbers, intervals, tables, JSON.

use std::path::Path;

use foundation::{Failure, failure::OrUnable};
use schemars::JsonSchema;
use serde::Serialize;

use crate::elo::TWO_SIDED_95;

pub(crate) use plot::short;

/// A value as it is shown: of a choice its text.
pub(crate) fn shown(choices: &[String], value: f64) -> String {
    let choice = choices.get(value.round() as usize);
    choice.cloned().unwrap_or_else(|| short(value))
}

/// A figure with its sign and its 95% interval, with so many digits.
pub(crate) fn interval(mean: f64, sd: f64, digits: usize) -> String {
    format!("{mean:+.digits$} ± {:.digits$}", TWO_SIDED_95 * sd)
}

/// Rows under their heads, between lines.
pub(crate) fn table<const COLUMNS: usize>(
    heads: [&str; COLUMNS],
    rows: impl IntoIterator<Item = [String; COLUMNS]>,
) -> String {
    drawn([heads.map(String::from)].into_iter().chain(rows))
}

/// Rows, of which the first has the heads, between lines.
pub(crate) fn drawn<Row: IntoIterator<Item = String>>(
    rows: impl IntoIterator<Item = Row>,
) -> String {
    let mut table = tabled::builder::Builder::from_iter(rows).build();
    table.with(tabled::settings::Style::sharp());
    table.to_string()
}

/// A result with its schema, version and run.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Printed<'a, Of> {
    schema: &'static str,
    version: u32,
    run: String,
    #[serde(flatten)]
    result: &'a Of,
}

impl<'a, Of: Serialize> Printed<'a, Of> {
    pub(crate) fn new(schema: &'static str, run: &Path, result: &'a Of) -> Self {
        Self {
            schema,
            version: 1,
            run: run.display().to_string(),
            result,
        }
    }
}

/// JSON has no infinities; figures that do not exist are null.
pub(crate) fn to_json(value: &impl Serialize) -> Result<String, Failure> {
    serde_json::to_string(value).or_unable("write JSON")
}

/// Whether a value has moved to within half a c of a bound.
pub(crate) fn is_at_bound(value: f64, start: f64, range: [f64; 2], c_end: f64) -> bool {
    const NEAR: f64 = 0.5;
    let near = NEAR * c_end;
    value != start && (value - range[0] < near || range[1] - value < near)
}

/// The names of those that ended at a bound, as a warning begins; none where there are none.
pub(crate) fn ended_at_bound<'a>(names: impl Iterator<Item = &'a str>) -> Option<String> {
    let names: Vec<&str> = names.collect();
    (!names.is_empty()).then(|| format!("ended at a bound: {}", names.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        assert_eq!(
            (short(100.0), short(1.25), short(0.1 + 0.2)),
            ("100".into(), "1.25".into(), "0.3".into())
        );
        assert_eq!(interval(12.345, 1.0, 1), "+12.3 ± 2.0");
    }

    #[test]
    fn a_value_that_never_moved_is_not_said_to_have_ended_at_a_bound() {
        let at = |value| is_at_bound(value, 0.0, [0.0, 10.0], 4.0);
        assert_eq!(
            [0.0, 1.0, 2.0, 8.0, 8.5].map(at),
            [false, true, false, false, true]
        );
    }
}
