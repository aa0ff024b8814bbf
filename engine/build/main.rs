//! Turns `params.toml` into the table of parameters: one [`Spec`] and one typed accessor an entry.
//!
//! The order of the file is the order of the options. A missing file or a bad entry fails the build
//!  with the entry's name; an entry that nothing reads is dead code and fails the lints.

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use toml::de::{DeTable, DeValue};

const FILE: &str = "params.toml";
const KEYS: [&str; 6] = ["value", "min", "max", "c_end", "r_end", "doc"];

struct Entry {
    name: String,
    value: i32,
    min: i32,
    max: i32,
    /// `c_end` and `r_end`; a switch has neither.
    tuning: Option<(f64, f64)>,
    doc: String,
}

fn main() {
    println!("cargo::rerun-if-changed={FILE}");
    if let Err(message) = generate() {
        println!("cargo::error={message}");
    }
}

fn generate() -> Result<(), String> {
    let text = fs::read_to_string(FILE).map_err(|error| format!("engine/{FILE}: {error}"))?;
    let entries = parse(&text).map_err(|message| format!("engine/{FILE}: {message}"))?;
    let folder = env::var("OUT_DIR").map_err(|error| format!("OUT_DIR: {error}"))?;
    let target = Path::new(&folder).join("params.rs");
    fs::write(&target, render(&entries)).map_err(|error| format!("{}: {error}", target.display()))
}

fn parse(text: &str) -> Result<Vec<Entry>, String> {
    let document = DeTable::parse(text).map_err(|error| error.to_string())?;
    let params = document
        .get_ref()
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
            .ok_or_else(|| "is no table".to_owned())
            .and_then(|table| entry(&name, table))
            .map_err(|message| format!("params.{name}: {message}"))?;
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
    let well_formed = name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.chars().all(|c| c.is_ascii_alphanumeric());
    if !well_formed {
        return Err("a name is a capital letter, then letters and digits".to_owned());
    }
    if let Some((key, _)) = table
        .iter()
        .find(|(key, _)| !KEYS.contains(&key.get_ref().as_ref()))
    {
        return Err(format!(
            "unknown key {}; known are {}",
            key.get_ref(),
            KEYS.join(", ")
        ));
    }
    let value = integer(table, "value")?;
    let min = integer(table, "min")?;
    let max = integer(table, "max")?;
    if min >= max || value < min || value > max {
        return Err(format!(
            "expected min <= value <= max, got {min}, {value}, {max}"
        ));
    }
    let tuning = match (number(table, "c_end")?, number(table, "r_end")?) {
        (Some(c_end), Some(r_end)) if c_end > 0.0 && r_end > 0.0 => Some((c_end, r_end)),
        (None, None) if (min, max) == (0, 1) => None,
        (None, None) => return Err("c_end and r_end are missing, and it is no switch".to_owned()),
        _ => return Err("c_end and r_end come together, and are above zero".to_owned()),
    };
    let doc = match table.get("doc").map(toml::Spanned::get_ref) {
        Some(DeValue::String(doc)) if !doc.is_empty() && !doc.contains('\n') => doc.to_string(),
        _ => return Err("doc must be one line of text".to_owned()),
    };
    Ok(Entry {
        name: name.to_owned(),
        value,
        min,
        max,
        tuning,
        doc,
    })
}

fn integer(table: &DeTable<'_>, key: &str) -> Result<i32, String> {
    match table.get(key).map(toml::Spanned::get_ref) {
        Some(DeValue::Integer(number)) => i32::from_str_radix(number.as_str(), number.radix())
            .map_err(|error| format!("{key} = {}: {error}", number.as_str())),
        Some(other) => Err(format!(
            "{key} must be an integer, got a {}",
            other.type_str()
        )),
        None => Err(format!("{key} is missing")),
    }
}

fn number(table: &DeTable<'_>, key: &str) -> Result<Option<f64>, String> {
    let text = match table.get(key).map(toml::Spanned::get_ref) {
        Some(DeValue::Integer(number)) => number.as_str(),
        Some(DeValue::Float(number)) => number.as_str(),
        Some(other) => {
            return Err(format!(
                "{key} must be a number, got a {}",
                other.type_str()
            ));
        }
        None => return Ok(None),
    };
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(Some(value)),
        _ => Err(format!("{key} = {text} is no finite number")),
    }
}

fn render(entries: &[Entry]) -> String {
    let mut code = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(code, "pub static SPECS: [Spec; {}] = [", entries.len());
    for entry in entries {
        let Entry {
            name,
            value,
            min,
            max,
            tuning,
            doc,
        } = entry;
        let _ = writeln!(
            code,
            "    Spec {{ name: {name:?}, default: {value}, min: {min}, max: {max}, tuning: {tuning:?}, \
             doc: {doc:?} }},"
        );
    }
    code.push_str("];\n\nimpl Params {\n");
    for (index, entry) in entries.iter().enumerate() {
        let accessor = snake_case(&entry.name);
        let (kind, suffix) = if entry.tuning.is_none() {
            ("bool", " != 0")
        } else {
            ("i32", "")
        };
        let _ = writeln!(
            code,
            "    #[doc = {:?}]\n    #[inline]\n    pub(crate) fn {accessor}(&self) -> {kind} {{\n        \
             self.values[{index}]{suffix}\n    }}",
            entry.doc
        );
    }
    code.push_str("}\n");
    code
}

fn snake_case(name: &str) -> String {
    let mut snake = String::new();
    for (index, letter) in name.chars().enumerate() {
        if letter.is_ascii_uppercase() && index > 0 {
            snake.push('_');
        }
        snake.push(letter.to_ascii_lowercase());
    }
    snake
}
