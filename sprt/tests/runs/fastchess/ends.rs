//! How a match ends before its time: the worker kills, stops reading, or asks to end.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, ChildStdout, Stdio};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::worker::{Results, read_games};
use super::{Place, fs};
use crate::support::{eventually, processes_in};

/// A long match, and its first lines.
fn long_match(place: &Place) -> (Child, BufReader<ChildStdout>, Vec<u8>) {
    let mut child = place
        .short_match(100_000, &[], &[], &[])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the runner starts");
    let mut reader = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut read = Vec::new();
    for _ in 0..6 {
        reader.read_until(b'\n', &mut read).expect("a line");
    }
    (child, reader, read)
}

fn engines_end(place: &Place) {
    eventually("the engines end", || {
        processes_in(&place.path("Engines")).is_empty()
    });
}

/// All reported games are in the games' file, whole.
fn assert_written(place: &Place, told: &Results) {
    let text = fs::read_to_string(place.path("PGNs/games.pgn")).expect("the games' file");
    // Being killed may tear the last pair, which then was not reported.
    let whole = text.rfind("\n\n").map_or(0, |end| end + 2);
    let games = read_games(&text[..whole]);
    assert!(
        games.len() >= told.told.len(),
        "{} < {}",
        games.len(),
        told.told.len()
    );
    for game in &games {
        assert_eq!(game.header("Result"), Some(game.result.as_str()));
    }
}

#[test]
fn a_killed_runner_leaves_the_games_it_told_and_no_engine() {
    let place = Place::worker();
    let (mut child, mut reader, mut read) = long_match(&place);
    child.kill().expect("killed");
    child.wait().expect("ended");
    reader.read_to_end(&mut read).expect("the rest");
    let results = Results::read(&read).expect("whole lines");
    assert!(results.told.len() >= 6);
    assert_written(&place, &results);
    engines_end(&place);
}

#[test]
fn a_runner_that_nobody_reads_ends_with_its_engines() {
    let place = Place::worker();
    // Under a clock and without an end in sight: it must not need to write to find out.
    let (mut child, reader, read) = long_match(&place);
    drop(reader);
    eventually("the runner ends", || {
        child.try_wait().is_ok_and(|status| status.is_some())
    });
    assert_written(&place, &Results::read(&read).expect("whole lines"));
    engines_end(&place);
}

#[test]
fn a_closed_stdout_is_found_out_without_a_word_to_say() {
    let place = Place::worker();
    let mut child = place
        .short_match(1, &["option.Script=stall@1"], &[], &[])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the runner starts");
    let begun = || processes_in(&place.path("Engines")).len() >= 2;
    eventually("the engines play", begun);
    drop(child.stdout.take());
    eventually("the runner ends", || {
        child.try_wait().is_ok_and(|status| status.is_some())
    });
    engines_end(&place);
}

#[test]
fn a_runner_that_is_asked_to_end_tells_no_half_pair() {
    let place = Place::worker();
    let (mut child, mut reader, mut read) = long_match(&place);
    kill(Pid::from_raw(child.id() as i32), Signal::SIGTERM).expect("told");
    reader.read_to_end(&mut read).expect("the rest");
    let status = child.wait().expect("ended");
    assert_eq!(status.code(), Some(143));
    let results = Results::read(&read).expect("whole lines");
    assert_eq!(results.halves, 0);
    let text = fs::read_to_string(place.path("PGNs/games.pgn")).expect("the games' file");
    assert_eq!(read_games(&text).len(), results.told.len());
    engines_end(&place);
}
