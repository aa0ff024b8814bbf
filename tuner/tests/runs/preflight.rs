//! What is found out about a file and an engine before a game is played.

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
fn lint_said_nothing_until_its_end() {
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
    assert!(answer.stderr.contains("not all was examined"), "{answer:?}");
}

#[test]
fn the_look_before_a_tune_had_no_end() {
    let place = Place::new();
    // Searches deeper than 8 take a minute.
    let engine = place.engine("slow-deep");
    place.write(
        "dead.toml",
        &PARAMS
            .replace("Gated", "Dead")
            .replace("min = 1", "min = 0"),
    );
    let tuned = place.run([
        "spsa",
        "dead.toml",
        "--engine",
        &engine,
        "--out",
        "run",
        "--probe-budget",
        "5",
    ]);
    assert_eq!(tuned.code, Some(0), "{tuned:?}");
    let told = "nothing changes at depth 7, and there was no time for deeper searches: Dead; they are \
        tuned all the same (--probe-budget SECONDS allows more than 5";
    assert!(tuned.stderr.contains(told), "{tuned:?}");
    place.run(["report", "run"]);
    assert!(
        place
            .read("run/report.html")
            .contains("no time for deeper searches")
    );
}

#[test]
fn what_there_was_no_time_for_is_named() {
    let place = Place::new();
    let engine = place.engine("slow-deep");
    let with = |command, more: &[&str]| {
        let arguments = [command, "params.toml", "--engine", &engine, "--budget", "1"];
        place.run(arguments.iter().chain(more))
    };
    let screened = with("screen", &[]);
    assert_eq!(screened.code, Some(4), "{screened:?}");
    let told =
        "no time to probe 2 of 2 parameters: Margin, Gated; --budget SECONDS allows more than 1";
    assert!(screened.stderr.contains(told), "{screened:?}");
    let linted = with("lint", &[]);
    assert_eq!(linted.code, Some(4), "{linted:?}");
    let told = "no time for 2 of 2 parameters: Margin, Gated; --budget";
    assert!(linted.stderr.contains(told), "{linted:?}");
    let report = with("lint", &["--json"]).json();
    assert_eq!(report["unexamined"], serde_json::json!(["Margin", "Gated"]));
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
            &["engine: does not keep `go movetime 100` (no answer within 5.1s)"],
        ),
        (
            "deaf",
            &[
                "engine: does not hear `stop` during `go infinite`: nothing happens within 2 s",
                "engine: does not hear `quit` during `go infinite`: nothing happens within 2 s",
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
fn a_tune_of_an_engine_that_ignored_node_limits_waited_for_ever() {
    let place = Place::new();
    let engine = place.engine("ignores-nodes");
    let answer = place.run(["spsa", "params.toml", "--engine", &engine, "--out", "run"]);
    assert_eq!(answer.code, Some(3), "{answer:?}");
    assert!(
        answer
            .stderr
            .contains("the engine does not keep `go nodes 100`"),
        "{answer:?}"
    );
    assert!(!place.path("run").exists());
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
        linted.stdout.contains(
            "Dead: dead: neither minimum nor maximum changes `go depth 9` from 12 positions, nor \
             deeper ones up to 15"
        ),
        "{linted:?}"
    );
    let screen = ["screen", "params.toml", "--engine", "./engine", "--json"];
    let screened = place.run(screen);
    assert_eq!(screened.code, Some(1));
    assert_eq!(screened.stdout, place.run(screen).stdout, "asked twice");
    let report = screened.json();
    assert_eq!(report["parameters"][0]["verdict"], "fine");
    assert_eq!(report["parameters"][1]["verdict"], "dead");
    assert_eq!(report["parameters"][1]["changes_at_bounds"], false);
    assert_eq!(report["positions"], 12);
}

#[test]
fn parameters_that_act_in_deep_searches_alone_were_taken_for_dead() {
    let place = Place::new();
    let engine = place.engine("deep-gate");
    let screened = place.run(["screen", "params.toml", "--engine", &engine, "--json"]);
    assert_eq!(screened.code, Some(0), "{screened:?}");
    assert_eq!(screened.json()["parameters"][1]["verdict"], "deep");
    let linted = place.run(["lint", "params.toml", "--engine", &engine]);
    assert!(!linted.stdout.contains("dead"), "{linted:?}");
    let arguments = ["spsa", "params.toml", "--engine", &engine, "--out", "run"];
    let tuned = place.run(arguments);
    assert_eq!(tuned.code, Some(0), "{tuned:?}");
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
        screened.stderr.contains("dead up to depth 15: Dead"),
        "{screened:?}"
    );
    let linted = place.run(["lint", "new.toml", "--static-only"]);
    assert_eq!(linted.code, Some(0), "{linted:?}");
    let again = place.run(["init", "--engine", "./engine", "--out", "new.toml"]);
    assert_eq!(again.code, Some(2), "{again:?}");
}

#[test]
fn init_pinned_the_rate_of_openbenchs_form() {
    let place = Place::new();
    let engine = place.engine("old-list");
    let plain = place.run(["init", "--engine", &engine]);
    assert!(plain.stdout.contains("c_end = 20.0"), "{plain:?}");
    assert!(!plain.stdout.contains("r_end = "), "{plain:?}");
    let pinned = place.run(["init", "--engine", &engine, "--r-end", "0.004"]);
    assert_eq!(
        pinned.stdout.matches("r_end = 0.004").count(),
        3,
        "{pinned:?}"
    );
    let wrong = place.run(["init", "--engine", &engine, "--r-end", "0"]);
    assert_eq!(wrong.code, Some(2), "{wrong:?}");
}

#[test]
fn a_plan_says_what_a_pinned_rate_costs_and_what_it_advises() {
    let place = Place::new();
    let pinned = PARAMS.replace("c_end = 12.0", "c_end = 12.0\nr_end = 0.002");
    place.write("pinned.toml", &pinned);
    let command = ["plan", "pinned.toml", "--untimed", "--algorithm", "classic"];
    let answer = place.run(command);
    assert!(
        answer
            .stderr
            .contains("the file pins r_end for 1 parameters"),
        "{answer:?}"
    );
    assert!(
        answer.stderr.contains("advice: --iterations "),
        "{answer:?}"
    );
    let bayes = place.run(["plan", "pinned.toml", "--untimed"]);
    assert!(
        bayes.stderr.contains("--algorithm bayes does not use"),
        "{bayes:?}"
    );
}

#[test]
fn parameters_are_named_in_any_case_and_with_spaces() {
    let place = Place::new();
    place.write(
        "list.txt",
        "\u{feff}Margin, int, 100, 0, 400, 12, 0.002\r\nGated, int, 3, 1, 8, 0.6, 0.002\r\n",
    );
    for file in ["params.toml", "list.txt"] {
        let answer = place.run(["plan", file, "--untimed", "--only", "margin, GATED"]);
        assert_eq!(answer.code, Some(0), "{answer:?}");
    }
    let unknown = place.run(["plan", "list.txt", "--untimed", "--only", "Margn"]);
    assert!(
        unknown.stderr.contains("tunes no such parameter"),
        "{unknown:?}"
    );
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
    // What `init` writes does not override it.
    let own = place.run(["init"]);
    assert!(own.stdout.ends_with("[match]\n"), "{own:?}");
    let typed = place.run(["init", "--engine", "./engine", "--tc", "8+0.08"]);
    let games = "[match]\nengine = \"./engine\"\ntc = \"8+0.08\"\n";
    assert!(typed.stdout.ends_with(games), "{typed:?}");
    place.write("whetstone.toml", "[tuner]\nnodez = 9\n");
    let answer = place.run(["spsa", "params.toml", "--dry-run"]);
    assert_eq!(answer.code, Some(2));
    assert!(
        answer.stderr.contains("[tuner]: unknown key `nodez`"),
        "{answer:?}"
    );
}
