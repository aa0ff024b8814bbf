//! The session in the README of the project, typed as it stands there.

use std::fs;
use std::path::Path;

use crate::scene::Scene;

const PROGRAM: &str = env!("CARGO_BIN_EXE_bench-guard");

/// What is typed, each with what is printed then.
fn session() -> Vec<(String, String)> {
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md");
    let readme = fs::read_to_string(readme).expect("the README");
    let (_, rest) = readme.split_once("```\n$ bench-guard ").expect("a session");
    let (text, _) = rest.split_once("\n```\n").expect("its end");
    let steps = text.split("\n$ ").enumerate().map(|(number, step)| {
        let step = if number == 0 {
            format!("bench-guard {step}")
        } else {
            step.to_owned()
        };
        // A message goes on until its quote ends.
        let mut is_quoted = false;
        let end = step.find(|letter| {
            is_quoted ^= letter == '\'';
            letter == '\n' && !is_quoted
        });
        let (typed, printed) = step.split_at(end.unwrap_or(step.len()));
        (typed.to_owned(), printed.trim().to_owned())
    });
    steps.collect()
}

/// Ids differ, and how many runs there are at once depends on the machine.
fn comparable(text: &str) -> String {
    let words = |line: &str| {
        let is_id = |word: &str| {
            matches!(word.len(), 8 | 40) && word.bytes().all(|byte| byte.is_ascii_hexdigit())
        };
        let words = line
            .split(' ')
            .map(|word| if is_id(word) { "ID" } else { word });
        words.collect::<Vec<_>>().join(" ")
    };
    let lines = text
        .trim()
        .lines()
        .filter(|line| !line.ends_with(" at once"));
    lines.map(words).collect::<Vec<_>>().join("\n")
}

#[test]
fn what_the_readme_types_prints_what_it_shows() {
    let scene = Scene::new();
    let engine = |nodes: u64| {
        let text = format!("echo '{nodes} nodes 1000000 nps'\n");
        scene.write("search.sh", &text);
    };
    engine(1_196_000);
    scene.commit("Start\n\nBench: 1196000");
    let folder = Path::new(PROGRAM).parent().expect("a folder");
    let path = std::env::var("PATH").expect("a path");
    let mut benches = [1_195_930, 1_195_560].into_iter();
    let session = session();
    assert_eq!(session.len(), 6, "{session:?}");
    for (typed, printed) in session {
        if typed.contains("git commit") {
            engine(benches.next().expect("a bench for each commit"));
        }
        let output = scene
            .command("sh")
            .args(["-c", &typed])
            .current_dir(scene.root())
            .env("PATH", format!("{}:{path}", folder.display()))
            .envs([("GIT_AUTHOR_NAME", "A"), ("GIT_AUTHOR_EMAIL", "a@b")])
            .envs([("GIT_COMMITTER_NAME", "A"), ("GIT_COMMITTER_EMAIL", "a@b")])
            .output()
            .expect("a shell");
        let errors = String::from_utf8_lossy(&output.stderr);
        // The README has no folder before that of the hooks.
        let root = format!("{}/", scene.root().display());
        let shown = String::from_utf8_lossy(&output.stdout).replace(&root, "");
        assert_eq!(
            comparable(&shown),
            comparable(&printed),
            "{typed}\n{errors}"
        );
    }
}
