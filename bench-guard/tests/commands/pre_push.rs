//! The hook before a push, run by git itself.

use crate::hooks::installed;
use crate::scene::{Finished, Scene};

fn push(scene: &Scene, arguments: &[&str]) -> Finished {
    Finished::from(&scene.git_output(&[&["push", "-q", "origin"], arguments].concat()))
}

#[test]
fn pre_push_stops_wrong_benches() {
    let scene = installed();
    scene.add_origin();
    let push = |arguments: &[&str]| push(&scene, arguments);
    assert_eq!(push(&["main"]).code, Some(0));
    scene.engine(101, "one");
    scene.commit("Tune\n\nBench: 5");
    let answer = push(&["main"]);
    assert_eq!(answer.code, Some(1));
    assert!(
        answer
            .stderr
            .contains("the message says 5, the engine says 101"),
        "{}",
        answer.stderr
    );
    assert_eq!(push(&["--no-verify", "main"]).code, Some(0));
    // A new branch: only what the remote lacks is read.
    scene.git(&["checkout", "-q", "-b", "side"]);
    scene.engine(102, "two");
    scene.commit("Tune\n\nBench: 102");
    let answer = push(&["side"]);
    assert_eq!(answer.code, Some(0), "{}", answer.stderr);
    assert_eq!(
        push(&[":side"]).code,
        Some(0),
        "a deletion is nobody's bench"
    );
}

#[test]
fn a_wrong_commit_that_the_remote_has_does_not_stop_the_push_of_a_merge() {
    let scene = installed();
    scene.add_origin();
    let push = |arguments: &[&str]| push(&scene, arguments);
    assert_eq!(push(&["main", "main:feature"]).code, Some(0));
    scene.engine(101, "by somebody");
    scene.commit("Forget");
    assert_eq!(push(&["--no-verify", "main"]).code, Some(0));
    scene.git(&["checkout", "-q", "-b", "feature", "main~1"]);
    scene.write("notes", "of the feature");
    scene.commit("Note\n\nNo functional change.");
    scene.git(&["merge", "-q", "-m", "Merge\n\nBench: 101", "main"]);
    let answer = push(&["feature"]);
    assert_eq!(answer.code, Some(0), "{}", answer.stderr);
    // What the remote lacks is checked.
    scene.engine(102, "more");
    scene.commit("Forget again");
    let answer = push(&["feature"]);
    assert_eq!(answer.code, Some(1), "{}", answer.stderr);
    assert!(answer.stderr.contains("Forget again"), "{}", answer.stderr);
}

#[test]
fn a_refused_push_shows_what_was_measured() {
    let scene = installed();
    let remote = scene.beside("remote.git");
    scene.git(&["init", "-q", "--bare", &remote.to_string_lossy()]);
    scene.git(&["push", "-q", &remote.to_string_lossy(), "main"]);
    scene.engine(101, "one");
    scene.commit("Forget");
    scene.engine(102, "two");
    scene.commit("Guess\n\nBench: 102");
    scene.engine(103, "three");
    scene.commit("Guess wrong\n\nBench: 3");
    let pushed = scene.git_output(&["push", "-q", &remote.to_string_lossy(), "main"]);
    let answer = Finished::from(&pushed).stderr;
    let line = |subject: &str| {
        let line = answer.lines().find(|line| line.ends_with(subject));
        line.unwrap_or_else(|| panic!("{answer}")).to_owned()
    };
    assert!(line("  Forget").starts_with("missing "), "{answer}");
    let guess = line("  Guess");
    assert!(guess.starts_with("ok "), "{answer}");
    assert!(guess.contains(" (102)  "), "{answer}");
    let wrong = line("  Guess wrong");
    assert!(wrong.starts_with("mismatch "), "{answer}");
    assert!(wrong.contains(" 103  "), "{answer}");
}

#[test]
fn pre_push_of_the_pre_commit_framework_is_told_by_variables() {
    let scene = installed();
    scene.engine(101, "one");
    let right = scene.commit("One\n\nBench: 101");
    scene.engine(102, "two");
    let wrong = scene.commit("Two\n\nNo functional change.");
    let pushed = |refs: &[(&str, &str)]| {
        let output = scene
            .command(env!("CARGO_BIN_EXE_bench-guard"))
            .args(["hook", "pre-push"])
            .current_dir(scene.root())
            .env("PRE_COMMIT_LOCAL_BRANCH", "refs/heads/main")
            .env("PRE_COMMIT_REMOTE_BRANCH", "refs/heads/main")
            .envs(refs.iter().copied())
            .stdin(std::process::Stdio::null())
            .output();
        Finished::from(&output.expect("bench-guard starts"))
    };
    let refs = [
        ("PRE_COMMIT_FROM_REF", &*right),
        ("PRE_COMMIT_TO_REF", &*wrong),
    ];
    let answer = pushed(&refs);
    assert_eq!(answer.code, Some(1), "{}", answer.stderr);
    // A first push, of which it names no commits.
    let answer = pushed(&[]);
    assert_eq!(answer.code, Some(1), "{}", answer.stderr);
    scene.git(&["reset", "-q", "--hard", &right]);
    assert_eq!(pushed(&[]).code, Some(0));
}

#[test]
fn pre_push_refuses_a_commit_in_the_middle_that_is_known_to_be_wrong() {
    let scene = installed();
    scene.add_origin();
    scene.git(&["push", "-q", "origin", "main"]);
    scene.engine(101, "one");
    let wrong = scene.commit("Tune\n\nBench: 5");
    scene.engine(102, "two");
    scene.commit("Tune more\n\nBench: 102");
    let builds = scene.builds();
    assert!(scene.guard(&["bench", &wrong]).stdout.contains("101"));
    let answer = push(&scene, &["main"]);
    assert_eq!(answer.code, Some(1), "{}", answer.stderr);
    assert!(
        answer
            .stderr
            .contains("the message says 5, the engine says 101"),
        "{}",
        answer.stderr
    );
    assert_eq!(
        scene.builds(),
        builds + 2,
        "the wrong one by hand, and the tip"
    );
}

#[test]
fn a_tag_of_a_file_is_pushed() {
    let scene = Scene::started();
    scene.add_origin();
    assert_eq!(scene.guard(&["install", "--no-build"]).code, Some(0));
    scene.git(&["tag", "key", "HEAD:Makefile"]);
    let pushed = scene.git_output(&["push", "-q", "origin", "key"]);
    let said = String::from_utf8_lossy(&pushed.stderr).into_owned();
    assert!(pushed.status.success(), "{said}");
}
