//! `compare` with engines that are shell scripts.

mod scene;

use scene::{Scene, script};

/// Answers UCI; its nodes are `factor` for each character of the position.
fn engine(factor: usize) -> String {
    format!(
        r#"#!/bin/sh
while read -r word rest; do
    case $word in
        uci) echo uciok ;;
        isready) echo readyok ;;
        position) length=${{#rest}} ;;
        go) echo "info depth 1 nodes 1"; echo "info $rest nodes $((length * {factor})) nps 1000"; echo "bestmove a1a2" ;;
        quit) exit ;;
    esac
done
"#
    )
}

#[test]
fn the_largest_differences_come_first() {
    let scene = Scene::new();
    script(&scene.root().join("small"), &engine(2));
    // This one counts more where White is to move.
    let biased = engine(2).replace(
        "length=${#rest}",
        "length=${#rest}; case $rest in *' w '*) length=$((length * 3)) ;; esac",
    );
    script(&scene.root().join("large"), &biased);
    scene.write(
        "two.epd",
        "8/8/8/8/8/8/8/Kk6 b - -\n8/8/8/8/8/8/8/Kk6 w - -\n",
    );
    let answer = scene.guard(&["compare", "./small", "./large", "--positions", "two.epd"]);
    assert_eq!(answer.code, Some(0), "{}", answer.stderr);
    insta::assert_snapshot!("compare", answer.stdout);
    let answer = scene.guard(&["compare", "./small", "./large", "--json", "--depth", "3"]);
    let json: serde_json::Value = serde_json::from_str(&answer.stdout).expect("JSON");
    assert_eq!(json["schema"], "bench-guard-compare");
    assert_eq!(
        json["positions"].as_array().map(Vec::len),
        Some(24),
        "the built-in positions"
    );
}

#[test]
fn an_engine_that_does_not_speak_uci_is_told_by_name() {
    let scene = Scene::new();
    script(&scene.root().join("good"), &engine(1));
    script(&scene.root().join("mute"), "#!/bin/sh\nexit 0\n");
    let answer = scene.guard(&["compare", "./good", "./mute"]);
    assert_eq!(answer.code, Some(3), "{}", answer.stderr);
    assert!(
        answer.stderr.contains("`./mute` did not answer `uci`"),
        "{}",
        answer.stderr
    );
    let answer = scene.guard(&["compare", "./good", "./nowhere"]);
    assert_eq!(answer.code, Some(2), "{}", answer.stderr);
    assert!(
        answer.stderr.contains("there is no file"),
        "{}",
        answer.stderr
    );
}
