//! One parameter a line, fields between commas, as OpenBench and fishtest have them.

use std::ops::Range;

use foundation::Failure;

use super::checked::checked;
use super::location::Source;
use super::lost;
use super::params_file::ParamsFile;
use super::syntax::Converted;
use crate::parameter::{Field, Kind, Parameter};

/// A field, and where it begins.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cell<'a> {
    place: usize,
    text: &'a str,
}

/// What a line says of a parameter, whatever the order of its fields.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row<'a> {
    pub name: Cell<'a>,
    /// None where the format knows integers only.
    pub kind: Option<Cell<'a>>,
    pub value: Cell<'a>,
    pub min: Cell<'a>,
    pub max: Cell<'a>,
    pub c_end: Cell<'a>,
    pub r_end: Cell<'a>,
}

/// The fields of the first line of such a list; none where it is no such list.
pub(super) fn fields(list: &str) -> Option<Vec<&str>> {
    let line = list.lines().next()?;
    let is_other = line.starts_with(['[', '{']) || !line.contains(',');
    (!is_other).then(|| line.split(',').map(str::trim).collect())
}

/// Reads a list whose lines have the fields of `shape`, split by `row`.
pub(super) fn read(
    source: Source,
    shape: &str,
    row: for<'a> fn(&[Cell<'a>]) -> Option<Row<'a>>,
) -> Result<Converted<ParamsFile>, Failure> {
    let (mut list, mut places, mut frozen) = (Vec::new(), Vec::new(), Vec::new());
    for (start, cells) in rows(source.text) {
        let row = row(&cells).ok_or_else(|| {
            let (got, expected) = (cells.len(), shape.split(',').count());
            let message = format!("{got} fields where {expected} are expected");
            source
                .fault(start, message)
                .hint(format!("a line is: {shape}"))
        })?;
        let parameter = row.parameter(source)?;
        // OpenBench and fishtest take gains of zero for "do not move this one".
        if parameter.c_end == 0.0 || parameter.r_end == Some(0.0) {
            frozen.push(parameter.name);
        } else {
            list.push(parameter);
            places.push(row);
        }
    }
    let list = checked(source, list, |index, field| places[index].place(field))?;
    let warnings = [lost::frozen(&frozen), lost::fractions(&list)];
    Ok(Converted {
        content: list.into(),
        warnings: warnings.into_iter().flatten().collect(),
    })
}

impl Row<'_> {
    fn parameter(&self, source: Source) -> Result<Parameter, Failure> {
        let number = |cell: Cell, field: Field| {
            let text = cell.text;
            let message = || format!("{field} is `{text}`, not a number");
            text.parse::<f64>()
                .map_err(|_| source.fault(cell.place, message()))
        };
        let kind = match self.kind {
            None | Some(Cell { text: "int", .. }) => Kind::Int,
            Some(Cell { text: "float", .. }) => Kind::Float,
            Some(Cell { place, text }) => {
                let message = format!("type is `{text}`, not int or float");
                return Err(source.fault(place, message));
            }
        };
        Ok(Parameter {
            name: self.name.text.to_owned(),
            kind,
            value: number(self.value, Field::Value)?,
            min: number(self.min, Field::Min)?,
            max: number(self.max, Field::Max)?,
            c_end: number(self.c_end, Field::CEnd)?,
            r_end: Some(number(self.r_end, Field::REnd)?),
            doc: None,
            choices: Vec::new(),
        })
    }

    /// Where a field stands, or the line's name for what has no field of its own.
    fn place(&self, field: Field) -> usize {
        let cell = match field {
            Field::Value => self.value,
            Field::Min => self.min,
            Field::Max => self.max,
            Field::CEnd => self.c_end,
            Field::REnd => self.r_end,
            Field::Name | Field::Kind | Field::Doc | Field::Choices => self.name,
        };
        cell.place
    }
}

/// The lines that are neither empty nor comments: where each begins, and its fields.
fn rows(text: &str) -> impl Iterator<Item = (usize, Vec<Cell<'_>>)> {
    let mut offset = 0;
    text.split_inclusive('\n').filter_map(move |line| {
        let start = offset;
        offset += line.len();
        if line.trim().is_empty() || line.trim_start().starts_with('#') {
            return None;
        }
        let mut place = start;
        let mut cells = Vec::new();
        for field in line.split(',') {
            let blanks = field.len() - field.trim_start().len();
            cells.push(Cell {
                place: place + blanks,
                text: field.trim(),
            });
            place += field.len() + 1;
        }
        Some((start, cells))
    })
}

/// Where the values of these parameters stand, in this column, as ranges of bytes.
pub(super) fn places(
    source: Source,
    names: &[&str],
    column: usize,
) -> Result<Vec<Range<usize>>, Failure> {
    let is_named = |name: &str, cells: &[Cell]| cells.first().is_some_and(|it| it.text == name);
    let place = |name: &&str| {
        let mut found = rows(source.text).filter(|(_, cells)| is_named(name, cells));
        let (_, cells) = found.next().ok_or_else(|| lost::no_value(source, name))?;
        if let Some((again, _)) = found.next() {
            return Err(source
                .fault(again, format!("{name} has a value already"))
                .hint("leave one of them out"));
        }
        let cell = cells
            .get(column)
            .ok_or_else(|| lost::no_value(source, name))?;
        // What follows may be a comment.
        let value = cell.text.split('#').next().unwrap_or_default().trim_end();
        Ok(cell.place..cell.place + value.len())
    };
    names.iter().map(place).collect()
}
