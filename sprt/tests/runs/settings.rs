//! Settings of one engine: how it is started, what it is sent, how long it may think.

use std::fs;

use crate::support::{Place, json, text};

/// An engine that writes down where and with what it was started, and plays on as usual.
fn noting(place: &Place, name: &str) -> String {
    let engine = place.engine("engine-a");
    let notes = place.path(&format!("{name}.txt")).display().to_string();
    place.script(name, &format!("echo \"$PWD $*\" >> {notes}\nexec {engine}"))
}

fn notes(place: &Place, name: &str) -> Vec<String> {
    let notes = fs::read_to_string(place.path(&format!("{name}.txt"))).expect("notes");
    notes.lines().map(str::to_owned).collect()
}

#[test]
fn each_engine_has_arguments_folder_name_lines_and_limit_of_its_own() {
    let place = Place::new();
    fs::create_dir(place.path("home")).expect("a folder");
    let (base, new) = (noting(&place, "base"), noting(&place, "new"));
    let output = place
        .sprt(["run", &base, &new])
        .args(["--seed", "7", "--out", "run", "--log", "logs", "--json"])
        .args(["--max-games", "2", "--arg", "--both", "--nodes", "5"])
        .args([
            "--new-arg",
            "--quick",
            "--new-arg=-x y",
            "--new-dir",
            "home",
        ])
        .args(["--new-name", "the one", "--new-init", "hello there"])
        .args(["--base-tc", "10+1", "--new-option", "Hash=8"])
        .output()
        .expect("sprt runs");
    let result = json(&output);
    assert_eq!(result["games"], 2, "{}", text(&output.stderr));
    assert_eq!(result["new"]["name"], "the_one");
    assert_eq!(result["limit"], "base: 10.0+1.00s new: N=5");
    assert_eq!(result["base"]["limit"], "10.0+1.00s");

    let home = place.path("home").canonicalize().expect("a folder");
    let expected = format!("{} --both --quick -x y", home.display());
    assert!(notes(&place, "new").iter().all(|line| *line == expected));
    assert!(
        notes(&place, "base")
            .iter()
            .all(|line| line.ends_with(" --both"))
    );

    let log = |name: &str| fs::read_to_string(place.path("logs").join(name)).expect("a log");
    let (base, new) = (log("game-1-base.log"), log("game-1-the_one.log"));
    assert!(new.contains("> setoption name Hash value 8"));
    assert!(new.contains("> hello there") && new.contains("> go nodes 5"));
    // BASE has Black, and NEW has no clock to send.
    assert!(!base.contains("hello there") && base.contains("> go btime "));
}

#[test]
fn a_clock_has_stages_and_nodes_may_stand_beside_it() {
    let place = Place::new();
    let go = place.path("go.txt");
    let output = place
        .run(
            "run",
            &[
                "--tc",
                "2/10,1/20+1,30",
                "--nodes",
                "99",
                "--max-games",
                "2",
            ],
        )
        .args(["--concurrency", "1", "--new-option"])
        .arg(format!("Log={}", go.display()))
        .output()
        .expect("sprt runs");
    let result = json(&output);
    assert_eq!(result["games"], 2, "{}", text(&output.stderr));
    assert_eq!(result["limit"], "2/10.0+0.00,1/20.0+1.00,30.0+0.00s N=99");
    let lines = fs::read_to_string(&go).expect("a log");
    let lines: Vec<&str> = lines.lines().collect();
    // The first is the trial; then NEW has White.
    let rest = |line: &str| line.split_once("btime").map(|(_, rest)| rest.to_owned());
    let told: Vec<String> = lines[1..5].iter().filter_map(|line| rest(line)).collect();
    let has = |number: usize, words: &str| told[number].ends_with(words);
    assert!(has(0, "winc 0 binc 0 movestogo 2 nodes 99"), "{told:?}");
    assert!(has(1, "winc 0 binc 0 movestogo 1 nodes 99"), "{told:?}");
    assert!(
        has(2, "winc 1000 binc 1000 movestogo 1 nodes 99"),
        "{told:?}"
    );
    assert!(has(3, "winc 0 binc 0 nodes 99"), "{told:?}");
    let pgn = fs::read_to_string(place.path("run/games.pgn")).expect("games");
    assert!(pgn.contains("[TimeControl \"2/10:1/20+1:30\"]"));
}

#[test]
fn what_an_engine_uses_of_an_hourglass_its_opponent_gets() {
    let place = Place::new();
    let go = place.path("go.txt");
    let output = place
        .run(
            "run",
            &["--tc", "hg5", "--max-moves", "2", "--max-games", "2"],
        )
        .args(["--concurrency", "1", "--option", "Script=think:100@all"])
        .arg("--new-option")
        .arg(format!("Log={}", go.display()))
        .output()
        .expect("sprt runs");
    let result = json(&output);
    assert_eq!(result["limit"], "hg5s", "{}", text(&output.stderr));
    let log = fs::read_to_string(&go).expect("a log");
    // Both clocks together show what both had.
    for line in log.lines().filter(|line| line.starts_with("go ")).skip(1) {
        let words: Vec<&str> = line.split(' ').collect();
        let shown = |name: &str| -> u64 {
            let at = words.iter().position(|word| *word == name).expect(name);
            words[at + 1].parse().expect(line)
        };
        let both = shown("wtime") + shown("btime");
        assert!((9_990..=10_000).contains(&both), "{line}");
        assert_eq!(shown("winc"), 0, "{line}");
    }
    let pgn = fs::read_to_string(place.path("run/games.pgn")).expect("games");
    assert!(pgn.contains("[TimeControl \"*5\"]"), "{pgn}");
}

#[test]
fn a_process_is_started_anew_for_each_pair_or_game_and_keeps_its_settings() {
    let place = Place::new();
    let (base, new) = (noting(&place, "base"), noting(&place, "new"));
    let play = |more: &[&str]| {
        let output = place
            .sprt(["run", &base, &new])
            .args([
                "--seed",
                "7",
                "--nodes",
                "1",
                "--max-games",
                "6",
                "--concurrency",
                "1",
            ])
            .args(["--json", "--new-arg", "--quick", "--log", "logs"])
            .args(more)
            .output()
            .expect("sprt runs");
        assert_eq!(json(&output)["games"], 6, "{}", text(&output.stderr));
        ["base", "new"].map(|name| {
            let starts = notes(&place, name).len();
            fs::remove_file(place.path(&format!("{name}.txt"))).expect("removed");
            starts
        })
    };
    // One start is the trial before the first game.
    assert_eq!(
        play(&["--restart", "pair", "--new-restart", "game"]),
        [1 + 3, 1 + 6]
    );
    assert_eq!(play(&[]), [2, 2]);
    let log = fs::read_to_string(place.path("logs/game-6-new.log")).expect("a log");
    assert!(log.contains("> ucinewgame"));
}

#[test]
fn a_project_file_has_sections_for_single_engines() {
    let place = Place::new();
    fs::create_dir_all(place.path("project/data")).expect("a folder");
    let (base, new) = (noting(&place, "base"), noting(&place, "new"));
    fs::write(
        place.path("project/whetstone.toml"),
        "[sprt]\nnodes = 5\n[sprt.new]\narg = ['--from-file']\ndir = 'data'\nnodes = 7\n",
    )
    .expect("written");
    let mut command = place.sprt(["run", &base, &new, "--dry-run", "--new-arg", "--more"]);
    let output = command
        .current_dir(place.path("project"))
        .output()
        .expect("sprt runs");
    let plan = json(&output);
    assert_eq!(
        plan["new"]["arguments"],
        serde_json::json!(["--from-file", "--more"])
    );
    assert_eq!(plan["new"]["limit"]["nodes"], 7);
    assert!(plan["base"].get("limit").is_none());
    assert!(
        plan["new"]["folder"]
            .as_str()
            .is_some_and(|folder| folder.ends_with("data"))
    );

    fs::write(
        place.path("project/whetstone.toml"),
        "[sprt]\nnodes = 5\n[sprt.new]\nargs = ['x']\n",
    )
    .expect("written");
    let mut command = place.sprt(["run", &base, &new, "--dry-run"]);
    let output = command
        .current_dir(place.path("project"))
        .output()
        .expect("sprt runs");
    let told = text(&output.stderr);
    assert!(
        told.contains("args") && told.contains("whetstone.toml"),
        "{told}"
    );
}

#[test]
fn a_missing_folder_is_named_when_a_run_continues() {
    let place = Place::new();
    fs::create_dir(place.path("home")).expect("a folder");
    let output = place
        .run(
            "run",
            &["--nodes", "1", "--max-games", "2", "--new-dir", "home"],
        )
        .output()
        .expect("sprt runs");
    assert_eq!(json(&output)["games"], 2, "{}", text(&output.stderr));
    fs::remove_dir(place.path("home")).expect("removed");
    let output = place.output(["resume", "run", "--max-games", "4"]);
    let told = text(&output.stderr);
    assert!(
        told.contains("no such folder") && told.contains("home"),
        "{told}"
    );
}
