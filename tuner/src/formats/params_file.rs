//! `params.toml`: one table per parameter, the shape of the run in `[spsa]`, the games in
//! `[match]`.
//!
//! Reading names line and column of whatever is wrong, before any game is played. Writing changes
//! values and nothing else: comments, order and layout stay the author's.

use std::ops::Range;

use foundation::Failure;
use sprt::flags::{MatchFlags, is_known};
use toml_edit::{Document, DocumentMut, Item, TableLike, Value};

use crate::algorithm::schedule::Schedule;
use crate::formats::location::Source;
use crate::parameter::{self, Field, Kind, Parameter};

/// What a `params.toml` says.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ParamsFile {
    pub parameters: Vec<Parameter>,
    pub spsa: SpsaKeys,
    /// Entries without `c_end` and `r_end`, or with zero for one of them: switches and the like,
    /// not offered to a tuner.
    pub fixed: Vec<String>,
    /// `[match]`: keys are the flags of a match without the dashes, and `engine`.
    pub match_section: toml::Table,
}

/// The section `[spsa]`; flags override it.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct SpsaKeys {
    pub iterations: Option<u64>,
    pub pairs_per_iteration: Option<u64>,
    pub alpha: Option<f64>,
    pub gamma: Option<f64>,
    pub a_ratio: Option<f64>,
}

impl SpsaKeys {
    pub fn schedule(&self) -> Schedule {
        let default = Schedule::default();
        Schedule {
            iterations: self.iterations.unwrap_or(default.iterations),
            pairs_per_iteration: self
                .pairs_per_iteration
                .unwrap_or(default.pairs_per_iteration),
            alpha: self.alpha.unwrap_or(default.alpha),
            gamma: self.gamma.unwrap_or(default.gamma),
            a_ratio: self.a_ratio.unwrap_or(default.a_ratio),
        }
    }
}

/// Reads and checks a file.
pub fn parse(source: Source) -> Result<ParamsFile, Failure> {
    let document = Document::parse(source.text)
        .map_err(|error| source.fault(start(error.span()), error.message()))?;
    let mut file = ParamsFile::default();
    for (name, item) in document.iter() {
        let place = start(document.key(name).and_then(toml_edit::Key::span));
        let table = item
            .as_table_like()
            .ok_or_else(|| source.fault(place, format!("`{name}` is not a table")));
        match name {
            "params" => (file.parameters, file.fixed) = parameters(source, table?)?,
            "spsa" => file.spsa = spsa(source, table?)?,
            "match" => file.match_section = match_section(source, table?)?,
            _ => {
                return Err(source
                    .fault(place, format!("unknown section `{name}`"))
                    .hint("known sections are [params.NAME], [spsa] and [match]"));
            }
        }
    }
    if file.parameters.is_empty() {
        return Err(
            Failure::unable(format!("{} has no parameters", source.name)).hint(
                "add a table [params.NAME] each, or let `tuner init --engine ENGINE` write it",
            ),
        );
    }
    Ok(file)
}

fn parameters(
    source: Source,
    table: &dyn TableLike,
) -> Result<(Vec<Parameter>, Vec<String>), Failure> {
    let mut list = Vec::new();
    let mut places = Vec::new();
    let mut fixed = Vec::new();
    for (name, item) in table.iter() {
        let place = start(table.key(name).and_then(toml_edit::Key::span));
        let fields = item
            .as_table_like()
            .ok_or_else(|| source.fault(place, format!("`params.{name}` is not a table")))?;
        known_keys(source, name, fields)?;
        let gains = [Field::CEnd, Field::REnd].map(|field| fields.get(field.key()));
        // OpenBench and fishtest freeze a parameter by a gain of zero.
        let is_frozen = gains
            .iter()
            .any(|gain| gain.and_then(as_number) == Some(0.0));
        let has_gains = gains.iter().any(Option::is_some);
        if is_frozen || !has_gains {
            fixed.push(name.to_owned());
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
    let keys = Field::ALL.map(Field::key);
    if let Some((key, item)) = fields
        .iter()
        .find(|(key, _)| *key == "name" || !keys.contains(key))
    {
        return Err(source
            .fault(start(item.span()), format!("{name}: unknown key `{key}`"))
            .hint("known keys are value, min, max, c_end, r_end, type and doc"));
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
            source.fault(
                start(item.span()),
                format!("{name}: {field} is a {got}, not a number"),
            )
        })
    };
    let needed = |field: Field| -> Result<f64, Failure> {
        number(field)?.ok_or_else(|| source.fault(place, format!("{name}: {field} is missing")))
    };
    let text = |field: Field| -> Result<Option<&str>, Failure> {
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
    };
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
    })
}

fn spsa(source: Source, table: &dyn TableLike) -> Result<SpsaKeys, Failure> {
    let mut keys = SpsaKeys::default();
    for (name, item) in table.iter() {
        let place = start(item.span());
        let count = || {
            item.as_integer()
                .and_then(|count| u64::try_from(count).ok())
                .filter(|&count| count > 0)
                .ok_or_else(|| source.fault(place, format!("{name} is not a positive integer")))
        };
        let number = || {
            as_number(item)
                .filter(|number| number.is_finite() && *number >= 0.0)
                .ok_or_else(|| source.fault(place, format!("{name} is not a finite number >= 0")))
        };
        match name {
            "iterations" => keys.iterations = Some(count()?),
            "pairs_per_iteration" => keys.pairs_per_iteration = Some(count()?),
            "alpha" => keys.alpha = Some(number()?),
            "gamma" => keys.gamma = Some(number()?),
            "a_ratio" => keys.a_ratio = Some(number()?),
            _ => {
                return Err(source
                    .fault(place, format!("[spsa]: unknown key `{name}`"))
                    .hint(
                        "known keys are iterations, pairs_per_iteration, alpha, gamma, a_ratio",
                    ));
            }
        }
    }
    Ok(keys)
}

/// The section as the match's own flags are read, its keys known to be theirs.
fn match_section(source: Source, table: &dyn TableLike) -> Result<toml::Table, Failure> {
    for (name, item) in table.iter() {
        if name != "engine" && !is_known::<MatchFlags>(name) {
            return Err(source
                .fault(start(item.span()), format!("[match]: unknown key `{name}`"))
                .hint("its keys are `engine` and the flags of `sprt run` without the dashes"));
        }
    }
    let mut whole: toml::Table = toml::from_str(source.text)
        .map_err(|error| source.fault(start(error.span()), error.message()))?;
    match whole.remove("match") {
        Some(toml::Value::Table(section)) => Ok(section),
        _ => Ok(toml::Table::new()),
    }
}

/// An integer, also one that is written as `1e2`.
fn is_whole(source: Source, item: &Item) -> bool {
    let written = item.span().and_then(|span| source.text.get(span));
    item.is_integer()
        || item.as_float().is_some_and(|number| number.fract() == 0.0)
            && written.is_some_and(|text| !text.contains('.'))
}

fn as_number(item: &Item) -> Option<f64> {
    item.as_float()
        .or_else(|| item.as_integer().map(|whole| whole as f64))
}

fn start(span: Option<Range<usize>>) -> usize {
    span.map_or(0, |span| span.start)
}

/// Where the values of these parameters stand in a file, as ranges of bytes.
pub fn places(source: Source, names: &[&str]) -> Result<Vec<Range<usize>>, Failure> {
    let document = Document::parse(source.text)
        .map_err(|error| source.fault(start(error.span()), error.message()))?;
    let place = |name: &&str| {
        document
            .get("params")
            .and_then(|params| params.get(*name))
            .and_then(|fields| fields.get(Field::Value.key()))
            .and_then(Item::span)
            .ok_or_else(|| {
                Failure::unable(format!("{} has no value for {name}", source.name))
                    .hint("apply to the file that the run was started with")
            })
    };
    names.iter().map(place).collect()
}

/// A number as TOML writes it for a parameter of this kind: an integer where it is one.
pub fn number(kind: Kind, value: f64) -> Value {
    const EXACT: f64 = (1_u64 << 53) as f64;
    if kind == Kind::Int && value.fract() == 0.0 && value.abs() < EXACT {
        Value::from(value as i64)
    } else {
        Value::from(value)
    }
}

/// A new file with these parameters.
pub fn to_text(parameters: &[Parameter], spsa: &SpsaKeys) -> String {
    let mut document = DocumentMut::new();
    let mut tables = toml_edit::Table::new();
    tables.set_implicit(true);
    for parameter in parameters {
        let mut table = toml_edit::Table::new();
        let numbers = [parameter.value, parameter.min, parameter.max];
        if let Some(doc) = &parameter.doc {
            table.insert(Field::Doc.key(), Value::from(doc.as_str()).into());
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

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = r#"# Margins, tuned in spring.
[params.FutilityMargin]
value = 100   # was 90
min = 0
max = 400
c_end = 12.0
r_end = 0.002
doc = "futility margin per ply of depth, centipawns"

[params.Scale]
value = 1.5
min = 0.0
max = 4
c_end = 0.25

[spsa]
iterations = 500
pairs_per_iteration = 4

[match]
nodes = 5000
option = ["Hash=16", "Threads=1"]
draw-adj = "movenumber=40"
"#;

    fn read(text: &str) -> Result<ParamsFile, Failure> {
        parse(Source {
            name: "params.toml",
            text,
        })
    }

    fn complaint(text: &str) -> String {
        read(text).expect_err(text).message().to_owned()
    }

    #[test]
    fn a_whole_file_is_read() {
        let file = read(FILE).expect("a file");
        let [margin, scale] = file.parameters.as_slice() else {
            panic!("two parameters");
        };
        assert_eq!(
            (margin.kind, margin.value, margin.r_end),
            (Kind::Int, 100.0, Some(0.002))
        );
        assert_eq!(
            (scale.kind, scale.max, scale.r_end),
            (Kind::Float, 4.0, None)
        );
        assert_eq!(file.spsa.schedule().pairs(), 2000);
        assert_eq!(file.match_section["nodes"].as_integer(), Some(5000));
        assert_eq!(file.match_section.len(), 3);
    }

    #[test]
    fn complaints_name_line_and_column() {
        let table = |fields: &str| format!("[params.A]\n{fields}\n");
        let cases = [
            (
                table("value = 5\nmin = 9\nmax = 1\nc_end = 1"),
                "params.toml:3:7: A: min 9 is above",
            ),
            (
                table("value = 5\nmin = 0\nmax = 4\nc_end = 1"),
                "params.toml:2:9: A: value 5 is out",
            ),
            (
                table("value = 5\nmin = 0\nmax = 9\nc_end = -1"),
                "params.toml:5:9: A: c_end is -1",
            ),
            (
                table("value = 5\nmin = 0\nmax = 9\nc_end = nan"),
                "params.toml:5:9: A: c_end is NaN",
            ),
            (
                table("value = 5\nmin = 0\nmax = 9\nr_end = 0.002"),
                "params.toml:1:9: A: c_end is missing",
            ),
            (
                table("value = '5'\nmin = 0\nmax = 9\nc_end = 1"),
                "params.toml:2:9: A: value is a str",
            ),
            (
                table("value = 5\nstep = 1"),
                "params.toml:3:8: A: unknown key `step`",
            ),
            (
                table("type = 'spin'\nc_end = 1"),
                "params.toml:2:8: A: type is `spin`",
            ),
            (
                "[spsa]\niterations = 0\n".into(),
                "params.toml:2:14: iterations is not a positive",
            ),
            ("[spsb]\n".into(), "params.toml:1:2: unknown section `spsb`"),
            (
                "params = 3\n".into(),
                "params.toml:1:1: `params` is not a table",
            ),
            ("[params.A\n".into(), "params.toml:1:10: "),
            (
                "[match]\nnodez = 3\n".into(),
                "params.toml:2:9: [match]: unknown key `nodez`",
            ),
            (String::new(), "params.toml has no parameters"),
        ];
        for (text, expected) in cases {
            let got = complaint(&text);
            assert!(got.starts_with(expected), "{got}\nexpected {expected}");
        }
    }

    #[test]
    fn entries_without_gains_are_not_tuned() {
        let text = format!("{FILE}\n[params.Switch]\nvalue = 1\nmin = 0\nmax = 1\n");
        let file = read(&text).expect("a file");
        assert_eq!(
            (file.parameters.len(), file.fixed),
            (2, vec!["Switch".to_owned()])
        );
    }

    /// What the engine's build reads or refuses, we read or refuse.
    #[test]
    fn the_grammar_was_another_than_the_engines() {
        #[derive(serde::Deserialize)]
        struct Grammar {
            accepted: Vec<Accepted>,
            refused: Vec<Refused>,
        }
        #[derive(serde::Deserialize)]
        struct Accepted {
            case: String,
            text: String,
            tunable: Vec<String>,
            fixed: Vec<String>,
        }
        #[derive(serde::Deserialize)]
        struct Refused {
            case: String,
            text: String,
            blames: String,
        }
        let grammar = include_str!("../../../engine/tests/data/params_grammar.toml");
        let grammar: Grammar = toml::from_str(grammar).expect("the cases");
        assert!(!grammar.accepted.is_empty() && !grammar.refused.is_empty());
        for case in grammar.accepted {
            let file =
                read(&case.text).unwrap_or_else(|failure| panic!("{}: {failure}", case.case));
            let tunable: Vec<String> = file.parameters.into_iter().map(|own| own.name).collect();
            assert_eq!(
                (tunable, file.fixed),
                (case.tunable, case.fixed),
                "{}",
                case.case
            );
        }
        for case in grammar.refused {
            let told = complaint(&case.text);
            assert!(told.contains(&case.blames), "{}: {told}", case.case);
        }
    }

    #[test]
    fn a_whole_number_with_an_exponent_made_a_spin_a_float() {
        let text = "[params.A]\nvalue = 1e2\nmin = 0\nmax = 4e2\nc_end = 12\n";
        let file = read(text).expect("a file");
        assert_eq!(
            (file.parameters[0].kind, file.parameters[0].value),
            (Kind::Int, 100.0)
        );
        let text = text.replace("1e2", "100.0");
        assert_eq!(read(&text).expect("a file").parameters[0].kind, Kind::Float);
    }

    #[test]
    fn a_gain_of_zero_was_refused_instead_of_frozen() {
        for gains in [
            "c_end = 1.0\nr_end = 0",
            "c_end = 0",
            "c_end = 0.0\nr_end = 0.002",
        ] {
            let frozen = format!("[params.B]\nvalue = 1\nmin = 0\nmax = 9\n{gains}\n");
            let file = read(&format!("{FILE}\n{frozen}")).expect("a file");
            assert_eq!(
                (file.parameters.len(), file.fixed),
                (2, vec!["B".to_owned()])
            );
        }
    }
}
