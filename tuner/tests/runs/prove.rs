//! From tuned values to a commit on a branch of its own, in a real repository.

use std::fs;

use nix::sys::signal::Signal;

use crate::git_of_tests;
use crate::support::Place;

const DIGEST: &str = "Name,Curr,Start,Min,Max,C,C_end,R,R_end\n\
    Margin,124.5000,100,0,400,12.0,12.0,0.002,0.002\n\
    Gated,3.2000,3,1,8,0.6,0.6,0.002,0.002\n";

/// A repository whose engine's bench is the value of its first parameter.
const MAKEFILE: &str = "all:\n\t@v=$$(sed -n 's/^value = \\([0-9]*\\).*/\\1/p' params.toml | head -n 1); \
    printf '#!/bin/sh\\n[ \"$$1\" = bench ] || exec \"ENGINE\"\\necho \"%s nodes 1000 nps\"\\n' \"$$v\" > $(EXE); \
    chmod +x $(EXE)\n";

fn git(place: &Place, arguments: &[&str]) -> String {
    git_of_tests::git(&place.path(""), arguments)
}

fn repository() -> Place {
    let place = Place::new();
    place.write(
        "Makefile",
        &MAKEFILE.replace("ENGINE", &place.engine("engine")),
    );
    place.write(".gitignore", "*\n!params.toml\n!Makefile\n");
    fs::create_dir(place.path("openbench-7")).expect("a folder");
    place.write("openbench-7/digest.csv", DIGEST);
    git(&place, &["init", "-q", "-b", "main"]);
    git(&place, &["config", "user.name", "A"]);
    git(&place, &["config", "user.email", "a@b"]);
    git(&place, &["add", "-A"]);
    git(&place, &["commit", "-q", "-m", "Start\n\nBench: 100"]);
    place
}

#[test]
fn values_of_a_server_become_a_commit_with_their_bench() {
    let place = repository();
    let prove = ["openbench", "prove", "openbench-7", "params.toml"];
    // The digest alone does not tell how the tune ended: a person has to look.
    let refused = place.run(prove);
    assert_eq!(refused.code, Some(2), "{refused:?}");
    for part in ["`tuner report`", "--force"] {
        assert!(refused.stderr.contains(part), "{part}: {refused:?}");
    }
    // A server keeps no evidence for each of its values.
    assert!(!refused.stderr.contains("--only-evident"), "{refused:?}");
    let refused = place.run(prove.iter().chain(&["--only-evident"]));
    refused.says("unexpected argument '--only-evident'");

    let before = git(&place, &["rev-parse", "HEAD"]);
    let dry = place.run(prove.iter().chain(&["--force", "--dry-run", "--again"]));
    assert_eq!(dry.code, Some(0), "{dry:?}");
    assert!(
        dry.stdout.starts_with("Margin: 100 -> 124\n1. ")
            && dry.stdout.contains("submit test")
            && dry.stdout.contains("--again")
            && dry.stdout.contains(&format!("--base={before}")),
        "{dry:?}"
    );
    assert_eq!(git(&place, &["branch", "--list", "tune-7"]), "");

    let done = place.run(prove.iter().chain(&["--force"]));
    assert_eq!(
        (done.code, done.stdout.trim()),
        (Some(0), "tune-7"),
        "{done:?}"
    );
    let message = git(&place, &["log", "-1", "--format=%B", "tune-7"]);
    assert!(
        message.starts_with("Tune Margin\n\nMargin: 100 -> 124\n")
            && message.ends_with("Bench: 124"),
        "{message}"
    );
    assert_eq!(git(&place, &["rev-parse", "tune-7^"]), before);
    let changed = git(&place, &["diff", "main", "tune-7"]);
    assert!(changed.contains("+value = 124  # to be tuned"), "{changed}");
    // The tree that is checked out stays as it was.
    assert_eq!(git(&place, &["status", "--porcelain"]), "");
    assert_eq!(git(&place, &["rev-parse", "HEAD"]), before);

    let again = place.run(prove.iter().chain(&["--force"]));
    assert_eq!(again.code, Some(2), "{again:?}");
    again.says("there is a branch `tune-7` already");
}

#[test]
fn a_further_engine_is_known_from_the_folder_above_its_own() {
    let place = repository();
    fs::create_dir_all(place.path("engines/second")).expect("a folder");
    for name in ["Makefile", "params.toml"] {
        place.write(&format!("engines/second/{name}"), &place.read(name));
    }
    place.write(
        "whetstone.toml",
        "[bench-guard.engine.second]\nfolder = 'engines/second'\n",
    );
    git(&place, &["add", "-f", "engines", "whetstone.toml"]);
    git(&place, &["commit", "-q", "-m", "A second engine"]);
    let prove = "openbench prove ../openbench-7 second/params.toml --force";
    let mut prove = place.tuner(prove.split(' '));
    let done = prove.current_dir(place.path("engines")).output();
    assert!(
        done.as_ref().is_ok_and(|it| it.status.success()),
        "{done:?}"
    );
    let message = git(&place, &["log", "-1", "--format=%B", "tune-7"]);
    assert!(message.ends_with("Bench-second: 124"), "{message}");

    // From anywhere, it is this engine that plays.
    let elsewhere = tempfile::tempdir().expect("a folder");
    let file = |name: &str| place.path(name).display().to_string();
    let (run, params) = (file("openbench-7"), file("engines/second/params.toml"));
    let prove = "--force --bounds=-200,0 --max-games 400 --seed 7 --out proof --branch proved";
    let prove = ["prove", &run, &params].into_iter().chain(prove.split(' '));
    let done = place.tuner(prove).current_dir(elsewhere.path()).output();
    assert!(
        done.as_ref().is_ok_and(|it| it.status.success()),
        "{done:?}"
    );
    let plan = fs::read_to_string(elsewhere.path().join("proof/plan.json")).expect("a plan");
    assert_eq!(plan.matches("\"engine\": \"second\"").count(), 2, "{plan}");
}

#[test]
fn a_match_that_cannot_be_planned_builds_nothing_and_leaves_no_folder() {
    let place = repository();
    let prove = "prove openbench-7 params.toml --force --bounds=-200,0 --book missing.epd";
    let refused = place.run(prove.split(' '));
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(
        refused.stderr.contains("missing.epd") && !refused.stderr.contains("building"),
        "{refused:?}"
    );
    assert!(!place.path("state/runs").exists(), "{refused:?}");
}

#[test]
fn an_accepted_match_makes_the_commit_and_sets_no_tuned_option() {
    let place = repository();
    let prove = "prove openbench-7 params.toml --force --bounds=-200,0 --max-games 400 --seed 7 --out proof";
    let done = place.run(prove.split(' '));
    assert_eq!(done.code, Some(0), "{done:?}");
    let message = git(&place, &["log", "-1", "--format=%B", "tune-7"]);
    assert!(
        message.starts_with("Tune Margin\n\nMargin: 100 -> 124\n")
            && message.contains("\nLLR   | ")
            && message.contains("\nSPRT-Proof: run\n")
            && message.ends_with("Bench: 124"),
        "{message}"
    );
    // Both sides are commits: an option would hide what they were built with.
    let plan = place.read("proof/plan.json");
    assert!(
        !plan.contains("\"Gated\"") && !plan.contains("\"Margin\""),
        "{plan}"
    );
}

#[test]
fn a_match_that_was_interrupted_is_continued_by_the_same_command() {
    let place = repository();
    let prove = "prove openbench-7 params.toml --force --bounds=-30,0 --max-games 4000 --seed 7 --out proof";
    let command = place.tuner(prove.split(' '));
    let interrupted = place.interrupted(command, "proof/pairs.jsonl", Signal::SIGINT);
    interrupted.says("continue with the same command and `--out proof`");
    // A match of other values is none of these.
    place.write("openbench-7/digest.csv", &DIGEST.replace("124.5", "130.5"));
    let other = place.run(prove.split(' '));
    assert_eq!(other.code, Some(2), "{other:?}");
    other.says("and not of these values");

    place.write("openbench-7/digest.csv", DIGEST);
    let other = place.run(prove.replace("=-30,0", "=0,3").split(' '));
    assert_eq!(other.code, Some(2), "{other:?}");
    assert!(
        other.stderr.contains("--bounds=-30,0") && other.stderr.contains("--bounds=0,3"),
        "{other:?}"
    );

    let done = place.run(prove.split(' '));
    assert_eq!(done.code, Some(0), "{done:?}");
    let message = git(&place, &["log", "-1", "--format=%B", "tune-7"]);
    assert!(message.contains("\nSPRT-Proof: run\n"), "{message}");
}

#[test]
fn a_build_or_a_bench_that_is_interrupted_ends_prove_as_the_signal_says() {
    // Where the build begins, and where the bench does.
    for (begin, signal) in [("v=$$(", Signal::SIGINT), ("echo \"%s", Signal::SIGTERM)] {
        let place = repository();
        let wait = format!("echo begun > {}; sleep 60; ", place.path("begun").display());
        let makefile = place.read("Makefile");
        place.write("Makefile", &makefile.replace(begin, &(wait + begin)));
        git(&place, &["commit", "-qam", "A slow build"]);
        let prove = "prove openbench-7 params.toml --force --bounds=-200,0";
        place.interrupted(place.tuner(prove.split(' ')), "begun", signal);
    }
}

#[test]
fn the_form_of_a_proof_is_shown_and_nothing_is_sent() {
    let place = repository();
    // The branch is looked for where it is pushed, not where the current one is from.
    for (remote, user) in [("origin", "us"), ("upstream", "them")] {
        let address = format!("git@github.com:{user}/engine.git");
        git(&place, &["remote", "add", remote, &address]);
    }
    git(&place, &["config", "remote.pushDefault", "upstream"]);
    let arguments = "openbench prove openbench-7 params.toml --force --show-form --again";
    let mut command = place.tuner_with_client(arguments.split(' '));
    let shown = command.output().expect("tuner runs");
    let sent = String::from_utf8_lossy(&shown.stdout);
    for flag in [
        "submit test",
        "--dry-run",
        "--again",
        "--assume-pushed",
        "--dev=tune-7",
        "--repo=git@github.com:us/engine.git",
    ] {
        assert!(sent.contains(flag), "{flag}: {shown:?}");
    }
    // What is to be typed later is the submission itself.
    let next = String::from_utf8_lossy(&shown.stderr);
    let next = next.lines().find(|line| line.contains("git push"));
    let next = next.unwrap_or_else(|| panic!("{shown:?}"));
    assert!(
        next.contains("--again") && !next.contains("--dry-run"),
        "{next}"
    );
}

#[test]
fn a_file_that_is_being_edited_is_not_proved() {
    let place = repository();
    let text = place.read("params.toml").replace("max = 400", "max = 300");
    place.write("params.toml", &text);
    for command in [
        vec![
            "openbench",
            "prove",
            "openbench-7",
            "params.toml",
            "--force",
        ],
        vec![
            "prove",
            "openbench-7",
            "params.toml",
            "--force",
            "--dry-run",
        ],
    ] {
        let refused = place.run(&command);
        assert_eq!(refused.code, Some(2), "{refused:?}");
        refused.says("changes that are not committed");
    }
}

#[test]
fn a_file_that_is_not_tracked_is_not_proved() {
    let place = repository();
    place.write("other.toml", &place.read("params.toml"));
    for prove in ["prove", "openbench prove"] {
        let command = format!("{prove} openbench-7 other.toml --force --dry-run");
        let refused = place.run(command.split(' '));
        assert_eq!(refused.code, Some(2), "{refused:?}");
        assert!(
            refused.stderr.contains("other.toml has changes")
                && refused.stderr.contains("or is not tracked"),
            "{refused:?}"
        );
    }
}

#[test]
fn values_that_the_build_does_not_read_are_not_proved() {
    let place = repository();
    let makefile = place.read("Makefile").replace("params.toml", "/dev/null");
    place.write("Makefile", &makefile.replace("\"$$v\"", "100"));
    git(
        &place,
        &["commit", "-qam", "Constants in the source\n\nBench: 100"],
    );
    for prove in ["prove", "openbench prove"] {
        let command = format!("{prove} openbench-7 params.toml --force");
        let refused = place.run(command.split(' '));
        assert_eq!(refused.code, Some(2), "{refused:?}");
        refused.says("the build does not read params.toml");
        assert_eq!(git(&place, &["branch", "--list", "tune-7"]), "");
    }
}

#[test]
fn values_of_a_server_are_written_into_source_and_proved() {
    let place = repository();
    let makefile = place.read("Makefile").replace("params.toml", "search.c");
    let makefile = makefile.replace("^value = ", "^int margin = ");
    place.write("Makefile", &makefile);
    place.write("search.c", "int margin = 100;\nint gated = 3;\n");
    place.write(".gitignore", "*\n!search.c\n!Makefile\n");
    git(&place, &["add", "-A"]);
    git(
        &place,
        &["commit", "-qm", "Constants in the source\n\nBench: 100"],
    );
    let dry = ["apply", "openbench-7", "search.c", "--dry-run"];
    let without = place.run(dry);
    assert_eq!(without.code, Some(2), "{without:?}");
    for part in ["inputs.txt", "fetch the tune again"] {
        without.says(part);
    }
    // As the server writes them.
    place.write(
        "openbench-7/inputs.txt",
        "Margin, int, 100.0, 0.0, 400.0, 12.0, 0.002\nGated, int, 3.0, 1.0, 8.0, 0.6, 0.002\n",
    );
    let patch = place.run(dry);
    assert_eq!(patch.code, Some(0), "{patch:?}");
    assert!(
        patch
            .stdout
            .contains("-int margin = 100;\n+int margin = 124;"),
        "{patch:?}"
    );
    let done = place.run("openbench prove openbench-7 search.c --force".split(' '));
    assert_eq!(done.code, Some(0), "{done:?}");
    let changed = git(&place, &["diff", "main", "tune-7"]);
    assert!(changed.contains("+int margin = 124;"), "{changed}");
    let message = git(&place, &["log", "-1", "--format=%B", "tune-7"]);
    assert!(message.ends_with("Bench: 124"), "{message}");
    git(&place, &["branch", "-qD", "tune-7"]);
    // Source does not say how games are played.
    place.write(
        "whetstone.toml",
        "[tuner]\nnodes = 100\ndraw-adj = 'movenumber=1,movecount=2,score=10'\n\
            resign-adj = 'movecount=1,score=400'\n",
    );
    let prove =
        "prove openbench-7 search.c --force --bounds=-200,0 --max-games 400 --seed 7 --out proof";
    let done = place.run(prove.split(' '));
    assert_eq!(done.code, Some(0), "{done:?}");
    let message = git(&place, &["log", "-1", "--format=%B", "tune-7"]);
    assert!(message.contains("\nSPRT-Proof: run\n"), "{message}");
    let plan = place.read("proof/plan.json");
    assert!(
        plan.contains("\"nodes\": 100") && !plan.contains("\"Margin\""),
        "{plan}"
    );
}
