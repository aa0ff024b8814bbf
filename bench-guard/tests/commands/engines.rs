//! Two engines in one repository: each commit owes the bench of each engine that it touches.

use std::fs;

use crate::scene::{Finished, Scene};

const SETTINGS: &str = "
[bench-guard]
folder = 'chess'
paths = ['chess/**']
[bench-guard.engine.laser]
folder = 'laser'
";

/// A scene with the engines `chess`, the main one, and `laser`.
fn scene() -> Scene {
    let scene = Scene::new();
    let makefile = fs::read_to_string(scene.root().join("Makefile")).expect("a Makefile");
    let makefile = makefile.replace("test ! -e .git", "true");
    scene.write("chess/Makefile", &makefile);
    scene.write("laser/Makefile", &makefile);
    fs::remove_file(scene.root().join("Makefile")).expect("removed");
    scene.write("whetstone.toml", SETTINGS);
    engine(&scene, "chess", 100);
    engine(&scene, "laser", 7);
    scene.commit("Both\n\nBench: 100\nBench-laser: 7");
    scene
}

fn engine(scene: &Scene, name: &str, bench: u64) {
    let search = format!("echo '{bench} nodes 1000 nps'\n");
    scene.write(&format!("{name}/search.sh"), &search);
}

fn check(scene: &Scene, arguments: &[&str]) -> Finished {
    scene.guard(&[&["check"], arguments].concat())
}

#[test]
fn each_commit_owes_the_benches_of_the_engines_that_it_touches() {
    let scene = scene();
    assert_eq!(check(&scene, &["HEAD"]).code, Some(0));
    engine(&scene, "laser", 8);
    for (message, code, words) in [
        ("Laser", 1, "add `Bench-laser: 8`"),
        ("Laser\n\nBench-laser: 8", 0, "laser: Laser"),
        ("Laser\n\nBench-laser: 9", 1, "says 9, the engine says 8"),
        // The main engine's bench is verified wherever it is carried.
        ("Laser\n\nBench: 8", 1, "says 8, the engine says 100"),
        ("Laser\n\nBench: 100\nBench-laser: 8", 0, "1 commit: 2 ok"),
        ("Laser\n\nNo functional change.", 1, "went from 7 to 8"),
    ] {
        scene.commit(message);
        let answer = check(&scene, &["HEAD"]);
        assert_eq!(answer.code, Some(code), "{message}: {}", answer.stdout);
        assert!(
            answer.stdout.contains(words),
            "{message}: {}",
            answer.stdout
        );
        scene.git(&["reset", "-q", "--soft", "HEAD~1"]);
    }
    scene.commit("Laser\n\nBench-laser: 8");
    engine(&scene, "chess", 200);
    scene.commit("Chess\n\nBench-laser: 8");
    let answer = check(&scene, &["HEAD", "--json"]);
    assert_eq!(answer.code, Some(1));
    let json: serde_json::Value = serde_json::from_str(&answer.stdout).expect("JSON");
    let rows: Vec<(&serde_json::Value, &str)> = json["commits"]
        .as_array()
        .expect("rows")
        .iter()
        .map(|row| (&row["engine"], row["verdict"].as_str().expect("a verdict")))
        .collect();
    assert_eq!(
        rows,
        [
            (&serde_json::Value::Null, "missing"),
            (&"laser".into(), "ok")
        ]
    );
}

#[test]
fn hooks_write_and_demand_the_bench_of_each_engine() {
    let scene = scene();
    let installed = scene.guard(&["install", "--no-build"]);
    assert_eq!(installed.code, Some(0), "{}", installed.stderr);
    let commit = |message: &str| {
        scene.git(&["add", "-A"]);
        scene.git_output(&["commit", "-q", "-m", message])
    };
    engine(&scene, "laser", 8);
    assert!(commit("Laser").status.success());
    assert_eq!(
        scene.git(&["log", "-1", "--format=%B"]),
        "Laser\n\nBench-laser: 8"
    );
    engine(&scene, "laser", 9);
    engine(&scene, "chess", 300);
    assert!(commit("Both\n\nBench-laser: 4").status.success());
    let written = scene.git(&["log", "-1", "--format=%B"]);
    assert_eq!(written, "Both\n\nBench-laser: 9\nBench: 300");
    scene.write("notes.txt", "nothing");
    assert!(commit("Notes").status.success());
    assert_eq!(scene.git(&["log", "-1", "--format=%B"]), "Notes");

    // Without the first hook the second refuses.
    fs::write(
        scene.root().join(".git/hooks/prepare-commit-msg"),
        "#!/bin/sh\n",
    )
    .expect("written");
    engine(&scene, "laser", 10);
    let refused = commit("Laser");
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(
        !refused.status.success() && said.contains("Bench-laser"),
        "{said}"
    );
}

#[test]
fn fix_corrects_each_engines_line() {
    let scene = scene();
    engine(&scene, "laser", 8);
    engine(&scene, "chess", 200);
    scene.commit("Both\n\nBench: 1\nBench-laser: 2");
    let answer = scene.guard(&["fix", "HEAD"]);
    assert!(answer.stdout.contains("\n1 commit: "), "{}", answer.stdout);
    assert_eq!(answer.code, Some(0), "{}", answer.stderr);
    let message = scene.git(&["log", "-1", "--format=%B"]);
    assert_eq!(message, "Both\n\nBench: 200\nBench-laser: 8");
    assert_eq!(check(&scene, &["HEAD~1..HEAD"]).code, Some(0));
}

#[test]
fn bench_and_bisect_take_the_engine_of_the_folder_or_the_one_that_is_named() {
    let scene = scene();
    for (arguments, expected) in [
        (&["bench", "HEAD"][..], "100 nodes"),
        (&["-C", "laser", "bench", "HEAD"], "7 nodes"),
        (&["bench", "HEAD", "--engine", "laser"], "7 nodes"),
        (&["bench", "--engine", "laser"], "7 nodes"),
    ] {
        let answer = scene.guard(arguments);
        assert_eq!(answer.code, Some(0), "{arguments:?}: {}", answer.stderr);
        assert!(
            answer.stdout.starts_with(expected),
            "{arguments:?}: {}",
            answer.stdout
        );
    }
    let unknown = scene.guard(&["bench", "HEAD", "--engine", "lazer"]);
    assert_eq!(unknown.code, Some(2));
    unknown.says("laser");
    let text = fs::read_to_string(scene.root().join("whetstone.toml")).expect("settings");
    let variant =
        "[[bench-guard.variant]]\nname = 'clang'\nengine = 'laser'\nvariables = { CC = 'clang' }\n";
    scene.write("whetstone.toml", &format!("{text}\n{variant}"));
    for name in ["clang", "all"] {
        let other = scene.guard(&["bench", "HEAD", "--variant", name]);
        assert_eq!(other.code, Some(2), "{}{}", other.stdout, other.stderr);
        other.says("another engine");
    }
    scene.write("whetstone.toml", &text);
    engine(&scene, "laser", 8);
    let moved = scene.commit("Laser\n\nBench-laser: 8");
    engine(&scene, "chess", 200);
    scene.commit("Chess\n\nBench: 200");
    let found = scene.guard(&["bisect", "HEAD~2", "--engine", "laser"]);
    assert!(found.stdout.contains(&moved), "{}", found.stdout);
}

#[test]
fn a_commit_before_an_engine_owes_it_nothing() {
    let scene = Scene::new();
    let shared = SETTINGS.replace("'laser'", "'laser'\npaths = ['laser/**', 'shared/**']");
    scene.write("whetstone.toml", &shared);
    scene.write("shared/build.sh", "true");
    scene.commit("Shared");
    let answer = check(&scene, &["HEAD", "--no-build"]);
    assert_eq!(answer.code, Some(0), "{}", answer.stdout);
    scene.write("laser/search.sh", "true");
    scene.commit("Laser");
    let answer = check(&scene, &["HEAD", "--no-build"]);
    assert_eq!(answer.code, Some(1), "{}", answer.stdout);
}

#[test]
fn outputs_of_the_action_count_commits_and_name_the_main_bench() {
    let scene = scene();
    engine(&scene, "laser", 8);
    engine(&scene, "chess", 200);
    scene.commit("Both\n\nBench: 200\nBench-laser: 9");
    let outputs = scene.beside("outputs");
    let done = scene
        .command(env!("CARGO_BIN_EXE_bench-guard"))
        .args(["check", "HEAD", "--format", "github"])
        .env("GITHUB_OUTPUT", &outputs)
        .current_dir(scene.root())
        .output();
    assert_eq!(done.expect("bench-guard starts").status.code(), Some(1));
    let text = fs::read_to_string(outputs).expect("outputs");
    assert_eq!(
        text,
        "verdict=failed\nchecked=1\nwrong=1\ndoubtful=0\nbench=200\n"
    );
}
