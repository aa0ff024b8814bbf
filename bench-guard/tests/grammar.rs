//! The grammar of a bench against OpenBench's own functions: every recorded row, and properties
//! over arbitrary texts.
//!
//! The rows were printed by the server's and the worker's code; the properties compare with a
//! second, naive reading of the documented expressions.

use bench_guard::{
    bench::{self, Bench},
    message::{BenchMatches, Value, server_bench},
};
use proptest::prelude::*;
use serde::Deserialize;

#[derive(Deserialize)]
struct MessageRow {
    message: String,
    /// So many nines follow the message.
    #[serde(default)]
    nines: usize,
    /// What the server's parser returns, in decimal; `nines` for that many nines.
    bench: Option<String>,
    accepted: bool,
}

#[test]
fn messages_are_read_as_the_server_reads_them() {
    let rows: Vec<MessageRow> =
        serde_json::from_str(include_str!("data/messages.json")).expect("a table");
    assert_eq!(rows.len(), 77);
    for row in rows {
        let nines = "9".repeat(row.nines);
        let message = row.message + &nines;
        let reading = BenchMatches::of(&message);
        let expected = match row.bench.as_deref() {
            Some("nines") => Some(nines),
            other => other.map(str::to_owned),
        };
        let read = match reading.value() {
            Value::Bench(bench) => Some(bench.to_string()),
            Value::Huge(digits) => Some(digits),
            Value::Zero => Some("0".to_owned()),
            Value::Absent | Value::Unparsable => None,
        };
        assert_eq!(read, expected, "{message:?}");
        let accepted = matches!(reading.value(), Value::Bench(_) | Value::Huge(_));
        assert_eq!(accepted, row.accepted, "{message:?}");
    }
}

#[derive(Deserialize)]
struct OutputRow {
    stdout: String,
    bench: Option<u64>,
    nps: Option<u64>,
}

#[test]
fn outputs_are_read_as_the_worker_reads_them() {
    let rows: Vec<OutputRow> =
        serde_json::from_str(include_str!("data/outputs.json")).expect("a table");
    assert_eq!(rows.len(), 31);
    for row in rows {
        let expected = row.bench.map(|nodes| Bench {
            nodes,
            nps: row.nps,
        });
        assert_eq!(bench::read(&row.stdout), expected, "{:?}", row.stdout);
    }
}

/// `(?:BENCH|NODES)[ :=]+([0-9,]+)` on characters, without regard for speed: the number text of the
/// last match.
fn last_match(message: &str) -> Option<String> {
    let characters: Vec<char> = message.chars().collect();
    let fold = |c: char| {
        if c == 'ſ' {
            's'
        } else {
            c.to_ascii_lowercase()
        }
    };
    let mut last = None;
    let mut at = 0;
    while at < characters.len() {
        let word: String = characters[at..].iter().take(5).map(|c| fold(*c)).collect();
        let rest = characters.get(at + 5..).unwrap_or_default();
        let blanks = rest.iter().take_while(|c| " :=".contains(**c)).count();
        let number: String = rest[blanks..]
            .iter()
            .take_while(|c| c.is_ascii_digit() || **c == ',')
            .collect();
        if (word == "bench" || word == "nodes") && blanks > 0 && !number.is_empty() {
            at += 5 + blanks + number.chars().count();
            last = Some(number);
        } else {
            at += 1;
        }
    }
    last
}

/// Texts made of the pieces that matter, so that matches are frequent.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "(?i)bench|nodes|node",
        "[ :=]{1,3}",
        "[0-9,]{1,6}",
        "[\n\t.ſe-]",
        "\\PC",
        Just("nps".to_owned()),
        Just("second".to_owned()),
        Just("searched".to_owned()),
    ];
    proptest::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn the_last_match_decides(message in pieces()) {
        let expected = last_match(&message).and_then(|number| {
            number.replace(',', "").parse::<u64>().ok().filter(|bench| *bench > 0)
        });
        prop_assert_eq!(server_bench(&message), expected);
    }

    #[test]
    fn a_bench_appended_on_its_own_line_is_the_one_that_is_read(message in pieces(), bench in 1u64..) {
        let reading = format!("{message}\n\nBench: {bench}\n");
        prop_assert_eq!(server_bench(&reading), Some(bench));
    }

    #[test]
    fn every_match_lies_where_it_says(message in pieces()) {
        for found in BenchMatches::of(&message).matches {
            prop_assert!(message[found.span].ends_with(&found.number));
        }
    }

    #[test]
    fn no_text_makes_a_reader_panic(text in "(?s).{0,200}") {
        let reading = BenchMatches::of(&text);
        let _ = reading.warnings().iter().map(ToString::to_string).count();
        let _ = bench::read(&text);
    }

    #[test]
    fn what_is_printed_last_in_the_recommended_form_is_read(
        before in pieces(),
        nodes in 0u64..,
        nps in 0u64..,
    ) {
        let output = format!("{before}\n{nodes} nodes {nps} nps\n");
        prop_assert_eq!(bench::read(&output), Some(Bench { nodes, nps: Some(nps) }));
    }
}
