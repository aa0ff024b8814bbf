//! The dialogue with engines, written down.

use std::fs;
use std::process::Command;

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
    assert_eq!(output.status.code(), Some(3), "{}", text(&output.stderr));
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
fn the_log_of_an_engine_with_a_path_for_a_name_lies_in_the_folder() {
    let place = Place::new();
    let output = place
        .run(
            "run",
            &["--nodes", "1", "--max-games", "2", "--log", "logs"],
        )
        .args(["--new-name", "dev/..\\x"])
        .output()
        .expect("sprt runs");
    let log = fs::read_to_string(place.path("logs/game-1-dev%2F..%5Cx.log"));
    assert!(
        log.is_ok_and(|log| log.contains("> uci\n")),
        "{}",
        text(&output.stderr)
    );
}

#[test]
fn trace_prints_the_dialogue_with_both_engines() {
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

#[test]
fn events_tell_a_run_from_its_start_to_its_end() {
    let place = Place::new();
    let output = place
        .run(
            "run",
            &["--nodes", "1", "--max-games", "2", "--events", "-"],
        )
        .args(["--new-option", "Script=crash@3"])
        .output()
        .expect("sprt runs");
    assert_eq!(output.status.code(), Some(3), "{}", text(&output.stderr));
    let events: Vec<serde_json::Value> = text(&output.stdout)
        .lines()
        .map(|line| serde_json::from_str(line).expect(line))
        .collect();
    let of_type = |name: &str| -> Vec<&serde_json::Value> {
        events
            .iter()
            .filter(|event| event["type"] == name)
            .collect()
    };
    assert_eq!(events[0]["schema"], "sprt-events");
    assert_eq!(of_type("run_started")[0]["plan"]["new"]["name"], "engine-b");
    assert_eq!(of_type("game_started").len(), 2);
    // The first game: two moves of each engine before NEW, which has White, crashes at its third.
    let moves = of_type("move_made");
    let first: Vec<_> = moves.iter().filter(|event| event["game"] == 0).collect();
    assert_eq!(first.len(), 4);
    assert_eq!(first[0]["mover"], "white");
    assert!(first[0]["played"]["time_ms"].is_number(), "{}", first[0]);
    let faults = of_type("fault");
    assert_eq!(
        (faults.len(), &faults[0]["engine"]),
        (2, &"engine-b".into())
    );
    assert_eq!(faults[0]["fault"], "crash");
    assert_eq!(of_type("engine_restarted").len(), 2);
    let game = &of_type("game_finished")[0]["finished"];
    assert_eq!(game["end"]["kind"], "fault");
    assert_eq!(game["moves"].as_array().map(Vec::len), Some(4));
    let pair = of_type("pair_finished")[0];
    assert_eq!(pair["games"][0], *game);
    assert_eq!(of_type("progress")[0]["losses"], 2);
    let last = events.last().expect("events");
    assert_eq!(
        (&last["type"], &last["end"]),
        (&"run_finished".into(), &"over".into())
    );
}

#[test]
fn a_game_begins_so_long_after_the_one_before() {
    let place = Place::new();
    let arguments = [
        "--nodes", "1", "--games", "2", "--wait", "400", "--log", "logs",
    ];
    let output = place.run("run", &arguments).output().expect("sprt runs");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let times = |game: u32| -> Vec<jiff::Timestamp> {
        let log = place.path(&format!("logs/game-{game}-engine-a.log"));
        let log = fs::read_to_string(log).expect("a log");
        let word = |line: &str| line.split(' ').next()?.parse().ok();
        log.lines().filter_map(word).collect()
    };
    let (first, second) = (times(1), times(2));
    let pause = second[0].duration_since(first[first.len() - 1]);
    assert!(pause >= jiff::SignedDuration::from_millis(400), "{pause:?}");
}

#[test]
fn a_compressed_log_holds_what_a_plain_one_does() {
    let place = Place::new();
    let output = place
        .run(
            "run",
            &["--nodes", "1", "--max-games", "2", "--log", "logs"],
        )
        .args(["--log-gzip", "--new-option", "Script=crash@2"])
        .output()
        .expect("sprt runs");
    assert_eq!(output.status.code(), Some(3), "{}", text(&output.stderr));
    for name in ["game-1-engine-a", "game-1-engine-b", "game-2-engine-a"] {
        let file = place.path("logs").join(format!("{name}.log.gz"));
        let output = Command::new("gzip").arg("-dc").arg(&file).output();
        let output = output.expect("gzip runs");
        assert!(output.status.success(), "{name}: {}", text(&output.stderr));
        assert!(text(&output.stdout).contains("> go nodes 1"), "{name}");
    }
}
