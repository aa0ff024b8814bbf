//! New values in a list of any format, or in source; not a byte else changes.

use std::ops::Range;

use foundation::Failure;

use super::code::{self, Wanted};
use super::location::Source;
use super::{format::Format, params_toml};
use crate::parameter::Parameter;

/// A text with new values, and each parameter with the value that the text had for it.
pub(super) type Updated<'a> = (String, Vec<(&'a Parameter, f64)>);

/// Whether a value is to be written into a text: a list of numbers holds no choice, and source has no
/// known form for the texts of one, which does not matter unless it has moved.
pub(crate) fn can_hold(source: Source, parameter: &Parameter, value: f64) -> bool {
    if parameter.choices.is_empty() {
        return true;
    }
    if code::is_source(source.name) {
        return parameter.is_switch() || value != parameter.value;
    }
    Format::of(source.text).syntax().has_choices()
}

/// Writes values into a list of any format, or into source; not a byte else changes.
pub(crate) fn with_values<'a>(
    source: Source,
    values: &[(&'a Parameter, f64)],
) -> Result<Updated<'a>, Failure> {
    let plain = source.without_bom();
    let skipped = source.text.len() - plain.text.len();
    let names: Vec<&str> = values
        .iter()
        .map(|(parameter, _)| parameter.name.as_str())
        .collect();
    let format = (!code::is_source(source.name)).then(|| Format::of(plain.text));
    let places = if let Some(format) = format {
        within_ranges(format, plain, values)?;
        format.syntax().places(plain, &names)?
    } else {
        let wanted = values
            .iter()
            .map(|(own, value)| wanted(source, own, *value));
        code::places(plain, &wanted.collect::<Result<Vec<Wanted>, _>>()?)?
    };
    let mut edits: Vec<(Range<usize>, String)> = Vec::new();
    let mut old = Vec::new();
    for (&(parameter, value), place) in values.iter().zip(places) {
        let written = &plain.text[place.clone()];
        let before = value_of(parameter, written);
        old.push((parameter, before.unwrap_or(parameter.value)));
        if before != Some(value) {
            edits.push((place, text_like(written, parameter, value, format)));
        }
    }
    edits.sort_by_key(|(place, _)| std::cmp::Reverse(place.start));
    let mut text = source.text.to_owned();
    for (place, value) in edits {
        text.replace_range(place.start + skipped..place.end + skipped, &value);
    }
    Ok((text, old))
}

/// The value that a text stands for.
fn value_of(parameter: &Parameter, written: &str) -> Option<f64> {
    if parameter.choices.is_empty() {
        return written.replace(['_', '\''], "").parse().ok();
    }
    let bare = match written.trim_matches(['"', '\'']) {
        "0" if parameter.is_switch() => "false",
        "1" if parameter.is_switch() => "true",
        bare => bare,
    };
    let mut choices = parameter.choices.iter();
    let index = choices.position(|choice| choice.eq_ignore_ascii_case(bare));
    index.map(|index| index as f64)
}

/// A value as it is written in the place of another; without a format that is source.
fn text_like(written: &str, parameter: &Parameter, value: f64, format: Option<Format>) -> String {
    let is_source = format.is_none();
    let is_bare = format != Some(Format::Toml) && !written.starts_with(['"', '\'']);
    if !parameter.choices.is_empty() && is_bare {
        let text = parameter.text(value);
        return match text.as_str() {
            "false" if is_source && written == "1" => "0".to_owned(),
            "true" if is_source && written == "0" => "1".to_owned(),
            _ => text,
        };
    }
    let mut text = params_toml::written(parameter, value).to_string();
    // A fraction in source stays one.
    if is_source && written.contains('.') && !text.contains('.') {
        text.push_str(".0");
    }
    text
}

/// What source has of a parameter; the texts of a choice have no form there that is known.
fn wanted<'a>(source: Source, parameter: &'a Parameter, value: f64) -> Result<Wanted<'a>, Failure> {
    let is_switch = parameter.is_switch();
    if !parameter.choices.is_empty() && !is_switch {
        return Err(Failure::unable(format!(
            "{}: {} is a choice, and only numbers and switches are written into source",
            source.name, parameter.name
        ))
        .hint("apply to the parameter file, and write it into source by hand"));
    }
    let number = |value| {
        if is_switch {
            f64::from(u8::from(parameter.text(value) == "true"))
        } else {
            value
        }
    };
    Ok(Wanted {
        name: &parameter.name,
        is_switch,
        start: number(parameter.value),
        value: number(value),
        bounds: [parameter.min, parameter.max],
    })
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
    let known = format.read(source, 1)?.content.parameters;
    for (parameter, value) in values {
        let Some(own) = known.iter().find(|own| own.name == parameter.name) else {
            continue;
        };
        if !own.choices.is_empty() || !parameter.choices.is_empty() {
            let text = parameter.text(*value);
            if own.choices.contains(&text) {
                continue;
            }
            let among = match own.choices.join(", ") {
                none if none.is_empty() => "it is a number there".to_owned(),
                choices => format!("its choices are {choices}"),
            };
            return Err(Failure::unable(format!(
                "{}: {} is to become {text}, but {among}",
                source.name, own.name
            ))
            .hint("apply to the file that the run was started with"));
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::params_file::SpsaKeys;
    use crate::parameter::Kind;
    use crate::parameter::tests::margin;

    const GAMES: u64 = 40_000;

    const FILE: &str = "# Margins, tuned in spring.\r\n[params.Margin]\r\nvalue = 1_00   # was 90\r\n\
        min = 0\r\nmax = 400\r\nc_end = 12.0\r\n\r\n[params.Scale]\r\nvalue = 1.5\r\nmin = 0.0\r\n\
        max = 4.0\r\nc_end = 0.25\r\n";

    fn updated(text: &str, values: &[(&str, f64)]) -> Result<(String, Vec<f64>), Failure> {
        let source = Source {
            name: "f",
            text: FILE,
        };
        let list = Format::Toml.read(source, GAMES)?.content.parameters;
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
    fn line_ends_and_byte_order_marks_survive_new_values() {
        let marked = format!("\u{feff}{FILE}");
        let (text, old) = updated(&marked, &[("Margin", 113.0), ("Scale", 1.25)]).expect("text");
        let expected = marked.replace("1_00", "113").replace("1.5\r", "1.25\r");
        assert_eq!(text, expected);
        assert_eq!(old, [100.0, 1.5]);
    }

    #[test]
    fn the_old_value_is_the_files() {
        let changed = FILE.replace("1_00", "90");
        assert_eq!(
            updated(&changed, &[("Margin", 113.0)]).expect("text").1,
            [90.0]
        );
    }

    #[test]
    fn a_value_beyond_the_range_of_the_file_is_refused() {
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
            ("Margin, 100 # was 90\n", "Margin, 113 # was 90\n"),
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
    fn choices_are_written_as_their_texts() {
        let text = "[params.UseNull]\nvalue = true # on\nchoices = [false, true]\n[params.Style]\n\
            value = 'calm'\nchoices = ['calm', 'very bold']\n";
        let list = Format::Toml.read(Source { name: "f", text }, GAMES);
        let list = list.expect("a list").content.parameters;
        let values = [(&list[0], 0.0), (&list[1], 1.0)];
        let applied = |name, text| with_values(Source { name, text }, &values);
        let (new, old) = applied("f", text).expect("applied");
        let expected = text.replace("value = true", "value = false");
        assert_eq!(new, expected.replace("'calm'\nch", "\"very bold\"\nch"));
        assert_eq!((old[0].1, old[1].1), (1.0, 0.0));
        // The order of the choices may have changed.
        let turned = text.replace("['calm', 'very bold']", "['very bold', 'calm']");
        let (new, _) = applied("f", &turned).expect("applied");
        assert!(new.contains("value = \"very bold\""), "{new}");
        let lines = "Style, calm\nUseNull, true\n";
        let (new, _) = applied("f", lines).expect("applied");
        assert_eq!(new, "Style, very bold\nUseNull, false\n");
        for (name, text, told) in [
            (
                "a.c",
                "bool UseNull = true;",
                "Style is a choice, and only numbers",
            ),
            (
                "f",
                &*text.replace("'very bold'", "'bold'"),
                "Style is to become very bold, but its choices are calm, bold",
            ),
            (
                "f",
                "[params.UseNull]\nvalue = 1\nmin = 0\nmax = 1\nc_end = 0.5\n",
                "UseNull is to become false, but it is a number there",
            ),
        ] {
            let failure = applied(name, text).expect_err(told);
            assert!(failure.message().contains(told), "{failure}");
        }
        for (text, expected) in [
            ("bool UseNull = true;", "bool UseNull = false;"),
            ("TUNE(UseNull, 1, 0, 1)", "TUNE(UseNull, 0, 0, 1)"),
        ] {
            let name = "a.c";
            let (new, old) = with_values(Source { name, text }, &values[..1]).expect("applied");
            assert_eq!((new.as_str(), old[0].1), (expected, 1.0));
        }
        let [numbers, texts] = [Format::Openbench, Format::Setoption]
            .map(|format| format.write(&list, &SpsaKeys::default(), GAMES));
        assert_eq!(numbers.content, "");
        assert!(numbers.warnings[0].ends_with("left out: UseNull, Style"));
        assert!(
            texts.content.ends_with("Style value calm"),
            "{}",
            texts.content
        );
    }

    #[test]
    fn a_choice_that_stayed_is_not_looked_for_in_source() {
        let texts = ["calm", "bold", "mad"].map(str::to_owned).to_vec();
        let style = Parameter::choice("Style".into(), texts, 0);
        let held = |name, text, value| can_hold(Source { name, text }, &style, value);
        let source = |value| held("a.c", "int Margin = 100;", value);
        // That it moved is refused later, with a hint.
        assert_eq!((source(0.0), source(1.0)), (false, true));
        assert!(!held("f", "Margin,100.0,0,400,12,0.002", 1.0));
        assert!(held("f", "Style, calm", 1.0));
    }

    #[test]
    fn a_boolean_among_texts_is_written_as_toml() {
        let text = "[params.Net]\nvalue = true\nchoices = [false, true, \"auto\"]\n";
        let read = |text| Format::Toml.read(Source { name: "f", text }, GAMES);
        let list = read(text).expect("a list").content.parameters;
        let source = Source { name: "f", text };
        let (new, _) = with_values(source, &[(&list[0], 2.0)]).expect("applied");
        let now = read(&new).expect("still a list").content.parameters;
        assert_eq!(now[0].value, 2.0, "{new}");
    }

    #[test]
    fn a_switch_is_one_in_either_order() {
        let turned = ["true", "false"].map(str::to_owned).to_vec();
        let switch = Parameter::choice("UseNull".into(), turned, 0);
        for (text, expected) in [
            ("bool UseNull = true;", "bool UseNull = false;"),
            ("TUNE(UseNull, 1, 0, 1)", "TUNE(UseNull, 0, 0, 1)"),
        ] {
            let source = Source { name: "a.c", text };
            let (new, old) = with_values(source, &[(&switch, 1.0)]).expect("applied");
            assert_eq!((new.as_str(), old[0].1), (expected, 0.0));
        }
    }

    #[test]
    fn the_argument_that_is_the_start_value_is_written() {
        let (mut margin, mut edge) = (margin(), margin());
        let switch = Parameter::choice(
            "UseNull".into(),
            ["false", "true"].map(str::to_owned).to_vec(),
            0,
        );
        (margin.min, edge.name, edge.value) = (0.0, "Edge".into(), 0.0);
        let values = [(&margin, 113.0), (&edge, 7.0), (&switch, 1.0)];
        let applied = |text, count| {
            let source = Source {
                name: "a.cpp",
                text,
            };
            with_values(source, &values[..count]).map(|(text, _)| text)
        };
        for (text, expected) in [
            ("TUNE(Margin, 0, 400, 100)", "TUNE(Margin, 0, 400, 113)"),
            ("P(int, Margin, 0, 100, 400)", "P(int, Margin, 0, 113, 400)"),
            ("f(\"Margin\", 0, 100, 400)", "f(\"Margin\", 0, 113, 400)"),
            ("X(Margin, 20, 100, 0, 400)", "X(Margin, 20, 113, 0, 400)"),
            ("X(Margin, \"Margin\", 100)", "X(Margin, \"Margin\", 113)"),
            // They are there already.
            ("TUNE(Margin, 0, 400, 113)", "TUNE(Margin, 0, 400, 113)"),
            ("P(Margin, 0, 100, 400, 12)", "P(Margin, 0, 113, 400, 12)"),
            ("P(Margin, 100, 0, 400, 12)", "P(Margin, 113, 0, 400, 12)"),
            // Another parameter has its value in the same place.
            (
                "X(Margin, 1, 2, 3, 100) X(Edge, 1, 2, 3, 0)",
                "X(Margin, 1, 2, 3, 113) X(Edge, 1, 2, 3, 7)",
            ),
            // The start is a bound: another parameter tells which.
            (
                "X(Margin, 100, 0, 400) X(Edge, 0, 0, 400) X(UseNull, 0, 0, 1)",
                "X(Margin, 113, 0, 400) X(Edge, 7, 0, 400) X(UseNull, 1, 0, 1)",
            ),
        ] {
            let count = text.matches("X(").count().max(1);
            assert_eq!(applied(text, count).expect(text), expected);
        }
        for (text, count, told) in [
            (
                "\nf(Margin, 3);",
                1,
                "a.cpp:2:11: no argument after Margin is its start value, 100: `f(Margin, 3);`",
            ),
            (
                "TUNE(Margin, 100 + 20, 0, 400)",
                1,
                "no argument after Margin is its start value, 100",
            ),
            (
                "TUNE(Margin, 90, 0, 400)",
                1,
                "no argument after Margin is its start value, 100",
            ),
            (
                "X(Margin, 100, 100, 0, 400)",
                1,
                "2 arguments after Margin may be its start value, 100: `X(Margin, 100, 100, 0, 400)`",
            ),
            // Its default is 12 or 90 now, and what equals the start or the result is something else.
            (
                "TUNE(Margin, 12, 0, 400, 100)",
                1,
                "nothing shows that argument 4 after Margin, 100, is its value",
            ),
            (
                "TUNE(Margin, 0, 400, 100, 90)",
                1,
                "nothing shows that argument 3 after Margin, 100, is its value",
            ),
            (
                "TUNE(Margin, 12, 0, 100, 400)",
                1,
                "nothing shows that argument 3 after Margin, 100, is its value",
            ),
            (
                "TUNE(Margin, 90, 0, 113)",
                1,
                "nothing shows that argument 3 after Margin, 113, is its value",
            ),
            (
                "TUNE(Margin, 80 + 10, 100, 400)",
                1,
                "nothing shows that argument 2 after Margin, 100, is its value",
            ),
            (
                "X(Margin, 100, 0, 400) X(Edge, 5, -9, 0)",
                2,
                "argument 1 after Margin, 100, may be its value, but for Edge it is argument 3",
            ),
            (
                "X(Margin, 12, 0, 400, 100) X(Edge, 0, -9, 300, 3)",
                2,
                "argument 4 after Margin, 100, may be its value, but for Edge it is argument 1",
            ),
            (
                "X(Margin, 100) Y(Edge, 0, 0, 400)",
                2,
                "2 arguments after Edge may be its start value, 0",
            ),
            // Its default is 90 now, and 0 is the least value.
            (
                "int Margin = 1; X(Edge, 0, 400, 90)",
                2,
                "no argument after Edge is its start value, 0",
            ),
        ] {
            let failure = applied(text, count).expect_err(text);
            assert!(failure.message().contains(told), "{failure}");
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
        assert!(Format::of(listed.text).read(listed, GAMES).is_err());
    }
}
