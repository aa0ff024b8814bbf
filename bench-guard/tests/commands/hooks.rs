//! The hooks, run by git itself.

use std::fs;

use crate::scene::{Finished, Scene, script};

pub(crate) fn installed() -> Scene {
    let scene = Scene::new();
    scene.engine(100, "start");
    scene.commit("Start\n\nBench: 100");
    let answer = scene.guard(&["install"]);
    assert_eq!(answer.code, Some(0), "{}", answer.stderr);
    scene
}

pub(crate) fn commit(scene: &Scene, arguments: &[&str]) -> Finished {
    Finished::from(&scene.git_output(&[&["commit", "-q"], arguments].concat()))
}

pub(crate) fn message(scene: &Scene) -> String {
    scene.git(&["log", "-1", "--format=%B"])
}

#[test]
fn the_bench_of_what_is_committed_is_filled_in_not_that_of_the_work_tree() {
    let scene = installed();
    scene.engine(101, "staged");
    scene.git(&["add", "-A"]);
    scene.engine(102, "not staged");
    let answer = commit(&scene, &["-m", "Tune margin"]);
    assert_eq!(answer.code, Some(0), "{}", answer.stderr);
    assert_eq!(message(&scene), "Tune margin\n\nBench: 101");
    // `commit -a` commits from an index of its own.
    let answer = commit(&scene, &["-a", "-m", "Tune again"]);
    assert_eq!(answer.code, Some(0), "{}", answer.stderr);
    assert_eq!(message(&scene), "Tune again\n\nBench: 102");
    assert_eq!(scene.guard(&["check", "HEAD~2..HEAD"]).code, Some(0));
    assert_eq!(scene.git(&["status", "--porcelain"]), "");
}

#[test]
fn a_first_commit_owes_a_bench_if_it_has_what_the_bench_depends_on() {
    let scene = Scene::new();
    assert_eq!(scene.guard(&["install", "--no-build"]).code, Some(0));
    scene.write("README.md", "An engine");
    scene.git(&["add", "README.md"]);
    let answer = commit(&scene, &["-m", "Start"]);
    assert_eq!(answer.code, Some(0), "{}", answer.stderr);
    assert_eq!(message(&scene), "Start");
    scene.engine(100, "start");
    scene.git(&["checkout", "-q", "--orphan", "fresh"]);
    scene.git(&["add", "-A"]);
    let answer = commit(&scene, &["-m", "Start"]);
    assert_eq!(answer.code, Some(0), "{}", answer.stderr);
    assert_eq!(message(&scene), "Start\n\nBench: 100");
}

#[test]
fn hooks_for_all_repositories_are_not_installed() {
    let scene = Scene::started();
    let global = scene.beside("gitconfig");
    fs::write(&global, "[core]\nhooksPath = ~/hooks\n").expect("written");
    let mut install = scene.command(env!("CARGO_BIN_EXE_bench-guard"));
    install
        .args(["install", "--no-build"])
        .current_dir(scene.root());
    install.env("GIT_CONFIG_GLOBAL", &global);
    let answer = Finished::from(&install.output().expect("it starts"));
    assert_eq!(answer.code, Some(2), "{}", answer.stderr);
    answer.says("set for all repositories");
    assert!(!scene.beside("hooks").exists());
    scene.git(&["config", "core.hooksPath", ".git/hooks"]);
    let answer = Finished::from(&install.output().expect("it starts"));
    assert_eq!(answer.code, Some(0), "{}", answer.stderr);
}

#[test]
fn hooks_of_husky_are_left_as_they_are() {
    let scene = Scene::started();
    scene.git(&["config", "core.hooksPath", ".husky/_"]);
    // It runs `.husky/NAME`, by the name that it was started under.
    let stub = "#!/usr/bin/env sh\n. \"${0%/*}/h\"";
    for (name, text) in [("h", "exit 0\n"), ("commit-msg", stub)] {
        scene.write(&format!(".husky/_/{name}"), text);
    }
    let answer = scene.guard(&["install", "--no-build"]);
    assert_eq!(answer.code, Some(2), "{}", answer.stdout);
    answer.says("bench-guard hook NAME");
    let left = scene.root().join(".husky/_/commit-msg");
    assert_eq!(fs::read_to_string(left).expect("there"), stub);
}

#[test]
fn an_amended_commit_gets_the_bench_of_its_new_tree() {
    let scene = installed();
    scene.engine(101, "one");
    commit(&scene, &["-a", "-m", "Tune margin"]);
    scene.engine(103, "two");
    let answer = commit(&scene, &["-a", "--amend", "--no-edit"]);
    assert_eq!(answer.code, Some(0), "{}", answer.stderr);
    assert_eq!(message(&scene), "Tune margin\n\nBench: 103");
}

#[test]
fn a_wrong_bench_typed_by_hand_is_replaced() {
    let scene = installed();
    scene.engine(101, "one");
    let answer = commit(&scene, &["-a", "-m", "Tune margin\n\nBench: 5"]);
    assert_eq!(answer.code, Some(0), "{}", answer.stderr);
    assert_eq!(message(&scene), "Tune margin\n\nBench: 101");
    answer.says("the message said 5, the engine says 101");
}

#[test]
fn a_reworded_commit_keeps_its_bench() {
    let scene = installed();
    scene.engine(101, "one");
    commit(&scene, &["-a", "-m", "Tune margin"]);
    let answer = commit(&scene, &["--amend", "-m", "Tune the margin"]);
    assert_eq!(answer.code, Some(0), "{}", answer.stderr);
    assert_eq!(message(&scene), "Tune the margin\n\nBench: 101");
    // Also where the amendment itself touches no code, and where the author is another.
    scene.write("README.md", "An engine.\n");
    scene.git(&["add", "-A"]);
    let answer = commit(
        &scene,
        &["--amend", "--reset-author", "-m", "Tune and describe"],
    );
    assert_eq!(answer.code, Some(0), "{}", answer.stderr);
    assert_eq!(message(&scene), "Tune and describe\n\nBench: 101");
    // A commit of its own that touches no code owes nothing.
    scene.write("README.md", "An engine!\n");
    assert_eq!(commit(&scene, &["-a", "-m", "Describe"]).code, Some(0));
    assert_eq!(message(&scene), "Describe");
    assert_eq!(
        commit(&scene, &["--amend", "-m", "Describe it"]).code,
        Some(0)
    );
    assert_eq!(message(&scene), "Describe it");
}

#[test]
fn a_message_in_another_encoding_keeps_its_bytes() {
    let scene = installed();
    scene.git(&["config", "i18n.commitEncoding", "ISO-8859-1"]);
    scene.engine(101, "one");
    scene.git(&["add", "-A"]);
    let file = scene.beside("latin1");
    fs::write(&file, b"Gr\xfc\xdfe an alle\n").expect("a message");
    let answer = commit(&scene, &["-F", &file.to_string_lossy()]);
    assert_eq!(answer.code, Some(0), "{}", answer.stderr);
    let output = scene.git_output(&["cat-file", "commit", "HEAD"]);
    let stored = b"Gr\xfc\xdfe an alle\n\nBench: 101\n";
    assert!(
        output.stdout.ends_with(stored),
        "{:?}",
        String::from_utf8_lossy(&output.stdout)
    );
    assert_eq!(scene.guard(&["check"]).code, Some(0));
}

#[test]
fn a_subject_that_begins_with_a_number_sign_is_no_comment_without_an_editor() {
    let scene = installed();
    scene.engine(101, "one");
    let answer = commit(&scene, &["-a", "-m", "#12 Tune margin"]);
    assert_eq!(answer.code, Some(0), "{}", answer.stderr);
    assert_eq!(message(&scene), "#12 Tune margin\n\nBench: 101");
}

#[test]
fn a_squash_keeps_the_benches_that_it_quotes() {
    let scene = installed();
    scene.git(&["checkout", "-q", "-b", "side"]);
    scene.engine(101, "one");
    commit(&scene, &["-a", "-m", "One"]);
    scene.engine(102, "two");
    commit(&scene, &["-a", "-m", "Two"]);
    scene.git(&["checkout", "-q", "main"]);
    scene.write("other.sh", "true\n");
    scene.git(&["add", "-A"]);
    commit(&scene, &["-m", "Other"]);
    scene.git(&["merge", "-q", "--squash", "side"]);
    let answer = commit(&scene, &["--no-edit"]);
    assert_eq!(answer.code, Some(0), "{}", answer.stderr);
    let text = message(&scene);
    for part in ["    Bench: 101\n", "    Bench: 102\n", "\n\nBench: 102"] {
        assert!(text.contains(part), "{part:?}: {text}");
    }
}

#[test]
fn no_functional_change_on_a_tree_known_to_differ_is_refused_at_commit() {
    let scene = installed();
    scene.engine(101, "one");
    assert_eq!(scene.guard(&["bench", "."]).code, Some(0));
    let answer = commit(&scene, &["-a", "-m", "Tidy\n\nNo functional change."]);
    assert_eq!(answer.code, Some(1));
    answer.says("drift: the message says that nothing changed, the bench went from 100 to 101");
}

#[test]
fn at_an_edit_stop_the_bench_is_filled_in_and_a_refusal_says_why() {
    let scene = installed();
    scene.engine(101, "one");
    commit(&scene, &["-a", "-m", "One"]);
    scene.engine(102, "two");
    commit(&scene, &["-a", "-m", "Two"]);
    let edit = [
        "-c",
        "sequence.editor=sed -i 1s/pick/edit/",
        "rebase",
        "-q",
        "-i",
        "HEAD~2",
    ];
    assert!(scene.git_output(&edit).status.success());
    scene.engine(107, "one, edited");
    let answer = commit(&scene, &["-a", "--amend", "--no-edit"]);
    assert_eq!(answer.code, Some(0), "{}", answer.stderr);
    assert_eq!(message(&scene), "One\n\nBench: 107");
    scene.write("search.sh", "if then\n");
    let answer = commit(&scene, &["-a", "--amend", "-m", "One, broken"]);
    assert_eq!(answer.code, Some(1));
    answer.says("its build failed: `make");
    let file = scene.beside("message");
    fs::write(&file, "Tune\n\nBench: 5\n").expect("a message");
    scene.engine(107, "one, edited");
    scene.git(&["add", "-A"]);
    let answer = scene.guard(&["hook", "commit-msg", &file.to_string_lossy()]);
    answer.says("the message says 5, the engine says 107");
}

#[test]
fn commit_msg_refuses_what_prepare_could_not_make_right() {
    let scene = installed();
    // The build fails, so nothing is filled in, and the message owes a bench.
    scene.write("search.sh", "if then\n");
    let answer = commit(&scene, &["-a", "-m", "Break it"]);
    assert_eq!(answer.code, Some(1));
    answer.says("no bench was added to the message");
    answer.says("missing: the message has no bench");
    answer.says("the bench of this tree is unknown: its build failed: `make");
    answer.says("--no-verify");
    let answer = commit(&scene, &["-a", "-m", "Break it\n\nBench: 5"]);
    assert_eq!(
        answer.code,
        Some(1),
        "a bench that nothing can have is not taken on trust"
    );
    answer.says("this tree has no bench: its build failed");
    // A bench that is known to be wrong: the tree was benched before.
    scene.engine(101, "one");
    assert_eq!(scene.guard(&["bench", "."]).code, Some(0));
    scene.git(&["add", "-A"]);
    let file = scene.beside("message");
    fs::write(&file, "Tune\n\nBench: 5\n# comment\n").expect("a message");
    let answer = scene.guard(&["hook", "commit-msg", &file.to_string_lossy()]);
    assert_eq!(answer.code, Some(1));
    answer.says("the message says 5, the engine says 101");
}

#[test]
fn a_merge_that_drops_the_other_side_gets_its_bench() {
    let scene = installed();
    scene.git(&["branch", "side"]);
    scene.engine(101, "gain");
    commit(&scene, &["-a", "-m", "Gain"]);
    scene.git(&["checkout", "-q", "side"]);
    scene.write("README.md", "words\n");
    scene.git(&["add", "-A"]);
    commit(&scene, &["-m", "Describe"]);
    scene.git(&["merge", "-q", "-s", "ours", "-m", "Take this side", "main"]);
    assert_eq!(message(&scene), "Take this side\n\nBench: 100");
}

#[test]
fn an_empty_message_does_not_become_a_commit_by_its_bench() {
    let scene = installed();
    scene.engine(101, "one");
    // The editor leaves the file as it is: comments, and the bench that was filled in.
    let answer = commit(&scene, &["-a"]);
    assert_eq!(answer.code, Some(1), "{}", answer.stderr);
    answer.says("contains only a bench");
    let answer = commit(&scene, &["-a", "-m", ""]);
    assert_eq!(answer.code, Some(1), "{}", answer.stderr);
    answer.says("empty");
    // With an editor, git takes this for a comment.
    let edited = [
        "-c",
        "core.editor=true",
        "commit",
        "-q",
        "-a",
        "-e",
        "-m",
        "#12 fix",
    ];
    let answer = Finished::from(&scene.git_output(&edited));
    assert_eq!(answer.code, Some(1), "{}", answer.stderr);
    answer.says("contains only a bench");
}

#[test]
fn a_message_that_was_given_may_be_a_bench_alone() {
    let scene = installed();
    scene.engine(101, "one");
    let answer = commit(&scene, &["-a", "-m", "Bench: 101"]);
    assert_eq!(answer.code, Some(0), "{}", answer.stderr);
    scene.engine(102, "two");
    let answer = commit(&scene, &["-a", "--amend", "--no-edit"]);
    assert_eq!(answer.code, Some(0), "{}", answer.stderr);
    assert_eq!(message(&scene), "Bench: 102");
}

#[test]
fn a_template_that_nobody_edited_is_no_message() {
    let scene = installed();
    let template = scene.beside("template");
    fs::write(&template, "# Say why.\nWhy:\nTested:\n").expect("a template");
    let template = template.to_string_lossy().into_owned();
    scene.engine(101, "one");
    for arguments in [&["-a", "-t", &template][..], &["-a", "--no-edit", "-s"]] {
        let answer = commit(&scene, arguments);
        assert_eq!(answer.code, Some(1), "{}", answer.stderr);
        let reason = "the message is the template, and you did not edit it";
        answer.says(reason);
        scene.git(&["config", "commit.template", "~/template"]);
    }
    let editor = "core.editor=sed -i 's/^Why:/Why: speed/'";
    let answer = scene.git_output(&["-c", editor, "commit", "-q", "-a", "-v"]);
    assert!(answer.status.success(), "{answer:?}");
    assert_eq!(message(&scene), "Why: speed\nTested:\n\nBench: 101");
    // Who gives the same text as a message means it.
    for arguments in [&["-a", "-m", "Why:\nTested:"][..], &["--amend"]] {
        scene.engine(102, "two");
        let answer = commit(&scene, arguments);
        assert_eq!(answer.code, Some(0), "{}", answer.stderr);
        assert_eq!(message(&scene), "Why:\nTested:\n\nBench: 102");
    }
}

#[test]
fn hooks_of_others_run_first_with_the_same_input() {
    let scene = Scene::new();
    scene.engine(100, "start");
    scene.commit("Start\n\nBench: 100");
    let hooks = scene.root().join(".git/hooks");
    fs::create_dir_all(&hooks).expect("a folder");
    let heard = scene.beside("heard");
    script(
        &hooks.join("pre-push"),
        &format!("#!/bin/sh\ncat > '{}'\n", heard.display()),
    );
    script(
        &hooks.join("commit-msg"),
        "#!/bin/sh\ngrep -q forbidden \"$1\" && exit 1 || exit 0\n",
    );
    for _ in 0..2 {
        assert_eq!(scene.guard(&["install"]).code, Some(0));
    }
    scene.engine(101, "one");
    assert_eq!(commit(&scene, &["-a", "-m", "forbidden"]).code, Some(1));
    assert_eq!(commit(&scene, &["-a", "-m", "Tune"]).code, Some(0));
    let remote = scene.beside("remote.git");
    scene.git(&["init", "-q", "--bare", &remote.to_string_lossy()]);
    scene.git(&["push", "-q", &remote.to_string_lossy(), "main"]);
    assert!(
        fs::read_to_string(&heard)
            .expect("heard")
            .starts_with("refs/heads/main ")
    );
    for _ in 0..2 {
        assert_eq!(scene.guard(&["uninstall"]).code, Some(0));
    }
    let left: Vec<_> = fs::read_dir(&hooks)
        .expect("a folder")
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .filter(|name| !name.ends_with(".sample"))
        .collect();
    assert_eq!(left.len(), 2, "{left:?}");
}

#[test]
fn worktrees_and_a_configured_folder_have_the_hooks_too() {
    let scene = installed();
    let worktree = scene.beside("worktree");
    scene.git(&[
        "worktree",
        "add",
        "-q",
        "-b",
        "side",
        &worktree.to_string_lossy(),
    ]);
    fs::write(worktree.join("search.sh"), "echo '107 nodes 1 nps'\n").expect("a file");
    let output = scene.git_in(&worktree, &["commit", "-q", "-a", "-m", "From the side"]);
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let output = scene.git_in(&worktree, &["log", "-1", "--format=%B"]);
    assert!(String::from_utf8_lossy(&output.stdout).contains("Bench: 107"));

    let other = Scene::new();
    other.git(&["config", "core.hooksPath", "../shared-hooks"]);
    let refused = other.guard(&["install"]);
    assert_eq!(refused.code, Some(2), "nothing can be built here yet");
    refused.says("no hook was installed");
    refused.says("bench-guard init");
    assert_eq!(other.guard(&["install", "--no-build"]).code, Some(0));
    other.engine(108, "start");
    other.git(&["add", "-A"]);
    assert_eq!(commit(&other, &["-m", "Start"]).code, Some(0));
    assert_eq!(message(&other), "Start\n\nBench: 108");
    assert!(other.beside("shared-hooks/commit-msg").exists());
}

#[test]
fn a_rebase_builds_nothing() {
    let scene = installed();
    scene.engine(101, "one");
    commit(&scene, &["-a", "-m", "Tune"]);
    scene.git(&["checkout", "-q", "-b", "side", "HEAD~1"]);
    scene.write("other.sh", "true\n");
    scene.git(&["add", "-A"]);
    commit(&scene, &["-m", "Other"]);
    let builds = scene.builds();
    let rebased = scene.git_output(&["rebase", "-q", "main"]);
    assert!(
        rebased.status.success(),
        "{}",
        String::from_utf8_lossy(&rebased.stderr)
    );
    assert_eq!(scene.builds(), builds);
}

#[test]
fn an_install_that_fails_gives_each_hint_a_line() {
    let scene = Scene::new();
    scene.write("search.sh", "(");
    let refused = scene.guard(&["install"]);
    assert_eq!(refused.code, Some(2), "{}", refused.stderr);
    let hints: Vec<&str> = refused
        .stderr
        .lines()
        .filter(|line| line.starts_with("hint: "))
        .collect();
    let [log, init] = hints.as_slice() else {
        panic!("{}", refused.stderr)
    };
    assert!(
        log.contains("log") && init.contains("bench-guard init"),
        "{hints:?}"
    );
}

#[test]
fn a_cherry_pick_that_stops_is_built_when_it_continues() {
    for continues in [&["cherry-pick", "--continue"][..], &["commit", "--no-edit"]] {
        let scene = installed();
        scene.git(&["checkout", "-q", "-b", "side"]);
        scene.engine(101, "side");
        commit(&scene, &["-a", "-m", "Side"]);
        scene.git(&["checkout", "-q", "main"]);
        scene.engine(102, "main");
        commit(&scene, &["-a", "-m", "Main"]);
        assert!(!scene.git_output(&["cherry-pick", "side"]).status.success());
        scene.engine(103, "both");
        scene.git(&["add", "-A"]);
        let answer = Finished::from(&scene.git_output(continues));
        assert_eq!(answer.code, Some(0), "{continues:?}: {}", answer.stderr);
        // Without an editor git keeps its list of conflicts.
        assert!(
            message(&scene).starts_with("Side\n\nBench: 103"),
            "{continues:?}"
        );
    }
}

#[test]
fn a_cherry_pick_without_a_bench_that_stops_gets_one() {
    let scene = installed();
    scene.git(&["checkout", "-q", "-b", "side"]);
    scene.engine(101, "side");
    scene.commit("Side");
    scene.git(&["checkout", "-q", "main"]);
    scene.engine(102, "main");
    commit(&scene, &["-a", "-m", "Main"]);
    assert!(!scene.git_output(&["cherry-pick", "side"]).status.success());
    scene.engine(103, "both");
    scene.git(&["add", "-A"]);
    let answer = Finished::from(&scene.git_output(&["cherry-pick", "--continue"]));
    assert_eq!(answer.code, Some(0), "{}", answer.stderr);
    assert_eq!(message(&scene), "Side\n\nBench: 103");
}

#[test]
fn a_rebase_that_stops_for_a_conflict_is_built_when_it_continues() {
    let scene = installed();
    scene.git(&["checkout", "-q", "-b", "side"]);
    scene.engine(101, "side");
    commit(&scene, &["-a", "-m", "Side"]);
    scene.git(&["checkout", "-q", "main"]);
    scene.engine(102, "main");
    commit(&scene, &["-a", "-m", "Main"]);
    scene.git(&["checkout", "-q", "side"]);
    assert!(!scene.git_output(&["rebase", "-q", "main"]).status.success());
    scene.engine(103, "both");
    scene.git(&["add", "-A"]);
    let answer = Finished::from(&scene.git_output(&["rebase", "--continue"]));
    assert_eq!(answer.code, Some(0), "{}", answer.stderr);
    assert_eq!(message(&scene), "Side\n\nBench: 103");
}

#[test]
fn a_message_that_is_reworded_in_a_rebase_is_kept() {
    let scene = installed();
    for (bench, subject) in [(101, "One"), (102, "Two")] {
        scene.engine(bench, subject);
        scene.commit(subject);
    }
    let reword = [
        "-c",
        "sequence.editor=sed -i 1s/pick/reword/",
        "-c",
        "core.editor=sed -i 1s/.*/Anew/",
        "rebase",
        "-q",
        "-i",
        "HEAD~2",
    ];
    let answer = Finished::from(&scene.git_output(&reword));
    assert_eq!(answer.code, Some(0), "{}", answer.stderr);
    let reworded = scene.git(&["log", "-1", "--format=%B", "HEAD~1"]);
    assert_eq!(reworded.trim(), "Anew\n\nBench: 101");
    // Nobody sees a message that a command amends; `fix` comes later.
    scene.engine(103, "three");
    scene.commit("Three");
    let amend = "git commit -q --amend --no-edit --reset-author";
    let answer = Finished::from(&scene.git_output(&["rebase", "-q", "--exec", amend, "HEAD~1"]));
    assert_eq!(answer.code, Some(0), "{}", answer.stderr);
    answer.says("`bench-guard fix` writes the benches afterwards");
}

#[test]
fn a_commit_by_hand_where_a_command_stopped_the_rebase_is_built() {
    let scene = installed();
    scene.engine(101, "one");
    commit(&scene, &["-a", "-m", "One"]);
    scene.engine(102, "two");
    commit(&scene, &["-a", "-m", "Two"]);
    let stopped = scene.git_output(&["rebase", "-q", "--exec", "false", "HEAD~2"]);
    assert!(!stopped.status.success());
    scene.engine(107, "one, mended");
    let answer = commit(&scene, &["-a", "--amend", "--no-edit"]);
    assert_eq!(answer.code, Some(0), "{}", answer.stderr);
    assert_eq!(message(&scene), "One\n\nBench: 107");
    scene.engine(108, "one more");
    let answer = commit(&scene, &["-a", "-m", "Between"]);
    assert_eq!(answer.code, Some(0), "{}", answer.stderr);
    assert_eq!(message(&scene), "Between\n\nBench: 108");
}

#[test]
fn a_clean_cherry_pick_builds_nothing() {
    let scene = installed();
    scene.git(&["checkout", "-q", "-b", "side"]);
    scene.write("other.sh", "true\n");
    scene.git(&["add", "-A"]);
    commit(&scene, &["-m", "Other"]);
    scene.git(&["checkout", "-q", "main"]);
    scene.engine(102, "main");
    commit(&scene, &["-a", "-m", "Main"]);
    let builds = scene.builds();
    let picked = scene.git_output(&["cherry-pick", "side"]);
    assert!(picked.status.success());
    assert_eq!(scene.builds(), builds);
}

#[test]
fn a_message_is_cleaned_up_as_git_was_told() {
    let scene = installed();
    scene.engine(101, "one");
    let file = scene.beside("message");
    fs::write(&file, "Tune\n\n# Bench: 5\n").expect("a message");
    let file = file.to_string_lossy().into_owned();
    let answer = commit(&scene, &["-a", "--cleanup=verbatim", "-e", "-F", &file]);
    assert_eq!(answer.code, Some(0), "{}", answer.stderr);
    // The line is no comment, and OpenBench reads the last bench.
    let stored = message(&scene);
    assert!(
        stored.starts_with("Tune\n\n# Bench: 5\n\n# Please enter"),
        "{stored}"
    );
    assert!(stored.ends_with("\n\nBench: 101"), "{stored}");
}

#[test]
fn the_mark_of_comments_is_that_which_git_chose() {
    let scene = installed();
    let numbers = scene.beside("message");
    fs::write(&numbers, "#12 first\n\n#13 second\n").expect("a message");
    let numbers = numbers.to_string_lossy().into_owned();
    // Since git 2.45 both are names of one setting, of which the last value counts.
    for (nodes, settings) in [
        (101, &["core.commentChar=auto"][..]),
        (102, &["core.commentChar=%"]),
        (103, &["core.commentString=//", "core.commentChar=%"]),
    ] {
        scene.engine(nodes, "another");
        let mut arguments = Vec::new();
        arguments.extend(settings.iter().flat_map(|setting| ["-c", setting]));
        arguments.extend(["commit", "-q", "-a", "-v", "-e", "-F", &numbers]);
        let answer = Finished::from(&scene.git_output(&arguments));
        assert_eq!(answer.code, Some(0), "{}", answer.stderr);
        let expected = format!("#12 first\n\n#13 second\n\nBench: {nodes}");
        assert_eq!(message(&scene), expected, "{settings:?}");
    }
}

#[test]
fn an_empty_message_that_is_allowed_gets_its_bench() {
    let scene = installed();
    scene.engine(101, "one");
    let answer = commit(&scene, &["-a", "--allow-empty-message", "-m", ""]);
    assert_eq!(answer.code, Some(0), "{}", answer.stderr);
    assert_eq!(message(&scene), "Bench: 101");
    scene.write("search.sh", "if then\n");
    let answer = commit(&scene, &["-a", "--allow-empty-message", "-m", ""]);
    assert_eq!(answer.code, Some(1), "it owes a bench that it cannot have");
}

#[test]
fn an_amended_merge_owes_what_a_merge_owes() {
    let scene = Scene::started();
    scene.git(&["checkout", "-q", "-b", "side"]);
    scene.engine(101, "side");
    scene.commit("Side\n\nBench: 101");
    scene.git(&["checkout", "-q", "main"]);
    scene.write("README.md", "words\n");
    scene.commit("Describe");
    scene.git(&["merge", "-q", "--no-ff", "-m", "Merge side", "side"]);
    assert_eq!(scene.guard(&["install", "--no-build"]).code, Some(0));
    scene.git(&["commit", "-q", "--amend", "-m", "Merge the side"]);
    assert_eq!(scene.git(&["log", "-1", "--format=%B"]), "Merge the side");
}

#[test]
fn a_bench_without_a_speed_is_none() {
    let scene = Scene::started();
    assert_eq!(scene.guard(&["install", "--no-build"]).code, Some(0));
    scene.write("search.sh", "echo '101 nodes'\n");
    scene.git(&["add", "-A"]);
    let made = scene.git_output(&["commit", "-q", "-m", "Change\n\nBench: 101"]);
    let said = String::from_utf8_lossy(&made.stderr).into_owned();
    assert!(
        !made.status.success() && said.contains("no speed"),
        "{said}"
    );
}
