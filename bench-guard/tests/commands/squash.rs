//! Squash merges, which quote the messages of the commits that they join.

use crate::scene::Scene;

/// A branch `topic` of three commits, the middle of which changes nothing; `main` is checked out.
fn scene() -> Scene {
    let scene = Scene::started();
    scene.git(&["checkout", "-q", "-b", "topic"]);
    scene.engine(101, "one");
    scene.commit("LMR 60\n\nBench: 101");
    scene.engine(101, "tidy");
    scene.commit("Tidy\n\nNo functional change");
    scene.engine(102, "two");
    scene.commit("LMR 70\n\nBench: 102");
    scene.git(&["checkout", "-q", "main"]);
    scene
}

#[test]
fn hooks_let_a_squash_pass_that_quotes_a_commit_without_functional_change() {
    let scene = scene();
    assert_eq!(scene.guard(&["install"]).code, Some(0));
    scene.git(&["merge", "-q", "--squash", "topic"]);
    let committed = scene.git_output(&["commit", "-q", "--no-edit"]);
    let said = String::from_utf8_lossy(&committed.stderr);
    assert!(committed.status.success(), "{said}");
    let answer = scene.guard(&["check", "HEAD", "--json"]);
    assert_eq!(answer.code, Some(0), "{}{}", answer.stdout, answer.stderr);
}

#[test]
fn what_github_makes_of_a_squash_owes_the_bench_of_its_tree() {
    let scene = scene();
    scene.git(&["merge", "-q", "--squash", "topic"]);
    let title = "Late moves (#12)";
    let tidy = "* Tidy\n\nNo functional change";
    let right = format!("{title}\n\n* LMR 60\n\nBench: 101\n\n{tidy}\n\n* LMR 70\n\nBench: 102");
    let wrong = right.replace("102", "103");
    let none = format!("{title}\n\n* LMR 60\n\n{tidy}");
    let all_tidy = format!("{title}\n\n{tidy}\n\n{tidy}\n\nBench: 102");
    let no_squash = "Late moves\n\n* LMR 60\n\n* Tidy\n\nNo functional change\n\nBench: 102";
    for (message, expected) in [
        (&*right, "ok"),
        (&*wrong, "mismatch"),
        (&*none, "missing"),
        (&*all_tidy, "drift"),
        (no_squash, "drift"),
    ] {
        scene.commit(message);
        let subject = message.lines().next().unwrap_or_default();
        let answer = scene.guard(&["check", "HEAD", "--json"]);
        assert_eq!(answer.verdict(subject), expected, "{message}");
        let fixed = scene.guard(&["fix", "HEAD"]);
        let is_repaired = expected != "drift";
        let code = Some(i32::from(!is_repaired));
        assert_eq!(
            fixed.code, code,
            "{message}: {}{}",
            fixed.stdout, fixed.stderr
        );
        let answer = scene.guard(&["check", "HEAD"]);
        assert_eq!(answer.code, code, "{message}: {}", answer.stdout);
        scene.git(&["reset", "-q", "--soft", "HEAD~1"]);
    }
}
