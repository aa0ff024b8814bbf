//! The grammar of `params.toml` as the build reads it, against the cases shared with the tuner.

#[path = "../../build/params_file.rs"]
mod params_file;

use params_file::Entry;
use toml::{Table, Value};

fn cases(kind: &str) -> Vec<Table> {
    let fixture: Table = include_str!("../data/params_grammar.toml").parse().unwrap();
    let cases = fixture[kind].as_array().unwrap();
    cases
        .iter()
        .map(|case| case.as_table().unwrap().clone())
        .collect()
}

fn names(value: &Value) -> Vec<&str> {
    value
        .as_array()
        .unwrap()
        .iter()
        .map(|name| name.as_str().unwrap())
        .collect()
}

#[test]
fn files_that_the_tuner_accepts_are_accepted() {
    for case in cases("accepted") {
        let entries = params_file::parse(case["text"].as_str().unwrap()).unwrap();
        let (tunable, fixed): (Vec<&Entry>, Vec<&Entry>) =
            entries.iter().partition(|entry| entry.c_end.is_some());
        let name = |entry: &&Entry| entry.name.clone();
        assert_eq!(
            tunable.iter().map(name).collect::<Vec<_>>(),
            names(&case["tunable"]),
            "{}",
            case["case"]
        );
        assert_eq!(
            fixed.iter().map(name).collect::<Vec<_>>(),
            names(&case["fixed"]),
            "{}",
            case["case"]
        );
    }
}

#[test]
fn files_that_the_tuner_refuses_are_refused_with_the_culprit() {
    for case in cases("refused") {
        let error = params_file::parse(case["text"].as_str().unwrap()).unwrap_err();
        assert!(
            error.contains(case["blames"].as_str().unwrap()),
            "{}: {error}",
            case["case"]
        );
    }
}

#[test]
fn fields_are_read_as_written() {
    let text =
        "[params.Margin]\nvalue = 7\nmin = -3\nmax = 0x10\nc_end = 2\nr_end = 0.5\ndoc = \"d\"";
    let entry = params_file::parse(text).unwrap().remove(0);
    assert_eq!((entry.value, entry.min, entry.max), (7, -3, 16));
    assert_eq!((entry.c_end, entry.r_end), (Some(2.0), Some(0.5)));
    assert_eq!(entry.doc, "d");
    assert!(!entry.is_switch());
}

#[test]
fn what_an_option_of_the_engine_cannot_be_is_refused() {
    let table = |name: &str, fields: &str| {
        params_file::parse(&format!("[params.{name}]\nmin = 0\nmax = 9\n{fields}")).unwrap_err()
    };
    assert!(table("margin", "value = 1").contains("capital letter"));
    assert!(table("Margin", "value = 1.5").contains("expected an integer"));
    assert!(table("Margin", "value = 1\ntype = \"float\"").contains("options are int"));
    assert!(table("Margin", "value = 99999999999").contains("99999999999"));
}
