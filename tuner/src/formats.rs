//! The parameter lists of other tuners, read and written.
//!
//! OpenBench has seven fields a line, fishtest six (no type: its tuner knows integers only),
//! weather-factory a JSON object with `step` in place of `c_end`. What a format cannot hold is
//! reported as a warning, never dropped in silence.

mod checked;
pub(crate) mod code;
pub(crate) mod encoding;
mod format;
mod inputs;
mod lines;
pub(crate) mod location;
mod lost;
pub(crate) mod params_file;
mod params_toml;
mod setoption;
mod syntax;
mod update;
mod values;
mod weather_factory;

pub(crate) use format::Format;
pub(crate) use params_toml::to_text;
pub(crate) use update::{can_hold, with_values};

/// Weather-factory's step depends on the length of the run, and values and ranges do not.
pub(crate) const ANY_LENGTH: u64 = 1;

/// Whether a text says how far values may go, which source and lists of values do not.
pub(crate) fn has_ranges(source: location::Source) -> bool {
    !code::is_source(source.name) && Format::of(source.text).has_ranges()
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum as _;
    use proptest::prelude::*;

    use super::location::Source;
    use super::params_file::SpsaKeys;
    use super::*;
    use crate::parameter::{self, Kind, Parameter};

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
                    choices: Vec::new(),
                }
            },
        )
    }

    fn lists() -> impl Strategy<Value = Vec<Parameter>> {
        proptest::collection::vec(any_parameter(), 1..6)
            .prop_filter("names must differ", |list| parameter::check(list).is_ok())
    }

    fn round_trip(format: Format, list: &[Parameter]) -> Vec<Parameter> {
        let text = format.write(list, &SpsaKeys::default(), GAMES).content;
        assert_eq!(Format::of(&text), format, "{text}");
        let source = Source {
            name: "file",
            text: &text,
        };
        format
            .read(source, GAMES)
            .unwrap_or_else(|failure| panic!("{failure}\n{text}"))
            .content
            .parameters
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
            for format in Format::value_variants() {
                let _ = format.read(Source { name: "file", text: &text }, GAMES);
            }
        }
    }

    #[test]
    fn a_byte_order_mark_is_no_part_of_the_first_name() {
        for text in [
            "\u{feff}A, int, 1, 0, 9, 1, 0.002",
            "\u{feff}{\"A\": {\"value\": 5, \"min_value\": 0, \"max_value\": 9, \"step\": 1}}",
        ] {
            let source = Source { name: "f", text };
            let list = Format::of(text).read(source, GAMES).expect(text);
            assert_eq!(list.content.parameters[0].name, "A");
        }
    }

    #[test]
    fn gains_of_zero_freeze_a_parameter_of_a_list() {
        let text = "A, int, 1, 0, 9, 0, 0.002\nB, int, 1, 0, 9, 1, 0.002\nC, int, 1, 0, 9, 1, 0.0";
        let source = Source { name: "f", text };
        let read = Format::Openbench.read(source, GAMES).expect("a list");
        let left = &read.content.parameters;
        assert_eq!((left.len(), &*left[0].name), (1, "B"));
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
        let read = Format::WeatherFactory.read(source, GAMES);
        let read = read.expect("an object");
        let left = &read.content.parameters;
        assert_eq!((left.len(), &*left[0].name), (1, "B"));
        assert!(read.warnings[0].ends_with("left out: A"));
    }

    #[test]
    fn examples_of_other_tuners_are_read() {
        let read_any = |text: &str| {
            let source = Source { name: "file", text };
            Format::of(text)
                .read(source, GAMES)
                .unwrap_or_else(|failure| panic!("{failure}"))
                .content
                .parameters
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

    #[test]
    fn what_a_format_cannot_hold_is_reported() {
        let text = "A, float, 1.5, 0, 4, 0.25, 0.002\nB, int, 3, 1, 8, 0.5, 0.002";
        let source = Source { name: "file", text };
        let list = Format::Openbench.read(source, GAMES);
        let list = list.expect("parameters").content.parameters;
        let warnings = |format: Format| {
            let written = format.write(&list, &SpsaKeys::default(), GAMES);
            written.warnings.join("\n")
        };
        assert_eq!(warnings(Format::Openbench), "");
        assert_eq!(warnings(Format::Toml), "");
        for format in [Format::Fishtest, Format::WeatherFactory] {
            assert!(warnings(format).contains("floats are left out: A"));
            assert_eq!(round_trip(format, &list)[0].name, "B");
        }
        assert!(warnings(Format::WeatherFactory).contains("r_end of B"));
        let many: Vec<Parameter> = (0..10)
            .map(|index| Parameter {
                name: format!("P{index}"),
                ..list[1].clone()
            })
            .collect();
        let warnings = Format::WeatherFactory
            .write(&many, &SpsaKeys::default(), GAMES)
            .warnings;
        assert!(warnings[0].ends_with("P6, P7 and 2 more"), "{warnings:?}");
    }

    #[test]
    fn rates_that_are_not_given_are_those_of_the_length() {
        let text = "P, int, 5, 0, 9, 1, 0.002";
        let read = Format::Openbench.read(Source { name: "f", text }, GAMES);
        let mut list = read.expect("a list").content.parameters;
        list[0].r_end = None;
        for (games, rate) in [(80_000, "0.010954"), (320_000, "0.005477")] {
            for format in [Format::Openbench, Format::Fishtest] {
                let written = format.write(&list, &SpsaKeys::default(), games);
                let last = written.content.trim_end().rsplit(',').next();
                let last = last.map_or("", str::trim);
                assert!(last.starts_with(rate), "{games}: {}", written.content);
                assert!(written.warnings[0].contains(&format!("{} pairs", games / 2)));
            }
        }
    }

    #[test]
    fn values_that_are_rounded_are_named() {
        let entry = r#"{"Scale": {"value": 1.5, "min_value": 0, "max_value": 3, "step": 1}}"#;
        for text in ["Scale,1.5,0,3,1,0.002", entry] {
            let read = Format::of(text).read(Source { name: "f", text }, GAMES);
            let told = read.expect("a list").warnings.join("\n");
            let expected = "fractions, and an engine gets them rounded: Scale";
            assert!(told.contains(expected), "{told}");
        }
    }

    #[test]
    fn toml_is_known_by_its_first_key() {
        for text in [
            "params.Margin = {value = 100, min = 0, max = 400, c_end = 12}",
            "spsa = { iterations = 5, pairs_per_iteration = 8 }\n",
            "\"params\".Margin.value = 100",
        ] {
            assert_eq!(Format::of(text), Format::Toml, "{text}");
        }
        let option = "setoption name Net value a=b";
        assert_eq!(Format::of(option), Format::Setoption);
        assert_eq!(Format::of("Net, a=b"), Format::Values);
    }

    #[test]
    fn a_name_given_twice_is_refused() {
        let text = "Margin, 100\nScale, 1\nMargin, 55\n";
        let source = Source { name: "f", text };
        let places = |name| Format::Values.syntax().places(source, &[name]);
        let failure = places("Margin").expect_err("twice");
        assert_eq!(failure.message(), "f:3:1: Margin has a value already");
        assert!(places("Scale").is_ok());
        assert!(Format::Values.values(source).is_err());
    }

    #[test]
    fn source_is_no_list_and_is_told_so() {
        let text = "int Margin = 100;";
        let name = "search.c";
        let failure = Format::of(text).read(Source { name, text }, GAMES);
        let told = failure.expect_err("source").message().to_owned();
        assert_eq!(told, "search.c is source, and no list of parameters");
    }

    #[test]
    fn lists_without_ranges_are_written_as_each_other() {
        for (format, text) in [
            (Format::Setoption, "Margin, 99\nScale, 1.25"),
            (
                Format::Values,
                "setoption name Margin value 99\nsetoption name Scale value 1.25",
            ),
        ] {
            let values = Format::of(text).values(Source { name: "f", text });
            let values = values.expect("values").content;
            let written = format.write(&values, &SpsaKeys::default(), GAMES).content;
            let name = "f";
            let back = Format::of(&written).values(Source {
                name,
                text: &written,
            });
            let back = back.expect("values").content;
            assert_eq!((back.len(), back), (2, values));
        }
    }

    #[test]
    fn values_are_written_as_an_engine_is_told_them() {
        let mut list = vec![parameter::tests::margin(), parameter::tests::margin()];
        (list[0].name, list[0].value) = ("Margin Two".into(), 99.6);
        (list[1].name, list[1].kind) = ("Scale".into(), Kind::Float);
        (list[1].value, list[1].c_end) = (1.25, 0.1);
        let written = |format: Format| format.write(&list, &SpsaKeys::default(), GAMES).content;
        assert_eq!(written(Format::Values), "Margin Two, 100\nScale, 1.25");
        assert_eq!(
            written(Format::Setoption),
            "setoption name Margin Two value 100\nsetoption name Scale value 1.25"
        );
    }
}
