//! Which commits an event brings, and how they are fetched where the clone lacks them.

use std::{fs, path::Path};

use super::{action, scene};
use crate::scene::{BLOCK, Scene};

/// The repository as GitHub has it: `main` is at the base, and the clone that is checked knows it
/// as `origin`.
fn cloned(scene: &Scene, base: &str) {
    let origin = scene.beside("origin.git");
    let origin = origin.to_string_lossy();
    scene.git(&["clone", "-q", "--bare", ".", &origin]);
    scene.git(&["remote", "add", "origin", &origin]);
    scene.git(&[
        "push",
        "-q",
        "--force",
        "origin",
        &format!("{base}:refs/heads/main"),
    ]);
}

pub const NO_COMMIT: &str = "0000000000000000000000000000000000000000";

#[test]
fn of_a_tag_the_commit_is_checked() {
    let (scene, [_, _, wrong]) = scene();
    cloned(&scene, &wrong);
    let event = [
        ("EVENT_BASE", NO_COMMIT),
        ("EVENT_HEAD", &*wrong),
        ("EVENT_DEFAULT", "main"),
        ("EVENT_REF", "refs/tags/v1"),
    ];
    let (answer, outputs) = action(&scene, &event);
    assert_eq!(answer.code, Some(1), "{}{}", answer.stdout, answer.stderr);
    assert!(outputs.contains("checked=1\nwrong=1\n"), "{outputs}");
}

#[test]
fn all_commits_of_a_new_branch_are_checked() {
    let (scene, [base, right, wrong]) = scene();
    cloned(&scene, &base);
    let of = |head: &str| {
        action(
            &scene,
            &[
                ("EVENT_BASE", NO_COMMIT),
                ("EVENT_HEAD", head),
                ("EVENT_DEFAULT", "main"),
                ("EVENT_REF", "refs/heads/side"),
            ],
        )
    };
    let (answer, outputs) = of(&right);
    assert_eq!(answer.code, Some(0), "{}{}", answer.stdout, answer.stderr);
    assert!(outputs.contains("checked=1\n"), "{outputs}");
    // The wrong commit is below the tip now.
    scene.engine(103, "three");
    let tip = scene.commit("Three\n\nBench: 103");
    let (answer, outputs) = of(&tip);
    assert_eq!(answer.code, Some(1), "{}", answer.stdout);
    assert!(outputs.contains("checked=3\nwrong=1\n"), "{outputs}");
    assert_ne!(wrong, tip);
    // A branch that adds nothing.
    let (answer, outputs) = of(&base);
    assert_eq!(answer.code, Some(0), "{}", answer.stdout);
    assert!(outputs.contains("checked=0\n"), "{outputs}");
}

#[test]
fn a_new_branch_may_not_show_a_test_of_the_default_branch() {
    let (scene, [base, ..]) = scene();
    let commit = |nodes: u64, subject: &str| {
        scene.git(&["checkout", "-q", "--detach", &base]);
        scene.engine(nodes, subject);
        scene.commit(&format!("{subject}\n\n{BLOCK}\n\nBench: {nodes}"))
    };
    let first = commit(101, "First");
    cloned(&scene, &first);
    let head = commit(102, "Second");
    let event = [
        ("EVENT_BASE", NO_COMMIT),
        ("EVENT_HEAD", &*head),
        ("EVENT_DEFAULT", "main"),
        ("EVENT_REF", "refs/heads/side"),
        ("INPUT_REQUIRE_SPRT", "true"),
        ("INPUT_BUILD", "false"),
    ];
    let (answer, outputs) = action(&scene, &event);
    assert_eq!(answer.code, Some(1), "{}", answer.stdout);
    assert!(outputs.contains("checked=1\nwrong=1\n"), "{outputs}");
}

#[test]
fn a_rewritten_branch_keeps_the_tests_of_the_commits_that_it_had() {
    let (scene, [base, ..]) = scene();
    cloned(&scene, &base);
    let commit = |change: &str| {
        scene.git(&["checkout", "-q", "--detach", &base]);
        scene.engine(101, change);
        scene.commit(&format!("Tune\n\n{BLOCK}\n\nBench: 101"))
    };
    let (before, head) = (commit("tuned"), commit("tuned, with a comment"));
    // What the default branch had is not taken back by a forced push, and what a target has is not of the pull request.
    for (name, reference, code) in [
        ("push", "refs/heads/side", 0),
        ("push", "refs/heads/main", 1),
        ("pull_request", "refs/pull/1/merge", 1),
    ] {
        let event = [
            ("EVENT_NAME", name),
            ("EVENT_BASE", &before),
            ("EVENT_HEAD", &head),
            ("EVENT_DEFAULT", "main"),
            ("EVENT_REF", reference),
            ("INPUT_REQUIRE_SPRT", "true"),
        ];
        let (answer, outputs) = action(&scene, &event);
        assert_eq!(answer.code, Some(code), "{reference}: {}", answer.stdout);
        assert!(outputs.contains("checked=1\n"), "{outputs}");
    }
}

#[test]
fn all_commits_of_a_rewritten_branch_are_checked() {
    let (scene, [base, _, wrong]) = scene();
    cloned(&scene, &base);
    scene.git(&["checkout", "-q", "--detach", &base]);
    scene.engine(104, "other one");
    let one = scene.commit("Other one\n\nBench: 5");
    scene.engine(105, "other two");
    let tip = scene.commit("Other two\n\nBench: 105");
    let of = |before: &str, reference: &str| {
        action(
            &scene,
            &[
                ("EVENT_NAME", "push"),
                ("EVENT_BASE", before),
                ("EVENT_HEAD", &tip),
                ("EVENT_DEFAULT", "main"),
                ("EVENT_REF", reference),
            ],
        )
    };
    // The old tip may be in the clone, on the server only, or gone.
    for before in [wrong.as_str(), &"1".repeat(40)] {
        let (answer, outputs) = of(before, "refs/heads/side");
        assert_eq!(answer.code, Some(1), "{}", answer.stdout);
        assert!(outputs.contains("checked=2\nwrong=1\n"), "{outputs}");
    }
    // A push that rewrites nothing.
    let (_, outputs) = of(&one, "refs/heads/side");
    assert!(outputs.contains("checked=1\nwrong=0\n"), "{outputs}");
    // Of the default branch itself nothing tells what it had.
    let (answer, _) = of(&"1".repeat(40), "refs/heads/main");
    assert_eq!(answer.code, Some(2));
    assert!(
        answer.stdout.contains("give the input 'range'"),
        "{}",
        answer.stdout
    );
}

#[test]
fn a_fork_is_checked_through_the_merge_that_github_fetches() {
    let (scene, [base, right, wrong]) = scene();
    cloned(&scene, &base);
    // GitHub gives a job the merge of base and head; the head is its second parent, and on no
    // branch.
    let clone = scene.beside("clone");
    let directory = clone.to_string_lossy().into_owned();
    for (head, code) in [(&right, 0), (&wrong, 1)] {
        scene.git(&["checkout", "-q", "--detach", &base]);
        scene.git(&["merge", "-q", "--no-ff", "-m", "Merge", head]);
        scene.git(&["push", "-q", "--force", "origin", "HEAD:refs/pull/1/merge"]);
        let _ = fs::remove_dir_all(&clone);
        scene.git(&["init", "-q", &directory]);
        let url = scene.beside("origin.git").to_string_lossy().into_owned();
        for arguments in [
            &["remote", "add", "origin", url.as_str()][..],
            &[
                "fetch",
                "-q",
                "origin",
                "+refs/pull/1/merge:refs/remotes/pull/1/merge",
            ],
            &["checkout", "-q", "--detach", "refs/remotes/pull/1/merge"],
        ] {
            assert!(scene.git_in(&clone, arguments).status.success());
        }
        let (answer, _) = action(
            &scene,
            &[
                ("EVENT_BASE", &base),
                ("EVENT_HEAD", head),
                ("EVENT_DEFAULT", "main"),
                ("EVENT_REF", "refs/pull/1/merge"),
                ("INPUT_DIRECTORY", &directory),
            ],
        );
        assert_eq!(
            answer.code,
            Some(code),
            "{}{}",
            answer.stdout,
            answer.stderr
        );
    }
}

#[test]
fn a_shallow_clone_is_deepened() {
    let (scene, [base, right, wrong]) = scene();
    let clone = scene.beside("clone");
    let url = format!("file://{}", scene.root().display());
    scene.git(&[
        "clone",
        "-q",
        "--depth",
        "1",
        &url,
        &clone.to_string_lossy(),
    ]);
    let directory = clone.to_string_lossy().into_owned();
    // The tip is there, but not its parent; in the end all is there.
    for (head, code, count) in [(&wrong, 1, "checked=2\n"), (&right, 0, "checked=1\n")] {
        let (answer, outputs) = action(
            &scene,
            &[
                ("EVENT_BASE", &base),
                ("EVENT_HEAD", head),
                ("INPUT_DIRECTORY", &directory),
            ],
        );
        let text = format!("{}{}", answer.stdout, answer.stderr);
        assert_eq!(answer.code, Some(code), "{text}");
        assert!(outputs.contains(count), "{outputs}");
    }
}

#[test]
fn commits_that_only_the_server_has_are_fetched() {
    let (scene, [base, right, wrong]) = scene();
    cloned(&scene, &base);
    // The head of a pull request, and the old tip of a branch that was rewritten.
    scene.git(&["push", "-q", "origin", &format!("{wrong}:refs/pull/1/head")]);
    scene.git(&["checkout", "-q", "--detach", &right]);
    scene.engine(103, "rewritten");
    let tip = scene.commit("Rewritten\n\nBench: 103");
    scene.git(&["push", "-q", "origin", &format!("{tip}:refs/heads/side")]);
    let none = NO_COMMIT.to_owned();
    for (name, there, before, head, count) in [
        ("pull", "main", &base, &wrong, "checked=2\nwrong=1\n"),
        ("push", "main", &wrong, &tip, "checked=1\nwrong=0\n"),
        ("create", "side", &none, &tip, "checked=2\nwrong=0\n"),
    ] {
        let clone = scene.beside(name).to_string_lossy().into_owned();
        let url = format!("file://{}", scene.beside("origin.git").display());
        scene.git(&["clone", "-q", "--single-branch", "-b", there, &url, &clone]);
        let reference = format!("refs/heads/{there}");
        let (answer, outputs) = action(
            &scene,
            &[
                ("EVENT_BASE", before),
                ("EVENT_HEAD", head),
                ("EVENT_DEFAULT", "main"),
                ("EVENT_REF", &reference),
                ("INPUT_DIRECTORY", &clone),
            ],
        );
        assert!(outputs.contains(count), "{}{outputs}", answer.stdout);
        let fetched = scene.git_in(Path::new(&clone), &["cat-file", "-e", head]);
        assert!(fetched.status.success());
    }
    let (answer, _) = action(&scene, &[("EVENT_HEAD", &"1".repeat(40))]);
    assert_eq!(answer.code, Some(2), "{}", answer.stdout);
    assert!(
        answer.stdout.contains("'fetch-depth: 0'"),
        "{}",
        answer.stdout
    );
    for folder in ["nowhere", ".."] {
        let (answer, _) = action(&scene, &[("INPUT_DIRECTORY", folder)]);
        assert_eq!(answer.code, Some(2), "{folder}: {}", answer.stdout);
        assert!(answer.stdout.contains("'directory'"), "{}", answer.stdout);
    }
}

#[test]
fn where_an_event_names_no_commits_the_one_that_is_checked_out_is_checked() {
    let (scene, _) = scene();
    let (answer, outputs) = action(&scene, &[("EVENT_NAME", "workflow_dispatch")]);
    assert_eq!(answer.code, Some(1), "{}", answer.stdout);
    assert!(outputs.contains("checked=1\nwrong=1\n"), "{outputs}");
}

#[test]
fn of_a_new_default_branch_the_tip_is_checked() {
    let (scene, [_, right, _]) = scene();
    let event = [
        ("EVENT_BASE", NO_COMMIT),
        ("EVENT_HEAD", right.as_str()),
        ("EVENT_DEFAULT", "main"),
        ("EVENT_REF", "refs/heads/main"),
    ];
    let (answer, outputs) = action(&scene, &event);
    assert_eq!(answer.code, Some(0), "{}", answer.stdout);
    assert!(outputs.contains("checked=1\n"), "{outputs}");
    assert!(answer.stdout.contains("only its tip"), "{}", answer.stdout);
}
