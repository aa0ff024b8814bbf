//! The script of the GitHub action, with what GitHub gives it for each event.

mod scene;

use std::{fs, path::Path};

use scene::{Answer, Scene};

fn action(scene: &Scene, environment: &[(&str, &str)]) -> (Answer, String) {
    let script =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../.github/actions/bench-guard/check.sh");
    let outputs = scene.beside("outputs");
    let _ = fs::remove_file(&outputs);
    let output = scene
        .command("bash")
        .arg(script)
        .current_dir(scene.root())
        .env("INPUT_PROGRAM", env!("CARGO_BIN_EXE_bench-guard"))
        .env("GITHUB_OUTPUT", &outputs)
        .envs(environment.iter().copied())
        .output()
        .expect("bash starts");
    (
        Answer::from(&output),
        fs::read_to_string(outputs).unwrap_or_default(),
    )
}

/// A base and two commits on top, of which the second is wrong.
fn scene() -> (Scene, [String; 3]) {
    let scene = Scene::new();
    scene.engine(100, "start");
    let base = scene.commit("Start");
    scene.engine(101, "one");
    let right = scene.commit("One\n\nBench: 101");
    scene.engine(102, "two");
    let wrong = scene.commit("::error::$(touch pwned) `touch pwned`\n\nBench: 5");
    (scene, [base, right, wrong])
}

#[test]
fn a_pull_request_is_checked_from_base_to_head() {
    let (scene, [base, right, wrong]) = scene();
    // GitHub checks out a merge commit, which carries no bench.
    scene.git(&["checkout", "-q", "--detach"]);
    scene.commit("Merge into main");
    let (answer, outputs) = action(&scene, &[("EVENT_BASE", &base), ("EVENT_HEAD", &right)]);
    assert_eq!(answer.code, Some(0), "{}{}", answer.stdout, answer.stderr);
    assert_eq!(
        outputs,
        "verdict=ok\nchecked=1\nwrong=0\ndoubtful=0\nbench=101\n"
    );
    let (answer, outputs) = action(&scene, &[("EVENT_BASE", &base), ("EVENT_HEAD", &wrong)]);
    assert_eq!(answer.code, Some(1));
    assert_eq!(
        outputs,
        "verdict=failed\nchecked=2\nwrong=1\ndoubtful=0\nbench=102\n"
    );
    let errors: Vec<&str> = answer
        .stdout
        .lines()
        .take_while(|line| !line.contains("stop-commands"))
        .collect();
    assert_eq!(
        errors.len(),
        1,
        "a subject begins no command: {}",
        answer.stdout
    );
    assert!(!scene.root().join("pwned").exists());
}

#[test]
fn a_new_branch_and_a_base_that_is_missing_mean_the_head_alone() {
    let (scene, [_, right, _]) = scene();
    let zero = "0".repeat(40);
    let gone = "1".repeat(40);
    let (answer, outputs) = action(&scene, &[("EVENT_BASE", &zero), ("EVENT_HEAD", &right)]);
    assert_eq!(answer.code, Some(0), "{}", answer.stdout);
    assert!(outputs.contains("checked=1\n"));
    let (answer, _) = action(&scene, &[("EVENT_BASE", &gone), ("EVENT_HEAD", &right)]);
    assert_eq!(answer.code, Some(0));
    assert!(
        answer.stdout.contains("fetch-depth: 0"),
        "{}",
        answer.stdout
    );
}

#[test]
fn a_shallow_clone_is_deepened() {
    let (scene, [base, right, _]) = scene();
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
    let (answer, outputs) = action(
        &scene,
        &[
            ("EVENT_BASE", &base),
            ("EVENT_HEAD", &right),
            ("INPUT_DIRECTORY", &directory),
        ],
    );
    assert_eq!(answer.code, Some(0), "{}{}", answer.stdout, answer.stderr);
    assert!(
        outputs.contains("checked=1\n") && outputs.contains("bench=101\n"),
        "{outputs}"
    );
}

#[test]
fn inputs_reach_the_command_as_data() {
    let (scene, [_, _, wrong]) = scene();
    let range = "HEAD; touch pwned $(touch pwned)";
    let (answer, _) = action(&scene, &[("INPUT_RANGE", range)]);
    assert_eq!(answer.code, Some(2));
    assert!(!scene.root().join("pwned").exists());
    let (answer, _) = action(&scene, &[("INPUT_RANGE", &wrong), ("INPUT_BUILD", "false")]);
    assert_eq!(
        answer.code,
        Some(0),
        "messages alone are right: {}",
        answer.stdout
    );
}
