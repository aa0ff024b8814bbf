//! Requests to a run that is being played.

use std::fs;
use std::process::Stdio;

use crate::support::{Place, eventually, text};

#[test]
fn a_tournament_says_that_it_is_paused_and_stopped() {
    let place = Place::new();
    let mut command = place.sprt(["tournament", "--rounds", "20000", "--nodes", "1"]);
    command.args(["--seed", "3", "--concurrency", "1", "--out", "out"]);
    for name in ["anna", "boris", "carla"] {
        command.args(["--engine", &place.engine(name)]);
    }
    let child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let read = |name: &str| fs::read_to_string(place.path(name)).unwrap_or_default();
    let ask = |what: &str| fs::write(place.path("out/control.json"), what).expect("written");
    eventually("a pair is played", || {
        read("out/pairs.jsonl").contains('\n')
    });
    ask("{\"paused\": true}");
    eventually("it is paused", || {
        let activity: serde_json::Value =
            serde_json::from_str(&read("out/activity.json")).unwrap_or_default();
        activity["pace"]["is_paused"] == true && activity["pace"]["playing"] == 0
    });
    ask("{\"paused\": true, \"stop\": true}");
    let ended = child.wait_with_output().expect("it ends");
    let said = text(&ended.stderr);
    assert_eq!(ended.status.code(), Some(130), "{said}");
    // Behind the time of day.
    assert!(said.contains("Z paused\n"), "{said}");
    assert!(
        said.contains("stopped from its page; continue with"),
        "{said}"
    );
}

/// Asks a match of one game at a time for more, one of which cannot be played, and stops it when it
/// goes on with fewer. What it was asked for then, its events, and what it said.
fn ask_for_too_many(games: usize, script: impl Fn(&str) -> String) -> [String; 3] {
    let place = Place::new();
    let engine = place.engine("engine-a");
    let base = place.script("base", &script(&engine));
    let child = place
        .sprt(["run", &base, &engine, "--nodes", "1", "--seed", "3"])
        .args(["--games", "20000", "--concurrency", "1", "--out", "out"])
        .args(["--events", "events.jsonl"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let read = |name: &str| fs::read_to_string(place.path(name)).unwrap_or_default();
    let ask = |what: &str| fs::write(place.path("out/control.json"), what).expect("written");
    let pairs = || read("out/pairs.jsonl").lines().count();
    eventually("a pair is played", || pairs() > 0);
    let asked = format!("\"concurrency\": {games}");
    ask(&format!("{{{asked}}}"));
    eventually("the number is lowered", || {
        !read("out/control.json").contains(&asked)
    });
    let before = pairs();
    eventually("the run goes on", || pairs() > before + 20);
    let (control, events) = (read("out/control.json"), read("events.jsonl"));
    ask("{\"stop\": true}");
    let ended = child.wait_with_output().expect("it ends");
    let said = text(&ended.stderr);
    assert_eq!(ended.status.code(), Some(130), "{said}");
    [control, events, said]
}

#[test]
fn a_further_game_at_a_time_that_cannot_be_played_ends_only_itself() {
    // Starts when the plan is made and in the first slot, and never again.
    let [control, _, said] = ask_for_too_many(2, |engine| {
        format!("echo >> $0.starts; [ $(wc -l < $0.starts) -le 2 ] || exit 1\nexec {engine}")
    });
    assert!(control.contains("\"concurrency\":1"), "{control}: {said}");
    let words = "1 game at a time: the engines of another did not start: `base` did not answer";
    assert!(said.contains(words), "{said}");
}

#[test]
fn one_further_game_of_several_that_cannot_be_played_ends_only_itself() {
    // Starts when the plan is made, in the first slot and in two of the three further ones.
    let [control, events, said] = ask_for_too_many(4, |engine| {
        format!(
            "for start in 1 2 3 4; do\n\
             mkdir $0.$start 2> $0.errors && exec {engine}\n\
             done; exit 1"
        )
    });
    assert!(control.contains("\"concurrency\":3"), "{control}: {said}");
    assert_eq!(events.matches("slot_closed").count(), 1, "{said}");
}
