//! Lists of values without ranges: `name, value` as OpenBench gives a tune's outcome, and
//! `setoption` lines as engines are told them.

use std::ops::Range;

use foundation::Failure;

use crate::formats::location::Source;
use crate::parameter::{self, Parameter};

/// `name, value`, a line each.
pub fn write_list(parameters: &[Parameter]) -> String {
    told(parameters, |name, value| format!("{name}, {value}"))
}

/// `setoption name NAME value VALUE`, a line each.
pub fn write_options(parameters: &[Parameter]) -> String {
    told(parameters, |name, value| {
        format!("setoption name {name} value {value}")
    })
}

fn told(parameters: &[Parameter], line: impl Fn(&str, &str) -> String) -> String {
    let values: Vec<f64> = parameters
        .iter()
        .map(|parameter| parameter.settle(parameter.value))
        .collect();
    let lines: Vec<String> = parameter::options(parameters, &values)
        .iter()
        .map(|(name, value)| line(name, value))
        .collect();
    lines.join("\n")
}

/// Where the values of these options stand in `setoption` lines, as ranges of bytes.
pub fn option_places(source: Source, names: &[&str]) -> Result<Vec<Range<usize>>, Failure> {
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
            .ok_or_else(|| Failure::unable(format!("{} has no value for {wanted}", source.name)))
    };
    names.iter().map(place).collect()
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
    use crate::parameter::Kind;

    #[test]
    fn lists_are_written_as_an_engine_is_told_them() {
        let margin = Parameter {
            name: "Margin Two".into(),
            kind: Kind::Int,
            value: 99.6,
            min: 0.0,
            max: 400.0,
            c_end: 12.0,
            r_end: None,
            doc: None,
        };
        let scale = Parameter {
            name: "Scale".into(),
            kind: Kind::Float,
            value: 1.25,
            c_end: 0.1,
            ..margin.clone()
        };
        let list = [margin, scale];
        assert_eq!(write_list(&list), "Margin Two, 100\nScale, 1.25");
        assert_eq!(
            write_options(&list),
            "setoption name Margin Two value 100\nsetoption name Scale value 1.25"
        );
    }

    #[test]
    fn the_value_of_an_option_is_found_in_its_line() {
        let text = "uci\nsetoption name Margin Two value 100\r\n  setoption name Scale value 1.25";
        let source = Source { name: "f", text };
        let places = option_places(source, &["scale", "Margin Two"]).expect("places");
        let found: Vec<&str> = places.iter().map(|place| &text[place.clone()]).collect();
        assert_eq!(found, ["1.25", "100"]);
        assert!(option_places(source, &["Margin"]).is_err());
    }
}
