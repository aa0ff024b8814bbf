//! Matches of fixed length, in which nothing is tested.

use std::fs;
use std::process::Stdio;

use crate::support::{Place, eventually, json, text};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

#[test]
fn a_match_without_a_test_prints_strengths_and_ends_with_code_zero() {
    let place = Place::new();
    let output = place
        .run("run", &["--nodes", "1", "--games", "20"])
        .args(["--base-option", "Losses=50"])
        .output()
        .expect("sprt runs");
    let result = json(&output);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(
        (&result["verdict"], &result["games"]),
        (&"no test".into(), &20.into())
    );
    assert!(
        result["llr"].is_null() && result["elo0"].is_null(),
        "{result}"
    );
    assert!(result["elo"]["value"].as_f64().is_some_and(|elo| elo > 0.0));
    assert_eq!(result["pentanomial"].as_array().map(Vec::len), Some(5));
    let told = text(&output.stderr);
    assert!(told.contains("no test:") && told.contains("nElo"), "{told}");

    let shown = place.output(["show", "run"]);
    let block = text(&shown.stdout);
    assert_eq!(shown.status.code(), Some(0));
    assert!(
        block.contains("Conf  | N=1 Threads=1") && !block.contains("LLR"),
        "{block}"
    );
    fs::write(place.path("block"), &block).expect("written");
    let verified = place.output(["verify", "block"]);
    assert_eq!(
        verified.status.code(),
        Some(0),
        "{}",
        text(&verified.stdout)
    );
    let page = place.output(["report", "run"]);
    assert_eq!(page.status.code(), Some(0), "{}", text(&page.stderr));
}

#[test]
fn an_interrupted_match_is_shown_as_undecided() {
    let place = Place::new();
    let mut child = place
        .run("run", &["--nodes", "1", "--games", "100000"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("sprt runs");
    eventually("the first pair is finished", || {
        place.path("run/pairs.jsonl").exists() && !place.journal("run").is_empty()
    });
    kill(Pid::from_raw(child.id() as i32), Signal::SIGINT).expect("a signal sent");
    assert_eq!(child.wait().expect("sprt ends").code(), Some(130));
    for form in ["text", "json", "markdown"] {
        let shown = place.sprt(["show", "run", "--format", form]).output();
        let shown = shown.expect("sprt runs");
        assert_eq!(shown.status.code(), Some(4), "{}", text(&shown.stderr));
    }
}

#[test]
fn an_odd_number_of_games_is_played_with_alternating_colours_and_continues() {
    let place = Place::new();
    let output = place
        .run(
            "run",
            &["--nodes", "1", "--games", "5", "--games-per-opening", "1"],
        )
        .args(["--base-option", "Losses=50"])
        .output()
        .expect("sprt runs");
    let result = json(&output);
    assert_eq!(result["games"], 5, "{}", text(&output.stderr));
    assert!(result["pentanomial"].is_null(), "{result}");
    let output = place.output(["resume", "run", "--max-games", "8", "--json"]);
    assert_eq!(json(&output)["games"], 8, "{}", text(&output.stderr));
    let like = place.output(["plan", "--bounds", "0,50", "--like", "run"]);
    assert_eq!(like.status.code(), Some(0), "{}", text(&like.stderr));
    let again = place.output(["resume", "run"]);
    let said = text(&again.stderr);
    assert!(said.contains("8 games without a test"), "{said}");

    let pgn = fs::read_to_string(place.path("run/games.pgn")).expect("games");
    let white: Vec<&str> = pgn
        .lines()
        .filter(|line| line.starts_with("[White "))
        .collect();
    let expected = ["[White \"engine-b\"]", "[White \"engine-a\"]"];
    assert_eq!(white, expected.repeat(4));

    let shown = place.output(["show", "run"]);
    let block = text(&shown.stdout);
    assert!(!block.contains("Penta"), "{block}");
    fs::write(place.path("block"), &block).expect("written");
    let verified = place.output(["verify", "block"]);
    assert_eq!(
        verified.status.code(),
        Some(0),
        "{}",
        text(&verified.stdout)
    );
    let page = place.output(["report", "run"]);
    assert_eq!(page.status.code(), Some(0), "{}", text(&page.stderr));
    let whole = place
        .run(
            "whole",
            &["--nodes", "1", "--games", "8", "--games-per-opening", "1"],
        )
        .args(["--base-option", "Losses=50"])
        .output()
        .expect("sprt runs");
    let (whole, resumed) = (json(&whole), json(&output));
    assert_eq!(
        (&whole["wins"], &whole["draws"]),
        (&resumed["wins"], &resumed["draws"])
    );
}

#[test]
fn an_opening_is_played_by_as_many_pairs_as_asked_for() {
    let place = Place::new();
    let play = |games: &str| {
        let mut command = place.run("run", &["--nodes", "1", "--games", games]);
        command.args(["--games-per-opening", "4"]);
        command.output().expect("sprt runs")
    };
    let output = play("6");
    assert_eq!(output.status.code(), Some(2));
    let said = text(&output.stderr);
    assert!(
        said.contains("a multiple of 4") && said.contains("such as 4 or 8"),
        "{said}"
    );

    let result = json(&play("8"));
    assert_eq!(result["games"], 8);
    let openings = place.openings("run");
    assert!(openings[..4].iter().all(|opening| *opening == openings[0]));
    assert!(openings[4..].iter().all(|opening| *opening == openings[4]));
    assert_ne!(openings[0], openings[4]);
    let output = place.output(["resume", "run", "--max-games", "12", "--json"]);
    assert_eq!(json(&output)["games"], 12, "{}", text(&output.stderr));
    let longer = place.openings("run");
    assert_eq!(longer[..8], openings);
    assert!(longer[8..].iter().all(|opening| *opening == longer[8]));
}
