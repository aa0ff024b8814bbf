//! Runs that are told to end.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Stdio};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::support::{Answer, PARAMS, Place, sorted};

/// Longer than anybody waits for its end.
const ENDLESS: [&str; 2] = ["--iterations", "100000"];

/// Starts a run and waits until it has played a few pairs.
fn begun(place: &Place, out: &str, length: &[&str]) -> Child {
    let child = place
        .spsa(out, length)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a run");
    place.wait_for(&format!("{out}/journal.jsonl"), 300);
    child
}

#[test]
fn an_interrupted_run_says_where_it_stands_and_how_to_go_on() {
    let place = Place::new();
    place.finished("whole", &[]);
    for signal in [Signal::SIGINT, Signal::SIGTERM] {
        let out = format!("run-{signal}");
        let journal = format!("{out}/journal.jsonl");
        let answer = place.interrupted(place.spsa(&out, &[]), &journal, signal);
        answer.says(&format!("`tuner resume {out}`"));
        assert_eq!(answer.json()["parameters"][0]["name"], "Margin");
        let resumed = place.run(["resume", &out]);
        assert_eq!(resumed.code, Some(0), "{resumed:?}");
        let journal = place.read(&journal);
        assert_eq!(sorted(&journal), sorted(&place.read("whole/journal.jsonl")));
    }
}

#[test]
fn a_run_that_is_being_played_belongs_to_one_process() {
    let place = Place::new();
    let mut child = begun(&place, "run", &ENDLESS);
    let second = place.run(["resume", "run"]);
    let shown = place.run(["report", "run", "--json"]);
    child.kill().expect("kill");
    child.wait().expect("wait");
    assert_eq!(second.code, Some(2), "{second:?}");
    second.says("being played already");
    assert_eq!(shown.code, Some(0), "{shown:?}");
}

#[test]
fn lint_tells_what_it_has_found_when_it_is_interrupted() {
    let place = Place::new();
    // Its searches take a minute, and one mistake is seen without any.
    let engine = place.engine("slow-deep");
    place.write("params.toml", &PARAMS.replace("Margin", "Margn"));
    let mut child = place
        .tuner(["lint", "params.toml", "--engine", &engine])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("lint");
    let mut errors = BufReader::new(child.stderr.take().expect("stderr"));
    let mut found = String::new();
    errors.read_line(&mut found).expect("a line");
    assert!(found.starts_with("found Margn: error:"), "{found}");
    kill(Pid::from_raw(child.id() as i32), Signal::SIGINT).expect("a signal");
    let mut rest = String::new();
    errors.read_to_string(&mut rest).expect("the rest");
    let answer = Answer::of(&child.wait_with_output().expect("the end"));
    assert_eq!(answer.code, Some(130), "{answer:?} {rest}");
    assert!(
        answer
            .stdout
            .starts_with("Margn: error: the engine has no such option")
    );
    assert!(
        rest.contains("no time for 1 of 2 parameters: Gated"),
        "{rest}"
    );
}
