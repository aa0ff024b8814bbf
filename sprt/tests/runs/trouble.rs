//! What the system does to a run: files that are gone or full, and time that stands still.

use std::fs;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::support::{Place, eventually, json, text};

const LONG: [&str; 8] = [
    "--nodes",
    "1",
    "--new-option",
    "Losses=40",
    "--base-option",
    "Losses=40",
    "--max-games",
    "2000",
];

/// A long run whose first pair is finished.
fn begun(place: &Place) -> Child {
    let run = place
        .run("run", &LONG)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn();
    await_first_pair(place);
    run.expect("sprt runs")
}

fn await_first_pair(place: &Place) {
    eventually("the first pair is finished", || {
        place.path("run/pairs.jsonl").exists() && !place.journal("run").is_empty()
    });
}

/// What a run says whose folder is gone.
fn ended(run: Child) -> String {
    let output = run.wait_with_output().expect("sprt ends");
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    said
}

#[test]
fn a_run_ends_when_its_folder_is_deleted() {
    let place = Place::new();
    let run = begun(&place);
    fs::remove_dir_all(place.path("run")).expect("deleted");
    let said = ended(run);
    assert!(said.contains("`run` was deleted while"), "{said}");
    assert!(!said.contains("continue with"), "{said}");
}

#[test]
fn a_run_ends_when_its_folder_is_moved_and_goes_on_from_there() {
    let place = Place::new();
    let run = begun(&place);
    fs::rename(place.path("run"), place.path("moved")).expect("moved");
    let said = ended(run);
    assert!(said.contains("`run` was moved while"), "{said}");
    assert!(
        said.contains("continue with `sprt resume` and its new path")
            && !said.contains("result.json"),
        "{said}"
    );
    let shown = place.sprt(["show", "moved"]).output().expect("it runs");
    assert_eq!(shown.status.code(), Some(4), "{}", text(&shown.stderr));
}

#[test]
fn a_run_that_took_the_place_of_another_is_left_alone() {
    let place = Place::new();
    let run = begun(&place);
    fs::create_dir(place.path("other")).expect("made");
    fs::write(place.path("other/plan.json"), "{}").expect("written");
    fs::rename(place.path("run"), place.path("moved")).expect("moved");
    fs::rename(place.path("other"), place.path("run")).expect("moved");
    let said = ended(run);
    assert!(said.contains("`run` was moved while"), "{said}");
    let files = fs::read_dir(place.path("run")).expect("a folder");
    let names: Vec<_> = files.flatten().map(|file| file.file_name()).collect();
    assert_eq!(names, ["plan.json"]);
}

/// The same command where no file may have more than 24 blocks of 512 bytes or of 1 KiB, as the
/// shell has it: less than the games of a match need.
fn limited(place: &Place, sprt: &Command) -> Command {
    let mut limited = Command::new("sh");
    limited
        .args(["-c", "ulimit -f 24; exec \"$0\" \"$@\""])
        .arg(sprt.get_program())
        .args(sprt.get_args())
        .current_dir(place.path(""));
    for (name, value) in sprt.get_envs() {
        match value {
            Some(value) => limited.env(name, value),
            None => limited.env_remove(name),
        };
    }
    limited
}

#[test]
fn games_whose_line_finds_no_room_are_cut_off() {
    let place = Place::new();
    let arguments = ["--nodes", "1", "--max-games", "2"];
    place
        .run("run", &arguments)
        .args(["--base-option", "Losses=100", "--concurrency", "1"])
        .output()
        .expect("sprt runs");
    let games = fs::read(place.path("run/games.pgn")).expect("games");
    // As an earlier release wrote it, and longer than a file may become.
    let line = place.journal("run");
    let (members, _) = line.split_once(",\"crc32\"").expect("a checksum");
    let long = format!("{members}{}}}\n", " ".repeat(40_000));
    fs::write(place.path("run/pairs.jsonl"), long).expect("written");
    let resume = place.sprt(["resume", "run", "--max-games", "8"]);
    let output = limited(&place, &resume).output().expect("a shell");
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("pairs.jsonl"), "{said}");
    assert!(fs::read(place.path("run/games.pgn")).expect("games") == games);
}

#[test]
fn a_file_size_limit_is_an_error_and_the_run_can_be_resumed() {
    let place = Place::new();
    let arguments = ["--nodes", "1", "--max-games", "40"];
    let whole = place.run("whole", &arguments).output().expect("sprt runs");
    let mut limited = limited(&place, &place.run("run", &arguments));
    let output = limited.output().expect("a shell");
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(
        said.contains("games.pgn") && said.contains("hint:"),
        "{said}"
    );
    let resumed = place.output(["resume", "run", "--json"]);
    assert_eq!(json(&resumed)["pentanomial"], json(&whole)["pentanomial"]);
}

#[test]
fn a_game_in_which_the_runner_is_stopped_is_voided_and_played_again() {
    let (said, voided) = stop_and_continue(&["--tc", "2+0.2"]);
    assert!(!voided.is_empty(), "{said}");
    assert!(said.contains("void and played again"), "{said}");
}

#[test]
fn a_game_without_a_clock_that_an_engine_loses_meanwhile_is_played_again() {
    stop_and_continue(&["--nodes", "1", "--move-timeout", "3"]);
}

/// Stops the runner during a match with this limit, in which no engine may lose by a fault. What
/// was said, and the games that are void.
fn stop_and_continue(limit: &[&str]) -> (String, Vec<String>) {
    let place = Place::new();
    let child = place
        .run("run", &["--max-games", "12", "--concurrency", "1"])
        .args(limit)
        // Each move takes a while, and the games are short.
        .args(["--new-option", "Script=sleep:80@all"])
        .args(["--base-option", "Losses=100", "--events", "events.jsonl"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("sprt runs");
    await_first_pair(&place);
    let runner = Pid::from_raw(child.id() as i32);
    kill(runner, Signal::SIGSTOP).expect("stopped");
    std::thread::sleep(Duration::from_secs(5));
    kill(runner, Signal::SIGCONT).expect("continued");
    let output = child.wait_with_output().expect("sprt ends");
    let (said, result) = (text(&output.stderr), json(&output));
    assert_eq!(result["games"], 12, "{said}");
    for fault in ["time_losses", "stalls"] {
        assert_eq!(result["faults"]["new"][fault], 0, "{fault}: {said}");
    }
    let events = fs::read_to_string(place.path("events.jsonl")).expect("events");
    let ends = |kind: &str| -> Vec<String> {
        let events = events.lines().map(|line| {
            let event: serde_json::Value = serde_json::from_str(line).expect(line);
            (event["type"] == kind).then(|| format!("{} {}", event["pair"], event["game"]))
        });
        events.flatten().collect()
    };
    let (voided, finished) = (ends("game_voided"), ends("game_finished"));
    assert!(voided.iter().all(|game| finished.contains(game)));
    let mut once = finished.clone();
    once.sort();
    once.dedup();
    assert_eq!(once.len(), finished.len(), "each game is finished once");
    (said, voided)
}
