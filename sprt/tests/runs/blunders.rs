//! `sprt blunders`, with scripted judges.

use std::fs;

use crate::support::{Place, json, text};

/// A judge that sees five pawns for whoever is to move: every move loses most of its chances.
const EXCITED: &str = "Script=say:info depth 1 score cp 500 nodes 1 pv $best|bestmove $best@all";

/// Two games between A and B with 11 moves that are not out of a book, the last of which mates.
fn games(place: &Place) -> String {
    let game = |white: &str, black: &str, moves: &str| {
        format!("[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"1-0\"]\n\n{moves} 1-0\n\n")
    };
    let first = game(
        "A",
        "B",
        "1. e4 {book} e5 {book} 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7#",
    );
    let second = game("B", "A", "1. d4 d5 2. c4 e6 3. Nc3 Nf6");
    let path = place.path("games.pgn");
    fs::write(&path, first + &second).expect("written");
    path.display().to_string()
}

fn run(place: &Place, arguments: &[&str]) -> std::process::Output {
    let games = games(place);
    let engine = place.engine("judge");
    let mut command = place.sprt(["blunders", &games, "--judge", &engine, "--concurrency", "2"]);
    command.args(arguments).output().expect("sprt runs")
}

#[test]
fn every_move_is_judged_by_the_position_before_and_after_it() {
    let place = Place::new();
    let output = run(
        &place,
        &[
            "--option",
            EXCITED,
            "--again",
            "50",
            "--epd",
            "blunders.epd",
            "--json",
        ],
    );
    let result = json(&output);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(
        (&result["games"], &result["faults"]),
        (&2.into(), &0.into())
    );
    let player = |place: usize| result["players"][place].clone();
    assert_eq!(
        (player(0)["name"].as_str(), player(1)["name"].as_str()),
        (Some("A"), Some("B"))
    );
    // The mate loses nothing.
    assert_eq!(
        (&player(0)["moves"], &player(0)["blunders"]),
        (&6.into(), &5.into())
    );
    assert_eq!(
        (&player(1)["moves"], &player(1)["blunders"]),
        (&5.into(), &5.into())
    );
    assert_eq!(result["moves"].as_array().map(Vec::len), Some(10));
    assert_eq!(
        (&result["moves"][0]["played"], &result["moves"][0]["number"]),
        (&"Qh5".into(), &2.into())
    );
    assert_eq!(
        (
            &result["agreement"]["both"],
            &result["agreement"]["neither"]
        ),
        (&10.into(), &1.into())
    );
    assert_eq!(result["duel"]["difference"]["value"], 0.0);

    let suite = place.path("blunders.epd").display().to_string();
    let engine = place.engine("judge");
    let solved = place.output(["suite", &engine, "--suite", &suite, "--strict", "--json"]);
    assert_eq!(
        json(&solved)["suites"][0]["positions"],
        10,
        "{}",
        text(&solved.stderr)
    );
}

#[test]
fn winning_chances_can_be_fitted_to_the_games() {
    let place = Place::new();
    let output = run(&place, &["--option", EXCITED, "--win", "fit", "--json"]);
    let result = json(&output);
    // Of the moves that are judged at +500, six were made by winners and five by losers.
    let slope = result["win"]["slope"].as_f64().expect("a number");
    assert!((slope - 1.2_f64.ln() / 500.0).abs() < 1e-9, "{slope}");
    assert_eq!(result["win"]["positions"], 11);
    assert_eq!(result["players"][0]["blunders"], 0, "so +500 means little");
}

#[test]
fn a_count_that_was_cut_short_continues_and_ends_the_same() {
    let place = Place::new();
    let whole = json(&run(
        &place,
        &[
            "--option",
            EXCITED,
            "--out",
            "whole",
            "--json",
            "--epd",
            "whole.epd",
        ],
    ));
    let planned = place.path("whole.epd");
    let positions = fs::read_to_string(&planned).expect("written");
    fs::remove_file(&planned).expect("removed");
    let journal = fs::read_to_string(place.path("whole/judgements.jsonl")).expect("a journal");
    let cut: Vec<&str> = journal.lines().take(4).collect();
    fs::create_dir(place.path("cut")).expect("a folder");
    fs::copy(place.path("whole/plan.json"), place.path("cut/plan.json")).expect("copied");
    fs::write(
        place.path("cut/judgements.jsonl"),
        cut.join("\n") + "\n{\"fen\":",
    )
    .expect("written");
    let shown = place.output(["show", "cut"]);
    assert_eq!(shown.status.code(), Some(4), "{}", text(&shown.stderr));
    assert!(
        text(&shown.stderr).contains("4 of 12 searches"),
        "{}",
        text(&shown.stderr)
    );
    assert!(place.path("whole/activity.json").is_file());
    let resumed = place.output(["resume", "cut", "--json"]);
    assert_eq!(resumed.status.code(), Some(0), "{}", text(&resumed.stderr));
    assert_eq!(json(&resumed), whole);
    let resumed = fs::read_to_string(&planned).expect("the file that was asked for at first");
    assert_eq!(resumed, positions);

    fs::write(place.path("games.pgn"), "[White \"A\"]\n\n1. e4 *\n").expect("written");
    let changed = place.output(["resume", "cut"]);
    assert_eq!(changed.status.code(), Some(2));
    assert!(
        text(&changed.stderr).contains("has changed since"),
        "{}",
        text(&changed.stderr)
    );
}

#[test]
fn a_judge_that_tells_no_score_is_at_fault() {
    let place = Place::new();
    let output = run(
        &place,
        &[
            "--option",
            "Script=say:bestmove $best@all",
            "--json",
            "--out",
            "count",
        ],
    );
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(
        said.contains("the judge failed at 12 positions") && said.contains("no score"),
        "{said}"
    );
    assert_eq!(json(&output)["players"].as_array().map(Vec::len), Some(0));
    let shown = place.output(["show", "count"]);
    assert_eq!(shown.status.code(), Some(3), "{}", text(&shown.stderr));
}

#[test]
fn what_cannot_be_judged_is_refused_before_work_begins() {
    let place = Place::new();
    let arguments = ["--nodes", "1", "--max-games", "2"];
    place.run("other", &arguments).output().expect("sprt runs");
    for (more, words) in [
        (&["--thresholds", "10,5,30"][..], "--thresholds"),
        (&["--epd", "other/pairs.jsonl"], "record of a run"),
        (
            &["--epd", "no/folder/x.epd"],
            "failed to write positions to",
        ),
        (&["--player", "nobody"], "no move to judge"),
        (&["--nodes", "50", "--again", "50"], "--again 50"),
        (&["--nodes", "0"], "--nodes 0"),
    ] {
        let output = run(&place, &[more, &["--out", "none"]].concat());
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(words), "{words}: {said}");
        assert!(!place.path("none").exists());
    }
    let other = "[White \"A\"]\n\n1. e4 *\n\n[White \"A\"]\n[Variant \"Chess960\"]\n\n1. e4 *\n";
    fs::write(place.path("960.pgn"), other).expect("written");
    let engine = place.engine("judge");
    let output = place.output(["blunders", "960.pgn", "--judge", &engine]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).contains("game 2 is one of `chess960`, expected `standard`"),
        "{}",
        text(&output.stderr)
    );
    fs::write(
        place.path("atomic.pgn"),
        "[White \"A\"]\n[Variant \"Atomic\"]\n\n1. e4 *\n",
    )
    .expect("written");
    let output = place.output(["blunders", "atomic.pgn", "--judge", &place.engine("judge")]);
    assert_eq!(output.status.code(), Some(2));
    let said = text(&output.stderr);
    assert!(
        said.contains("no game to judge")
            && said.contains("game 1 is left out: a game of the variant `Atomic`"),
        "{said}"
    );
}

#[test]
fn counts_are_listed() {
    let place = Place::new();
    run(&place, &["--option", EXCITED]);
    let list = json(&place.output(["list", "--json"]));
    assert_eq!(list["blunders"][0]["state"], "finished");
    assert_eq!(
        (
            &list["blunders"][0]["judged"],
            &list["blunders"][0]["searches"]
        ),
        (&12.into(), &12.into())
    );
    let table = place.output(["list"]);
    assert!(
        text(&table.stdout).contains("-blunders"),
        "{}",
        text(&table.stdout)
    );
}

#[test]
fn all_blunders_in_one_position_are_one_line_of_a_suite() {
    let place = Place::new();
    let game = |first| format!("[White \"A\"]\n[Black \"B\"]\n\n1. {first} *\n\n");
    let games = ["e4", "d4", "e4"].map(game).concat();
    fs::write(place.path("games.pgn"), games).expect("written");
    let engine = place.engine("judge");
    let arguments = [
        "blunders",
        "games.pgn",
        "--judge",
        &engine,
        "--option",
        EXCITED,
    ];
    let mut command = place.sprt(arguments);
    let output = command.args(["--epd", "blunders.epd"]).output();
    let output = output.expect("sprt runs");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let suite = fs::read_to_string(place.path("blunders.epd")).expect("a suite");
    let lines: Vec<&str> = suite.lines().collect();
    assert_eq!(lines.len(), 1, "{suite}");
    assert!(
        lines[0].contains(" - am e4 d4; id \"A opening.1\";"),
        "{suite}"
    );
}

#[test]
fn a_count_of_mistakes_refuses_flags_that_it_does_not_have() {
    let place = Place::new();
    let output = run(&place, &["--option", EXCITED, "--out", "run"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let refused: &[&[&str]] = &[
        &["resume", "run", "--pgn", "file"],
        &["resume", "run", "--log", "file"],
        &["resume", "run", "--events", "file"],
        &["show", "run", "--format", "markdown"],
    ];
    place.refuses("a count of mistakes", refused);
}
