//! How an engine is built is read from each commit, what a commit owes from the rules.

use crate::{action::action, scene::Scene};

/// Makes the engine as the Makefile of a scene does.
const SCRIPT: &str = "echo '#!/bin/sh' > \"$1\" && cat search.sh >> \"$1\" && chmod +x \"$1\"\n";

fn section(script: &str) -> String {
    format!("[bench-guard]\nbuild = \"sh {script} {{exe}}\"\n")
}

/// An engine with a build script of this name, and whetstone.toml if that `is_told`.
fn scripted(is_told: bool) -> (Scene, String) {
    let scene = Scene::new();
    std::fs::remove_file(scene.root().join("Makefile")).expect("removed");
    scene.write("build.sh", SCRIPT);
    scene.engine(100, "start");
    if is_told {
        scene.write("whetstone.toml", &section("build.sh"));
    }
    let base = scene.commit("Start\n\nBench: 100");
    (scene, base)
}

fn verdicts(scene: &Scene, range: &str, rules: &str) -> (Option<i32>, String) {
    let answer = scene.guard(&["check", range, "--rules-from", rules]);
    (answer.code, answer.stdout + &answer.stderr)
}

#[test]
fn a_pull_request_that_brings_the_first_section_is_built_by_it() {
    let (scene, base) = scripted(false);
    scene.engine(101, "one");
    scene.commit("One\n\nBench: 101");
    scene.write("whetstone.toml", &section("build.sh"));
    scene.commit("Guard the bench\n\nNo functional change");
    scene.engine(102, "two");
    let head = scene.commit("Two\n\nBench: 102");
    let event = [
        ("EVENT_NAME", "pull_request"),
        ("EVENT_BASE", &*base),
        ("EVENT_HEAD", &*head),
    ];
    let (answer, outputs) = action(&scene, &event);
    assert_eq!(answer.code, Some(0), "{}{}", answer.stdout, answer.stderr);
    assert!(outputs.contains("checked=3\nwrong=0\n"), "{outputs}");
}

#[test]
fn a_first_section_brings_no_rules_to_its_own_pull_request() {
    let (scene, base) = scripted(false);
    let rules = "paths = [\"none\"]\nunfinished = \"optional\"\n";
    scene.write("whetstone.toml", &(section("build.sh") + rules));
    scene.commit("Guard the bench");
    scene.engine(102, "two");
    scene.commit("Two");
    scene.engine(103, "three");
    scene.commit("WIP");
    let (code, text) = verdicts(&scene, &format!("{base}..HEAD"), &base);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("add `Bench: 102`"), "{text}");
    assert!(text.contains("unfinished"), "{text}");
}

#[test]
fn a_build_script_may_be_renamed_with_what_names_it() {
    let (scene, base) = scripted(true);
    scene.git(&["mv", "build.sh", "make.sh"]);
    scene.write("whetstone.toml", &section("make.sh"));
    scene.commit("Rename the script\n\nNo functional change\n\nBench: 100");
    for rules in [&*base, "HEAD"] {
        let (code, text) = verdicts(&scene, &format!("{base}..HEAD"), rules);
        assert_eq!(code, Some(0), "{rules}: {text}");
    }
    let answer = scene.guard(&["bench", "HEAD~1", "--json"]);
    assert_eq!(answer.code, Some(0), "{}", answer.stderr);
    let answer = scene.guard(&["check", "--all"]);
    assert_eq!(answer.code, Some(0), "{}{}", answer.stdout, answer.stderr);
}

#[test]
fn a_commit_that_changes_how_the_engine_is_built_owes_a_bench_whatever_the_paths() {
    let (scene, _) = scripted(true);
    let paths = "paths = [\"search.sh\"]\n";
    scene.write("whetstone.toml", &(section("build.sh") + paths));
    let base = scene.commit("Rules");
    // An engine with a bench of its own, made by nothing that `paths` names.
    let forged = "[bench-guard]\nbuild = \"printf '#!/bin/sh\\necho 7 nodes 1000 nps' > {exe} && chmod +x {exe}\"\n";
    scene.write("whetstone.toml", &(forged.to_owned() + paths));
    for (message, expected) in [
        ("Another build", "missing"),
        ("Another build\n\nNo functional change", "drift"),
        ("Another build\n\nBench: 100", "mismatch"),
    ] {
        scene.commit(message);
        let (code, text) = verdicts(&scene, &format!("{base}..HEAD"), &base);
        assert_eq!(code, Some(1), "{message}: {text}");
        assert!(text.contains(expected), "{message}: {text}");
        scene.git(&["reset", "-q", "--soft", &base]);
    }
    // Through a link, too: what it leads to is no part of the section.
    scene.write("linked.toml", &(forged.to_owned() + paths));
    std::fs::remove_file(scene.root().join("whetstone.toml")).expect("removed");
    std::os::unix::fs::symlink("linked.toml", scene.root().join("whetstone.toml")).expect("a link");
    scene.engine(101, "more");
    scene.commit("Linked\n\nBench: 101");
    let (code, text) = verdicts(&scene, &format!("{base}..HEAD"), &base);
    assert_eq!(code, Some(0), "{text}");
}

#[test]
fn a_project_file_owes_no_bench_unless_it_changes_how_the_engine_is_built() {
    let scene = Scene::started();
    scene.write("whetstone.toml", "[sprt]\nconcurrency = 1\n");
    scene.commit("Settings of a match");
    scene.write(
        "whetstone.toml",
        "[bench-guard]\nbuild = \"make -j{jobs} EXE={exe}\"\nruns = 1\n",
    );
    scene.commit("The usual build");
    let answer = scene.guard(&["check", "HEAD~2..HEAD", "--json"]);
    assert_eq!(answer.code, Some(0), "{}{}", answer.stdout, answer.stderr);
    for subject in ["Settings of a match", "The usual build"] {
        assert_eq!(answer.verdict(subject), "not needed", "{subject}");
    }
    scene.write(
        "whetstone.toml",
        "[bench-guard]\nbuild = \"make EXE={exe}\"\n",
    );
    scene.commit("Another build");
    let answer = scene.guard(&["check", "HEAD", "--json"]);
    assert_eq!(
        answer.verdict("Another build"),
        "missing",
        "{}",
        answer.stdout
    );
}

#[test]
fn hooks_build_what_is_staged_in_the_way_that_is_staged() {
    let (scene, _) = scripted(true);
    assert_eq!(scene.guard(&["install"]).code, Some(0));
    scene.git(&["mv", "build.sh", "make.sh"]);
    scene.write("whetstone.toml", &section("make.sh"));
    let committed = scene.git_output(&["commit", "-qam", "Rename the script"]);
    let said = String::from_utf8_lossy(&committed.stderr);
    assert!(committed.status.success(), "{said}");
    let message = scene.git(&["log", "-1", "--format=%B"]);
    assert_eq!(message, "Rename the script\n\nBench: 100");
}
