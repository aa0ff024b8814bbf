//! `setoption name NAME value VALUE`, a line each, as sent to engines: values without ranges.

use std::ops::Range;

use foundation::Failure;

use super::location::Source;
use super::lost;
use super::params_file::SpsaKeys;
use super::syntax::{Converted, Syntax};
use crate::parameter::{Parameter, start_options};

#[derive(Debug)]
pub(super) struct Setoption;

impl Syntax for Setoption {
    fn fits(&self, list: &str) -> bool {
        list.starts_with("setoption ")
    }

    fn has_choices(&self) -> bool {
        true
    }

    fn places(&self, source: Source, names: &[&str]) -> Result<Vec<Range<usize>>, Failure> {
        let mut found = Vec::new();
        let mut offset = 0;
        for line in source.text.split_inclusive('\n') {
            if let Some((name, start)) = option(line) {
                let value = line[start..].trim_end();
                found.push((name, offset + start..offset + start + value.len()));
            }
            offset += line.len();
        }
        let place = |wanted: &&str| {
            // Names of options ignore case; the last line is what the engine keeps.
            found
                .iter()
                .rev()
                .find(|(name, _)| name.eq_ignore_ascii_case(wanted))
                .map(|(_, place)| place.clone())
                .ok_or_else(|| lost::no_value(source, wanted))
        };
        names.iter().map(place).collect()
    }

    fn value_in<'a>(&self, line: &'a str) -> Option<(&'a str, &'a str)> {
        option(line).map(|(name, start)| (name, line[start..].trim_end()))
    }

    fn write(&self, parameters: &[Parameter], _spsa: &SpsaKeys, _games: u64) -> Converted<String> {
        let options = start_options(parameters);
        let lines = options
            .iter()
            .map(|(name, value)| format!("setoption name {name} value {value}"));
        Converted {
            content: lines.collect::<Vec<_>>().join("\n"),
            warnings: vec![lost::ranges()],
        }
    }
}

/// The name in a `setoption` line, and where its value begins.
fn option(line: &str) -> Option<(&str, usize)> {
    let rest = line.trim_start();
    let name = rest.strip_prefix("setoption")?.trim_start();
    let name = name.strip_prefix("name")?.trim_start();
    let place = name.find(" value ")?;
    let value = name[place + " value ".len()..].trim_start();
    Some((name[..place].trim(), line.len() - value.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_value_of_an_option_is_found_in_its_line() {
        let text = "uci\nsetoption name Margin Two value 100\r\n  setoption name Scale value 1.25";
        let source = Source { name: "f", text };
        let places = |names: &[&str]| Setoption.places(source, names);
        let found = places(&["scale", "Margin Two"]).expect("places");
        let found: Vec<&str> = found.iter().map(|place| &text[place.clone()]).collect();
        assert_eq!(found, ["1.25", "100"]);
        assert!(places(&["Margin"]).is_err());
    }
}
