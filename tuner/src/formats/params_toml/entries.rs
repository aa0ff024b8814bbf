//! The tables `[params.NAME]`.

use clap::ValueEnum as _;
use foundation::Failure;
use toml_edit::{Item, TableLike, Value};

use super::item::{as_number, start};
use crate::formats::location::Source;
use crate::formats::params_file::Fixed;
use crate::parameter::{self, Field, Kind, Parameter};

/// The parameters that are tuned, and names and values of the others.
pub(super) fn read(
    source: Source,
    table: &dyn TableLike,
) -> Result<(Vec<Parameter>, Vec<Fixed>), Failure> {
    let mut list = Vec::new();
    let mut places = Vec::new();
    let mut fixed = Vec::new();
    for (name, item) in table.iter() {
        let place = start(table.key(name).and_then(toml_edit::Key::span));
        let fields = item
            .as_table_like()
            .ok_or_else(|| source.fault(place, format!("`params.{name}` is not a table")))?;
        known_keys(source, name, fields)?;
        if let Some(choices) = fields.get(Field::Choices.key()) {
            list.push(choice(source, name, place, fields, choices)?);
            places.push((place, fields));
            continue;
        }
        let gains = [Field::CEnd, Field::REnd].map(|field| fields.get(field.key()));
        // A gain of zero moves nothing.
        let is_frozen = gains
            .iter()
            .any(|gain| gain.and_then(as_number) == Some(0.0));
        let has_gains = gains.iter().any(Option::is_some);
        if is_frozen || !has_gains {
            let value = fields.get(Field::Value.key()).and_then(as_number);
            fixed.push((name.to_owned(), value));
            continue;
        }
        list.push(parameter(source, name, place, fields)?);
        places.push((place, fields));
    }
    parameter::check(&list).map_err(|(index, field, reason)| {
        let (place, fields) = places[index];
        let span = fields.get(field.key()).and_then(Item::span);
        source.fault(span.map_or(place, |span| span.start), reason)
    })?;
    Ok((list, fixed))
}

fn known_keys(source: Source, name: &str, fields: &dyn TableLike) -> Result<(), Failure> {
    // The name is the table's own.
    let known = Field::value_variants()
        .iter()
        .filter(|field| **field != Field::Name);
    let keys: Vec<&str> = known.map(|field| field.key()).collect();
    if let Some((key, item)) = fields.iter().find(|(key, _)| !keys.contains(key)) {
        return Err(source
            .fault(start(item.span()), format!("{name}: unknown key `{key}`"))
            .hint(format!("known keys are {}", keys.join(", "))));
    }
    Ok(())
}

fn parameter(
    source: Source,
    name: &str,
    place: usize,
    fields: &dyn TableLike,
) -> Result<Parameter, Failure> {
    let number = |field: Field| -> Result<Option<f64>, Failure> {
        let Some(item) = fields.get(field.key()) else {
            return Ok(None);
        };
        as_number(item).map(Some).ok_or_else(|| {
            let got = item.type_name();
            source
                .fault(
                    start(item.span()),
                    format!("{name}: {field} is a {got}, not a number"),
                )
                .hint("a switch or a choice has its values in `choices`, and no c_end")
        })
    };
    let needed = |field: Field| -> Result<f64, Failure> {
        number(field)?.ok_or_else(|| source.fault(place, format!("{name}: {field} is missing")))
    };
    let text = |field| text(source, name, fields, field);
    let kind = match text(Field::Kind)? {
        Some("int") => Kind::Int,
        Some("float") => Kind::Float,
        Some(other) => {
            let span = fields.get(Field::Kind.key()).and_then(Item::span);
            let message = format!("{name}: type is `{other}`, not int or float");
            return Err(source.fault(start(span), message));
        }
        None => {
            let whole = |key: &&str| fields.get(key).is_none_or(|item| is_whole(source, item));
            if ["value", "min", "max"].iter().all(whole) {
                Kind::Int
            } else {
                Kind::Float
            }
        }
    };
    Ok(Parameter {
        name: name.to_owned(),
        kind,
        value: needed(Field::Value)?,
        min: needed(Field::Min)?,
        max: needed(Field::Max)?,
        c_end: needed(Field::CEnd)?,
        r_end: number(Field::REnd)?,
        doc: text(Field::Doc)?.map(str::to_owned),
        choices: Vec::new(),
    })
}

/// An entry that has `choices`: texts, or false and true.
fn choice(
    source: Source,
    name: &str,
    place: usize,
    fields: &dyn TableLike,
    choices: &Item,
) -> Result<Parameter, Failure> {
    for field in [
        Field::Kind,
        Field::Min,
        Field::Max,
        Field::CEnd,
        Field::REnd,
    ] {
        if let Some(item) = fields.get(field.key()) {
            let message = format!("{name}: {field} is for numbers, and this has choices");
            return Err(source.fault(start(item.span()), message));
        }
    }
    let in_list = |item: &Value| {
        let (got, place) = (item.type_name(), start(item.span()));
        let message = format!("{name}: choices has a value of type {got}, not string or boolean");
        told(item).ok_or_else(|| source.fault(place, message))
    };
    let texts = choices.as_array().ok_or_else(|| {
        let message = format!("{name}: choices is a {}, not a list", choices.type_name());
        source.fault(start(choices.span()), message)
    })?;
    let texts: Vec<String> = texts.iter().map(in_list).collect::<Result<_, _>>()?;
    let item = fields
        .get(Field::Value.key())
        .ok_or_else(|| source.fault(place, format!("{name}: value is missing")))?;
    let value = item.as_value().and_then(told);
    let index = texts.iter().position(|text| Some(text) == value.as_ref());
    let index = index.ok_or_else(|| {
        let got = value.map_or(item.type_name().to_owned(), |text| format!("`{text}`"));
        let all = texts.join(", ");
        let message = format!("{name}: value is {got}, and none of its choices: {all}");
        source.fault(start(item.span()), message)
    })?;
    Ok(Parameter {
        doc: text(source, name, fields, Field::Doc)?.map(str::to_owned),
        ..Parameter::choice(name.to_owned(), texts, index)
    })
}

/// A choice as an engine is told it.
fn told(value: &Value) -> Option<String> {
    let text = value.as_str().map(str::to_owned);
    text.or_else(|| value.as_bool().map(|is_on| is_on.to_string()))
}

fn text<'a>(
    source: Source,
    name: &str,
    fields: &'a dyn TableLike,
    field: Field,
) -> Result<Option<&'a str>, Failure> {
    let Some(item) = fields.get(field.key()) else {
        return Ok(None);
    };
    item.as_str().map(Some).ok_or_else(|| {
        let got = item.type_name();
        source.fault(
            start(item.span()),
            format!("{name}: {field} is a {got}, not a string"),
        )
    })
}

/// An integer, also one that is written as `1e2`.
fn is_whole(source: Source, item: &Item) -> bool {
    let written = item.span().and_then(|span| source.text.get(span));
    item.is_integer()
        || item.as_float().is_some_and(|number| number.fract() == 0.0)
            && written.is_some_and(|text| !text.contains('.'))
}
