//! The dialogue with engines, written down.

use std::fs;

use crate::support::{Place, text};

#[test]
fn a_log_has_both_sides_of_the_dialogue_and_a_file_for_each_engine_and_game() {
    let place = Place::new();
    let output = place
        .run(
            "run",
            &["--nodes", "1", "--max-games", "2", "--log", "logs"],
        )
        .args(["--new-option", "Script=crash@2"])
        .output()
        .expect("sprt runs");
    assert_eq!(output.status.code(), Some(4), "{}", text(&output.stderr));
    let log = |name: &str| fs::read_to_string(place.path("logs").join(name)).expect(name);
    let first = log("game-1-engine-b.log");
    let words: Vec<&str> = first
        .lines()
        .filter_map(|line| line.split_once("Z "))
        .map(|(_, said)| said)
        .collect();
    assert_eq!(words.first(), Some(&"> uci"));
    assert!(
        words.contains(&"< uciok") && words.contains(&"> go nodes 1"),
        "{first}"
    );
    assert!(words.iter().any(|said| said.starts_with("< bestmove ")));
    let last = first.lines().last().unwrap_or_default();
    assert!(
        last.contains("# ended by itself") && last.contains("out of luck"),
        "{first}"
    );
    // The engine that crashed was started again for the second game, and its handshake is there.
    assert!(log("game-2-engine-b.log").contains("> uci\n"));
    assert!(log("game-2-engine-a.log").contains("> position "));
}

#[test]
fn trace_promised_the_dialogue_and_printed_nothing() {
    let place = Place::new();
    let output = place
        .run("run", &["--nodes", "1", "--max-games", "2", "-vv"])
        .output()
        .expect("sprt runs");
    let said = text(&output.stderr);
    assert!(said.contains("engine-a > uci\n"), "{said}");
    assert!(said.contains("game 2 engine-b < bestmove "), "{said}");
}

#[test]
fn a_log_that_cannot_be_written_stops_no_match() {
    let place = Place::new();
    fs::write(place.path("logs"), "a file").expect("written");
    let output = place
        .run(
            "run",
            &["--nodes", "1", "--max-games", "2", "--log", "logs"],
        )
        .output()
        .expect("sprt runs");
    assert_eq!(output.status.code(), Some(4));
    assert!(text(&output.stderr).contains("no log of `engine-a` in `logs`"));
}
