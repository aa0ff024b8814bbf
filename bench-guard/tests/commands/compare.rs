//! `compare` with engines that are shell scripts.

use crate::scene::{Finished, Scene, script};

/// Answers UCI; its nodes are `factor` for each character of the position.
fn engine(factor: usize) -> String {
    format!(
        r#"#!/bin/sh
while read -r word rest; do
    case $word in
        uci) echo uciok ;;
        isready) echo readyok ;;
        position) length=${{#rest}} ;;
        go) echo "info depth 1 score cp 3 nodes 1"; echo "info $rest score cp 17 nodes $((length * {factor})) nps 1000"; echo "bestmove a1a2" ;;
        quit) exit ;;
    esac
done
"#
    )
}

/// Sets up two engines, of which the second counts more where White is to move.
fn engines(scene: &Scene) {
    script(&scene.root().join("small"), &engine(2));
    let biased = engine(2).replace(
        "length=${#rest}",
        "length=${#rest}; case $rest in *' w '*) length=$((length * 3)) ;; esac",
    );
    script(&scene.root().join("large"), &biased);
    scene.write(
        "two.epd",
        "8/8/8/8/8/8/8/Kk6 b - -\n8/8/8/8/8/8/8/Kk6 w - -\n",
    );
}

#[test]
fn the_largest_differences_come_first() {
    let scene = Scene::new();
    engines(&scene);
    let answer = scene.guard(&[
        "compare",
        "./small",
        "./large",
        "--positions",
        "two.epd",
        "--depth",
        "3",
    ]);
    assert_eq!(answer.code, Some(0), "{}", answer.stderr);
    // Seconds depend on the machine.
    let mut settings = insta::Settings::clone_current();
    settings.add_filter(r"(?m)\d+\.\d\d((  (small|large))?)$", "SECS$1");
    settings.bind(|| insta::assert_snapshot!("compare", answer.stdout));
}

#[test]
fn json_has_every_engine_with_depths_and_scores() {
    let scene = Scene::new();
    engines(&scene);
    let answer = scene.guard(&[
        "compare", "./small", "./large", "./small", "--json", "--depth", "3",
    ]);
    assert_eq!(answer.code, Some(0), "{}", answer.stderr);
    let json: serde_json::Value = serde_json::from_str(&answer.stdout).expect("JSON");
    assert_eq!(json["schema"], "bench-guard-compare");
    assert_eq!(
        json["positions"].as_array().map(Vec::len),
        Some(24),
        "the built-in positions"
    );
    let engines = json["engines"].as_array().expect("a list");
    assert_eq!(engines.len(), 3);
    assert_eq!(engines[0]["nodes"], engines[2]["nodes"]);
    assert_eq!(json["total_b"], engines[1]["nodes"]);
    let row = &json["positions"][0];
    let cell = &row["engines"][1];
    assert_eq!(cell["nodes"], row["b"]);
    assert_eq!(cell["score"], 17);
    assert_eq!(cell["depths"][0], serde_json::json!([1, 1]));
    // From 1 node at depth 1 to `nodes` at depth 3.
    let nodes = cell["nodes"].as_f64().expect("nodes");
    let factor = cell["branching_factor"].as_f64().expect("a factor");
    assert!((factor - nodes.sqrt()).abs() < 1e-9, "{factor}");
}

#[test]
fn a_search_that_ends_early_counts_at_the_depth_that_was_asked_for() {
    let scene = Scene::new();
    let mates = engine(2).replace("info $rest score cp 17", "info depth 1 score mate 1");
    script(&scene.root().join("mates"), &mates);
    scene.write("one.epd", "8/8/8/8/8/8/8/Kk6 b - -\n");
    let answer = scene.guard(&[
        "compare",
        "./mates",
        "./mates",
        "--positions",
        "one.epd",
        "--depth",
        "3",
        "--json",
    ]);
    assert_eq!(answer.code, Some(0), "{}", answer.stderr);
    let json: serde_json::Value = serde_json::from_str(&answer.stdout).expect("JSON");
    let engine = &json["engines"][0];
    let deepest = &engine["depths"][2];
    assert_eq!(
        (&deepest["depth"], &deepest["positions"]),
        (&3.into(), &1.into()),
        "{engine}"
    );
    let nodes = |of: &serde_json::Value| of["nodes"].as_f64().map(f64::round);
    assert_eq!(nodes(deepest), nodes(engine));
}

#[test]
fn the_page_has_a_line_for_each_engine() {
    let scene = Scene::new();
    engines(&scene);
    let answer = scene.guard(&[
        "compare",
        "./small",
        "./large",
        "--depth",
        "3",
        "--plot",
        "nodes.html",
    ]);
    assert_eq!(answer.code, Some(0), "{}", answer.stderr);
    let page = std::fs::read_to_string(scene.root().join("nodes.html")).expect("a page");
    assert_eq!(page.matches("<polyline").count(), 2, "{page}");
    assert!(page.contains("do not order engines by strength"));
}

#[test]
fn an_engine_gets_no_secret_and_no_option_that_it_does_not_have() {
    let scene = Scene::new();
    let spy = engine(1).replace(
        "uci)",
        "uci) echo \"id name <$SERVER_KEY>\" >&2; echo \"<$SERVER_KEY>\" > seen;",
    );
    script(&scene.root().join("spy"), &spy);
    script(&scene.root().join("good"), &engine(1));
    let output = scene
        .command(env!("CARGO_BIN_EXE_bench-guard"))
        .args(["compare", "./good", "./spy", "--depth", "3"])
        .env("SERVER_KEY", "open sesame")
        .current_dir(scene.root())
        .output()
        .expect("bench-guard starts");
    let answer = Finished::from(&output);
    assert_eq!(answer.code, Some(0), "{}", answer.stderr);
    let seen = std::fs::read_to_string(scene.root().join("seen")).expect("written");
    assert_eq!(seen, "<>\n");
    let answer = scene.guard(&["compare", "./good", "./good", "--option", "Hush=1"]);
    assert_eq!(answer.code, Some(2), "{}", answer.stderr);
    answer.says("no option `Hush`");
}

#[test]
fn an_engine_that_does_not_speak_uci_is_reported_by_name() {
    let scene = Scene::new();
    script(&scene.root().join("good"), &engine(1));
    script(&scene.root().join("mute"), "#!/bin/sh\nexit 0\n");
    let answer = scene.guard(&["compare", "./good", "./mute"]);
    assert_eq!(answer.code, Some(3), "{}", answer.stderr);
    answer.says("`./mute` did not answer `uci`");
    let answer = scene.guard(&["compare", "./good", "./nowhere"]);
    assert_eq!(answer.code, Some(2), "{}", answer.stderr);
    answer.says("there is no file");
}

#[test]
fn programs_on_the_path_are_engines() {
    let scene = Scene::new();
    std::fs::create_dir(scene.root().join("bin")).expect("a folder");
    script(&scene.root().join("bin/rival"), &engine(3));
    engines(&scene);
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", scene.root().join("bin").display());
    let arguments = [
        "compare",
        "./small",
        "rival",
        "--positions",
        "two.epd",
        "--depth",
        "3",
    ];
    let mut command = scene.command(env!("CARGO_BIN_EXE_bench-guard"));
    command
        .args(arguments)
        .current_dir(scene.root())
        .env("PATH", path);
    let answer = Finished::from(&command.output().expect("bench-guard starts"));
    assert_eq!(answer.code, Some(0), "{}", answer.stderr);
    let answer = scene.guard(&["compare", "./small", "no-such-engine", "--depth", "3"]);
    assert_eq!(answer.code, Some(2));
    let words = "`no-such-engine` is no file and no program on the PATH";
    answer.says(words);
}
