//! A game that is not chess, with engines that speak no UCI: played, journaled, resumed and written
//! to a record by the same program. All that knows of it is its own module and a line in the list
//! of variants.

use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

use crate::support::{Place, eventually, json, kill_group, processes_in, text};

/// NEW plays well, BASE at random.
const UNEVEN: [&str; 4] = ["--new-option", "Skill=100", "--bounds", "0,60"];

/// A match of two engines for Nim.
fn nim(place: &Place, out: &str, more: &[&str]) -> Command {
    let engine = |name: &str| {
        let path = place.path(name);
        if !path.exists() {
            let engine = env!("CARGO_BIN_EXE_nim-engine");
            std::fs::hard_link(engine, &path)
                .or_else(|_| std::fs::copy(engine, &path).map(drop))
                .expect("a copy of the engine");
        }
        path.display().to_string()
    };
    let mut command = place.sprt(["run", &engine("nim-a"), &engine("nim-b")]);
    command
        .args(["--variant", "nim", "--nodes", "5", "--seed", "7"])
        .args(["--json", "--out", out])
        .args(more);
    command
}

fn games(place: &Place, out: &str) -> Vec<serde_json::Value> {
    place
        .journal(out)
        .lines()
        .flat_map(|line| {
            let pair: serde_json::Value = serde_json::from_str(line).expect("a line of JSON");
            pair["games"].as_array().expect("games").clone()
        })
        .collect()
}

#[test]
fn nim_is_played_to_a_verdict_and_written_to_a_record() {
    let place = Place::new();
    let output = nim(&place, "run", &UNEVEN)
        .args(["--tc", "60+1"])
        .output()
        .expect("sprt runs");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let result = json(&output);
    assert_eq!(result["verdict"], "H1", "{result}");
    for side in ["base", "new"] {
        let faults = result["faults"][side].as_object().expect("counts");
        assert!(faults.values().all(|count| count == 0), "{result}");
    }
    let games = games(&place, "run");
    let ended = |words: &str| {
        games
            .iter()
            .any(|game| game["text"].as_str() == Some(words))
    };
    assert!(ended("White takes the last stone") && ended("Black takes the last stone"));
    // By its own move the mover loses.
    let poisoned = games
        .iter()
        .filter(|game| game["text"] == "White takes four and loses");
    let winners: Vec<_> = poisoned.map(|game| game["winner"].clone()).collect();
    assert!(!winners.is_empty() && winners.iter().all(|winner| winner == "black"));

    let record = std::fs::read_to_string(place.path("run/games.pgn")).expect("a record");
    assert_eq!(record.matches("[Variant \"Nim\"]").count(), games.len());
    assert!(record.contains("[FEN \"2/5/7 black\"]"), "{record}");
    // A book move, in the record's notation and not in the engines', after the mover of its start.
    assert!(record.contains("1... C1 {book}"), "{record}");
}

#[test]
fn the_draw_limit_is_the_variants_own() {
    let place = Place::new();
    let more = ["--max-games", "4", "--option", "Skill=1"];
    let output = nim(&place, "run", &more).output().expect("sprt runs");
    assert_eq!(output.status.code(), Some(4), "{}", text(&output.stderr));
    let games = games(&place, "run");
    assert!(games.iter().all(|game| game["text"] == "Draw by passing"));
    assert_eq!(json(&output)["draws"], 4);
}

#[test]
fn scores_come_from_another_scale_and_the_sign_of_white() {
    let place = Place::new();
    // BASE says that White is 5 ahead where it plays White, and 5 behind where it plays Black: it
    // boasts, NEW does not.
    let more = ["--base-option", "Boast=100", "--max-games", "2"];
    let rule = ["--resign-adj", "movecount=1,score=400,twosided=false"];
    let output = nim(&place, "boast", &more)
        .args(rule)
        .output()
        .expect("sprt runs");
    assert_eq!(output.status.code(), Some(4), "{}", text(&output.stderr));
    // An engine that calls its game won does not resign.
    assert!(
        games(&place, "boast")
            .iter()
            .all(|game| game["end"] == "rules")
    );
    let more = ["--base-option", "Boast=1", "--max-games", "2"];
    let output = nim(&place, "despair", &more)
        .args(rule)
        .output()
        .expect("sprt runs");
    assert_eq!(output.status.code(), Some(4), "{}", text(&output.stderr));
    for game in games(&place, "despair") {
        assert_eq!(
            (&game["end"], &game["winner"]),
            (&"adjudication".into(), &game["new"])
        );
    }
    let record = std::fs::read_to_string(place.path("despair/games.pgn")).expect("a record");
    assert!(record.contains("{-5.00/0 "), "{record}");
}

#[test]
fn a_match_of_nim_that_is_killed_continues_where_it_was() {
    let place = Place::new();
    let long = ["--max-games", "300", "--concurrency", "2"];
    let undisturbed = nim(&place, "undisturbed", &long)
        .output()
        .expect("sprt runs");
    assert_eq!(undisturbed.status.code(), Some(4));
    let mut child = nim(&place, "killed", &long)
        .process_group(0)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("sprt runs");
    eventually("some pairs are finished", || {
        place.path("killed/pairs.jsonl").exists() && place.journal("killed").lines().count() > 3
    });
    kill_group(&child);
    let _ = child.wait();
    eventually("the engines are gone", || {
        processes_in(place.path("").as_path()).is_empty()
    });
    let resumed = place.output(["resume", "killed", "--json"]);
    let (resumed, undisturbed) = (json(&resumed), json(&undisturbed));
    for figure in ["pentanomial", "wins", "losses", "draws", "llr"] {
        assert_eq!(resumed[figure], undisturbed[figure], "{figure}");
    }
    assert_eq!(games(&place, "killed"), games(&place, "undisturbed"));
}

#[test]
fn engines_that_speak_something_else_are_refused_in_the_words_of_the_dialect() {
    let place = Place::new();
    let chess = place.engine("engine-a");
    let output = place
        .sprt([&chess, &chess])
        .args(["--variant", "nim", "--nodes", "5", "--startup-timeout", "1"])
        .output()
        .expect("sprt runs");
    assert_eq!(output.status.code(), Some(3));
    let message = text(&output.stderr);
    assert!(
        message.contains("no `at your service` within 1s"),
        "{message}"
    );
}
