//! What lint finds in a file and an engine.

use crate::support::{PARAMS, Place};

#[test]
fn an_engine_in_order_gets_no_complaint() {
    let place = Place::new();
    for name in ["engine", "benchless"] {
        let engine = place.engine(name);
        let answer = place.run(["lint", "params.toml", "--engine", &engine]);
        assert_eq!(
            (answer.code, answer.stdout.as_str()),
            (Some(0), ""),
            "{answer:?}"
        );
    }
}

#[test]
fn each_mistake_of_an_engine_is_found() {
    let place = Place::new();
    let cases = [
        (
            "two-defaults",
            "Margin: setting it to its printed default changes the search: there is another copy of \
             the default, or more is set than it (100)",
        ),
        (
            "case-sensitive",
            "2 options: not known in lower case, though names of options ignore case: Margin, Gated",
        ),
        (
            "stale",
            "2 options: set after a search it gives another search than set before the first",
        ),
        (
            "unchecked",
            "2 options: takes values beyond its printed range: Margin (401), Gated (9)",
        ),
        (
            "crash-on-text",
            "3 options: a value that is no number ends the engine: Dead (`abc`: ended by itself \
             (exit status: 6); its last words on stderr: terminate called after throwing an instance \
             what(): stoi), Margin (",
        ),
        (
            "idle-switch",
            "2 options: a switch without effect on `go depth 9` from 3 positions: UseMargin, Style",
        ),
        (
            "hash-takes-all",
            "Hash: a value that is no number ends the engine (`abc`: ended by itself (exit status: 7))",
        ),
        ("gated", "Gated: dead while a switch is off (UseGate)"),
        (
            "twice",
            "margin: advertised twice, once spelled `Margin`: only one of them can be set",
        ),
        (
            "crash-below",
            "Margin: a value in its range ends the engine (0: ended by itself (exit status: 9))",
        ),
        (
            "illegal-above",
            "Margin: a value in its range makes it play illegal moves (400: a1a1)",
        ),
        ("illegal", "engine: error: plays illegal moves (a1a1)"),
        (
            "hang-on-text",
            "Margin: a value that is no number makes it hang (`abc`)",
        ),
        (
            "blind-bench",
            "engine: `bench` is blind to options: 1000000 nodes also with all parameters at values \
             that change searches",
        ),
        (
            "half-blind-bench",
            "Margin: `bench` is blind to it: 1000003 nodes as usual, though searches change (400)",
        ),
        ("restless-bench", "engine: `bench` cannot be repeated: 10"),
        (
            "restless",
            "engine: error: two new processes answer `go depth 9` differently",
        ),
        (
            "remembers",
            "engine: error: the second `go depth 9` of a process differs from the first",
        ),
    ];
    for (mistake, complaint) in cases {
        let engine = place.engine(mistake);
        let answer = place.run([
            "lint",
            "params.toml",
            "--engine",
            &engine,
            "--positions",
            "3",
        ]);
        assert_eq!(answer.code, Some(1), "{mistake}: {answer:?}");
        assert!(answer.stdout.contains(complaint), "{mistake}: {answer:?}");
        assert_eq!(answer.stdout.lines().count(), 1, "{mistake}: {answer:?}");
    }
}

#[test]
fn a_fraction_that_is_cut_off_is_a_note_and_no_failure() {
    let place = Place::new();
    let engine = place.engine("truncates");
    let lint = [
        "lint",
        "params.toml",
        "--engine",
        &engine,
        "--positions",
        "3",
    ];
    let answer = place.run(lint);
    assert_eq!(answer.code, Some(0), "{answer:?}");
    let expected = "2 options: note: cuts fractions off, where it should round or refuse them: Margin \
        (101.6 does what 101 does), Gated (4.6 does what 4 does)\n";
    assert_eq!(answer.stdout, expected);
    assert!(
        answer.stderr.contains("found Margin: note: cuts"),
        "told as it is found: {answer:?}"
    );
    let except = place.run(lint.iter().chain(&["--except", "margin,gated"]));
    assert_eq!(
        (except.code, except.stdout.as_str()),
        (Some(0), ""),
        "{except:?}"
    );
}

#[test]
fn a_switch_that_is_not_picked_is_turned_on_for_those_that_are() {
    let place = Place::new();
    let engine = place.engine("gated");
    let lint = [
        "lint",
        "params.toml",
        "--engine",
        &engine,
        "--only",
        "gated",
    ];
    let answer = place.run(lint);
    let expected = "Gated: dead while a switch is off (UseGate)";
    assert!(answer.stdout.contains(expected), "{answer:?}");
}

#[test]
fn flags_that_leave_no_parameter_are_refused() {
    let place = Place::new();
    let plan = ["plan", "params.toml", "--engine", "./engine", "--untimed"];
    let answer = place.run(plan.iter().chain(&["--except", "margin,gated"]));
    assert_eq!(answer.code, Some(2), "{answer:?}");
    answer.says("leaves none");
}

#[test]
fn what_looks_wrong_is_examined_first() {
    let place = Place::new();
    place.engine("crash-on-text");
    let dead = "\n[params.Dead]\nvalue = 10\nmin = 0\nmax = 20\nc_end = 1.0\n\n[spsa]";
    place.write("params.toml", &PARAMS.replace("\n[spsa]", dead));
    let words =
        "lint params.toml --engine ./crash-on-text --concurrency 1 --probe-depth 2 --positions 2";
    let told = place.run(words.split(' ')).stderr;
    let at = |text: &str| told.find(text).unwrap_or_else(|| panic!("{text}: {told}"));
    assert!(at("found Dead: ") < at("found Margin: "), "{told}");
}

#[test]
fn a_first_look_that_hangs_leaves_time_to_examine_others() {
    let place = Place::new();
    place.engine("hang-above");
    let (margin, gated) = PARAMS.split_once("\n\n").expect("two tables");
    let (gated, rest) = gated.split_once("\n\n").expect("sections");
    place.write("params.toml", &format!("{gated}\n{margin}\n{rest}"));
    let words = "lint params.toml --engine ./hang-above --concurrency 1 --probe-depth 2 --positions 2 \
                 --budget 12 --json";
    let report = place.run(words.split_whitespace()).json();
    assert_eq!(
        report["unexamined"],
        serde_json::json!(["Margin"]),
        "{report}"
    );
}

#[test]
fn lint_says_when_its_budget_ended_it() {
    let place = Place::new();
    let engine = place.engine("hang-on-text");
    let answer = place.run([
        "lint",
        "params.toml",
        "--engine",
        &engine,
        "--budget",
        "1",
        "--positions",
        "3",
    ]);
    assert_eq!(answer.code, Some(4), "{answer:?}");
    answer.says("not all was examined");
}

#[test]
fn an_engine_without_node_counts_is_told_to_be_hard_to_judge() {
    let place = Place::new();
    let engine = place.engine("mum");
    let answer = place.run(["lint", "params.toml", "--engine", &engine]);
    let first = answer.stdout.lines().next();
    assert_eq!(
        first,
        Some("engine: reports no nodes: only what changes a move or a score is seen"),
        "{answer:?}"
    );
}

#[test]
fn commands_that_are_not_obeyed_are_found_and_nothing_waits_for_ever() {
    let place = Place::new();
    let cases: [(&str, &[&str]); 6] = [
        (
            "hangs",
            &["engine: error: gives no move for `go depth 1` (no answer within 5.0s)"],
        ),
        (
            "ignores-nodes",
            &["engine: error: does not keep `go nodes 100`: still searching after 5 s, at 1 nodes"],
        ),
        (
            "overshoots",
            &["engine: error: does not keep `go nodes 100`: it searched 50000 nodes"],
        ),
        (
            "depth-one",
            &[
                "engine: error: does not use `go nodes 100`: it searched 7 nodes at most, in 6 positions",
            ],
        ),
        (
            "ignores-time",
            &[
                "engine: does not keep `go movetime 100` (no answer within 5.1s; its last line was `info depth 1 score cp 1 nodes 1 pv e2e4`)",
            ],
        ),
        (
            "deaf",
            &[
                "engine: does not obey `stop` during `go infinite`: nothing happens within 5 s",
                "engine: does not obey `quit` during `go infinite`: nothing happens within 5 s",
            ],
        ),
    ];
    for (mistake, complaints) in cases {
        let engine = place.engine(mistake);
        let answer = place.run(["lint", "params.toml", "--engine", &engine]);
        assert_eq!(answer.code, Some(1), "{mistake}: {answer:?}");
        let told: Vec<&str> = answer.stdout.lines().collect();
        assert_eq!(told, complaints, "{mistake}: {answer:?}");
    }
}

#[test]
fn a_list_that_the_engine_prints_must_agree_with_its_options() {
    let place = Place::new();
    let engine = place.engine("old-list");
    let answer = place.run(["lint", "params.toml", "--engine", &engine, "--static-only"]);
    assert_eq!(answer.code, Some(1), "{answer:?}");
    let told: Vec<&str> = answer.stdout.lines().collect();
    assert_eq!(
        told,
        [
            "Gated: in the list that `ENGINE spsa` prints: range [1, 9], but the engine takes [1, 8] only",
            "Lost: in the list that `ENGINE spsa` prints: the engine has no such option",
        ]
    );
    let engine = place.engine("bad-list");
    let answer = place.run(["lint", "params.toml", "--engine", &engine, "--static-only"]);
    assert_eq!(answer.code, Some(1), "{answer:?}");
    let told = "spsa: the list that `ENGINE spsa` prints:1:14: ";
    assert!(answer.stdout.starts_with(told), "{answer:?}");
    let begun = place.run(["init", "--engine", &engine]);
    assert_eq!(begun.code, Some(0), "{begun:?}");
    begun.says("not taken: the list");
}

#[test]
fn another_node_limit_than_the_one_of_the_games_is_no_hindrance() {
    let place = Place::new();
    let engine = place.engine("overshoots");
    place.write(
        "params.toml",
        &PARAMS.replace("nodes = 100", "tc = \"8+0.08\""),
    );
    let answer = place.run(["lint", "params.toml", "--engine", &engine, "--json"]);
    let report = answer.json();
    assert_eq!(
        (&report["schema"], &report["version"]),
        (&"tuner-lint".into(), &1.into())
    );
    assert_eq!(
        report["complaints"].as_array().map(Vec::len),
        Some(1),
        "{report}"
    );
    let complaint = &report["complaints"][0];
    assert_eq!(complaint["parameter"], "engine");
    assert_eq!(
        complaint["text"],
        "does not keep `go nodes 10000`: it searched 50000 nodes"
    );
    assert_eq!(complaint["severity"], "warning");
}

#[test]
fn what_is_wrong_in_the_file_does_not_keep_the_rest_from_being_examined() {
    let place = Place::new();
    let engine = place.engine("case-sensitive");
    place.write("params.toml", &PARAMS.replace("Margin", "Margn"));
    let answer = place.run(["lint", "params.toml", "--engine", &engine]);
    let told: Vec<&str> = answer.stdout.lines().collect();
    assert_eq!(
        told,
        [
            "Margn: error: the engine has no such option; did you mean `Margin`?",
            "Gated: not known in lower case, though names of options ignore case",
        ],
        "{answer:?}"
    );
}

#[test]
fn a_blind_bench_is_reported_at_once() {
    let place = Place::new();
    let engine = place.engine("half-blind-bench");
    let answer = place.run([
        "lint",
        "params.toml",
        "--engine",
        &engine,
        "--positions",
        "3",
    ]);
    let told = "found Margin: `bench` is blind to it";
    answer.says(told);
    let benches = "benches, to see whether it is blind to a parameter";
    answer.says(benches);
}
