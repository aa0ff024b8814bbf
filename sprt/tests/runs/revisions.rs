//! Engines that are git revisions: built in trees of their own, once, and benched.

use std::fs;
use std::path::Path;
use std::process::Output;

use crate::support::{Place, json, text};

/// A repository whose Makefile "builds" the scripted engine.
pub fn repository(place: &Place, message: &str) {
    let engine = env!("CARGO_BIN_EXE_scripted-engine");
    fs::create_dir(place.path("repo")).expect("a folder");
    write(
        place,
        "Makefile",
        &format!("EXE ?= engine\nall:\n\tcp {engine} $(EXE)\n"),
    );
    git(place, &["init", "-q", "-b", "main"]);
    git(place, &["add", "."]);
    git(place, &["commit", "-q", "-m", message]);
}

fn write(place: &Place, name: &str, content: &str) {
    fs::write(place.path("repo").join(name), content).expect("written");
}

pub fn git(place: &Place, arguments: &[&str]) {
    place.git(arguments);
}

fn sprt(place: &Place, base: &str, new: &str) -> Output {
    sprt_in("repo", place, base, new)
}

fn sprt_in(folder: &str, place: &Place, base: &str, new: &str) -> Output {
    place
        .sprt([
            base,
            new,
            "--nodes",
            "1",
            "--max-games",
            "2",
            "--seed",
            "7",
            "--json",
        ])
        .current_dir(place.path(folder))
        .output()
        .expect("sprt runs")
}

#[test]
fn a_revision_and_the_working_tree_are_built_once() {
    let place = Place::new();
    repository(&place, "first\n\nBench: 4321");
    write(&place, "notes.txt", "a change\n");
    let first = sprt(&place, "HEAD", ".");
    assert_eq!(first.status.code(), Some(4), "{}", text(&first.stderr));
    assert_eq!(
        text(&first.stderr).matches("building").count(),
        2,
        "{}",
        text(&first.stderr)
    );
    let result = json(&first);
    assert_eq!(result["base"]["bench"], 4321);
    assert!(result["base"]["commit"].is_string() && result["new"]["commit"].is_null());

    let second = sprt(&place, "HEAD", ".");
    assert_eq!(
        text(&second.stderr).matches("building").count(),
        0,
        "{}",
        text(&second.stderr)
    );
    write(&place, "notes.txt", "another change\n");
    let third = sprt(&place, "HEAD", ".");
    assert_eq!(
        text(&third.stderr).matches("building").count(),
        1,
        "{}",
        text(&third.stderr)
    );
    // The user's tree is as it was.
    assert_eq!(place.git(&["status", "--porcelain"]), "?? notes.txt");
}

#[test]
fn an_unknown_revision_a_failed_build_and_a_wrong_bench_are_distinguished() {
    let place = Place::new();
    repository(&place, "first\n\nBench: 4322");
    let refused = |base: &str, words: &[&str]| {
        let output = sprt(&place, base, ".");
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        for word in words {
            assert!(said.contains(word), "expected `{word}` in: {said}");
        }
        assert!(said.contains("hint:"), "{said}");
        assert!(!place.path("state").exists());
    };
    refused("mian", &["`mian`"]);
    refused("HEAD", &["wrong bench", "4322", "4321"]);
    write(&place, "Makefile", "all:\n\techo no such luck; false\n");
    git(&place, &["commit", "-q", "-a", "-m", "second"]);
    refused("HEAD", &["no such luck"]);
}

#[test]
fn a_mistyped_new_does_not_cost_the_time_of_a_build() {
    let place = Place::new();
    repository(&place, "first");
    let output = sprt(&place, "HEAD", "mian");
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(
        said.contains("`mian`") && !said.contains("building"),
        "{said}"
    );
}

#[test]
fn a_build_obeys_the_project_file_above_the_folder_that_it_is_asked_for_in() {
    let place = Place::new();
    repository(&place, "first");
    fs::create_dir(place.path("repo/engine")).expect("a folder");
    fs::create_dir(place.path("repo/docs")).expect("a folder");
    git(&place, &["mv", "Makefile", "engine/Makefile"]);
    write(
        &place,
        "whetstone.toml",
        "[bench-guard]\nfolder = 'engine'\n",
    );
    git(&place, &["add", "."]);
    git(&place, &["commit", "-q", "-m", "second"]);
    let output = sprt_in("repo/docs", &place, "HEAD", ".");
    assert_eq!(output.status.code(), Some(4), "{}", text(&output.stderr));
}

#[test]
fn a_revision_with_a_folder_is_another_engine_of_the_repository() {
    let place = Place::new();
    repository(&place, "first\n\nBench: 4321");
    let makefile = fs::read_to_string(place.path("repo").join("Makefile")).expect("a Makefile");
    fs::create_dir(place.path("repo").join("other")).expect("a folder");
    write(&place, "other/Makefile", &makefile);
    write(
        &place,
        "whetstone.toml",
        "[bench-guard]\nignore = ['other/**']\n[bench-guard.engine.other]\nfolder = 'other'\n",
    );
    git(&place, &["add", "."]);
    git(
        &place,
        &["commit", "-q", "-m", "second\n\nBench-other: 4321"],
    );
    let second = sprt(&place, "HEAD:other", "other");
    assert_eq!(second.status.code(), Some(4), "{}", text(&second.stderr));
    let plan = |output: &Output| {
        let run = json(output)["run"].as_str().expect("a run").to_owned();
        let plan = fs::read_to_string(Path::new(&run).join("plan.json")).expect("a plan");
        serde_json::from_str::<serde_json::Value>(&plan).expect("JSON")
    };
    let of_other = plan(&second);
    assert_eq!(of_other["base"]["engine"], "other");
    assert_eq!(of_other["base"]["inputs"], of_other["new"]["inputs"]);
    let main = plan(&sprt(&place, "HEAD", "."));
    assert!(main["base"]["engine"].is_null());
    // Its own line of the message is compared.
    git(
        &place,
        &[
            "commit",
            "-q",
            "--amend",
            "-m",
            "second\n\nBench-other: 4322",
        ],
    );
    let wrong = sprt(&place, "HEAD:other", "other");
    assert_eq!(wrong.status.code(), Some(2));
    assert!(
        text(&wrong.stderr).contains("4322"),
        "{}",
        text(&wrong.stderr)
    );
    let unknown = sprt(&place, "HEAD~9:other", "other");
    assert!(
        text(&unknown.stderr).contains("HEAD~9"),
        "{}",
        text(&unknown.stderr)
    );
}

#[test]
fn a_folder_without_a_makefile_and_a_file_that_is_no_program_hide_no_branch() {
    let place = Place::new();
    repository(&place, "first\n\nBench: 4321");
    git(&place, &["branch", "tuning"]);
    git(&place, &["branch", "notes"]);
    fs::create_dir(place.path("repo/tuning")).expect("a folder");
    write(&place, "notes", "text\n");
    let output = sprt(&place, "tuning", "notes");
    let told = text(&output.stderr);
    assert_eq!(output.status.code(), Some(4), "{told}");
    let result = json(&output);
    assert!(
        result["base"]["commit"].is_string() && result["new"]["commit"].is_string(),
        "{result}"
    );
    assert!(!told.contains("is taken for"), "{told}");
    // With a Makefile the folder is meant.
    fs::copy(
        place.path("repo/Makefile"),
        place.path("repo/tuning/Makefile"),
    )
    .expect("copied");
    let output = sprt(&place, "tuning", "notes");
    let told = text(&output.stderr);
    assert!(
        told.contains("`tuning` is taken for the folder; there is a git revision, too"),
        "{told}"
    );
    assert!(json(&output)["base"]["commit"].is_null());
}
