//! `name, value`, a line each, as OpenBench gives a tune's outcome: values without ranges.

use std::ops::Range;

use foundation::Failure;

use super::lines;
use super::location::Source;
use super::lost;
use super::params_file::SpsaKeys;
use super::syntax::{Converted, Syntax};
use crate::parameter::{Parameter, start_options};

#[derive(Debug)]
pub(super) struct Values;

impl Syntax for Values {
    fn fits(&self, list: &str) -> bool {
        lines::fields(list).is_some_and(|fields| fields.len() == 2)
    }

    fn has_choices(&self) -> bool {
        true
    }

    fn places(&self, source: Source, names: &[&str]) -> Result<Vec<Range<usize>>, Failure> {
        lines::places(source, names, 1)
    }

    fn value_in<'a>(&self, line: &'a str) -> Option<(&'a str, &'a str)> {
        let line = line.trim();
        let (name, value) = line.split_once(',').unwrap_or((line, ""));
        (!line.is_empty() && !line.starts_with('#')).then(|| (name.trim(), value.trim()))
    }

    fn write(&self, parameters: &[Parameter], _spsa: &SpsaKeys, _games: u64) -> Converted<String> {
        let options = start_options(parameters);
        let lines = options
            .iter()
            .map(|(name, value)| format!("{name}, {value}"));
        Converted {
            content: lines.collect::<Vec<_>>().join("\n"),
            warnings: vec![lost::ranges()],
        }
    }
}
