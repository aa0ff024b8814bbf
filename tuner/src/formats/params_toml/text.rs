//! A new `params.toml`.

use toml_edit::{Array, DocumentMut, Value};

use crate::formats::params_file::SpsaKeys;
use crate::parameter::{Field, Kind, Parameter};

/// A value as TOML writes it for a parameter: of a choice its text, and an integer where it is one.
pub(crate) fn written(parameter: &Parameter, value: f64) -> Value {
    if parameter.choices.is_empty() {
        return number(parameter.kind, value);
    }
    choice(&parameter.choices, &parameter.text(value))
}

/// One of these choices; a switch is false or true.
fn choice(choices: &[String], text: &str) -> Value {
    let switch: Option<Vec<bool>> = choices.iter().map(|own| own.parse().ok()).collect();
    match switch.and_then(|_| text.parse::<bool>().ok()) {
        Some(is_on) => Value::from(is_on),
        None => Value::from(text),
    }
}

fn number(kind: Kind, value: f64) -> Value {
    const EXACT: f64 = (1_u64 << 53) as f64;
    if kind == Kind::Int && value.fract() == 0.0 && value.abs() < EXACT {
        Value::from(value as i64)
    } else {
        Value::from(value)
    }
}

/// A new file with these parameters.
pub(crate) fn to_text(parameters: &[Parameter], spsa: &SpsaKeys) -> String {
    let mut document = DocumentMut::new();
    let mut tables = toml_edit::Table::new();
    tables.set_implicit(true);
    for parameter in parameters {
        let mut table = toml_edit::Table::new();
        let numbers = [parameter.value, parameter.min, parameter.max];
        if let Some(doc) = &parameter.doc {
            table.insert(Field::Doc.key(), Value::from(doc.as_str()).into());
        }
        if !parameter.choices.is_empty() {
            let own = &parameter.choices;
            let value = written(parameter, parameter.value);
            table.insert(Field::Value.key(), value.into());
            let list: Array = own.iter().map(|text| choice(own, text)).collect();
            table.insert(Field::Choices.key(), Value::from(list).into());
            tables.insert(&parameter.name, table.into());
            continue;
        }
        // Integers say so only where their numbers would read as floats.
        let plain = |value: &f64| number(parameter.kind, *value).is_integer();
        if parameter.kind == Kind::Int && !numbers.iter().all(plain) {
            table.insert(Field::Kind.key(), Value::from("int").into());
        }
        for (field, value) in [Field::Value, Field::Min, Field::Max].iter().zip(numbers) {
            table.insert(field.key(), number(parameter.kind, value).into());
        }
        table.insert(Field::CEnd.key(), Value::from(parameter.c_end).into());
        if let Some(r_end) = parameter.r_end {
            table.insert(Field::REnd.key(), Value::from(r_end).into());
        }
        tables.insert(&parameter.name, table.into());
    }
    document.insert("params", tables.into());
    let mut section = toml_edit::Table::new();
    let counts = [
        ("iterations", spsa.iterations),
        ("pairs_per_iteration", spsa.pairs_per_iteration),
    ];
    for (key, count) in counts {
        if let Some(count) = count {
            section.insert(key, Value::from(count as i64).into());
        }
    }
    for (key, number) in [
        ("alpha", spsa.alpha),
        ("gamma", spsa.gamma),
        ("a_ratio", spsa.a_ratio),
    ] {
        if let Some(number) = number {
            section.insert(key, Value::from(number).into());
        }
    }
    if !section.is_empty() {
        document.insert("spsa", section.into());
    }
    document.to_string()
}
