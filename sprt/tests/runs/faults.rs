//! What engines do wrong, and what becomes of the game: real processes, each misdeed once.

use crate::support::{Place, json, text};

const ONE_NODE: [&str; 2] = ["--nodes", "1"];

/// A short match in which the new engine misbehaves at its second move.
fn match_with(script: &str, limit: [&str; 2]) -> serde_json::Value {
    let place = Place::new();
    let script = format!("Script={script}@2");
    let arguments = [
        "--new-option",
        &script,
        "--max-games",
        "2",
        "--move-timeout",
        "1",
    ];
    let output = place
        .run("run", &arguments)
        .args(limit)
        .output()
        .expect("sprt runs");
    assert_eq!(output.status.code(), Some(4), "{}", text(&output.stderr));
    let journal: serde_json::Value =
        serde_json::from_str(place.journal("run").trim()).expect("one pair");
    let mut result = json(&output);
    result["games_played"] = journal["games"].clone();
    result
}

fn assert_spoiled(script: &str, limit: [&str; 2], count: &str, words: &str) {
    let result = match_with(script, limit);
    assert_eq!(result["losses"], 2, "{script}: {result}");
    assert_eq!(result["faults"]["new"][count], 2, "{script}: {result}");
    for (game, loser) in [(0, "White"), (1, "Black")] {
        let played = &result["games_played"][game];
        assert_eq!(
            played["text"],
            format!("{loser}{words}"),
            "{script}: {played}"
        );
    }
    let base = result["faults"]["base"].as_object().expect("counts");
    assert!(base.values().all(|count| count == 0), "{script}: {result}");
}

#[test]
fn a_crash_is_lost_and_told_with_the_last_words_on_stderr() {
    assert_spoiled("crash", ONE_NODE, "crashes", " disconnects");
    let detail = match_with("crash", ONE_NODE)["games_played"][0]["detail"].clone();
    let detail = detail.as_str().expect("a detail");
    assert!(
        detail.contains('7') && detail.contains("scripted: out of luck"),
        "{detail}"
    );
}

#[test]
fn illegal_moves_and_no_moves_are_lost() {
    for script in ["illegal", "none", "no-move"] {
        assert_spoiled(script, ONE_NODE, "illegal_moves", " makes an illegal move");
    }
}

#[test]
fn an_engine_that_is_silent_under_a_nodes_limit_stalls_and_does_not_hold_the_slot() {
    for script in ["stall", "chatter", "wait-for-stop"] {
        assert_spoiled(script, ONE_NODE, "stalls", "'s connection stalls");
    }
}

#[test]
fn under_a_clock_an_engine_that_still_hears_us_has_lost_on_time_and_one_that_does_not_has_stalled()
{
    let clock = ["--tc", "0.4+0.01"];
    assert_spoiled("wait-for-stop", clock, "time_losses", " loses on time");
    assert_spoiled("stall", clock, "stalls", "'s connection stalls");
}

#[test]
fn a_move_counts_although_its_engine_ends_right_after_it() {
    for script in ["move-then-exit", "half-a-line"] {
        // It is to move again later, and then it is gone; the move itself was taken.
        assert_spoiled(script, ONE_NODE, "crashes", " disconnects");
        let plies = match_with(script, ONE_NODE)["games_played"][0]["plies"].as_u64();
        let crash_plies = match_with("crash", ONE_NODE)["games_played"][0]["plies"].as_u64();
        assert_eq!(
            plies.zip(crash_plies).map(|(exit, crash)| exit - crash),
            Some(2),
            "{script}"
        );
    }
}

#[test]
fn carriage_returns_and_noise_are_no_faults() {
    for script in ["crlf", "noise"] {
        let result = match_with(script, ONE_NODE);
        assert_eq!(result["games"], 2);
        for side in ["base", "new"] {
            let counts = result["faults"][side].as_object().expect("counts");
            assert!(
                counts.values().all(|count| count == 0),
                "{script}: {result}"
            );
        }
    }
}

#[test]
fn an_engine_that_does_not_start_ends_the_run_before_it_begins() {
    let place = Place::new();
    let run = |name: &str, seconds: &str| {
        place
            .sprt([&place.engine("good"), &place.engine(name)])
            .args([
                "--nodes",
                "1",
                "--startup-timeout",
                seconds,
                "--out",
                "run",
                "--max-games",
                "2",
            ])
            .output()
            .expect("sprt runs")
    };
    let output = run("no-uciok", "1");
    assert_eq!(output.status.code(), Some(3));
    assert!(
        text(&output.stderr).contains("no `uciok` within 1s"),
        "{}",
        text(&output.stderr)
    );
    assert!(!place.path("run").exists());
    assert_eq!(run("slow-uciok", "1").status.code(), Some(3));
    assert_eq!(run("slow-uciok", "10").status.code(), Some(4));
}
