//! The bench that a message gives for an engine: for the main one of its repository by OpenBench's
//! own expression, for another one by a line that this expression does not match.
//!
//! ```text
//! Bench: 1466035
//! Bench-leiserchess: 81234
//! ```

use super::{BenchMatches, Value};

/// What is read about the bench of an engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reading {
    pub(crate) value: Value,
    /// The words that the bench is read from, if it is not on a line of its own.
    pub(crate) prose: Option<String>,
    /// What is legal but likely not meant.
    pub(crate) warnings: Vec<String>,
}

impl Reading {
    /// The bench of the main engine, or of the one with this name.
    pub(crate) fn of(message: &str, engine: Option<&str>) -> Self {
        match engine {
            None => {
                let found = BenchMatches::of(message);
                Self {
                    value: found.value(),
                    prose: found.prose(),
                    warnings: found.warnings().iter().map(ToString::to_string).collect(),
                }
            }
            Some(engine) => Self {
                value: named(message, engine),
                prose: None,
                warnings: Vec::new(),
            },
        }
    }

    pub(crate) fn bench(&self) -> Option<u64> {
        match self.value {
            Value::Bench(bench) => Some(bench),
            _ => None,
        }
    }

    /// Whether a bench stands on a line of its own, and so was meant as one.
    pub(crate) fn has_bench_line(&self) -> bool {
        self.bench().is_some() && self.prose.is_none()
    }
}

/// What the line of a bench begins with.
pub(crate) fn label(engine: Option<&str>) -> String {
    match engine {
        None => "Bench".to_owned(),
        Some(engine) => format!("Bench-{engine}"),
    }
}

/// Whether an engine may have this name: no line with the name can be mistaken for the bench of the
/// main one.
pub(crate) fn is_engine_name(name: &str) -> bool {
    let starts = name.starts_with(|c: char| c.is_ascii_lowercase());
    let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let ends_like_a_bench = ["bench", "nodes"].iter().any(|word| name.ends_with(word));
    starts && name.chars().all(allowed) && !name.ends_with('-') && !ends_like_a_bench
}

/// The number of a line `Bench-NAME: 123`, whatever is on the other lines.
pub(super) fn number<'a>(line: &'a str, engine: &str) -> Option<&'a str> {
    let label = label(Some(engine));
    let head = line.get(..label.len())?;
    let rest = line[label.len()..].trim_start();
    let rest = rest.strip_prefix(':')?;
    head.eq_ignore_ascii_case(&label).then(|| rest.trim())
}

/// Whether a line is the bench of some engine that is not the main one.
pub(super) fn is_of_other_engine(line: &str) -> bool {
    let word = line.split(':').next().unwrap_or_default().trim_end();
    let name = word
        .split_once('-')
        .map(|(_, name)| name.to_ascii_lowercase());
    name.is_some_and(|name| is_engine_name(&name) && matches!(named(line, &name), Value::Bench(_)))
}

/// The last line counts, as with the main engine.
fn named(message: &str, engine: &str) -> Value {
    let Some(number) = message.lines().rev().find_map(|line| number(line, engine)) else {
        return Value::Absent;
    };
    let digits: String = number.chars().filter(|c| *c != ',').collect();
    let is_number = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    match digits.parse() {
        _ if !is_number => Value::Unparsable,
        Ok(0) => Value::Zero,
        Ok(bench) => Value::Bench(bench),
        Err(_) => Value::Huge(digits),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn value(message: &str) -> Value {
        Reading::of(message, Some("leiserchess")).value
    }

    #[test]
    fn each_engine_has_a_line_of_its_own() {
        let message = "Both\n\nBench: 5\nBench-leiserchess: 1,234\nbench-other: 7";
        assert_eq!(value(message), Value::Bench(1234));
        assert_eq!(Reading::of(message, None).bench(), Some(5));
        assert_eq!(Reading::of(message, Some("other")).bench(), Some(7));
        assert_eq!(
            value("Bench-leiserchess: 1\n\nbench-LEISERCHESS : 2\r"),
            Value::Bench(2)
        );
    }

    #[test]
    fn what_is_no_number_is_no_bench() {
        for (line, expected) in [
            ("Bench-leiserchess: ", Value::Unparsable),
            ("Bench-leiserchess: 12 nodes", Value::Unparsable),
            ("Bench-leiserchess: ,", Value::Unparsable),
            ("Bench-leiserchess: +5", Value::Unparsable),
            ("Bench-leiserchess: 0", Value::Zero),
            ("Bench-leiserchess 5", Value::Absent),
            ("the Bench-leiserchess: 5", Value::Absent),
            ("Bench-leiser: 5", Value::Absent),
            ("Bench: 5", Value::Absent),
        ] {
            assert_eq!(value(line), expected, "{line}");
        }
    }

    #[test]
    fn names_that_could_be_read_as_a_bench_are_refused() {
        for name in ["leiserchess", "v2", "a-b"] {
            assert!(is_engine_name(name), "{name}");
        }
        for name in [
            "",
            "A",
            "2",
            "a b",
            "a:",
            "x-",
            "-x",
            "workbench",
            "nodes",
            "my-nodes",
            "é",
        ] {
            assert!(!is_engine_name(name), "{name}");
        }
    }

    proptest! {
        #[test]
        fn no_other_bench_is_taken_for_the_main_one(
            name in "[a-z]{0,4}(bench|nodes|node|-)?[a-z0-9-]{0,6}", bench in any::<u64>(),
        ) {
            prop_assume!(is_engine_name(&name));
            let line = format!("{}: {bench}", label(Some(&name)));
            prop_assert_eq!(Reading::of(&line, None).value, Value::Absent);
            let found = Reading::of(&line, Some(&name)).bench();
            prop_assert_eq!(found, (bench > 0).then_some(bench));
        }
    }
}
