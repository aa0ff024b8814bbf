//! `tuner simulate` on a surface of the user's own, and with a program that plays the pairs.

use std::time::{Duration, Instant};

use crate::support::{Answer, Place};

const SURFACE: &str = "[parameters.Margin]\noptimum = 160\ncurvature = 2.0\n";

#[test]
fn a_surface_of_the_users_own_is_climbed() {
    let place = Place::new();
    place.write("surface.toml", SURFACE);
    let arguments = ["simulate", "params.toml", "--surface-file", "surface.toml"];
    let more = ["--iterations", "1000", "--surfaces", "3", "--json"];
    let report = place.run(arguments.iter().chain(&more)).json();
    let found = &report["families"][0];
    assert_eq!(found["surface"], "surface.toml");
    // Five c of 12 from the optimum, 2 Elo per c squared.
    assert!((found["deficit"].as_f64().expect("a number") - 25.0).abs() < 1e-9);
    assert!(
        found["gained"].as_f64().expect("a number") > 12.0,
        "{found}"
    );
    place.write("surface.toml", &SURFACE.replace("Margin", "Margn"));
    let refused = place.run(arguments);
    assert_eq!(refused.code, Some(2), "{refused:?}");
    refused.says("surface.toml: `Margn` is no parameter");
}

/// A tune of 40 pairs that a shell script plays.
fn asked(place: &Place, script: &str, more: &[&str]) -> Answer {
    place.write("oracle.sh", script);
    let arguments = ["simulate", "params.toml", "--oracle", "sh oracle.sh"];
    place.run(arguments.iter().chain(more))
}

#[test]
fn a_program_plays_the_pairs() {
    let place = Place::new();
    // Margin is the first of the names: whoever has more of it wins.
    let script = "while read -r line; do
        echo \"$line\" >> asked.jsonl
        plus=${line#*'\"plus\":['}; plus=${plus%%[.,]*}
        minus=${line#*'\"minus\":['}; minus=${minus%%[.,]*}
        if [ \"$plus\" -gt \"$minus\" ]; then echo 2; else echo '{\"result\": -2}'; fi
    done";
    let answer = asked(&place, script, &["--json"]);
    let result = answer.json();
    assert_eq!(
        (&result["schema"], &result["pairs"]),
        (&"tuner-result".into(), &40.into())
    );
    assert!(
        result["parameters"][0]["value"].as_f64().expect("a value") > 100.0,
        "{answer:?}"
    );
    let lines = place.read("asked.jsonl");
    assert_eq!(lines.lines().count(), 40);
    let first: serde_json::Value =
        serde_json::from_str(lines.lines().next().expect("a line")).expect("JSON");
    assert_eq!(first["names"], serde_json::json!(["Margin", "Gated"]));
    assert_eq!((&first["pair"], &first["seed"]), (&0.into(), &1.into()));
    assert_eq!(first["plus"].as_array().map(Vec::len), Some(2));
    let only = asked(&place, script, &["--json", "--only", "Gated"]);
    assert_eq!(only.code, Some(0), "{only:?}");
    assert_eq!(only.json()["parameters"][0]["name"], "Gated");
    let parting = asked(&place, &format!("{script}; echo done"), &[]);
    assert_eq!(parting.code, Some(0), "{parting:?}");
    // What it prints after its input has ended is no answer, and nobody waits for the end of it.
    let endless = "while :; do read -r line; echo 1; done";
    let late = asked(&place, endless, &[]);
    assert_eq!(late.code, Some(0), "{late:?}");
    let slow = "while read -r line; do echo 1; done; sleep 100";
    let begun = Instant::now();
    let slow = asked(&place, slow, &[]);
    assert_eq!(slow.code, Some(0), "{slow:?}");
    assert!(begun.elapsed() < Duration::from_mins(1), "{slow:?}");
    // The table is for people.
    let shown = asked(&place, script, &[]);
    assert!(shown.stdout.contains("│ Margin"), "{shown:?}");
}

#[test]
fn an_oracle_that_fails_is_reported_with_the_pair() {
    let place = Place::new();
    for (script, said) in [
        (
            "read -r line; exit 3",
            "pair 0: it has ended (exit status: 3)",
        ),
        (
            "while read -r line; do echo 3; done",
            "pair 0: its answer is `3`",
        ),
        (
            "while read -r line; do echo maybe; done",
            "pair 0: its answer is `maybe`",
        ),
        (
            "read -r a; echo 0; read -r b; echo 1.5",
            "pair 1: its answer is `1.5`",
        ),
        (
            "read -r line; exec sleep 1000",
            "pair 0: no answer within 1 s",
        ),
        (
            "while read -r line; do printf '1\\n0\\n'; done",
            "pair 0: a line more than its answer: `0`",
        ),
        (
            "echo 0; while read -r line; do echo 1; done",
            ": a line more than its answer: `1`",
        ),
        // What is slow is seen later.
        (
            "echo 0; read -r line; sleep 0.2; echo 1; while read -r line; do echo 1; done",
            ": a line more than its answer: `1`",
        ),
        (
            "while read -r line; do echo 1; case $line in *'pair\":39'*) echo 0; esac; done",
            "pair 39: a line more than its answer: `0`",
        ),
    ] {
        // Only the one that never answers is given up soon.
        let timeout = if script.contains("1000") { "1" } else { "60" };
        let answer = asked(&place, script, &["--oracle-timeout", timeout]);
        assert_eq!(answer.code, Some(2), "{script}: {answer:?}");
        assert!(answer.stderr.contains(said), "{script}: {answer:?}");
        assert!(answer.stderr.contains("hint:"), "{script}: {answer:?}");
    }
    let gone = place.run(["simulate", "params.toml", "--oracle", "./no-such-program"]);
    assert_eq!(gone.code, Some(2), "{gone:?}");
    gone.says("exit status: 127");
}
