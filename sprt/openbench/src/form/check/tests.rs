use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use super::*;

/// What was sent to a server, and what it answered.
#[derive(Deserialize)]
struct Recorded {
    base: BTreeMap<String, BTreeMap<String, String>>,
    sent: Vec<Sent>,
}

#[derive(Deserialize)]
struct Sent {
    name: String,
    kind: String,
    status: u16,
    location: String,
    error: String,
    set: BTreeMap<String, String>,
    missing: Vec<String>,
}

fn recorded() -> Vec<(Sent, Form)> {
    let recorded: Recorded =
        serde_json::from_str(include_str!("../../../tests/data/sent.json")).expect("JSON");
    let forms = recorded.sent.into_iter().map(|sent| {
        let kind = Kind::ALL
            .iter()
            .copied()
            .find(|kind| kind.word() == sent.kind)
            .expect("a kind");
        let mut form = Form::new(kind);
        for (field, value) in recorded.base[&sent.kind].iter().chain(&sent.set) {
            form.set(field, value.clone());
        }
        for field in &sent.missing {
            form.set(field, "");
        }
        // Left to the server there; here a bench is always sent.
        for field in ["dev_bench", "base_bench"] {
            if form.get(field).parse::<i64>().is_err() {
                form.set(field, "3195422");
            }
        }
        (sent, form)
    });
    forms.collect()
}

fn config() -> Config {
    serde_json::from_str(
        r#"{"engines": ["Whetstone"], "books": {"4moves_noob.epd": {}, "8moves_v3.epd": {}}}"#,
    )
    .expect("a config")
}

fn complaints_of(form: &Form) -> Vec<Complaint> {
    let (config, networks) = (config(), Networks::default());
    check(
        form,
        &Known {
            config: &config,
            dev_networks: &networks,
            base_networks: &networks,
        },
    )
}

/// What only the server can know: who sent the form, and what is on GitHub.
fn is_local(line: &str) -> bool {
    !(line.contains("could not be found")
        || line.contains("parse a Bench")
        || line.contains("Github's API")
        || line.contains("nabled"))
}

#[test]
fn what_a_server_took_passes_and_what_it_refused_does_not() {
    for (sent, form) in recorded() {
        let complaints = complaints_of(&form);
        let refused = sent.location != "/index/" && sent.status == 302;
        let expected = refused && (sent.error.lines().any(is_local) || sent.name == "28-repo-git");
        if sent.name == "30-info-missing" {
            // A field that our forms cannot lack.
            continue;
        }
        let spsa_as_sent = sent.kind == "tune" && sent.location == "/index/";
        if spsa_as_sent || !expected && sent.status == 302 {
            let trimmed = spsa::trimmed(form.get("spsa_inputs"));
            let mut form = form;
            form.set("spsa_inputs", trimmed);
            assert_eq!(complaints_of(&form), [], "{}", sent.name);
        } else if expected || sent.status == 500 {
            assert!(!complaints.is_empty(), "{} passes", sent.name);
        }
    }
}

#[test]
fn our_complaints_quote_the_server_to_the_letter() {
    for (sent, form) in recorded() {
        if sent.status != 302 || sent.error.is_empty() {
            continue;
        }
        let said: BTreeSet<&str> = sent.error.lines().filter(|line| is_local(line)).collect();
        let complaints = complaints_of(&form);
        let ours: BTreeSet<&str> = complaints
            .iter()
            .map(|complaint| complaint.server.as_str())
            .filter(|words| !words.is_empty() && is_local(words))
            .collect();
        for words in &ours {
            // A malformed number gets two complaints, one of them that it is no integer.
            let twin = words
                .replace("is not greater than 0", "is not an Integer")
                .replace(".0", "");
            assert!(
                said.contains(words)
                    || said.contains(twin.as_str())
                    || sent.name.contains("comment"),
                "{}: `{words}` is not among {said:?}",
                sent.name
            );
        }
        for line in said {
            let is_reported = ours.contains(line)
                || line.contains("is not an Integer")
                || line.contains("is not a Float")
                || line.contains("A-Ratio");
            assert!(
                is_reported,
                "{}: the server says `{line}`, we {ours:?}",
                sent.name
            );
        }
    }
}

#[test]
fn what_crashes_the_server_or_fits_no_column_is_refused() {
    let form = recorded().remove(0).1;
    assert_eq!(complaints_of(&form), []);
    let long = "x".repeat(1025);
    for (field, value, said) in [
        ("dev_engine", "Foo", "no engine of this server"),
        ("dev_bench", "99999999999999999999", "not a whole number"),
        ("dev_bench", "-5", "not a whole number"),
        ("dev_bench", "0", "not a whole number"),
        ("priority", "3000000000", "not a whole number"),
        ("info", long.as_str(), "1025 characters"),
        ("upload_pgns", "MAYBE", "none of FALSE"),
        ("dev_options", "Threads=x Hash=16", "does not set Threads"),
        ("base_time_control", "", "no time control"),
        ("test_confidence", "[0.50, 0.60]", "less than 1"),
        ("test_bounds", "[0, 1e3]", "not two numbers"),
        ("test_bounds", "[0.00, 300.00]", "cannot compute an LLR"),
        ("test_bounds", "[-240.00, 0.00]", "cannot compute an LLR"),
        ("dev_branch", " ", "no branch"),
    ] {
        let mut form = form.clone();
        form.set(field, value);
        let complaints = complaints_of(&form);
        assert!(
            complaints
                .iter()
                .any(|complaint| complaint.ours.contains(said)),
            "{field} `{value}`: {complaints:?}"
        );
        let failure = failure(&complaints).to_string();
        assert!(
            failure.contains(&crate::form::preset::flag(complaints[0].field)),
            "{failure}"
        );
    }
}

#[test]
fn option_values_are_found_as_the_server_finds_them() {
    assert_eq!(option_value("Threads=2 Hash=16", "Hash"), Some("16"));
    assert_eq!(option_value("Hash=\"16\" Threads=2", "Hash"), Some("16"));
    assert_eq!(option_value("Threads=2", "Hash"), None);
}
