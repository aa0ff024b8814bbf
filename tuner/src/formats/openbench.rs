//! The inputs of an OpenBench tune: `name, int|float, value, min, max, c_end, r_end`.

use std::ops::Range;

use foundation::Failure;

use super::lines::{self, Cell, Row};
use super::location::Source;
use super::lost;
use super::params_file::SpsaKeys;
use super::syntax::{Converted, Reader, Syntax};
use crate::algorithm::schedule::suggested_r_end;
use crate::parameter::{Kind, Parameter};

#[derive(Debug)]
pub(super) struct Openbench;

impl Syntax for Openbench {
    fn fits(&self, list: &str) -> bool {
        lines::fields(list).is_some_and(|fields| {
            fields.len() > 2
                && fields
                    .get(1)
                    .is_none_or(|kind| kind.parse::<f64>().is_err())
        })
    }

    fn reader(&self) -> Option<Reader> {
        Some(|source, _| lines::read(source, "name, type, value, min, max, c_end, r_end", row))
    }

    fn places(&self, source: Source, names: &[&str]) -> Result<Vec<Range<usize>>, Failure> {
        lines::places(source, names, 2)
    }

    fn write(&self, parameters: &[Parameter], _spsa: &SpsaKeys, games: u64) -> Converted<String> {
        let rule = suggested_r_end(games / 2, parameters.len());
        let line = |own: &Parameter| {
            let kind = match own.kind {
                Kind::Int => "int",
                Kind::Float => "float",
            };
            let r_end = own.r_end.unwrap_or(rule);
            let Parameter {
                name,
                value,
                min,
                max,
                c_end,
                ..
            } = own;
            format!("{name}, {kind}, {value}, {min}, {max}, {c_end}, {r_end}")
        };
        let lost = [
            lost::no_rates(parameters, games / 2),
            lost::docs(parameters),
        ];
        Converted {
            // OpenBench takes a line end after the last line for an empty, malformed line.
            content: parameters.iter().map(line).collect::<Vec<_>>().join("\n"),
            warnings: lost.into_iter().flatten().collect(),
        }
    }
}

fn row<'a>(cells: &[Cell<'a>]) -> Option<Row<'a>> {
    let &[name, kind, value, min, max, c_end, r_end] = cells else {
        return None;
    };
    Some(Row {
        name,
        kind: Some(kind),
        value,
        min,
        max,
        c_end,
        r_end,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaint(text: &str) -> String {
        let name = "tune.txt";
        let read = Openbench.reader().expect("a reader");
        let failure = read(Source { name, text }, 1).expect_err(text);
        failure.message().to_owned()
    }

    #[test]
    fn complaints_name_line_and_column() {
        let cases = [
            (
                "A, int, 1, 0, 9, 1",
                "tune.txt:1:1: 6 fields where 7 are expected",
            ),
            ("A, spin, 1, 0, 9, 1, 0.002", "tune.txt:1:4: type is `spin`"),
            (
                "A, int, x, 0, 9, 1, 0.002",
                "tune.txt:1:9: value is `x`, not a number",
            ),
            (
                "A, int, 1, 0, 9, 1, 0.002\nB, int, 10, 0, 9, 1, 0.002",
                "tune.txt:2:9: B: value 10",
            ),
            (
                "A, int, 1, 0, 9, inf, 0.002",
                "tune.txt:1:18: A: c_end is inf",
            ),
            (
                "A, int, 1, 0, 9, 1, -0.1",
                "tune.txt:1:21: A: r_end is -0.1",
            ),
            (
                "A, int, 1, 0, 9, 1, 0.002\na, int, 1, 0, 9, 1, 0.002",
                "tune.txt:2:1: a is there",
            ),
        ];
        for (text, expected) in cases {
            let got = complaint(text);
            assert!(got.starts_with(expected), "{got}\nexpected {expected}");
        }
    }
}
