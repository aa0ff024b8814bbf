//! What is written of games and of how engines behaved in them.

use std::fs;

use crate::support::{Place, json, text};

const ILLEGAL: &str =
    "Script=say:info depth 1 score cp 0 nps 1000 hashfull 7 time 5 pv a1a1|bestmove $best@2";

#[test]
fn records_have_what_was_asked_for() {
    let place = Place::new();
    let output = place
        .run(
            "run",
            &["--nodes", "1", "--max-games", "4", "--log", "logs"],
        )
        .args(["--event", "a test", "--site", "here", "--epd", "ends.epd"])
        .args([
            "--pgn-notation",
            "uci",
            "--pgn-fields",
            "nps,hashfull,latency,pv",
        ])
        .args(["--pgn-lines", "hashfull 7"])
        .args(["--new-option", ILLEGAL])
        .args([
            "--base-option",
            "Script=say:info depth 1 score mate 3 pv $best|bestmove $best@1",
        ])
        .output()
        .expect("sprt runs");
    let result = json(&output);
    assert_eq!(result["games"], 4, "{}", text(&output.stderr));
    let conduct = &result["conduct"];
    assert_eq!(conduct["new"]["illegal_pvs"], 4, "{conduct}");
    assert_eq!(conduct["base"]["wrong_mate_pvs"], 4, "{conduct}");
    assert_eq!(conduct["base"]["ponder_hits"], 0, "{conduct}");
    // Where no clock runs, time is no part of what a run is.
    assert_eq!(conduct["new"]["timed_moves"], 0, "{conduct}");
    let told = text(&output.stderr);
    assert!(
        told.contains("engine-b printed 4 lines (PV) with an illegal move"),
        "{told}"
    );
    let log = fs::read_to_string(place.path("logs/game-1-engine-b.log")).expect("a log");
    assert!(log.contains("! this PV has an illegal move"));

    let pgn = fs::read_to_string(place.path("run/games.pgn")).expect("games");
    let flat = pgn.replace('\n', " ");
    assert!(flat.contains("[Event \"a test\"] [Site \"here\"]"));
    assert!(flat.contains("nps=1000, hashfull=7, latency=") && flat.contains("pv=\"a1a1\""));
    assert!(flat.contains("line=\"info depth 1 score cp 0 nps 1000 hashfull 7"));
    let first = flat.split("1. ").nth(1).expect("moves");
    assert!(first.as_bytes()[0].is_ascii_lowercase() && first.as_bytes()[3].is_ascii_digit());
    let ends = fs::read_to_string(place.path("ends.epd")).expect("positions");
    assert_eq!(
        ends.lines().filter(|line| line.contains(" hmvc ")).count(),
        4,
        "{ends}"
    );

    let again = place
        .sprt(["resume", "run", "--max-games", "6", "--json"])
        .output();
    let again = json(&again.expect("sprt runs"));
    assert_eq!(again["conduct"]["new"]["illegal_pvs"], 6, "{again}");
    let page = place.output(["report", "run"]);
    assert_eq!(page.status.code(), Some(0), "{}", text(&page.stderr));
}

#[test]
fn a_record_tells_the_options_of_each_engine_and_digests_of_files_that_they_name() {
    let place = Place::new();
    fs::write(place.path("net.bin"), "abc").expect("written");
    let new = ["--new-option", "Script=net.bin", "--hash", "8"];
    for (out, more, count) in [("run", &[][..], 1), ("short", &["--pgn-min"], 0)] {
        let output = place
            .run(out, &["--nodes", "1", "--max-games", "2"])
            .args(new)
            .args(more)
            .output()
            .expect("sprt runs");
        assert_eq!(json(&output)["games"], 2, "{}", text(&output.stderr));
        let pgn = fs::read_to_string(place.path(out).join("games.pgn")).expect("games");
        for [new, base] in [["White", "Black"], ["Black", "White"]] {
            for tag in [
                format!("[{new}Options \"Threads=1; Hash=8; Script=net.bin\"]\n"),
                format!("[{base}Options \"Threads=1; Hash=8\"]\n"),
                format!("[{new}Digests \"Script=ba7816bf8f01cfea4141"),
            ] {
                assert_eq!(pgn.matches(&tag).count(), count, "{tag}: {pgn}");
            }
            assert!(!pgn.contains(&format!("[{base}Digests \"Hash")), "{pgn}");
        }
    }
}

#[test]
fn under_a_clock_measured_and_reported_times_are_compared() {
    let place = Place::new();
    let output = place
        .run("run", &["--tc", "60+1", "--max-games", "2", "-v"])
        .args(["--pgn-fields", "timeleft,latency", "--pgn-notation", "lan"])
        .args(["--new-option", ILLEGAL])
        .output()
        .expect("sprt runs");
    let result = json(&output);
    let new = &result["conduct"]["new"];
    assert_eq!(new["timed_moves"], 2, "{result}");
    assert!(new["latency_us"].is_i64(), "{new}");
    assert_eq!(result["conduct"]["base"]["timed_moves"], 0);
    let told = text(&output.stderr);
    assert!(told.contains("engine-b: moves took"), "{told}");
    let pgn = fs::read_to_string(place.path("run/games.pgn")).expect("games");
    assert!(pgn.contains("timeleft=") && pgn.contains("latency="));
}
