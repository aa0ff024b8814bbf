//! The parameter lists of other tuners, read and written.
//!
//! OpenBench has seven fields a line, fishtest six (no type: its tuner knows integers only),
//! weather-factory a JSON object with `step` in place of `c_end`. What a format cannot hold is told
//! as a warning, never dropped in silence.

mod checked;
pub mod code;
mod format;
mod lines;
pub mod location;
mod lost;
pub mod params_file;
mod update;
mod values;
mod weather_factory;

use foundation::Failure;

use crate::algorithm::schedule::suggested_r_end;
use crate::formats::location::Source;
use crate::formats::params_file::SpsaKeys;
use crate::parameter::Parameter;

pub use format::Format;
pub use update::with_values;

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
    let mut warnings = lost::warnings(format, parameters, &schedule);
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::parameter::{self, Kind};

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

    #[test]
    fn a_byte_order_mark_is_no_part_of_the_first_name() {
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
