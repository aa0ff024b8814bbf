//! Counts of moves: the built-in set, and engines that count right and wrong.

use crate::scene::{Finished, Scene, script};
use shakmaty::{CastlingMode, Chess, fen::Fen, perft};

const SET: &str = include_str!("../../data/perft.epd");

/// Position, counts by depth, and what it tests.
fn lines() -> impl Iterator<Item = (&'static str, Vec<(u32, u64)>, &'static str)> {
    let lines = SET.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| {
        let mut parts = line.split(';').map(str::trim);
        let fen = parts.next().expect("a position");
        let (counts, rest): (Vec<_>, Vec<_>) = parts.partition(|part| part.starts_with('D'));
        let count = |part: &str| {
            let (depth, leaves) = part[1..].split_once(' ').expect("a count");
            (
                depth.parse().expect("a depth"),
                leaves.parse().expect("leaves"),
            )
        };
        let counts = counts.into_iter().map(count).collect();
        (fen, counts, rest[0].strip_prefix("id ").expect("an id"))
    })
}

#[test]
fn the_built_in_counts_are_those_of_another_move_generator() {
    let mut positions = 0;
    for (fen, counts, id) in lines() {
        let mode = CastlingMode::from_chess960(id.starts_with("Chess960"));
        let position: Fen = fen.parse().expect(fen);
        let position: Chess = position.into_position(mode).expect(fen);
        for (depth, leaves) in counts {
            assert_eq!(
                perft(&position, depth),
                leaves,
                "{id}: {fen}, depth {depth}"
            );
        }
        positions += 1;
    }
    assert!(positions > 80);
}

#[test]
fn each_classic_mistake_has_its_position() {
    let ids: Vec<&str> = lines().map(|(_, _, id)| id).collect();
    for mistake in [
        "en passant uncovers",
        "castling through",
        "castling out of check",
        "castling rights go",
        "promotion to four pieces",
        "double check",
        "stalemate",
        "Chess960: the castling rook shields",
    ] {
        assert!(ids.iter().any(|id| id.contains(mistake)), "{mistake}");
    }
}

/// An engine that looks the counts up in a table, of which `change` is applied by sed.
fn engine(scene: &Scene, answer: &str, change: &str) -> String {
    engine_with(scene, "go", answer, change)
}

/// The same, asked by `go perft N` or by `perft N`.
fn engine_with(scene: &Scene, command: &str, answer: &str, change: &str) -> String {
    let table = scene.beside("table");
    std::fs::write(&table, SET).expect("a table");
    let path = scene.beside("lookup");
    script(
        &path,
        &format!(
            r#"#!/bin/sh
sed '{change}' '{table}' > '{table}.own'
while read -r word rest; do
  case "$word" in
    uci) echo "option name UCI_Chess960 type check default false"; echo uciok;;
    isready) echo readyok;;
    position) fen=${{rest#fen }}; [ "$rest" = startpos ] && fen="rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";;
    quit) exit;;
    {command}) [ "$word" = go ] || rest="perft $rest"
        set -- $rest
        echo "info string counting"
        count=$(awk -F' ;' -v fen="$fen" -v depth="D$2" '$1 == fen {{ for (i = 2; i <= NF; i++) {{ split($i, w, " "); if (w[1] == depth) print w[2] }} }}' '{table}.own')
        depth=$2
        echo "{answer}";;
  esac
done
"#,
            table = table.display(),
        ),
    );
    path.display().to_string()
}

#[test]
fn an_engine_that_counts_right_is_right_in_whatever_words() {
    let scene = Scene::new();
    for answer in ["Nodes searched: $count", "perft $depth is $count in 3 ms"] {
        let engine = engine(&scene, answer, "");
        let done = scene.guard(&["perft", &engine, "--depth", "3"]);
        assert_eq!(done.code, Some(0), "{}{}", done.stdout, done.stderr);
        assert!(done.stdout.contains(", 0 wrong"), "{}", done.stdout);
    }
}

#[test]
fn positions_without_a_count_at_that_depth_are_not_called_right() {
    let scene = Scene::new();
    let engine = engine(&scene, "Nodes searched: $count", "");
    let file = scene.beside("deep.epd");
    let positions = file.display().to_string();
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let arguments = ["perft", &engine, "--positions", &positions, "--depth", "2"];
    std::fs::write(&file, format!("{start} ;D5 4865609\n")).expect("a file");
    let none = scene.guard(&arguments);
    assert_eq!(none.code, Some(2), "{}{}", none.stdout, none.stderr);
    none.says("depth 2 or less");
    let both = format!("{start} ;D5 4865609\n{start} ;D1 20\n");
    std::fs::write(&file, both).expect("a file");
    let one = scene.guard(&arguments);
    assert_eq!(one.code, Some(0), "{}{}", one.stdout, one.stderr);
    assert!(
        one.stdout.contains("1 positions, 0 wrong"),
        "{}",
        one.stdout
    );
    one.says("not counted");
}

#[test]
fn an_engine_that_counts_gets_no_secret() {
    let scene = Scene::new();
    // One leaf too many for whoever knows the secret.
    let engine = engine(&scene, "Nodes searched: $((count${DEPLOY_KEY:+ + 1}))", "");
    let output = scene
        .command(env!("CARGO_BIN_EXE_bench-guard"))
        .args(["perft", &engine, "--depth", "2"])
        .env("DEPLOY_KEY", "open sesame")
        .current_dir(scene.root())
        .output();
    let done = Finished::from(&output.expect("bench-guard starts"));
    assert_eq!(done.code, Some(0), "{}{}", done.stdout, done.stderr);
    assert!(done.stdout.contains(", 0 wrong"), "{}", done.stdout);
}

#[test]
fn an_engine_that_counts_gets_the_variables_of_the_project() {
    let scene = Scene::new();
    // One leaf too many for whoever has no such variable.
    let engine = engine(&scene, "Nodes searched: $((count${ENGINE_NET:- + 1}))", "");
    for (environment, expected) in [("[]", 2), ("['ENGINE_NET']", 0)] {
        let settings = format!("[bench-guard]\nenvironment = {environment}\n");
        scene.write("whetstone.toml", &settings);
        let output = scene
            .command(env!("CARGO_BIN_EXE_bench-guard"))
            .args(["perft", &engine, "--depth", "2"])
            .env("ENGINE_NET", "+ 0")
            .current_dir(scene.root())
            .output();
        let done = Finished::from(&output.expect("bench-guard starts"));
        assert_eq!(done.code, Some(expected), "{}{}", done.stdout, done.stderr);
    }
}

#[test]
fn an_engine_that_takes_go_perft_for_a_search_is_asked_by_perft() {
    let scene = Scene::new();
    let engine = engine_with(&scene, "perft", "$count", "");
    let done = scene.guard(&["perft", &engine, "--depth", "2"]);
    assert_eq!(done.code, Some(0), "{}{}", done.stdout, done.stderr);
}

#[test]
fn an_engine_that_waits_for_more_words_of_go_is_asked_by_perft() {
    let scene = Scene::new();
    let engine = engine_with(&scene, "perft", "$count", "");
    let text = std::fs::read_to_string(&engine).expect("a script");
    let text = text.replace("quit) exit;;", "quit) exit;;\n    go) cat > '/dev/null';;");
    script(std::path::Path::new(&engine), &text);
    let done = scene.guard(&["perft", &engine, "--depth", "2"]);
    assert_eq!(done.code, Some(0), "{}{}", done.stdout, done.stderr);
}

#[test]
fn an_answer_that_is_left_in_a_buffer_is_waited_for() {
    let scene = Scene::new();
    let engine = engine(&scene, "$count", "");
    let text = std::fs::read_to_string(&engine).expect("a script");
    let text = text.replace("echo \"$count\"", "kept=\"$count\"").replace(
        "echo readyok",
        "[ -z \"$kept\" ] || echo \"$kept\"; kept=; echo readyok",
    );
    script(std::path::Path::new(&engine), &text);
    let start = scene.beside("positions");
    let first: String = SET
        .lines()
        .take(4)
        .map(|line| line.to_owned() + "\n")
        .collect();
    std::fs::write(&start, first).expect("positions");
    let positions = start.display().to_string();
    let done = scene.guard(&["perft", &engine, "--depth", "2", "--positions", &positions]);
    assert_eq!(done.code, Some(0), "{}{}", done.stdout, done.stderr);
}

#[test]
fn a_count_that_is_wrong_is_reported_at_its_first_depth() {
    let scene = Scene::new();
    // It takes en passant where that uncovers a rook, from depth 1 on.
    let change =
        "/uncovers a rook on the rank$/s/;D1 \\([0-9]*\\) ;D2 \\([0-9]*\\)/;D1 1\\1 ;D2 1\\2/";
    let engine = engine(&scene, "Nodes searched: $count", change);
    let done = scene.guard(&["perft", &engine, "--depth", "2"]);
    assert_eq!(done.code, Some(1), "{}{}", done.stdout, done.stderr);
    for words in [
        "en passant uncovers a rook",
        "depth 1: the engine counts",
        ", 1 wrong",
    ] {
        assert!(done.stdout.contains(words), "{words}: {}", done.stdout);
    }
    let json = scene.guard(&["perft", &engine, "--depth", "2", "--json"]);
    assert!(
        json.stdout.contains("\"schema\": \"bench-guard-perft\""),
        "{}",
        json.stdout
    );
    assert!(json.stdout.contains("\"depth\": 1"), "{}", json.stdout);
}

#[test]
fn a_wrong_count_of_the_start_position_is_reported_like_others() {
    let scene = Scene::new();
    let change = "/the start position/s/;D3 8902/;D3 8898/";
    let engine = engine(&scene, "Nodes searched: $count", change);
    let done = scene.guard(&["perft", &engine, "--depth", "3"]);
    assert_eq!(done.code, Some(1), "{}{}", done.stdout, done.stderr);
    for words in ["the start position", "8898", ", 1 wrong"] {
        assert!(done.stdout.contains(words), "{words}: {}", done.stdout);
    }
}

#[test]
fn an_engine_without_perft_is_no_answer() {
    let scene = Scene::new();
    let engine = engine(&scene, "bestmove a2a3", "");
    let done = scene.guard(&["perft", &engine, "--limit", "1"]);
    assert_eq!(done.code, Some(2), "{}{}", done.stdout, done.stderr);
    done.says("8902");
}
