//! The tune in the README of the project, from beginning to end, with an engine and parameters of
//! the tests, and fewer games.

use std::fs;
use std::path::Path;

use crate::support::{Answer, Place};

/// Calls of `tuner` in the session, in their order.
fn calls() -> Vec<String> {
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md");
    let readme = fs::read_to_string(readme).expect("the README");
    let (_, rest) = readme.split_once("\n```console\n").expect("a session");
    let (session, _) = rest.split_once("\n```\n").expect("its end");
    let typed = session.lines().filter_map(|line| line.strip_prefix("$ "));
    let calls = typed.filter_map(|line| line.strip_prefix("tuner "));
    calls.map(str::to_owned).collect()
}

#[test]
fn the_session_of_the_readme_goes_from_beginning_to_end() {
    let place = Place::new();
    place.engine("engine-start");
    let calls = calls();
    assert_eq!(calls.len(), 8, "{calls:?}");
    for call in calls {
        let shorter = call
            .replace("$names", "Margin,Gated")
            .replace("--iterations 250", "--iterations 25")
            .replace("--max-games 1000", "--max-games 20");
        if shorter.contains("engine/params.toml") {
            fs::remove_file(place.path("engine")).expect("the usual engine");
            fs::create_dir(place.path("engine")).expect("a folder");
            fs::copy(place.path("tune.toml"), place.path("engine/params.toml")).expect("a copy");
        }
        let words = shorter.trim_end_matches(" &").split(' ');
        if call.ends_with('&') {
            let mut run = place.tuner(words).spawn().expect("tuner runs");
            place.wait_for("first/journal.jsonl", 300);
            run.kill().expect("killed");
            run.wait().expect("its end");
            continue;
        }
        let answer: Answer = place.run(words);
        // A match that ends without a verdict says so by its exit code.
        let expected = if call.starts_with("validate") { 4 } else { 0 };
        assert_eq!(answer.code, Some(expected), "{call}: {answer:?}");
    }
    let kept = fs::read_to_string(place.path("engine/params.toml")).expect("the file");
    let started = fs::read_to_string(place.path("tune.toml")).expect("the file");
    assert_ne!(kept, started, "nothing was applied");
}
