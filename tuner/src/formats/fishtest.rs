//! The parameters of a fishtest tune: `name,value,min,max,c_end,r_end`, integers all of them.

use std::ops::Range;

use foundation::Failure;

use super::lines::{self, Cell, Row};
use super::location::Source;
use super::lost;
use super::params_file::SpsaKeys;
use super::syntax::{Converted, Reader, Syntax};
use crate::algorithm::schedule::suggested_r_end;
use crate::parameter::Parameter;

#[derive(Debug)]
pub(super) struct Fishtest;

impl Syntax for Fishtest {
    fn fits(&self, list: &str) -> bool {
        lines::fields(list).is_some_and(|fields| {
            fields.len() > 2
                && fields
                    .get(1)
                    .is_some_and(|value| value.parse::<f64>().is_ok())
        })
    }

    fn reader(&self) -> Option<Reader> {
        Some(|source, _| lines::read(source, "name,value,min,max,c_end,r_end", row))
    }

    fn has_floats(&self) -> bool {
        false
    }

    fn places(&self, source: Source, names: &[&str]) -> Result<Vec<Range<usize>>, Failure> {
        lines::places(source, names, 1)
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
            format!("{name},{value},{min},{max},{c_end},{r_end}")
        };
        let lost = [
            lost::no_rates(parameters, games / 2),
            lost::docs(parameters),
        ];
        Converted {
            content: parameters.iter().map(line).collect::<Vec<_>>().join("\n"),
            warnings: lost.into_iter().flatten().collect(),
        }
    }
}

fn row<'a>(cells: &[Cell<'a>]) -> Option<Row<'a>> {
    let &[name, value, min, max, c_end, r_end] = cells else {
        return None;
    };
    Some(Row {
        name,
        kind: None,
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

    #[test]
    fn a_line_with_too_few_fields_is_refused() {
        let (name, text) = ("tune.txt", "A,1,0,9,1");
        let read = Fishtest.reader().expect("a reader");
        let failure = read(Source { name, text }, 1).expect_err("a short line");
        let message = failure.message();
        assert!(
            message.starts_with("tune.txt:1:1: 5 fields where 6"),
            "{message}"
        );
    }
}
