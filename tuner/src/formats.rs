//! The parameter lists of other tuners, read and written.
//!
//! OpenBench has seven fields a line, fishtest six (no type: its tuner knows integers only),
//! weather-factory a JSON object with `step` in place of `c_end`. What a format cannot hold is told
//! as a warning, never dropped in silence.

pub mod code;
mod lines;
pub mod location;
pub mod params_file;
mod values;
mod weather_factory;

use std::ops::Range;

use foundation::Failure;

use crate::algorithm::schedule::{Schedule, suggested_r_end};
use crate::formats::location::Source;
use crate::formats::params_file::SpsaKeys;
use crate::parameter::{self, Field, Parameter, some_of};

/// A way to write parameters down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// `name, int|float, value, min, max, c_end, r_end`
    Openbench,
    /// `name,value,min,max,c_end,r_end`
    Fishtest,
    /// `config.json`
    WeatherFactory,
    /// `params.toml`
    Toml,
    /// `name, value`
    Values,
    /// `setoption name NAME value VALUE`
    Setoption,
}

impl Format {
    pub const ALL: [Self; 6] = [
        Self::Toml,
        Self::Openbench,
        Self::Fishtest,
        Self::WeatherFactory,
        Self::Values,
        Self::Setoption,
    ];

    /// Whether it says how far values may go.
    fn has_ranges(self) -> bool {
        !matches!(self, Self::Values | Self::Setoption)
    }
}

/// Parameters and what was lost on the way.
#[derive(Debug, Clone, PartialEq)]
pub struct Converted<T> {
    pub content: T,
    pub warnings: Vec<String>,
}

/// Which format a text is in, by its looks; whether it is valid comes out when it is read.
pub fn detect(text: &str) -> Format {
    let line = text
        .trim_start_matches('\u{feff}')
        .lines()
        .map(str::trim)
        .find(|line| !line.is_empty() && !line.starts_with('#'))
        .unwrap_or_default();
    if line.starts_with('{') {
        Format::WeatherFactory
    } else if line.starts_with("setoption ") {
        Format::Setoption
    } else if line.starts_with('[') || !line.contains(',') {
        Format::Toml
    } else if line.split(',').count() == 2 {
        Format::Values
    } else if line
        .split(',')
        .nth(1)
        .is_some_and(|field| field.trim().parse::<f64>().is_ok())
    {
        Format::Fishtest
    } else {
        Format::Openbench
    }
}

/// Reads parameters in `format`. `games` is the length of the run that a weather-factory file was
/// meant for.
pub fn read(
    format: Format,
    source: Source,
    games: u64,
) -> Result<Converted<Vec<Parameter>>, Failure> {
    if !format.has_ranges() {
        return Err(
            Failure::unable(format!("{} has values without ranges", source.name))
                .hint("take the list they were made of, and `tuner apply` to write values into it"),
        );
    }
    let source = source.without_bom();
    let mut warnings = Vec::new();
    let mut told = |(list, frozen): (Vec<Parameter>, Vec<String>)| {
        if !frozen.is_empty() {
            warnings.push(format!(
                "frozen by a gain or step of 0, and left out: {}",
                frozen.join(", ")
            ));
        }
        list
    };
    let content = match format {
        Format::Openbench => told(lines::read(source, &lines::OPENBENCH)?),
        Format::Fishtest => told(lines::read(source, &lines::FISHTEST)?),
        Format::WeatherFactory => {
            let list = told(weather_factory::read(source, games)?);
            warnings.push(format!(
                "weather-factory's step is taken for a run of {games} games (--games), and has no \
                 r_end: the rule for pairs and parameters will give it"
            ));
            list
        }
        Format::Toml | Format::Values | Format::Setoption => params_file::parse(source)?.parameters,
    };
    if content.is_empty() {
        return Err(Failure::unable(format!(
            "{} has no parameters",
            source.name
        )));
    }
    Ok(Converted { content, warnings })
}

/// Writes parameters in `format`, for a run of this shape.
pub fn write(
    format: Format,
    parameters: &[Parameter],
    spsa: &SpsaKeys,
    games: u64,
) -> Converted<String> {
    let schedule = spsa.schedule();
    let mut warnings = lost(format, parameters, &schedule);
    let rule = suggested_r_end(schedule.pairs(), parameters.len());
    let content = match format {
        Format::Openbench => lines::write(parameters, &lines::OPENBENCH, rule),
        Format::Fishtest => lines::write(parameters, &lines::FISHTEST, rule),
        Format::WeatherFactory => {
            warnings.push(format!(
                "step is computed for a run of {games} games (--games)"
            ));
            weather_factory::write(parameters, games)
        }
        Format::Toml => params_file::to_text(parameters, spsa),
        Format::Values => values::write_list(parameters),
        Format::Setoption => values::write_options(parameters),
    };
    Converted { content, warnings }
}

/// A text with new values, and each parameter with the value that the text had for it.
pub type Updated<'a> = (String, Vec<(&'a Parameter, f64)>);

/// Writes values into a list of any format, or into source; not a byte else changes.
pub fn with_values<'a>(
    source: Source,
    values: &[(&'a Parameter, f64)],
) -> Result<Updated<'a>, Failure> {
    let plain = source.without_bom();
    let skipped = source.text.len() - plain.text.len();
    let names: Vec<&str> = values
        .iter()
        .map(|(parameter, _)| parameter.name.as_str())
        .collect();
    let places = if code::is_source(source.name) {
        code::places(plain, &names)?
    } else {
        let format = detect(plain.text);
        within_ranges(format, plain, values)?;
        match format {
            Format::Openbench => lines::places(plain, &lines::OPENBENCH, &names)?,
            Format::Fishtest => lines::places(plain, &lines::FISHTEST, &names)?,
            Format::WeatherFactory => weather_factory::places(plain, &names)?,
            Format::Toml => params_file::places(plain, &names)?,
            Format::Values => lines::places(plain, &lines::VALUES, &names)?,
            Format::Setoption => values::option_places(plain, &names)?,
        }
    };
    let mut edits: Vec<(Range<usize>, String)> = Vec::new();
    let mut old = Vec::new();
    for ((parameter, value), place) in values.iter().zip(places) {
        let written = &plain.text[place.clone()];
        let before = written.replace('_', "").parse().unwrap_or(parameter.value);
        old.push((*parameter, before));
        if before != *value {
            let mut number = params_file::number(parameter.kind, *value).to_string();
            // A fraction in source stays one.
            if written.contains('.') && !number.contains('.') && code::is_source(source.name) {
                number.push_str(".0");
            }
            edits.push((place, number));
        }
    }
    edits.sort_by_key(|(place, _)| std::cmp::Reverse(place.start));
    let mut text = source.text.to_owned();
    for (place, value) in edits {
        text.replace_range(place.start + skipped..place.end + skipped, &value);
    }
    Ok((text, old))
}

/// Refuses values that are beyond the ranges of the list, where it has any.
fn within_ranges(
    format: Format,
    source: Source,
    values: &[(&Parameter, f64)],
) -> Result<(), Failure> {
    if !format.has_ranges() {
        return Ok(());
    }
    let known = read(format, source, 1)?.content;
    for (parameter, value) in values {
        let Some(own) = known.iter().find(|own| own.name == parameter.name) else {
            continue;
        };
        if !(own.min..=own.max).contains(value) {
            return Err(Failure::unable(format!(
                "{}: {} is to become {value}, but its range is [{}, {}]",
                source.name, own.name, own.min, own.max
            ))
            .hint("apply to the file that the run was started with, or widen the range there"));
        }
    }
    Ok(())
}

/// What `format` has no place for.
fn lost(format: Format, parameters: &[Parameter], schedule: &Schedule) -> Vec<String> {
    let names = |which: &dyn Fn(&Parameter) -> bool| -> Option<String> {
        let names: Vec<&str> = parameters
            .iter()
            .filter(|parameter| which(parameter))
            .map(|parameter| parameter.name.as_str())
            .collect();
        (!names.is_empty()).then(|| some_of(&names))
    };
    let mut warnings = Vec::new();
    if format == Format::Toml {
        return warnings;
    }
    if !format.has_ranges() {
        warnings.push("the format has no place for ranges, c_end and r_end".to_owned());
        return warnings;
    }
    if format != Format::Openbench
        && let Some(names) = names(&|parameter| parameter.kind == parameter::Kind::Float)
    {
        warnings.push(format!(
            "the format knows integers only, but these are floats: {names}"
        ));
    }
    if format == Format::WeatherFactory {
        if let Some(names) = names(&|parameter| parameter.r_end.is_some()) {
            warnings.push(format!("the format has no place for the r_end of {names}"));
        }
    } else if let Some(names) = names(&|parameter| parameter.r_end.is_none()) {
        let rule = suggested_r_end(schedule.pairs(), parameters.len());
        warnings.push(format!(
            "no r_end is given for {names}; wrote {rule}, the rule's for {} pairs and {} \
             parameters",
            schedule.pairs(),
            parameters.len()
        ));
    }
    if let Some(names) = names(&|parameter| parameter.doc.is_some()) {
        warnings.push(format!("the format has no place for the doc of {names}"));
    }
    warnings
}

/// Turns the first fault of a list into a complaint at the place that `place` gives for it.
fn checked(
    source: Source,
    parameters: Vec<Parameter>,
    place: impl Fn(usize, Field) -> usize,
) -> Result<Vec<Parameter>, Failure> {
    match parameter::check(&parameters) {
        Ok(()) => Ok(parameters),
        Err((index, field, reason)) => Err(source.fault(place(index, field), reason)),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::parameter::Kind;

    const GAMES: u64 = 40_000;

    fn any_parameter() -> impl Strategy<Value = Parameter> {
        let numbers = (-1e6..1e6_f64, 0.0..1.0_f64, 1.0..1e5_f64, 0.5..500.0_f64);
        let rest = (
            proptest::option::of(1e-5..0.1_f64),
            any::<bool>(),
            any::<bool>(),
        );
        ("[A-Za-z][A-Za-z0-9_ ]{0,12}[a-z]", numbers, rest).prop_map(
            |(name, (min, share, range, c_end), (r_end, is_int, whole))| {
                let settle = |number: f64| if is_int { number.round() } else { number };
                let (min, max) = (settle(min), settle(min) + settle(range));
                let value = (min + share * (max - min)).clamp(min, max);
                Parameter {
                    name,
                    kind: if is_int { Kind::Int } else { Kind::Float },
                    value: if is_int && whole {
                        value.round()
                    } else {
                        value
                    },
                    min,
                    max,
                    c_end,
                    r_end,
                    doc: None,
                }
            },
        )
    }

    fn lists() -> impl Strategy<Value = Vec<Parameter>> {
        proptest::collection::vec(any_parameter(), 1..6)
            .prop_filter("names must differ", |list| parameter::check(list).is_ok())
    }

    fn round_trip(format: Format, list: &[Parameter]) -> Vec<Parameter> {
        let text = write(format, list, &SpsaKeys::default(), GAMES).content;
        assert_eq!(detect(&text), format, "{text}");
        let source = Source {
            name: "file",
            text: &text,
        };
        read(format, source, GAMES)
            .unwrap_or_else(|failure| panic!("{failure}\n{text}"))
            .content
    }

    proptest! {
        #[test]
        fn toml_loses_nothing(list in lists()) {
            prop_assert_eq!(round_trip(Format::Toml, &list), list);
        }

        #[test]
        fn openbench_loses_nothing_where_r_end_is_given(mut list in lists()) {
            for parameter in &mut list {
                parameter.r_end.get_or_insert(0.002);
            }
            prop_assert_eq!(round_trip(Format::Openbench, &list), list);
        }

        #[test]
        fn fishtest_loses_the_type_only(mut list in lists()) {
            list.retain(|parameter| parameter.kind == Kind::Int);
            prop_assume!(!list.is_empty());
            for parameter in &mut list {
                parameter.r_end.get_or_insert(0.002);
            }
            prop_assert_eq!(round_trip(Format::Fishtest, &list), list);
        }

        #[test]
        fn weather_factory_keeps_all_but_r_end(mut list in lists()) {
            list.retain(|parameter| parameter.kind == Kind::Int);
            prop_assume!(!list.is_empty());
            for (ours, theirs) in list.iter().zip(round_trip(Format::WeatherFactory, &list)) {
                prop_assert!((theirs.c_end / ours.c_end - 1.0).abs() < 1e-9);
                let expected = Parameter { r_end: None, c_end: theirs.c_end, ..ours.clone() };
                prop_assert_eq!(theirs, expected);
            }
        }

        #[test]
        fn no_text_is_a_panic(text in "\\PC{0,40}(\n\\PC{0,40}){0,3}") {
            for format in [Format::Openbench, Format::Fishtest, Format::WeatherFactory, Format::Toml] {
                let _ = read(format, Source { name: "file", text: &text }, GAMES);
            }
        }
    }

    const FILE: &str = "# Margins, tuned in spring.\r\n[params.Margin]\r\nvalue = 1_00   # was 90\r\n\
        min = 0\r\nmax = 400\r\nc_end = 12.0\r\n\r\n[params.Scale]\r\nvalue = 1.5\r\nmin = 0.0\r\n\
        max = 4.0\r\nc_end = 0.25\r\n";

    fn updated(text: &str, values: &[(&str, f64)]) -> Result<(String, Vec<f64>), Failure> {
        let list = read(
            Format::Toml,
            Source {
                name: "f",
                text: FILE,
            },
            GAMES,
        )?
        .content;
        let values: Vec<(&Parameter, f64)> = values
            .iter()
            .filter_map(|(name, value)| {
                let found = list.iter().find(|parameter| parameter.name == *name)?;
                Some((found, *value))
            })
            .collect();
        let (text, old) = with_values(Source { name: "f", text }, &values)?;
        Ok((text, old.iter().map(|(_, old)| *old).collect()))
    }

    #[test]
    fn line_ends_and_byte_order_marks_were_lost_when_values_were_written() {
        let marked = format!("\u{feff}{FILE}");
        let (text, old) = updated(&marked, &[("Margin", 113.0), ("Scale", 1.25)]).expect("text");
        let expected = marked.replace("1_00", "113").replace("1.5\r", "1.25\r");
        assert_eq!(text, expected);
        assert_eq!(old, [100.0, 1.5]);
    }

    #[test]
    fn the_old_value_was_the_plans_and_not_the_files() {
        let changed = FILE.replace("1_00", "90");
        assert_eq!(
            updated(&changed, &[("Margin", 113.0)]).expect("text").1,
            [90.0]
        );
    }

    #[test]
    fn a_value_beyond_the_range_of_the_file_was_written() {
        let narrow = FILE.replace("max = 400", "max = 110");
        let failure = updated(&narrow, &[("Margin", 113.0)]).expect_err("beyond");
        assert!(
            failure.message().contains("[0, 110]"),
            "{}",
            failure.message()
        );
        let other = FILE.replace("[params.Margin]", "[params.Edge]");
        let failure = updated(&other, &[("Margin", 113.0)]).expect_err("no such table");
        assert!(failure.message().contains("Margin"));
    }

    #[test]
    fn values_are_written_into_the_lists_of_others() {
        let cases = [
            (
                "Edge, int, 1, 0, 9, 1, 0.002\r\nMargin, int, 100, 0, 400, 12, 0.002\r\n",
                "Edge, int, 1, 0, 9, 1, 0.002\r\nMargin, int, 113, 0, 400, 12, 0.002\r\n",
            ),
            ("Margin,100.0,0,400,12,0.002", "Margin,113,0,400,12,0.002"),
            (
                "{\"Margin\": {\"value\": 100, \"min_value\": 0, \"max_value\": 400, \"step\": 12}}",
                "{\"Margin\": {\"value\": 113, \"min_value\": 0, \"max_value\": 400, \"step\": 12}}",
            ),
        ];
        for (before, after) in cases {
            let (text, old) = updated(before, &[("Margin", 113.0)]).expect(before);
            assert_eq!((text.as_str(), old), (after, vec![100.0]));
        }
    }

    #[test]
    fn values_are_written_into_lists_without_ranges_and_into_source() {
        for (name, before, after) in [
            ("f", "Edge, 1\nMargin, 100\n", "Edge, 1\nMargin, 113\n"),
            (
                "f",
                "setoption name Margin value 100\n",
                "setoption name Margin value 113\n",
            ),
            (
                "a.rs",
                "spsa!(Edge, 1);\r\nspsa!(Margin, 100, 0, 110);\r\n",
                "spsa!(Edge, 1);\r\nspsa!(Margin, 113, 0, 110);\r\n",
            ),
        ] {
            let margin = margin();
            let source = Source { name, text: before };
            let (text, old) = with_values(source, &[(&margin, 113.0)]).expect(before);
            assert_eq!((text.as_str(), old[0].1), (after, 100.0));
        }
        let mut scale = margin();
        (scale.name, scale.kind) = ("Scale".into(), Kind::Float);
        let text = "float scale = 1.5f;";
        let source = Source { name: "a.c", text };
        let (text, _) = with_values(source, &[(&scale, 2.0)]).expect("text");
        assert_eq!(text, "float scale = 2.0f;");
        let listed = Source {
            name: "f",
            text: "Margin, 100",
        };
        assert!(read(detect(listed.text), listed, GAMES).is_err());
    }

    fn margin() -> Parameter {
        Parameter {
            name: "Margin".into(),
            kind: Kind::Int,
            value: 100.0,
            min: 0.0,
            max: 400.0,
            c_end: 12.0,
            r_end: None,
            doc: None,
        }
    }

    #[test]
    fn a_byte_order_mark_became_part_of_the_first_name() {
        for text in [
            "\u{feff}A, int, 1, 0, 9, 1, 0.002",
            "\u{feff}{\"A\": {\"value\": 5, \"min_value\": 0, \"max_value\": 9, \"step\": 1}}",
        ] {
            let list = read(detect(text), Source { name: "f", text }, GAMES).expect(text);
            assert_eq!(list.content[0].name, "A");
        }
    }

    #[test]
    fn gains_of_zero_freeze_a_parameter_of_a_list() {
        let text = "A, int, 1, 0, 9, 0, 0.002\nB, int, 1, 0, 9, 1, 0.002\nC, int, 1, 0, 9, 1, 0.0";
        let read = read(Format::Openbench, Source { name: "f", text }, GAMES).expect("a list");
        assert_eq!(
            (read.content.len(), read.content[0].name.as_str()),
            (1, "B")
        );
        assert!(
            read.warnings[0].ends_with("left out: A, C"),
            "{:?}",
            read.warnings
        );
        let entry =
            |step| format!(r#"{{"value": 5, "min_value": 0, "max_value": 9, "step": {step}}}"#);
        let text = format!(r#"{{"A": {}, "B": {}}}"#, entry(0), entry(1));
        let source = Source {
            name: "f",
            text: &text,
        };
        let read = super::read(Format::WeatherFactory, source, GAMES).expect("an object");
        assert_eq!((read.content.len(), &*read.content[0].name), (1, "B"));
        assert!(read.warnings[0].ends_with("left out: A"));
    }

    #[test]
    fn what_a_format_cannot_hold_is_told() {
        let text = "A, float, 1.5, 0, 4, 0.25, 0.002\nB, int, 3, 1, 8, 0.5, 0.002";
        let source = Source { name: "file", text };
        let list = read(Format::Openbench, source, GAMES)
            .expect("parameters")
            .content;
        let warnings = |format| {
            write(format, &list, &SpsaKeys::default(), GAMES)
                .warnings
                .join("\n")
        };
        assert_eq!(warnings(Format::Openbench), "");
        assert_eq!(warnings(Format::Toml), "");
        assert!(warnings(Format::Fishtest).contains("floats: A"));
        assert!(warnings(Format::WeatherFactory).contains("r_end of A, B"));
        let many: Vec<Parameter> = (0..10)
            .map(|index| Parameter {
                name: format!("P{index}"),
                ..list[1].clone()
            })
            .collect();
        let warnings = write(Format::WeatherFactory, &many, &SpsaKeys::default(), GAMES).warnings;
        assert!(warnings[0].ends_with("P6, P7 and 2 more"), "{warnings:?}");
    }

    #[test]
    fn examples_of_other_tuners_are_read() {
        let read_any = |text: &str| {
            let source = Source { name: "file", text };
            read(detect(text), source, GAMES)
                .unwrap_or_else(|failure| panic!("{failure}"))
                .content
        };
        let list = read_any(include_str!("../tests/data/openbench_inputs.txt"));
        assert_eq!(list.len(), 92);
        assert_eq!(list[0].name, "RfpMaxDepth");
        assert_eq!(list[0].c_end, 0.75);
        // OpenBench gives the numbers back as Python writes floats.
        let echoed = &read_any("PawnVal, int, 100.0, 50.0, 200.0, 10.0, 0.002\r\n")[0];
        assert_eq!(
            (echoed.kind, echoed.value, echoed.c_end),
            (Kind::Int, 100.0, 10.0)
        );
        let fishtest = &read_any("razor_margin,500,0,1000,25,0.0020\n\n")[0];
        assert_eq!(
            (fishtest.kind, fishtest.max, fishtest.r_end),
            (Kind::Int, 1000.0, Some(0.002))
        );
        let factory = &read_any(
            r#"{"Margin": {"value": 80, "min_value": 20, "max_value": 200, "step": 12}}"#,
        )[0];
        assert_eq!(
            (factory.name.as_str(), factory.min, factory.r_end),
            ("Margin", 20.0, None)
        );
        assert!((factory.c_end - 12.0 * 40_000_f64.powf(-0.102)).abs() < 1e-12);
    }
}
