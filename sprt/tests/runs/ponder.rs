//! Engines that think on their opponent's time.

use std::fs;

use crate::support::{Place, json, text};

/// Plays four games under a clock; the final positions, and what was said to NEW in the first.
fn play(place: &Place, out: &str, more: &[&str]) -> (serde_json::Value, Vec<String>, String) {
    let (base, new) = (place.engine("base"), place.engine("ponder"));
    let epd = format!("{out}.epd");
    let logs = format!("{out}-logs");
    let output = place
        .sprt(["run", &base, &new, "--seed", "7", "--tc", "20+1"])
        .args(["--games", "4", "--concurrency", "1", "--json"])
        .args(["--out", out, "--epd", &epd, "--log", &logs])
        .args(more)
        .output()
        .expect("sprt runs");
    let result = json(&output);
    assert_eq!(result["games"], 4, "{}", text(&output.stderr));
    let read = |name: &str| fs::read_to_string(place.path(name)).expect(name);
    let positions = read(&epd).lines().map(str::to_owned).collect();
    (
        result,
        positions,
        read(&format!("{logs}/game-1-ponder.log")),
    )
}

/// What was said, without the times.
fn said<'a>(log: &'a str, beginning: &str) -> Vec<&'a str> {
    log.lines()
        .filter_map(|line| line.split_once("Z "))
        .map(|(_, said)| said)
        .filter(|said| said.starts_with(beginning))
        .collect()
}

#[test]
fn an_expected_reply_turns_pondering_into_the_search_for_the_move() {
    let place = Place::new();
    let (plain, expected, _) = play(&place, "plain", &[]);
    assert_eq!(plain["conduct"]["new"]["ponder_hits"], 0);
    let (result, positions, log) = play(&place, "hits", &["--new-ponder"]);
    assert_eq!(positions, expected, "the moves are those of a run without");
    let hits = result["conduct"]["new"]["ponder_hits"].as_u64();
    assert!(hits.is_some_and(|hits| hits > 100), "{result}");
    assert!(said(&log, "> setoption name Ponder value true").len() == 1);
    let (asked, hits) = (
        said(&log, "> go ponder").len(),
        said(&log, "> ponderhit").len(),
    );
    // The last one is stopped when the game is over, before the next begins.
    assert!(asked == hits + 1 || asked == hits, "{asked} {hits}\n{log}");
    assert_eq!(said(&log, "> stop").len(), asked - hits);
    assert!(said(&log, "> go ponder")[0].starts_with("> go ponder wtime "));
    // Only its first search was begun on its own time.
    assert_eq!(said(&log, "> go wtime").len(), 1, "{log}");
    assert_eq!(result["faults"]["new"]["time_losses"], 0);
}

#[test]
fn another_reply_ends_pondering_and_its_move_is_passed_over() {
    let place = Place::new();
    let (_, expected, _) = play(&place, "plain", &[]);
    for ponders in ["miss", "early-miss", "early", "illegal"] {
        let option = format!("Ponders={ponders}");
        let more = ["--new-ponder", "--new-option", &option];
        let (result, positions, log) = play(&place, ponders, &more);
        assert_eq!(positions, expected, "{ponders}: {log}");
        let faults = &result["faults"]["new"];
        assert_eq!(
            (&faults["illegal_moves"], &faults["time_losses"]),
            (&0.into(), &0.into())
        );
        let hits = said(&log, "> ponderhit").len();
        match ponders {
            "miss" => {
                let asked = said(&log, "> go ponder").len();
                assert!(asked > 10 && hits < asked / 4, "{log}");
                assert_eq!(said(&log, "> stop").len(), asked - hits, "{log}");
            }
            "illegal" => {
                assert_eq!(said(&log, "> go ponder").len(), 0);
                assert!(!said(&log, "! this move to ponder on is illegal").is_empty());
            }
            _ => assert!(!said(&log, "> go ponder").is_empty(), "{ponders}"),
        }
    }
}

#[test]
fn an_engine_that_does_not_stop_pondering_loses_on_its_own_time() {
    let place = Place::new();
    let (base, new) = (place.engine("base"), place.engine("ponder"));
    let run = |ponders: &str| {
        // Only who is to lose on time is short of it.
        let clock = if ponders.ends_with("miss") { "1" } else { "60" };
        // The opponent takes its time, so that what pondering says early comes before its move.
        let output = place
            .sprt(["run", &base, &new, "--seed", "7", "--tc", "60"])
            .args(["--new-tc", clock, "--base-option", "Script=sleep:200@all"])
            .args(["--games", "2", "--json", "--new-ponder", "--new-option"])
            .arg(format!("Ponders={ponders}"))
            .output()
            .expect("sprt runs");
        let result = json(&output);
        assert_eq!(result["losses"], 2, "{ponders}: {}", text(&output.stderr));
        result["faults"]["new"].clone()
    };
    assert_eq!(run("deaf-miss")["time_losses"], 2);
    // It stops, but not soon: its clock runs from its opponent's move.
    assert_eq!(run("slow-miss")["time_losses"], 2);
    assert_eq!(run("crash")["crashes"], 2);
    assert_eq!(run("early-crash")["crashes"], 2);
    assert_eq!(
        crate::support::processes_in(&place.path("")),
        [""; 0].map(std::path::PathBuf::from)
    );
}

#[test]
fn a_run_that_ponders_is_resumed_as_it_was() {
    let place = Place::new();
    let (_, expected, _) = play(&place, "plain", &[]);
    let (base, new) = (place.engine("base"), place.engine("ponder"));
    let output = place
        .sprt([
            "run",
            &base,
            &new,
            "--seed",
            "7",
            "--tc",
            "20+1",
            "--new-ponder",
        ])
        .args(["--max-games", "2", "--concurrency", "1", "--json"])
        .args(["--out", "run", "--epd", "run.epd"])
        .output()
        .expect("sprt runs");
    assert_eq!(json(&output)["games"], 2, "{}", text(&output.stderr));
    let output = place.output([
        "resume",
        "run",
        "--max-games",
        "4",
        "--json",
        "--epd",
        "run.epd",
    ]);
    let result = json(&output);
    assert_eq!(result["games"], 4, "{}", text(&output.stderr));
    let hits = result["conduct"]["new"]["ponder_hits"].as_u64();
    assert!(hits.is_some_and(|hits| hits > 100), "{result}");
    let positions = fs::read_to_string(place.path("run.epd")).expect("positions");
    assert!(positions.lines().eq(expected.iter()), "{positions}");
}

#[test]
fn pondering_needs_an_engine_that_can_and_a_clock() {
    let place = Place::new();
    let (base, new) = (place.engine("base"), place.engine("ponder"));
    let refused = |more: &[&str]| {
        let output = place
            .sprt(["run", &base, &new, "--games", "2"])
            .args(more)
            .output()
            .expect("sprt runs");
        assert_eq!(output.status.code(), Some(2));
        text(&output.stderr)
    };
    let said = refused(&["--ponder", "--tc", "1"]);
    assert!(
        said.contains("`base` does not ponder") && said.contains("hint: "),
        "{said}"
    );
    let said = refused(&["--new-ponder", "--nodes", "5"]);
    assert!(
        said.contains("needs a clock") && said.contains("N=5"),
        "{said}"
    );
    let said = refused(&["--ponder=perhaps", "--tc", "1"]);
    assert!(said.contains("perhaps"), "{said}");
}
