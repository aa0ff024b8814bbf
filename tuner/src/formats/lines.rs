//! One parameter a line, fields between commas: OpenBench's seven and fishtest's six.

use std::ops::Range;

use foundation::Failure;

use super::checked::checked;
use crate::formats::location::Source;
use crate::parameter::{Field, Kind, Parameter};

/// A line's fields in order, and what stands between them when we write.
pub struct Layout {
    fields: &'static [Field],
    separator: &'static str,
}

pub const OPENBENCH: Layout = Layout {
    fields: &[
        Field::Name,
        Field::Kind,
        Field::Value,
        Field::Min,
        Field::Max,
        Field::CEnd,
        Field::REnd,
    ],
    separator: ", ",
};

pub const FISHTEST: Layout = Layout {
    fields: &[
        Field::Name,
        Field::Value,
        Field::Min,
        Field::Max,
        Field::CEnd,
        Field::REnd,
    ],
    separator: ",",
};

/// Values alone; there is nothing to read, but values can be written into it.
pub const VALUES: Layout = Layout {
    fields: &[Field::Name, Field::Value],
    separator: ", ",
};

/// The parameters, and the names of those that are frozen.
pub fn read(source: Source, layout: &Layout) -> Result<(Vec<Parameter>, Vec<String>), Failure> {
    let mut list = Vec::new();
    let mut frozen = Vec::new();
    let mut places: Vec<Vec<usize>> = Vec::new();
    for (start, fields) in rows(source.text) {
        let parameter = parameter(source, layout, start, &fields)?;
        // OpenBench and fishtest take gains of zero for "do not move this one".
        if parameter.c_end == 0.0 || parameter.r_end == Some(0.0) {
            frozen.push(parameter.name);
            continue;
        }
        list.push(parameter);
        places.push(fields.iter().map(|(place, _)| *place).collect());
    }
    let list = checked(source, list, |index, field| {
        let column = layout.fields.iter().position(|&known| known == field);
        places[index][column.unwrap_or_default()]
    })?;
    Ok((list, frozen))
}

/// The lines that are not empty: where each begins, and its fields with their places.
fn rows(text: &str) -> impl Iterator<Item = (usize, Vec<(usize, &str)>)> {
    let mut offset = 0;
    text.split_inclusive('\n').filter_map(move |line| {
        let start = offset;
        offset += line.len();
        if line.trim().is_empty() {
            return None;
        }
        let mut place = start;
        let mut fields = Vec::new();
        for field in line.split(',') {
            let blanks = field.len() - field.trim_start().len();
            fields.push((place + blanks, field.trim()));
            place += field.len() + 1;
        }
        Some((start, fields))
    })
}

/// Where the values of these parameters stand, as ranges of bytes.
pub fn places(
    source: Source,
    layout: &Layout,
    names: &[&str],
) -> Result<Vec<Range<usize>>, Failure> {
    let column = layout
        .fields
        .iter()
        .position(|&field| field == Field::Value);
    let place = |name: &&str| {
        rows(source.text)
            .find(|(_, fields)| fields.first().is_some_and(|(_, first)| first == name))
            .and_then(|(_, fields)| fields.get(column?).copied())
            .map(|(start, text)| start..start + text.len())
            .ok_or_else(|| Failure::unable(format!("{} has no value for {name}", source.name)))
    };
    names.iter().map(place).collect()
}

fn parameter(
    source: Source,
    layout: &Layout,
    start: usize,
    fields: &[(usize, &str)],
) -> Result<Parameter, Failure> {
    if fields.len() != layout.fields.len() {
        let names: Vec<&str> = layout.fields.iter().map(|field| field.key()).collect();
        return Err(source
            .fault(
                start,
                format!(
                    "{} fields where {} are expected",
                    fields.len(),
                    layout.fields.len()
                ),
            )
            .hint(format!("a line is: {}", names.join(layout.separator))));
    }
    let mut parameter = Parameter {
        name: String::new(),
        kind: Kind::Int,
        value: 0.0,
        min: 0.0,
        max: 0.0,
        c_end: 0.0,
        r_end: None,
        doc: None,
    };
    for (&field, &(place, text)) in layout.fields.iter().zip(fields) {
        let number = || {
            text.parse::<f64>()
                .map_err(|_| source.fault(place, format!("{field} is `{text}`, not a number")))
        };
        match field {
            Field::Name => text.clone_into(&mut parameter.name),
            Field::Kind => {
                parameter.kind = match text {
                    "int" => Kind::Int,
                    "float" => Kind::Float,
                    _ => {
                        let message = format!("type is `{text}`, not int or float");
                        return Err(source.fault(place, message));
                    }
                }
            }
            Field::Value => parameter.value = number()?,
            Field::Min => parameter.min = number()?,
            Field::Max => parameter.max = number()?,
            Field::CEnd => parameter.c_end = number()?,
            Field::REnd => parameter.r_end = Some(number()?),
            Field::Doc => {}
        }
    }
    Ok(parameter)
}

/// Writes the lines, with `rule` where a parameter has no `r_end`.
pub fn write(parameters: &[Parameter], layout: &Layout, rule: f64) -> String {
    let line = |parameter: &Parameter| {
        let fields: Vec<String> = layout
            .fields
            .iter()
            .map(|field| match field {
                Field::Name => parameter.name.clone(),
                Field::Kind if parameter.kind == Kind::Int => "int".to_owned(),
                Field::Kind => "float".to_owned(),
                Field::Value => parameter.value.to_string(),
                Field::Min => parameter.min.to_string(),
                Field::Max => parameter.max.to_string(),
                Field::CEnd => parameter.c_end.to_string(),
                Field::REnd => parameter.r_end.unwrap_or(rule).to_string(),
                Field::Doc => String::new(),
            })
            .collect();
        fields.join(layout.separator)
    };
    // OpenBench takes a line end after the last line for an empty, malformed line.
    parameters.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaint(text: &str, layout: &Layout) -> String {
        let failure = read(
            Source {
                name: "tune.txt",
                text,
            },
            layout,
        )
        .expect_err(text);
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
            let got = complaint(text, &OPENBENCH);
            assert!(got.starts_with(expected), "{got}\nexpected {expected}");
        }
        assert!(complaint("A,1,0,9,1", &FISHTEST).starts_with("tune.txt:1:1: 5 fields where 6"));
    }
}
