//! What is refused before a game is played, and what an engine's faults come to.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use crate::support::{Answer, PARAMS, Place};

#[test]
fn bad_files_and_options_are_refused_before_any_game() {
    let place = Place::new();
    let cases = [
        (
            PARAMS.replace("Margin", "Margn"),
            "Margn: the engine has no such option; did you mean",
        ),
        (
            PARAMS.replace("max = 400", "max = 500"),
            "the engine takes [0, 400] only",
        ),
        (
            PARAMS.replace("c_end = 12.0", "c_end = -1.0"),
            "bad.toml:6:9: Margin: c_end is -1",
        ),
        (
            PARAMS.replace("value = 100", "value = 100.5"),
            "a float, but the engine's option is a spin",
        ),
        (
            PARAMS.replace("[params.Gated]", "[params.margin]"),
            "margin is there twice",
        ),
        (
            PARAMS.replace("nodes", "nodez"),
            "bad.toml:19:9: [match]: unknown key `nodez`",
        ),
        ("[match]\nnodes = 5\n".to_owned(), "has no parameters"),
        (
            PARAMS
                .replace("Gated", "Dead")
                .replace("min = 1", "min = 0"),
            "dead up to depth 13: Dead",
        ),
    ];
    for (text, expected) in cases {
        place.write("bad.toml", &text);
        let answer = place.run(["spsa", "bad.toml", "--engine", "./engine", "--out", "run"]);
        assert_eq!(answer.code, Some(2), "{expected}: {answer:?}");
        assert!(answer.stderr.contains(expected), "{expected}: {answer:?}");
        assert!(!place.path("run").exists(), "{expected}");
    }
}

#[test]
fn a_name_to_leave_out_or_to_pick_must_be_known() {
    let place = Place::new();
    for (flag, name, hint) in [
        ("--except", "Margn", "did you mean `Margin`?"),
        ("--only", "margin,Gatd", "did you mean `Gated`?"),
        (
            "--only",
            "Elsewhere",
            "an entry needs `c_end` or `choices` to be tuned",
        ),
    ] {
        let list = ["lint", "params.toml", "--engine", "./engine", flag, name];
        let answer = place.run(list);
        assert_eq!(answer.code, Some(2), "{answer:?}");
        let failed = name.rsplit(',').next().expect("a name");
        let told = format!("error: {flag} '{failed}': `params.toml` tunes no such parameter");
        answer.says(&told);
        answer.says(hint);
    }
}

#[test]
fn there_is_no_flag_to_stop_early() {
    let place = Place::new();
    for flag in ["--stop-early", "--stop-early=2"] {
        let answer = place.run(["spsa", "params.toml", "--engine", "./engine", flag]);
        assert_eq!(answer.code, Some(2), "{answer:?}");
        answer.says("unexpected argument");
    }
}

#[test]
fn dead_parameters_are_tuned_when_forced() {
    let place = Place::new();
    let text = PARAMS
        .replace("Gated", "Dead")
        .replace("min = 1", "min = 0");
    place.write("params.toml", &text);
    place.finished("run", &["--force"]);
}

/// A tune that ends by the faults of an engine with this mistake.
fn spoiled_tune(place: &Place, mistake: &str) -> Answer {
    let engine = place.engine(mistake);
    let answer = place.run([
        "spsa",
        "params.toml",
        "--engine",
        &engine,
        "--seed",
        "7",
        "--iterations",
        "20",
        "--force",
        "--out",
        "run",
    ]);
    assert_eq!(answer.code, Some(3), "{answer:?}");
    answer
}

#[test]
fn values_that_crash_the_engine_again_and_again_are_reported() {
    let place = Place::new();
    let answer = spoiled_tune(&place, "crash-above");
    answer.says("10 pairs were given up after 3 tries each");
    assert!(
        answer
            .stderr
            .contains("the engine fails with Margin from 1")
            && answer.stderr.contains(" faulty pairs; no pair was sound"),
        "{answer:?}"
    );
    assert!(!answer.stderr.contains("fails with Gated"), "{answer:?}");
    let journal = place.read("run/journal.jsonl");
    assert_eq!(journal.matches("{\"given-up\":").count(), 10);
    assert!(journal.matches("{\"fault\":").count() >= 30);
    // A faulty pair teaches nothing.
    assert_eq!(journal.matches("{\"pair\":{\"pair\"").count(), 0);
    place.run(["report", "run"]);
    let page = place.read("run/report.html");
    assert!(
        page.contains("The engine fails with Margin from 1"),
        "{page}"
    );
    let shown = place.run(["show", "run"]);
    for part in [" of 40 pairs, 10 given up;", "because no pair counts yet"] {
        assert!(shown.stdout.contains(part), "{shown:?}");
    }
    // Whoever resumes it has a reason to: the count of pairs given up begins anew.
    let answer = place.run(["resume", "run"]);
    assert_eq!(answer.code, Some(3), "{answer:?}");
    answer.says("20 pairs were given up");
    // A mended engine is another one.
    let hint = "hint: if the cause lies outside of the engine";
    answer.says(hint);
    fs::remove_file(place.path("crash-above")).expect("the engine");
    fs::copy(place.path("engine"), place.path("crash-above")).expect("a copy");
    let file = fs::File::options()
        .append(true)
        .open(place.path("crash-above"));
    std::io::Write::write_all(&mut file.expect("a file"), b"mended").expect("written");
    let shown = place.run(["show", "run"]);
    assert_eq!(shown.code, Some(0), "{shown:?}");
    let told = "has changed since the run began; build or restore it, or start a new run";
    shown.says(told);
    assert!(!shown.stderr.contains("tuner resume"), "{shown:?}");
}

#[test]
fn an_engine_that_fails_in_setoption_is_blamed_on_the_value() {
    let place = Place::new();
    let answer = spoiled_tune(&place, "crash-when-set");
    answer.says("the engine fails with Margin from 1");
}

#[test]
fn a_proof_in_which_the_engine_spoils_its_games_says_nothing() {
    let place = Place::new();
    place.finished("run", &[]);
    // It passes the trial from the start position, and plays the same move everywhere.
    place.write(
        "stuck",
        "#!/bin/sh\nwhile read line; do case \"$line\" in\n\
         uci) echo option name Margin type spin default 100 min 0 max 400\n\
         echo option name Gated type spin default 3 min 1 max 8\n\
         echo option name Hash type spin default 16 min 1 max 64\necho uciok;;\n\
         isready) echo readyok;;\n\
         go*) echo info depth 1 nodes 1 score cp 0\necho bestmove e2e4;;\n\
         quit) exit;;\nesac; done\n",
    );
    let stuck = place.path("stuck");
    fs::set_permissions(&stuck, fs::Permissions::from_mode(0o755)).expect("a program");
    fs::rename(stuck, place.path("engine")).expect("in the place of the engine");
    for length in [["--games", "8"], ["--max-games", "8"]] {
        let mut words = vec!["validate", "run"];
        words.extend(length);
        let answer = place.run(words);
        assert_eq!(answer.code, Some(3), "{answer:?}");
        assert!(!answer.stdout.contains("Elo"), "{answer:?}");
    }
}

#[test]
fn an_option_that_would_fix_what_is_tuned_is_refused() {
    let place = Place::new();
    let fixed = ["--option", "margin=5"];
    let told = "`margin=5` would fix Margin, which is tuned";
    let tune = ["params.toml", "--engine", "./engine"];
    for command in ["spsa", "screen", "lint", "plan"] {
        let refused = place.run([command].iter().chain(&tune).chain(&fixed));
        assert_eq!(refused.code, Some(2), "{command}: {refused:?}");
        assert!(refused.stderr.contains(told), "{command}: {refused:?}");
        refused.says("--except Margin");
    }
    let more = ["--except", "Margin"];
    let screened = place.run(["screen"].iter().chain(&tune).chain(&fixed).chain(&more));
    assert_eq!(screened.code, Some(0), "{screened:?}");
    place.finished("run", &["--iterations", "20"]);
    let refused = place.run(["validate", "run"].iter().chain(&fixed));
    assert_eq!(refused.code, Some(2), "{refused:?}");
    refused.says(told);
    let option = "option = [\"margin=5\"]\n";
    place.write("other.toml", &format!("{PARAMS}{option}"));
    let refused = place.run(["spsa", "other.toml", "--engine", "./engine"]);
    refused.says(told);
    place.write("whetstone.toml", &format!("[tuner]\n{option}"));
    let refused = place.run(["spsa", "params.toml", "--engine", "./engine"]);
    refused.says(told);
}
