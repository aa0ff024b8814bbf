//! weather-factory's `config.json`: `{"Name": {"value", "min_value", "max_value", "step"}}`.
//!
//! Its probe at game t is `step t^-0.102`, so at the end of a run of T games our `c_end` is `step
//! T^-0.102`, not below half a step; it has no learning rate of its own for a parameter.

use std::fmt;
use std::ops::Range;

use foundation::Failure;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use super::checked::checked;
use super::location::Source;
use super::lost;
use super::params_file::{ParamsFile, SpsaKeys};
use super::syntax::{Converted, Reader, Syntax};
use crate::parameter::{Kind, Parameter};

const GAMMA: f64 = 0.102;

#[derive(Debug)]
pub(super) struct WeatherFactory;

impl Syntax for WeatherFactory {
    fn fits(&self, list: &str) -> bool {
        list.starts_with('{')
    }

    fn reader(&self) -> Option<Reader> {
        Some(read)
    }

    fn has_floats(&self) -> bool {
        false
    }

    fn places(&self, source: Source, names: &[&str]) -> Result<Vec<Range<usize>>, Failure> {
        let place =
            |name: &&str| value_of(source.text, name).ok_or_else(|| lost::no_value(source, name));
        names.iter().map(place).collect()
    }

    fn write(&self, parameters: &[Parameter], _spsa: &SpsaKeys, games: u64) -> Converted<String> {
        let lost = [
            lost::rates(parameters),
            lost::docs(parameters),
            Some(format!(
                "step is computed for a run of {games} games (--games)"
            )),
        ];
        Converted {
            content: text(parameters, games),
            warnings: lost.into_iter().flatten().collect(),
        }
    }
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    value: f64,
    min_value: f64,
    max_value: f64,
    step: f64,
}

/// The entries in the order of the file, so that a name given twice is seen.
struct Entries(Vec<(String, Entry)>);

impl<'de> Deserialize<'de> for Entries {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Entries;

            fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
                formatter.write_str("an object with one entry a parameter")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Entries, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Entries(entries))
            }
        }
        deserializer.deserialize_map(Reader)
    }
}

/// `c_end` per step after a run of `games`.
fn shrinkage(games: u64) -> f64 {
    (games.max(1) as f64).powf(-GAMMA)
}

fn read(source: Source, games: u64) -> Result<Converted<ParamsFile>, Failure> {
    let Entries(entries) = serde_json::from_str(source.text).map_err(|error| {
        Failure::unable(format!(
            "{}:{}:{}: {error}",
            source.name,
            error.line(),
            error.column()
        ))
    })?;
    let (frozen, entries): (Vec<_>, Vec<_>) = entries
        .into_iter()
        .partition(|(_, entry)| entry.step == 0.0);
    // The parser keeps no places; a name's first appearance between quotes is where its entry
    // begins.
    let places: Vec<usize> = entries
        .iter()
        .map(|(name, _)| source.text.find(&format!("\"{name}\"")).unwrap_or_default())
        .collect();
    let list = entries
        .into_iter()
        .map(|(name, entry)| Parameter {
            name,
            kind: Kind::Int,
            value: entry.value,
            min: entry.min_value,
            max: entry.max_value,
            c_end: if entry.step > 0.0 {
                (entry.step * shrinkage(games)).max(Kind::Int.smallest_c())
            } else {
                entry.step
            },
            r_end: None,
            doc: None,
            choices: Vec::new(),
        })
        .collect();
    let list = checked(source, list, |index, _| places[index])?;
    let frozen: Vec<String> = frozen.into_iter().map(|(name, _)| name).collect();
    let step = format!(
        "weather-factory's step is taken for a run of {games} games (`tuner convert --games` writes a \
         file for another length), and has no r_end: the rule for pairs and parameters will give it"
    );
    let warnings = [lost::frozen(&frozen), lost::fractions(&list), Some(step)];
    Ok(Converted {
        content: list.into(),
        warnings: warnings.into_iter().flatten().collect(),
    })
}

/// Where a parameter's value stands.
fn value_of(text: &str, name: &str) -> Option<Range<usize>> {
    let entry = text.find(&format!("\"{name}\""))?;
    let key = entry + text[entry..].find("\"value\"")? + "\"value\"".len();
    let start = key + text[key..].find(|letter: char| letter == '-' || letter.is_ascii_digit())?;
    let end = text[start..]
        .find([',', '}', '\n', '\r', ' '])
        .map_or(text.len(), |length| start + length);
    Some(start..end)
}

fn text(parameters: &[Parameter], games: u64) -> String {
    let entry = |parameter: &Parameter| {
        let fields = [
            ("value", parameter.value),
            ("min_value", parameter.min),
            ("max_value", parameter.max),
            ("step", parameter.c_end / shrinkage(games)),
        ];
        let fields: Vec<String> = fields
            .iter()
            .map(|(key, number)| format!("    \"{key}\": {number}"))
            .collect();
        let name = serde_json::Value::from(parameter.name.as_str());
        format!("  {name}: {{\n{}\n  }}", fields.join(",\n"))
    };
    let entries: Vec<String> = parameters.iter().map(entry).collect();
    format!("{{\n{}\n}}", entries.join(",\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaint(text: &str) -> String {
        let failure = read(
            Source {
                name: "config.json",
                text,
            },
            1000,
        )
        .expect_err(text);
        failure.message().to_owned()
    }

    #[test]
    fn complaints_name_the_place() {
        let entry = r#"{"value": 5, "min_value": 0, "max_value": 9, "step": 1}"#;
        let twice = format!("{{\n\"A\": {entry},\n\"a\": {entry}}}");
        assert!(complaint(&twice).starts_with("config.json:3:1: a is there twice"));
        assert!(complaint("{\"A\": {\"value\": 5}}").starts_with("config.json:1:"));
        let low = entry.replace("\"value\": 5", "\"value\": -5");
        assert!(complaint(&format!("{{\"A\": {low}}}")).contains("value -5 is outside"));
        let back = entry.replace("\"step\": 1", "\"step\": -1");
        assert!(complaint(&format!("{{\"A\": {back}}}")).contains("c_end is -1"));
    }
}
