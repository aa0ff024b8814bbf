//! `fix` after a rebase, in a rebase, and where it must not touch anything.

use std::fs;

use crate::scene::Scene;

/// A branch of twenty commits that was rebased: each bench but the first is that of the tree before
/// the rebase.
fn rebased() -> Scene {
    let scene = Scene::new();
    scene.write("base.sh", "0\n");
    scene.write("Makefile", "EXE ?= engine\nall:\n\t@printf '#!/bin/sh\\necho %s nodes 1 nps\\n' \"$$(cat *.sh | paste -sd+ | xargs -I{} sh -c 'echo $$(( {} ))')\" > $(EXE)\n\t@chmod +x $(EXE)\n\t@echo built >> \"$$HOME/builds\"\n");
    scene.write("engine.sh", "100\n");
    scene.commit("Start\n\nBench: 100");
    scene.git(&["checkout", "-q", "-b", "side"]);
    for number in 1..=20 {
        scene.write(&format!("change{number}.sh"), "1\n");
        scene.commit(&format!(
            "Change {number}\n\nWhy.\n\nBench: {}",
            100 + number
        ));
    }
    scene.git(&["checkout", "-q", "main"]);
    scene.write("base.sh", "1000\n");
    scene.commit("Base\n\nBench: 1100");
    scene.git(&["checkout", "-q", "side"]);
    scene.git(&["rebase", "-q", "main"]);
    scene
}

#[test]
fn a_range_that_ends_before_the_tip_is_repaired_in_the_branch_that_is_checked_out() {
    let scene = rebased();
    let answer = scene.guard(&["fix", "main..side~18"]);
    assert_eq!(answer.code, Some(0), "{}{}", answer.stdout, answer.stderr);
    assert_eq!(scene.guard(&["check", "main..side~18"]).code, Some(0));
    assert_eq!(scene.guard(&["check", "side~18..side"]).code, Some(1));
}

#[test]
fn twenty_rebased_commits_are_repaired_by_one_command() {
    let scene = rebased();
    let shown = |format: &str| scene.git(&["log", "--reverse", format, "main..side"]);
    let kept = "--format=%an %ae %ad %cn %cd %s %T";
    let (before, trees) = (shown(kept), shown("--format=%T"));
    assert_eq!(scene.guard(&["check", "main..side"]).code, Some(1));
    let builds = scene.builds();
    let preview = scene.guard(&["fix", "main..side", "--dry-run"]);
    assert_eq!(preview.code, Some(1), "{}", preview.stderr);
    assert!(
        preview.stdout.ends_with("20 commits: 20 to be corrected\n"),
        "{}",
        preview.stdout
    );
    let tip = scene.git(&["rev-parse", "side"]);
    let answer = scene.guard(&["fix", "main..side"]);
    assert_eq!(answer.code, Some(0), "{}{}", answer.stdout, answer.stderr);
    assert_ne!(scene.git(&["rev-parse", "side"]), tip);
    assert_eq!(scene.builds(), builds, "each tree is built once");
    assert_eq!((shown(kept), shown("--format=%T")), (before, trees));
    assert_eq!(
        scene.git(&["log", "-1", "--format=%B"]),
        "Change 20\n\nWhy.\n\nBench: 1120"
    );
    assert_eq!(scene.git(&["status", "--porcelain"]), "");
    assert_eq!(scene.guard(&["check", "main..side"]).code, Some(0));
    let again = scene.guard(&["fix", "main..side"]);
    assert_eq!(
        (again.code, again.stdout.as_str()),
        (Some(0), "20 commits: 0 corrected\n")
    );
}

#[test]
fn a_branch_is_rewritten_by_any_of_its_names_and_with_its_notes() {
    let scene = rebased();
    for (key, value) in [
        ("notes.rewriteRef", "refs/notes/*"),
        ("user.name", "A"),
        ("user.email", "a@example.org"),
    ] {
        scene.git(&["config", key, value]);
    }
    scene.git(&["notes", "add", "-m", "Remember", "side"]);
    scene.git(&["checkout", "-q", "-b", "other"]);
    let kept = scene.git(&["rev-parse", "other"]);
    for name in ["refs/heads/side", "heads/side"] {
        let answer = scene.guard(&["fix", &format!("main..{name}"), "--force"]);
        assert_eq!(answer.code, Some(0), "{}{}", answer.stdout, answer.stderr);
        assert_eq!(scene.git(&["rev-parse", "other"]), kept);
        let note = scene.git_output(&["notes", "show", "side"]);
        assert_eq!(note.stdout, b"Remember\n", "{}", answer.stderr);
    }
    assert_eq!(scene.guard(&["check", "main..side"]).code, Some(0));
}

#[test]
fn a_commit_whose_parents_are_not_here_is_not_rewritten() {
    let scene = rebased();
    let tip = scene.git(&["rev-parse", "HEAD"]);
    scene.git(&["checkout", "-q", "--detach"]);
    // As `git clone --depth 1` leaves a repository.
    scene.write(".git/shallow", &format!("{tip}\n"));
    let answer = scene.guard(&["fix", "HEAD", "--force"]);
    assert_eq!(answer.code, Some(2), "{}", answer.stdout);
    answer.says("lacks the parents");
    assert_eq!(scene.git(&["rev-parse", "HEAD"]), tip);
}

#[test]
fn a_rebase_repairs_each_commit_as_it_goes() {
    let scene = rebased();
    scene.git(&["reset", "-q", "--hard", "HEAD~17"]);
    let guard = format!("'{}' fix HEAD", env!("CARGO_BIN_EXE_bench-guard"));
    let rebase = scene.git_output(&["rebase", "-q", "--force-rebase", "--exec", &guard, "main"]);
    assert!(
        rebase.status.success(),
        "{}",
        String::from_utf8_lossy(&rebase.stderr)
    );
    assert_eq!(scene.git(&["symbolic-ref", "HEAD"]), "refs/heads/side");
    let answer = scene.guard(&["check", "main..side"]);
    assert_eq!(answer.code, Some(0), "{}", answer.stdout);
}

#[test]
fn published_commits_are_rewritten_only_when_told() {
    let scene = rebased();
    scene.git(&["reset", "-q", "--hard", "HEAD~18"]);
    scene.add_origin();
    scene.git(&["push", "-q", "origin", "side"]);
    let tip = scene.git(&["rev-parse", "HEAD"]);
    let answer = scene.guard(&["fix", "main..side"]);
    assert_eq!(answer.code, Some(2));
    answer.says("is on a remote branch");
    assert_eq!(scene.git(&["rev-parse", "HEAD"]), tip);
    assert_eq!(scene.guard(&["fix", "main..side", "--force"]).code, Some(0));
    assert_ne!(scene.git(&["rev-parse", "HEAD"]), tip);
}

#[test]
fn merges_encodings_and_what_cannot_be_built_are_left_as_they_are() {
    let scene = Scene::new();
    scene.engine(100, "start");
    scene.commit("Start\n\nBench: 100");
    scene.git(&["checkout", "-q", "-b", "side"]);
    scene.write("search.sh", "if then\n");
    let broken = scene.commit("Break it\n\nBench: 100");
    scene.git(&["config", "i18n.commitEncoding", "ISO-8859-1"]);
    let file = scene.beside("latin1");
    fs::write(&file, b"Gr\xfc\xdfe\n\nBench: 5\n").expect("a message");
    scene.engine(101, "repaired");
    scene.git(&["commit", "-q", "-a", "-F", &file.to_string_lossy()]);
    scene.git(&["checkout", "-q", "main"]);
    scene.write("other.sh", "true\n");
    scene.commit("Other\n\nBench: 100");
    scene.git(&[
        "merge",
        "-q",
        "--no-ff",
        "-m",
        "Merge branch 'side'",
        "side",
    ]);
    scene.git(&["tag", "-a", "-m", "Release", "v1", "side"]);
    let answer = scene.guard(&["fix", "HEAD~1..HEAD"]);
    assert_eq!(
        answer.code,
        Some(1),
        "one cannot be repaired: {}",
        answer.stdout
    );
    assert!(
        answer
            .stdout
            .contains(&format!("{} build failed", &broken[..8])),
        "{}",
        answer.stdout
    );
    assert!(
        answer
            .stdout
            .contains("3 commits: 1 corrected, 1 that a bench in the message does not repair"),
        "{}",
        answer.stdout
    );
    for old in ["heads/side", "tags/v1"] {
        let told = format!("`refs/{old}` still points to the old commit");
        answer.says(&told);
    }
    assert_eq!(scene.git(&["rev-list", "--count", "--merges", "HEAD"]), "1");
    let output = scene.git_output(&["cat-file", "commit", "HEAD^2"]);
    assert!(output.stdout.ends_with(b"Gr\xfc\xdfe\n\nBench: 101\n"));
    let old = scene.git(&["rev-parse", "side"]);
    let foreign = scene.guard(&["fix", &format!("HEAD~1..{old}")]);
    assert_eq!(foreign.code, Some(2), "{}", foreign.stdout);
    foreign.says("is not on `main`");
}

#[test]
fn a_corrected_bench_that_drifts_is_still_wrong() {
    let scene = Scene::started();
    scene.engine(101, "change");
    scene.commit("Tidy\n\nNo functional change\nBench: 100");
    let answer = scene.guard(&["fix", "HEAD"]);
    assert_eq!(answer.code, Some(1), "{}", answer.stdout);
    for words in [
        "drift: the message says that nothing changed, the bench went from 100 to 101",
        "1 commit: 1 corrected, 1 that a bench in the message does not repair",
    ] {
        assert!(answer.stdout.contains(words), "{}", answer.stdout);
    }
    let again = scene.guard(&["fix", "HEAD", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&again.stdout).expect("JSON");
    let commit = &json["commits"][0];
    assert_eq!(
        (&commit["fixed"], &commit["left"]),
        (&false.into(), &"drift".into())
    );
}
