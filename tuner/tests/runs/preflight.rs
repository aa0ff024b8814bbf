//! What is found out about a file and an engine before a game is played.

use crate::support::{PARAMS, Place};

#[test]
fn an_engine_in_order_gets_no_complaint() {
    let place = Place::new();
    let answer = place.run(["lint", "params.toml", "--engine", "./engine"]);
    assert_eq!(
        (answer.code, answer.stdout.as_str()),
        (Some(0), ""),
        "{answer:?}"
    );
}

#[test]
fn each_mistake_of_an_engine_is_found() {
    let place = Place::new();
    let cases = [
        (
            "two-defaults",
            "Margin: setting it to its printed default 100 changes the search",
        ),
        ("case-sensitive", "Margin: ignored when written `margin`"),
        (
            "stale",
            "Margin: set after a search it gives another search than set before the first",
        ),
        ("unchecked", "Margin: takes 401, beyond its printed range"),
        ("crash-on-text", "Margin: the value `abc`: "),
        ("idle-switch", "UseMargin: a switch without effect"),
    ];
    for (mistake, complaint) in cases {
        let engine = place.engine(mistake);
        let answer = place.run(["lint", "params.toml", "--engine", &engine]);
        assert_eq!(answer.code, Some(1), "{mistake}: {answer:?}");
        assert!(answer.stdout.contains(complaint), "{mistake}: {answer:?}");
    }
}

#[test]
fn dead_parameters_are_named_by_lint_and_screen() {
    let place = Place::new();
    place.write(
        "params.toml",
        &PARAMS
            .replace("Gated", "Dead")
            .replace("min = 1", "min = 0"),
    );
    let linted = place.run(["lint", "params.toml", "--engine", "./engine"]);
    assert!(
        linted
            .stdout
            .contains("Dead: dead: neither minimum nor maximum"),
        "{linted:?}"
    );
    let screened = place.run(["screen", "params.toml", "--engine", "./engine", "--json"]);
    assert_eq!(screened.code, Some(1));
    let report = screened.json();
    assert_eq!(report["parameters"][0]["verdict"], "fine");
    assert_eq!(report["parameters"][1]["verdict"], "dead");
    assert_eq!(report["parameters"][1]["stirs_at_bounds"], false);
    assert_eq!(report["positions"], 12);
}

#[test]
fn a_file_made_by_init_is_complete_and_screened_as_it_stands() {
    let place = Place::new();
    let made = place.run(["init", "--engine", "./engine", "--out", "new.toml"]);
    assert_eq!(made.code, Some(0), "{made:?}");
    for name in ["Margin", "Scale", "Gated", "Dead"] {
        assert!(place.read("new.toml").contains(&format!("[params.{name}]")));
    }
    let screened = place.run(["screen", "new.toml"]);
    assert!(
        screened.stderr.contains("dead at depth 9: Dead"),
        "{screened:?}"
    );
    let linted = place.run(["lint", "new.toml", "--static-only"]);
    assert_eq!(linted.code, Some(0), "{linted:?}");
    let again = place.run(["init", "--engine", "./engine", "--out", "new.toml"]);
    assert_eq!(again.code, Some(2), "{again:?}");
}

#[test]
fn a_plan_says_whether_the_budget_suffices() {
    let place = Place::new();
    let untimed = place.run(["plan", "params.toml", "--untimed"]);
    assert_eq!(untimed.code, Some(0), "{untimed:?}");
    assert!(untimed.stdout.contains("40 pairs;") && untimed.stdout.contains("too small"));
    let timed = place.run([
        "plan",
        "params.toml",
        "--engine",
        "./engine",
        "--iterations",
        "50000",
    ]);
    assert!(timed.stdout.contains(", about "), "{timed:?}");
}

#[test]
fn the_project_file_stands_behind_the_parameter_file() {
    let place = Place::new();
    place.write(
        "whetstone.toml",
        "[tuner]\nnodes = 9\nhash = 4\nengine = \"engine\"\n",
    );
    let plan = place
        .run(["spsa", "params.toml", "--dry-run", "--seed", "1"])
        .json();
    assert_eq!(plan["play"]["limit"]["nodes"], 100);
    assert_eq!(plan["engine"]["name"], "engine");
    let hash = serde_json::json!(["Hash", "4"]);
    let options = plan["engine"]["options"].as_array();
    assert!(options.is_some_and(|list| list.contains(&hash)), "{plan}");
    place.write("whetstone.toml", "[tuner]\nnodez = 9\n");
    let answer = place.run(["spsa", "params.toml", "--dry-run"]);
    assert_eq!(answer.code, Some(2));
    assert!(
        answer.stderr.contains("[tuner]: unknown key `nodez`"),
        "{answer:?}"
    );
}
