//! One parameter a line, fields between commas: OpenBench's seven and fishtest's six.

use foundation::Failure;

use super::checked;
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

pub fn read(source: Source, layout: &Layout) -> Result<Vec<Parameter>, Failure> {
    let mut list = Vec::new();
    let mut places: Vec<Vec<usize>> = Vec::new();
    let mut offset = 0;
    for line in source.text.split_inclusive('\n') {
        let start = offset;
        offset += line.len();
        if line.trim().is_empty() {
            continue;
        }
        let mut place = start;
        let mut fields = Vec::new();
        for field in line.split(',') {
            let blanks = field.len() - field.trim_start().len();
            fields.push((place + blanks, field.trim()));
            place += field.len() + 1;
        }
        list.push(parameter(source, layout, start, &fields)?);
        places.push(fields.iter().map(|(place, _)| *place).collect());
    }
    checked(source, list, |index, field| {
        let column = layout.fields.iter().position(|&known| known == field);
        places[index][column.unwrap_or_default()]
    })
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
            ("A, int, 1, 0, 9, 1, 0", "tune.txt:1:21: A: r_end is 0"),
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
