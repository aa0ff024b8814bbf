//! Ways in which a change could pass the gate without being looked at, all of them closed.

mod scene;

use scene::{Finished, Scene};

/// The verdict on the commit with this subject.
fn verdict(answer: &Finished, subject: &str) -> String {
    let report: serde_json::Value = serde_json::from_str(&answer.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}{}", answer.stdout, answer.stderr));
    report["commits"]
        .as_array()
        .and_then(|commits| commits.iter().find(|commit| commit["subject"] == subject))
        .and_then(|commit| commit["verdict"].as_str())
        .unwrap_or_default()
        .to_owned()
}

fn start() -> Scene {
    let scene = Scene::new();
    scene.engine(100, "start");
    scene.commit("Start\n\nBench: 100");
    scene
}

#[test]
fn a_path_that_is_the_id_of_a_commit_is_a_path() {
    let scene = start();
    // The tip of a side branch, known before the commit that is listed ahead of it is made.
    scene.git(&["checkout", "-q", "-b", "side"]);
    scene.write("README.md", "words\n");
    let side = scene.commit("Describe");
    scene.git(&["checkout", "-q", "main"]);
    scene.engine(666, "rewritten");
    scene.write(&side, "");
    scene.commit("Rewrite");
    scene.git(&["merge", "-q", "--no-ff", "-m", "Merge side", "side"]);
    let answer = scene.guard(&["check", "HEAD~2..HEAD", "--json", "--no-build"]);
    assert_eq!(verdict(&answer, "Rewrite"), "missing", "{}", answer.stdout);
    assert_eq!(verdict(&answer, "Describe"), "not needed");
}
