//! Whether the test that a commit shows is its own.

use crate::scene::{BLOCK, Finished, Scene};

fn proved(scene: &Scene, range: &str) -> Finished {
    scene.guard(&["check", range, "--no-build", "--require-sprt", "--json"])
}

#[test]
fn a_test_proves_one_patch() {
    let scene = Scene::started();
    scene.engine(101, "first");
    scene.commit(&format!("First\n\n{BLOCK}\n\nBench: 101"));
    scene.engine(102, "second");
    let again = BLOCK.replace(", ", ",");
    scene.commit(&format!("Second\n\n{again}\n\nBench: 102"));
    scene.engine(103, "third");
    scene.commit(&format!(
        "Third\n\nAs in First:\n> {}\n\nBench: 103",
        BLOCK.replace('\n', "\n> ")
    ));
    let answer = proved(&scene, "HEAD~3..HEAD");
    assert_eq!(answer.verdict("First"), "ok", "{}", answer.stdout);
    assert_eq!(answer.verdict("Second"), "unproved", "{}", answer.stdout);
    assert_eq!(answer.verdict("Third"), "unproved");
    assert_eq!(answer.code, Some(1));
    // Also where the commit that was tested is not in the range.
    let answer = proved(&scene, "HEAD~1");
    assert_eq!(answer.verdict("Second"), "unproved", "{}", answer.stdout);
    assert!(answer.stdout.contains("First"), "{}", answer.stdout);
    // Also where that commit needs no proof.
    let scene = Scene::started();
    scene.write("README.md", "results\n");
    scene.commit(&format!("Results\n\n{BLOCK}"));
    scene.engine(101, "first");
    scene.commit(&format!("First\n\n{BLOCK}\n\nBench: 101"));
    let answer = proved(&scene, "HEAD");
    assert_eq!(answer.verdict("First"), "unproved", "{}", answer.stdout);
}

#[test]
fn a_test_of_the_target_branch_proves_nothing_about_a_branch_that_left_it_before() {
    let scene = Scene::started();
    scene.git(&["branch", "side"]);
    scene.engine(101, "first");
    scene.commit(&format!("First\n\n{BLOCK}\n\nBench: 101"));
    scene.git(&["checkout", "-q", "side"]);
    scene.engine(102, "second");
    scene.commit(&format!("Second\n\n{BLOCK}\n\nBench: 102"));
    let answer = proved(&scene, "main..side");
    assert_eq!(answer.verdict("Second"), "unproved", "{}", answer.stdout);
    // Also where it takes the target branch in afterwards.
    scene.git(&["merge", "-q", "-s", "ours", "-m", "Merge", "main"]);
    let answer = proved(&scene, "main..side");
    assert_eq!(answer.verdict("Second"), "unproved", "{}", answer.stdout);
}

#[test]
fn a_test_that_was_shown_in_another_form_was_shown() {
    let counts = "28, 858, 1839, 983, 33";
    for (shown, verdict) in [
        (format!("```\n{BLOCK}\n```"), "unproved"),
        (
            format!("Ptnml(0-2): [{counts}], WL/DD Ratio: 0.91"),
            "unproved",
        ),
        (format!("Pairs: {counts}."), "unproved"),
        (format!("> {}", BLOCK.replace('\n', "\n> ")), "ok"),
        (format!("Pairs: {counts}, 7"), "ok"),
    ] {
        let scene = Scene::started();
        scene.engine(101, "first");
        scene.commit(&format!("First\n\n{shown}\n\nBench: 101"));
        scene.engine(102, "second");
        scene.commit(&format!("Second\n\n{BLOCK}\n\nBench: 102"));
        let answer = proved(&scene, "HEAD");
        assert_eq!(
            answer.verdict("Second"),
            verdict,
            "{shown}: {}",
            answer.stdout
        );
    }
}

#[test]
fn a_cherry_pick_keeps_its_proof() {
    let scene = Scene::started();
    scene.write("eval.sh", "1\n2\n3\n4\n5\n6\n7\n8\n9\n");
    scene.commit("Evaluate\n\nBench: 100");
    scene.git(&["checkout", "-q", "-b", "stable"]);
    scene.write("eval.sh", "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n");
    scene.commit("Extend\n\nBench: 100");
    scene.git(&["checkout", "-q", "main"]);
    scene.write("eval.sh", "0\n2\n3\n4\n5\n6\n7\n8\n9\n");
    scene.commit(&format!("Tune\n\n{BLOCK}\n\nBench: 101"));
    scene.git(&["checkout", "-q", "stable"]);
    scene.git(&["cherry-pick", "main"]);
    scene.git(&["merge", "-q", "--no-ff", "-m", "Merge", "main"]);
    let answer = proved(&scene, "HEAD^1");
    assert_eq!(answer.verdict("Tune"), "ok", "{}", answer.stdout);
    let answer = proved(&scene, "HEAD~2..HEAD");
    assert_eq!(answer.verdict("Tune"), "ok", "{}", answer.stdout);
    // Taken back and applied again: the patch is the one that was tested, but not with a byte more.
    scene.git(&["revert", "--no-edit", "main"]);
    scene.git(&["cherry-pick", "main"]);
    let answer = proved(&scene, "HEAD");
    assert_eq!(answer.verdict("Tune"), "ok", "{}", answer.stdout);
    for (path, text) in [
        ("eval.sh", "0 \n2\n3\n4\n5\n6\n7\n8\n9\n10\n"),
        ("network.bin", "\0\u{1}"),
    ] {
        scene.write(path, text);
        scene.git(&["add", "-A"]);
        scene.git(&["commit", "-q", "--amend", "--no-edit"]);
        let answer = proved(&scene, "HEAD");
        assert_eq!(
            answer.verdict("Tune"),
            "unproved",
            "{path}: {}",
            answer.stdout
        );
        scene.git(&["reset", "-q", "--hard", "HEAD@{1}"]);
    }
}

#[test]
fn a_patch_that_was_tested_once_is_applied_once() {
    // Two functions whose lines are the same, and a list of equal lines.
    let (old, new) = ("{\n 1\n 2\n 3\n 4\n}\n", "{\n 1\n 2\n 9\n 4\n}\n");
    let pair = |one: &str, other: &str| format!("{one}{}{other}", "between\n".repeat(9));
    let list = |length: usize| "x\n".repeat(length);
    for [before, once, twice] in [
        [pair(old, old), pair(new, old), pair(new, new)],
        [list(9), list(10), list(11)],
    ] {
        let scene = Scene::started();
        scene.write("eval.sh", &before);
        scene.commit("Evaluate\n\nBench: 100");
        scene.write("eval.sh", &once);
        scene.commit(&format!("Tune\n\n{BLOCK}\n\nBench: 101"));
        scene.write("eval.sh", &twice);
        scene.commit(&format!("Tune more\n\n{BLOCK}\n\nBench: 102"));
        let answer = proved(&scene, "HEAD~2..HEAD");
        assert_eq!(answer.verdict("Tune"), "ok", "{}", answer.stdout);
        assert_eq!(answer.verdict("Tune more"), "unproved", "{}", answer.stdout);
    }
}

#[test]
fn a_patch_that_was_tested_in_one_function_proves_nothing_in_another() {
    let (old, new) = ("{\n 1\n 2\n 3\n 4\n}\n", "{\n 1\n 2\n 9\n 4\n}\n");
    let pair = |one: &str, other: &str| format!("{one}{}{other}", "between\n".repeat(9));
    let scene = Scene::started();
    scene.write("eval.sh", &pair(old, old));
    scene.commit("Evaluate\n\nBench: 100");
    scene.git(&["branch", "side"]);
    scene.write("eval.sh", &pair(new, old));
    scene.commit(&format!("Tune\n\n{BLOCK}\n\nBench: 101"));
    scene.git(&["checkout", "-q", "side"]);
    scene.write("eval.sh", &pair(old, new));
    scene.commit(&format!("Tune elsewhere\n\n{BLOCK}\n\nBench: 102"));
    let answer = proved(&scene, "main..side");
    assert_eq!(
        answer.verdict("Tune elsewhere"),
        "unproved",
        "{}",
        answer.stdout
    );
}

#[test]
fn a_mode_or_a_submodule_beside_a_tested_patch_makes_another() {
    let changes: [(&str, &[&str]); 2] = [
        ("mode", &["--chmod=+x", "eval.sh"]),
        (
            "submodule",
            &[
                "--add",
                "--cacheinfo",
                "160000,1111111111111111111111111111111111111111,sub",
            ],
        ),
    ];
    for (name, arguments) in changes {
        let scene = Scene::started();
        scene.write("eval.sh", "1\n");
        scene.commit("Evaluate\n\nBench: 100");
        scene.git(&["branch", "side"]);
        scene.engine(101, "tuned");
        scene.commit(&format!("Tune\n\n{BLOCK}\n\nBench: 101"));
        scene.git(&["checkout", "-q", "side"]);
        scene.engine(101, "tuned");
        scene.git(&["add", "-A"]);
        scene.git(&[&["update-index"], arguments].concat());
        let message = format!("Tune and more\n\n{BLOCK}\n\nBench: 101");
        scene.git(&["commit", "-q", "-m", &message]);
        let answer = proved(&scene, "main..side");
        assert_eq!(
            answer.verdict("Tune and more"),
            "unproved",
            "{name}: {}",
            answer.stdout
        );
    }
}

#[test]
fn two_networks_are_two_patches() {
    let scene = Scene::started();
    scene.write("network.bin", "\0\u{1}");
    scene.commit("Network\n\nBench: 100");
    for (subject, bytes, bench) in [
        ("Retrain", "\0\u{2}", 101),
        ("Retrain again", "\0\u{3}", 102),
    ] {
        scene.write("network.bin", bytes);
        scene.commit(&format!("{subject}\n\n{BLOCK}\n\nBench: {bench}"));
    }
    let answer = proved(&scene, "HEAD~2..HEAD");
    assert_eq!(answer.verdict("Retrain"), "ok", "{}", answer.stdout);
    assert_eq!(answer.verdict("Retrain again"), "unproved");
}

#[test]
fn where_the_history_is_cut_off_no_test_is_known_to_be_new() {
    let scene = Scene::started();
    scene.engine(101, "first");
    scene.commit(&format!("First\n\n{BLOCK}\n\nBench: 101"));
    scene.engine(102, "second");
    scene.commit(&format!("Second\n\n{BLOCK}\n\nBench: 102"));
    let clone = scene.shallow("1");
    let answer = scene.guard_in(&clone, &["check", "HEAD", "--no-build", "--require-sprt"]);
    assert_eq!(answer.code, Some(2), "{}{}", answer.stdout, answer.stderr);
    answer.says("shallow");
}
