//! `message` as a user and as a script meets it.

use crate::scene::{Finished, Scene};

fn message(text: &str, arguments: &[&str]) -> Finished {
    let scene = Scene::new();
    scene.write("message", text);
    scene.guard(&[&["message", "message"], arguments].concat())
}

#[test]
fn the_number_that_openbench_reads_is_printed() {
    let answer = message("Tune\n\nBench: 1,234,567\n", &[]);
    assert_eq!(
        (answer.code, answer.stdout.as_str()),
        (Some(0), "1234567\n")
    );
    assert_eq!(answer.stderr, "");
}

#[test]
fn what_is_refused_is_reported_with_the_reason() {
    let answer = message("Tune\n\nBench: 0\n", &[]);
    assert_eq!((answer.code, answer.stdout.as_str()), (Some(1), "none\n"));
    answer.says("zero, which OpenBench refuses");
    let answer = message("Tidy\n\nNo functional change\n", &[]);
    assert_eq!((answer.code, answer.stdout.as_str()), (Some(0), "none\n"));
    assert_eq!(message("Tune\n", &["-q"]).stderr, "");
}

#[test]
fn json_has_the_same_in_fields() {
    let answer = message("Tune\n\nBench: 5, then the workbench 3\n", &["--json"]);
    assert_eq!(answer.code, Some(0));
    insta::assert_snapshot!("message", answer.stdout);
}

#[test]
fn a_missing_file_and_an_unknown_setting_are_named() {
    let scene = Scene::new();
    let answer = scene.guard(&["message", "nowhere"]);
    assert_eq!(answer.code, Some(2));
    answer.says("nowhere");
    scene.write("whetstone.toml", "[bench-guard]\nrunz = 3\n");
    let answer = scene.guard(&["message", "Makefile"]);
    assert_eq!(answer.code, Some(2));
    answer.says("runz");
}

#[test]
fn completions_and_manual_are_written() {
    let scene = Scene::new();
    assert!(
        scene
            .guard(&["completions", "bash"])
            .stdout
            .contains("bisect")
    );
    let folder = scene.beside("man");
    assert_eq!(
        scene.guard(&["man", &folder.to_string_lossy()]).code,
        Some(0)
    );
    assert!(folder.join("bench-guard-check.1").exists());
}
