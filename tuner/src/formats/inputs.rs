//! The inputs of an OpenBench tune, `name, int|float, value, min, max, c_end, r_end`, and of one on fishtest, which
//! have no type: its tuner knows integers only.

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
pub(super) struct Inputs {
    has_types: bool,
}

pub(super) static OPENBENCH: Inputs = Inputs { has_types: true };
pub(super) static FISHTEST: Inputs = Inputs { has_types: false };

impl Syntax for Inputs {
    fn fits(&self, list: &str) -> bool {
        let is_number = |field: &&str| field.parse::<f64>().is_ok();
        lines::fields(list).is_some_and(|fields| {
            fields.len() > 2 && fields.get(1).is_some_and(is_number) != self.has_types
        })
    }

    fn reader(&self) -> Option<Reader> {
        Some(if self.has_types {
            |source, _| lines::read(source, "name, type, value, min, max, c_end, r_end", typed)
        } else {
            |source, _| lines::read(source, "name,value,min,max,c_end,r_end", untyped)
        })
    }

    fn has_floats(&self) -> bool {
        self.has_types
    }

    fn places(&self, source: Source, names: &[&str]) -> Result<Vec<Range<usize>>, Failure> {
        lines::places(source, names, 1 + usize::from(self.has_types))
    }

    fn write(&self, parameters: &[Parameter], _spsa: &SpsaKeys, games: u64) -> Converted<String> {
        let rule = suggested_r_end(games / 2, parameters.len());
        let line = |own: &Parameter| {
            let r_end = own.r_end.unwrap_or(rule);
            let Parameter {
                name,
                value,
                min,
                max,
                c_end,
                ..
            } = own;
            let kind = match own.kind {
                Kind::Int => "int",
                Kind::Float => "float",
            };
            if self.has_types {
                format!("{name}, {kind}, {value}, {min}, {max}, {c_end}, {r_end}")
            } else {
                format!("{name},{value},{min},{max},{c_end},{r_end}")
            }
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

fn typed<'a>(cells: &[Cell<'a>]) -> Option<Row<'a>> {
    let (&[name, kind], rest) = cells.split_first_chunk()?;
    row(name, Some(kind), rest)
}

fn untyped<'a>(cells: &[Cell<'a>]) -> Option<Row<'a>> {
    let (&name, rest) = cells.split_first()?;
    row(name, None, rest)
}

fn row<'a>(name: Cell<'a>, kind: Option<Cell<'a>>, rest: &[Cell<'a>]) -> Option<Row<'a>> {
    let &[value, min, max, c_end, r_end] = rest else {
        return None;
    };
    Some(Row {
        name,
        kind,
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

    fn complaint(inputs: &Inputs, text: &str) -> String {
        let name = "tune.txt";
        let read = inputs.reader().expect("a reader");
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
            let got = complaint(&OPENBENCH, text);
            assert!(got.starts_with(expected), "{got}\nexpected {expected}");
        }
        let short = complaint(&FISHTEST, "A,1,0,9,1");
        assert!(
            short.starts_with("tune.txt:1:1: 5 fields where 6"),
            "{short}"
        );
    }
}
