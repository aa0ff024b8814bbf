//! `sprt check` against a scripted engine, which misbehaves on demand.

use crate::support::{Place, json, text};

/// The steps that did not pass, with their outcomes and reasons.
fn examined(place: &Place, engine: &str, more: &[&str]) -> (i32, Vec<(String, String, String)>) {
    let output = place
        .sprt(["check", engine, "--json"])
        .args(more)
        .output()
        .expect("sprt runs");
    let result = json(&output);
    let word =
        |step: &serde_json::Value, member: &str| step[member].as_str().unwrap_or("").to_owned();
    let steps = result["steps"].as_array().expect("steps");
    let objections = steps
        .iter()
        .filter(|step| step["outcome"] != "passed")
        .map(|step| {
            (
                word(step, "name"),
                word(step, "outcome"),
                word(step, "reason"),
            )
        });
    (output.status.code().expect("a code"), objections.collect())
}

#[test]
fn an_engine_that_does_all_but_evaluate_fails_where_that_is_seen() {
    let place = Place::new();
    let (code, objections) = examined(&place, &place.engine("engine"), &[]);
    assert_eq!(code, 1);
    let outcomes: Vec<(&str, &str)> = objections
        .iter()
        // A busy machine may be late.
        .filter(|(_, _, reason)| !reason.contains(" ms late"))
        .map(|(name, outcome, _)| (name.as_str(), outcome.as_str()))
        .collect();
    assert_eq!(
        outcomes,
        [
            ("near-mate", "failed"),
            ("ponder", "skipped"),
            ("multipv", "skipped"),
            ("score-sign", "failed"),
            ("score-mate", "skipped"),
        ],
        "{objections:?}"
    );
}

#[test]
fn each_mistake_fails_the_step_that_is_named_for_it() {
    let place = Place::new();
    let engine = place.engine("engine");
    for (step, script, words) in [
        ("setoption", "crash@option", "out of luck"),
        ("ucinewgame", "crash@game2", "out of luck"),
        ("position-startpos", "illegal@1", "`a1a1` is no legal move"),
        ("position", "none@2", "`(none)` is no legal move"),
        ("position", "stall@2", "no `bestmove` within 1.0s"),
        ("promotion", "say:bestmove $BEST@1", "is no legal move"),
        (
            "info",
            "say:info depth x|bestmove $best@1",
            "`depth` is followed by `x`",
        ),
        ("info", "say:bestmove $best@1", "no `info` line"),
        (
            "lines",
            "say:thinking|bestmove $best@1",
            "`thinking` is no line of UCI",
        ),
        (
            "pv",
            "say:info depth 1 score cp 0 pv $best a1a1|bestmove $best@1",
            "`a1a1`",
        ),
        (
            "pv-bestmove",
            "say:info depth 1 score cp 0 pv a1a1|bestmove $best@1",
            "begins with `a1a1`",
        ),
        (
            "bestmove",
            "say:info depth 1 score cp 0|bestmove $best ponder e9e9@1",
            "expected `bestmove MOVE`",
        ),
        (
            "silence",
            "say:bestmove $best|bestmove $best@1",
            "after the move it says `bestmove",
        ),
        ("infinite", "say:bestmove $best@all", "before it is asked"),
        ("stop-at-once", "stall@1", "no `bestmove`"),
        ("clock", "sleep:1500@all", "ms late"),
    ] {
        let option = format!("Script={script}");
        // Only one that is silent is waited for.
        let timeout = if script.starts_with("stall") {
            "1"
        } else {
            "20"
        };
        let arguments = ["--step", step, "--timeout", timeout, "--option", &option];
        let (code, objections) = examined(&place, &engine, &arguments);
        assert_eq!(code, 1, "{step}, {script}");
        let [(name, outcome, reason)] = objections.as_slice() else {
            panic!("{step}, {script}: {objections:?}");
        };
        assert_eq!((name.as_str(), outcome.as_str()), (step, "failed"));
        assert!(reason.contains(words), "{step}, {script}: {reason}");
    }
}

#[test]
fn what_is_wrong_from_the_start_is_found_by_name() {
    let place = Place::new();
    let script = |name: &str, lines: &str| {
        place.script(
            name,
            &format!(
                "while read -r line; do case $line in\n\
                 uci) printf '{lines}uciok\\n';; isready) echo readyok;; quit) exit;;\nesac; done"
            ),
        )
    };
    for (step, lines, words) in [
        ("id", "id name x\\n", "no `id author`"),
        (
            "id",
            "id name x\\nid name y\\nid author z\\n",
            "said 2 times",
        ),
        (
            "options",
            "option name Hash type spin default 1 max 3\\n",
            "has no `min`",
        ),
        (
            "options",
            "option name Hash type number\\n",
            "cannot be read",
        ),
        (
            "option-defaults",
            "option name Hash type spin default 9 min 1 max 3\\n",
            "not in the range",
        ),
        (
            "option-defaults",
            "option name S type combo default c var a var b\\n",
            "not among its values",
        ),
        (
            "option-names",
            "option name A type button\\noption name a type button\\n",
            "twice",
        ),
    ] {
        let engine = script("engine", lines);
        let (code, objections) = examined(&place, &engine, &["--step", step]);
        assert_eq!(code, 1, "{step}: {lines}");
        assert!(objections[0].2.contains(words), "{step}: {objections:?}");
    }
    let deaf = place.engine("deaf");
    let (code, objections) = examined(&place, &deaf, &["--step", "quit", "--step", "eof"]);
    assert_eq!((code, objections.len()), (1, 2), "{objections:?}");
    let greedy = place.engine("greedy");
    let (_, objections) = examined(&place, &greedy, &["--step", "nodes"]);
    assert!(objections[0].2.contains("297633 nodes"), "{objections:?}");
    let mute = place.engine("no-uciok");
    let (code, objections) = examined(&place, &mute, &["--step", "uci", "--startup-timeout", "1"]);
    assert_eq!(code, 1);
    assert!(
        objections[0].2.contains("no `uciok` within 1.0s"),
        "{objections:?}"
    );
}

#[test]
fn an_engine_that_does_not_answer_is_asked_once() {
    let place = Place::new();
    let mute = place.engine("no-uciok");
    let output = place.output(["check", &mute, "--startup-timeout", "1"]);
    let said = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1));
    let list = place.sprt(["check", "--list"]).output().expect("a list");
    let steps = text(&list.stdout).lines().count() - 1;
    assert!(
        said.ends_with(&format!("0 passed, 1 failed, 0 skipped, {steps} not run\n")),
        "{said}"
    );
    let warning = format!("does not answer when it is started: {steps} other steps were not run");
    assert!(text(&output.stderr).contains(&warning));
    let (_, objections) = examined(&place, &mute, &["--startup-timeout", "1"]);
    let not_run = objections
        .iter()
        .filter(|(_, outcome, _)| outcome == "not_run");
    assert_eq!(not_run.count(), steps);
    // One that answers `uci` and nothing more.
    let lazy = place.script(
        "lazy",
        "while read -r line; do case $line in uci) echo uciok;; quit) exit;; esac; done",
    );
    let steps = ["--timeout", "1", "--step", "isready", "--step", "depth"];
    let (_, objections) = examined(&place, &lazy, &steps);
    assert!(
        objections[0].2.contains("no `readyok` within 1.0s"),
        "{objections:?}"
    );
    assert_eq!(objections[1].1, "not_run", "{objections:?}");
}

#[test]
fn an_engine_for_xboard_is_named_as_such_at_once() {
    let place = Place::new();
    let engine = place.script(
        "xboard",
        "while read -r line; do case $line in protover*) echo feature done=1;; xboard) ;; quit) exit;;\n\
         *) echo \"Error (unknown command): $line\";; esac; done",
    );
    let (code, objections) = examined(&place, &engine, &[]);
    assert_eq!(code, 1);
    assert!(
        objections[0].2.starts_with("it is an engine for xboard"),
        "{objections:?}"
    );
}

#[test]
fn a_node_limit_that_is_not_kept_fails_its_own_step_alone() {
    let place = Place::new();
    let engine = place.script(
        "endless",
        "while read -r line; do case $line in uci) echo uciok;; isready) echo readyok;; quit) exit;;\n\
         'go depth'*) echo info depth 5 score cp 0 pv e2e4; echo bestmove e2e4;; esac; done",
    );
    let steps = [
        "--timeout",
        "1",
        "--step",
        "nodes",
        "--step",
        "lines",
        "--step",
        "info",
    ];
    let (_, objections) = examined(&place, &engine, &steps);
    let names: Vec<&str> = objections.iter().map(|(name, ..)| name.as_str()).collect();
    assert_eq!(names, ["nodes"], "{objections:?}");
}

#[test]
fn what_was_said_is_shown_for_a_failed_step_and_with_v_for_all() {
    let place = Place::new();
    let engine = place.engine("engine");
    let check = |more: &[&str]| {
        let arguments = [
            "check",
            &engine,
            "--step",
            "isready",
            "--step",
            "position-startpos",
        ];
        let output = place
            .sprt(arguments)
            .args(more)
            .output()
            .expect("sprt runs");
        text(&output.stdout)
    };
    let said = check(&["--option", "Script=illegal@2"]);
    assert!(said.contains("passed   isready"), "{said}");
    assert!(said.contains("failed   position-startpos"), "{said}");
    assert!(
        said.contains("> go depth 4\n") && said.contains("< bestmove a1a1\n"),
        "{said}"
    );
    assert!(said.ends_with("1 passed, 1 failed, 0 skipped\n"), "{said}");
    assert!(!check(&[]).contains("> go depth 4\n"));
    assert!(check(&["-v"]).contains("> go depth 4\n"));
}

#[test]
fn steps_that_are_none_and_engines_that_are_none_are_refused() {
    let place = Place::new();
    let engine = place.engine("engine");
    let output = place.output(["check", &engine, "--step", "everything"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("sprt check --list"));
    // A wait that no sum of times can hold.
    for flag in ["--timeout", "--startup-timeout"] {
        let output = place.output(["check", &engine, flag, "18446744073709551615"]);
        assert_eq!(output.status.code(), Some(2));
        let told = text(&output.stderr);
        assert!(told.contains(flag) && !told.contains("panicked"), "{told}");
    }
    let output = place.output(["check", "./missing"]);
    assert_eq!(output.status.code(), Some(2));
    let output = place.output(["check", "--list"]);
    assert!(output.status.success());
    assert!(text(&output.stdout).lines().count() >= 40);
}

#[test]
fn a_program_that_cannot_be_started_is_an_error() {
    let place = Place::new();
    std::fs::write(place.path("engine"), "#!/bin/sh\n").expect("written");
    let output = place.sprt(["check", "./engine"]).output();
    let output = output.expect("sprt runs");
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("chmod +x"), "{said}");
}
