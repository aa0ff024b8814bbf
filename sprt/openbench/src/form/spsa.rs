//! The lines that a tune is made of: `name, int|float, value, min, max, c_end, r_end`.

use std::collections::HashSet;

use stats::spsa::suggested_r_end;

/// The lines as the server reads them: it takes an empty line, for example after the last line end,
/// for a malformed one.
pub(crate) fn trimmed(text: &str) -> String {
    let text = text.trim_start_matches('\u{feff}');
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join("\n")
}

/// Adds the learning rate to the lines without one, for a tune of this many pairs, and returns it.
pub(crate) fn with_rates(text: &str, pairs: u64) -> (String, Option<f64>) {
    const FIELDS: usize = 6;
    let count = text.lines().count();
    let rate = suggested_r_end(pairs, count);
    let lacks = |line: &str| line.split(',').count() == FIELDS;
    let lines = text.lines().map(|line| {
        if lacks(line) {
            format!("{line}, {rate}")
        } else {
            line.to_owned()
        }
    });
    let lines = lines.collect::<Vec<_>>().join("\n");
    (lines, text.lines().any(lacks).then_some(rate))
}

/// What is wrong with each line, and the server's message about it.
pub fn complaints(text: &str) -> Vec<(String, String)> {
    let mut list = Vec::new();
    let mut names = HashSet::new();
    if text.is_empty() {
        list.push((
            "there are no parameters".to_owned(),
            "Malformed SPSA Input".to_owned(),
        ));
        return list;
    }
    for (index, line) in text.split('\n').enumerate() {
        let place = format!("line {}", index + 1);
        let fields: Vec<&str> = line.split(',').map(str::trim).collect();
        let [name, kind, numbers @ ..] = fields.as_slice() else {
            list.push((
                format!("{place} has {} fields, expected 7", fields.len()),
                "Malformed SPSA Input".to_owned(),
            ));
            continue;
        };
        if fields.len() != 7 {
            list.push((
                format!("{place} has {} fields, expected 7", fields.len()),
                "Malformed SPSA Input".to_owned(),
            ));
            continue;
        }
        let parsed: Vec<Option<f64>> = numbers
            .iter()
            .map(|number| {
                number
                    .parse()
                    .ok()
                    .filter(|number: &f64| number.is_finite())
            })
            .collect();
        let [Some(value), Some(min), Some(max), Some(c), Some(r)] = parsed.as_slice() else {
            list.push((
                format!("{place}, {name}: not five numbers: {}", numbers.join(", ")),
                "Malformed SPSA Input".to_owned(),
            ));
            continue;
        };
        let mut add = |wrong: bool, ours: String, server: &str| {
            if wrong {
                let server = if server.is_empty() {
                    String::new()
                } else {
                    format!("{server}, for {name}")
                };
                list.push((format!("{place}, {name}: {ours}"), server));
            }
        };
        let word = !name.is_empty() && !name.contains([' ', '\t', '"', '=']);
        add(
            !word,
            "the name is no single word, and the worker would cut it in two".to_owned(),
            "",
        );
        add(
            name.chars().count() > 64,
            "the name is longer than 64 characters".to_owned(),
            "",
        );
        add(
            !names.insert((*name).to_owned()),
            "the name is there twice".to_owned(),
            "",
        );
        add(
            !matches!(*kind, "int" | "float"),
            format!("type `{kind}` is neither int nor float"),
            "Datatype must be int for float",
        );
        add(
            min > max,
            format!("min {min} is above max {max}"),
            "Max does not exceed Min",
        );
        add(
            !(min..=max).contains(&value),
            format!("value {value} is not within {min} and {max}"),
            "Value must be within [Min, Max]",
        );
        let says = if *kind == "float" {
            "C for floats must be > 0.00"
        } else {
            ""
        };
        add(*c <= 0.0, format!("c {c} is not above 0"), says);
        add(
            *r <= 0.0,
            format!("r {r} is not above 0"),
            "R must be > 0.00",
        );
        let fractional =
            *kind == "int" && [value, min, max].iter().any(|number| number.fract() != 0.0);
        add(
            fractional,
            "an int has values with a fraction".to_owned(),
            "",
        );
    }
    list
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn line_ends_and_a_byte_order_mark_do_no_harm() {
        let text = trimmed(
            "\u{feff}A, int, 5, 1, 9, 0.5, 0.002\r\n\n  B, float, 1.5, 0, 2, 0.1, 0.002 \n",
        );
        assert_eq!(
            text,
            "A, int, 5, 1, 9, 0.5, 0.002\nB, float, 1.5, 0, 2, 0.1, 0.002"
        );
        assert_eq!(complaints(&text), []);
    }

    #[test]
    fn lines_without_a_rate_get_the_one_for_the_length_of_the_tune() {
        let text = "A, int, 5, 1, 9, 0.5\nB, float, 1.5, 0, 2, 0.1, 0.003";
        let (lines, rate) = with_rates(text, 20_000 * 15);
        assert_eq!(rate, Some(0.004 / 2.0_f64.sqrt()));
        assert_eq!(complaints(&lines), []);
        assert!(
            lines.ends_with("B, float, 1.5, 0, 2, 0.1, 0.003"),
            "{lines}"
        );
        let whole = "A, int, 5, 1, 9, 0.5, 0.002";
        assert_eq!(with_rates(whole, 100), (whole.to_owned(), None));
    }

    /// The text that a server was given, and its answer.
    #[test]
    fn the_server_says_the_same_of_recorded_lines() {
        let text =
            "A, int, 5, 9, 1, 0.5, 0\nB, real, 1, 0, 2, 0, 0.002\nC, float, 1, 0, 2, 0, 0.002";
        let words: Vec<String> = complaints(text)
            .into_iter()
            .map(|(_, server)| server)
            .filter(|words| !words.is_empty())
            .collect();
        assert_eq!(
            words,
            [
                "Max does not exceed Min, for A",
                "Value must be within [Min, Max], for A",
                "R must be > 0.00, for A",
                "Datatype must be int for float, for B",
                "C for floats must be > 0.00, for C"
            ]
        );
    }

    #[test]
    fn what_the_server_lets_pass_and_plays_wrongly_is_found() {
        for (line, said) in [
            ("A, int, 5, 1, 9, 0, 0.002", "c 0 is not above 0"),
            ("A, int, 5, 1, 9, -1, 0.002", "c -1"),
            ("A, int, 5.5, 1, 9, 1, 0.002", "fraction"),
            ("A B, int, 5, 1, 9, 1, 0.002", "no single word"),
            ("A, int, 5, 1, inf, 1, 0.002", "not five numbers"),
            ("A, int, 5, 1, 9, 1", "6 fields"),
            ("", "no parameters"),
            (
                "A, int, 5, 1, 9, 1, 0.002\nA, int, 5, 1, 9, 1, 0.002",
                "line 2, A: the name is there twice",
            ),
        ] {
            let found = complaints(line);
            assert!(
                found.iter().any(|(ours, _)| ours.contains(said)),
                "{line}: {found:?}"
            );
        }
    }

    proptest! {
        #[test]
        fn no_line_is_a_panic(text in "([A-Z, ]|int|[0-9.e-]|\n|\\PC){0,40}") {
            let _ = complaints(&trimmed(&text));
        }
    }
}
