//! The grammar of `params.toml`, the same as the tuner's, restricted to integers.
//!
//! A table `[params.NAME]` has `value`, `min` and `max`; `c_end` makes the parameter tunable, and
//! `r_end` pins its learning rate, which otherwise follows from the tuner's rule; zero for either
//! freezes it, as OpenBench and fishtest have it. The sections
//! `[spsa]` and `[match]` belong to the tuner. Accepted and refused files are in
//! `tests/data/params_grammar.toml`.

use toml::de::{DeTable, DeValue};

const SECTIONS: [&str; 3] = ["params", "spsa", "match"];
const KEYS: [&str; 7] = ["value", "min", "max", "c_end", "r_end", "type", "doc"];

#[derive(Debug)]
pub struct Entry {
    pub name: String,
    pub value: i32,
    pub min: i32,
    pub max: i32,
    /// Perturbation at the end of a tune; absent if the parameter is not to be tuned.
    pub c_end: Option<f64>,
    /// Learning rate at the end of a tune; absent unless pinned.
    pub r_end: Option<f64>,
    pub doc: String,
}

impl Entry {
    /// A switch turns something on (1) or off (0) and is not tuned.
    pub fn is_switch(&self) -> bool {
        self.c_end.is_none() && (self.min, self.max) == (0, 1)
    }
}

/// Reads all entries in the order of the file. An error starts with the entry's name.
pub fn parse(text: &str) -> Result<Vec<Entry>, String> {
    let document = DeTable::parse(text).map_err(|error| error.to_string())?;
    let document = document.get_ref();
    for section in document.keys().map(|key| key.get_ref().as_ref()) {
        if !SECTIONS.contains(&section) {
            return Err(format!(
                "unknown section {section}; expected [params.NAME], [spsa] or [match]"
            ));
        }
    }
    let params = document
        .get("params")
        .and_then(|value| value.get_ref().as_table())
        .ok_or("no [params.NAME] table found")?;
    let mut tables: Vec<_> = params.iter().collect();
    tables.sort_by_key(|(name, _)| name.span().start);
    let mut entries: Vec<Entry> = Vec::new();
    for (name, value) in tables {
        let name = name.get_ref().to_string();
        let entry = value
            .get_ref()
            .as_table()
            .ok_or_else(|| "expected a table".to_owned())
            .and_then(|table| entry(&name, table))
            .map_err(|message| format!("params.{name}: {message}"))?;
        // Names of UCI options are case-insensitive.
        if let Some(twin) = entries
            .iter()
            .find(|other| other.name.eq_ignore_ascii_case(&name))
        {
            return Err(format!(
                "params.{name}: differs from params.{} in case only",
                twin.name
            ));
        }
        entries.push(entry);
    }
    Ok(entries)
}

fn entry(name: &str, table: &DeTable<'_>) -> Result<Entry, String> {
    // The name becomes a function of the engine.
    let is_identifier = name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.chars().all(|c| c.is_ascii_alphanumeric());
    if !is_identifier {
        return Err("expected a name of a capital letter, then letters and digits".to_owned());
    }
    if let Some((key, _)) = table
        .iter()
        .find(|(key, _)| !KEYS.contains(&key.get_ref().as_ref()))
    {
        return Err(format!(
            "unknown key {}; expected {}",
            key.get_ref(),
            KEYS.join(", ")
        ));
    }
    let value = integer(table, "value")?;
    let min = integer(table, "min")?;
    let max = integer(table, "max")?;
    if min >= max || value < min || value > max {
        return Err(format!(
            "expected min < max and value between them, got min {min}, value {value}, max {max}"
        ));
    }
    let c_end = gain(table, "c_end")?;
    let r_end = gain(table, "r_end")?;
    // OpenBench and fishtest take a gain of zero for "do not move this one".
    let is_frozen = c_end == Some(0.0) || r_end == Some(0.0);
    let [c_end, r_end] = [c_end, r_end].map(|gain| gain.filter(|_| !is_frozen));
    if c_end.is_none() && r_end.is_some() {
        return Err("r_end needs c_end, which is missing".to_owned());
    }
    if let Some(kind) = string(table, "type")?
        && kind != "int"
    {
        return Err(format!("type is {kind}; the engine's options are int"));
    }
    Ok(Entry {
        name: name.to_owned(),
        value,
        min,
        max,
        c_end,
        r_end,
        doc: string(table, "doc")?.unwrap_or_default(),
    })
}

fn integer(table: &DeTable<'_>, key: &str) -> Result<i32, String> {
    match table.get(key).map(toml::Spanned::get_ref) {
        Some(DeValue::Integer(number)) => i32::from_str_radix(number.as_str(), number.radix())
            .map_err(|error| format!("{key} = {}: {error}", number.as_str())),
        Some(other) => Err(format!(
            "{key}: expected an integer, got a {}",
            other.type_str()
        )),
        None => Err(format!("{key} is missing")),
    }
}

fn gain(table: &DeTable<'_>, key: &str) -> Result<Option<f64>, String> {
    let text = match table.get(key).map(toml::Spanned::get_ref) {
        Some(DeValue::Integer(number)) => number.as_str(),
        Some(DeValue::Float(number)) => number.as_str(),
        Some(other) => {
            return Err(format!(
                "{key}: expected a number, got a {}",
                other.type_str()
            ));
        }
        None => return Ok(None),
    };
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() && value >= 0.0 => Ok(Some(value)),
        _ => Err(format!("{key}: expected a number from 0 up, got {text}")),
    }
}

fn string(table: &DeTable<'_>, key: &str) -> Result<Option<String>, String> {
    match table.get(key).map(toml::Spanned::get_ref) {
        Some(DeValue::String(text)) => Ok(Some(text.to_string())),
        Some(other) => Err(format!(
            "{key}: expected a string, got a {}",
            other.type_str()
        )),
        None => Ok(None),
    }
}
