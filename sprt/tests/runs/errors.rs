//! What a user does wrong: one clear error with a hint, the right exit code, and nothing left
//! behind.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::support::{Place, text};

/// The run fails with this code and names these words; no run directory is made.
fn assert_refused(place: &Place, arguments: &[&str], code: i32, words: &[&str]) {
    let output = place
        .sprt(arguments)
        .args(["--out", "run"])
        .output()
        .expect("sprt runs");
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
    for word in words {
        assert!(
            said.contains(word),
            "{arguments:?}: expected `{word}` in: {said}"
        );
    }
    assert!(said.contains("hint:"), "{arguments:?}: {said}");
    assert!(output.stdout.is_empty());
    assert!(
        !place.path("run").exists(),
        "{arguments:?} left a run directory"
    );
    let left: Vec<_> = fs::read_dir(place.path(""))
        .expect("a folder")
        .flatten()
        .collect();
    assert!(
        left.iter()
            .all(|entry| !entry.file_name().to_string_lossy().starts_with(".run-"))
    );
}

#[test]
fn engines_that_are_none() {
    let place = Place::new();
    let good = place.engine("good");
    let run = |base: &str, code: i32, words: &[&str]| {
        assert_refused(&place, &[base, &good, "--nodes", "1"], code, words);
    };
    run("./missing", 2, &["no such file: `./missing`"]);
    run("missing", 2, &["`missing`"]);
    fs::write(place.path("text"), "no engine").expect("written");
    run("./text", 2, &["cannot start engine", "chmod +x"]);
    fs::set_permissions(place.path("text"), fs::Permissions::from_mode(0o755)).expect("changed");
    run("./text", 2, &["cannot start engine", "#! line"]);
    run(
        "true",
        3,
        &["`true` did not answer `uci`", "ended by itself"],
    );
}

#[test]
fn flags_that_make_no_sense() {
    let place = Place::new();
    let good = place.engine("good");
    let run = |flags: &[&str], words: &[&str]| {
        assert_refused(
            &place,
            &[&[good.as_str(), good.as_str()], flags].concat(),
            2,
            words,
        );
    };
    run(&["--tc", "8+x"], &["`8+x` is not a time control"]);
    run(
        &["--nodes", "1", "--bounds", "5,0"],
        &["first must be less"],
    );
    run(&["--nodes", "1", "--alpha", "0"], &["--alpha 0"]);
    run(
        &["--nodes", "1", "--variant", "xiangqi"],
        &["unknown variant `xiangqi`"],
    );
    run(&["--nodes", "1", "--draw-adj", "often"], &["often"]);
    run(
        &["--nodes", "1", "--option", "Hsh=1"],
        &["no option `Hsh`", "did you mean `Hash`"],
    );
    run(
        &["--nodes", "1", "--new-option", "Hash=0"],
        &["from 1 to 1024"],
    );
    run(&["--nodes", "1", "--option", "Hash"], &["NAME=VALUE"]);
}

#[test]
fn a_wrong_value_from_the_environment_is_not_blamed_on_a_flag() {
    let place = Place::new();
    let good = place.engine("good");
    let said = |flags: &[&str]| {
        let mut command = place.sprt([&good, &good, "--nodes", "1"]);
        let command = command.args(flags).env("WHETSTONE_CONCURRENCY", "abc");
        text(&command.output().expect("sprt runs").stderr)
    };
    let (taken, typed) = (said(&[]), said(&["--concurrency", "xyz"]));
    assert!(
        taken.contains("error: WHETSTONE_CONCURRENCY=abc: expected"),
        "{taken}"
    );
    assert!(
        typed.contains("error: --concurrency xyz: expected"),
        "{typed}"
    );
}

#[test]
fn books_that_are_none() {
    let place = Place::new();
    let good = place.engine("good");
    let far_on = "4k3/8/8/8/8/8/4P3/4K3 w - - 5 60\n".repeat(99) + "oops\n";
    for (name, content) in [
        ("missing.epd", None),
        ("empty.epd", Some("")),
        ("broken.epd", Some("8/8/8 w\n")),
        ("broken-far-on.epd", Some(far_on.as_str())),
        ("mate.epd", Some("8/8/8/8/8/5k2/5q2/5K2 w - - 0 1\n")),
        ("torn.zip", Some("PK\x03\x04")),
    ] {
        if let Some(content) = content {
            fs::write(place.path(name), content).expect("written");
        }
        assert_refused(
            &place,
            &[&good, &good, "--nodes", "1", "--book", name],
            2,
            &[name],
        );
    }
    make_pipe(&place, "pipe");
    assert_refused(
        &place,
        &[&good, &good, "--nodes", "1", "--book", "pipe"],
        2,
        &["pipe` is a pipe, expected a file"],
    );
}

fn make_pipe(place: &Place, name: &str) {
    let made = std::process::Command::new("mkfifo")
        .arg(place.path(name))
        .status();
    assert!(made.expect("mkfifo runs").success());
}

#[test]
fn folders_that_cannot_be_written_and_runs_that_are_there_already() {
    let place = Place::new();
    let good = place.engine("good");
    let run = |out: &str| {
        let arguments = [
            good.as_str(),
            good.as_str(),
            "--nodes",
            "1",
            "--max-games",
            "2",
            "--out",
            out,
        ];
        place.output(arguments)
    };
    let output = run("/proc/run");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("/proc") && text(&output.stderr).contains("hint:"));
    assert_eq!(run("twice").status.code(), Some(4));
    let journal = place.journal("twice");
    let output = run("twice");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("sprt resume twice"));
    assert_eq!(place.journal("twice"), journal);
}

#[test]
fn a_dry_run_prints_the_plan_and_leaves_nothing() {
    let place = Place::new();
    let good = place.engine("good");
    let output = place.output([
        &good,
        &good,
        "--nodes",
        "5",
        "--dry-run",
        "--seed",
        "3",
        "--out",
        "run",
    ]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let plan: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(plan["schema"], "sprt-plan");
    assert_eq!(plan["limit"]["nodes"], 5);
    assert!(!place.path("run").exists() && !place.path("state").exists());
}

#[test]
fn a_project_file_is_obeyed_and_its_mistakes_are_named() {
    let place = Place::new();
    let good = place.engine("good");
    let run = |content: &str| {
        fs::write(place.path("whetstone.toml"), content).expect("written");
        place.output([&good, &good, "--dry-run"])
    };
    let output = run("[sprt]\nnodes = 77\nbounds = '-5,0'\n");
    let plan: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(plan["limit"]["nodes"], 77);
    assert_eq!(plan["test"]["elo0"], -5.0);
    let output = run("[sprt]\nnoodles = 77\n");
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).contains("line 2: section [sprt]: unknown key `noodles`"),
        "{}",
        text(&output.stderr)
    );
    let output = run("[sprt]\n\nhash = 'much'\n");
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).contains("line 3: `hash` in section [sprt]"),
        "{}",
        text(&output.stderr)
    );
}

#[test]
fn the_project_file_at_the_root_is_obeyed_in_a_folder_below() {
    let place = Place::new();
    let good = place.engine("good");
    let settings = "[sprt]\nnodes = 77\nbook = 'own.epd'\n";
    fs::write(place.path("whetstone.toml"), settings).expect("written");
    fs::write(place.path("own.epd"), "4k3/8/8/8/8/8/4P3/4K3 w - - 5 60\n").expect("written");
    fs::create_dir(place.path("below")).expect("a folder");
    let output = place
        .sprt([&good, &good, "--dry-run"])
        .current_dir(place.path("below"))
        .output()
        .expect("sprt runs");
    assert!(output.status.success(), "{}", text(&output.stderr));
    let plan: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(plan["limit"]["nodes"], 77);
    assert_eq!(plan["book"]["openings"], 1);
}

#[test]
fn an_engine_that_does_not_know_chess960_is_found_out_before_there_is_a_run() {
    let place = Place::new();
    let good = place.engine("good");
    let classical = place.script(
        "classical",
        "while read -r line; do case $line in\n\
         uci) echo uciok;; isready) echo readyok;; quit) exit;;\n\
         esac; done",
    );
    assert_refused(
        &place,
        &[&good, &classical, "--nodes", "1", "--variant", "chess960"],
        2,
        &["no option `UCI_Chess960`"],
    );
}

#[test]
fn games_that_could_not_be_copied_at_the_end_are_not_played_at_all() {
    let place = Place::new();
    let good = place.engine("good");
    assert_refused(
        &place,
        &[&good, &good, "--nodes", "1", "--pgn", "missing/games.pgn"],
        2,
        &["missing/games.pgn", "--pgn"],
    );
    for (flag, what) in [("--epd", "positions"), ("--events", "events")] {
        assert_refused(
            &place,
            &[&good, &good, "--nodes", "1", flag, "missing/file"],
            2,
            &[
                &format!("write {what} to `missing/file`"),
                &format!("with {flag}"),
            ],
        );
    }
    make_pipe(&place, "pipe");
    assert_refused(
        &place,
        &[&good, &good, "--nodes", "1", "--pgn", "pipe"],
        2,
        &["`pipe` is a pipe, expected a file"],
    );
    let flags = ["--nodes", "1", "--max-games", "2", "--pgn", "/dev/null"];
    let mut thrown_away = place.run("thrown-away", &flags);
    let output = thrown_away.output().expect("sprt runs");
    assert_eq!(output.status.code(), Some(4), "{}", text(&output.stderr));
}

#[test]
fn nothing_is_written_to_the_record_of_another_run() {
    let place = Place::new();
    let good = place.engine("good");
    let mut other = place.run("other", &["--nodes", "1", "--max-games", "2"]);
    assert_eq!(other.output().expect("sprt runs").status.code(), Some(4));
    std::os::unix::fs::symlink("other/games.pgn", place.path("link")).expect("a link");
    let record =
        || ["games.pgn", "pairs.jsonl"].map(|name| fs::read(place.path("other").join(name)));
    let before = record().map(|file| file.expect("a file"));
    for (flag, file) in [
        ("--pgn", "other/games.pgn"),
        ("--pgn", "link"),
        ("--epd", "other/pairs.jsonl"),
        ("--events", "other/games.pgn"),
    ] {
        assert_refused(
            &place,
            &[&good, &good, "--nodes", "1", "--max-games", "2", flag, file],
            2,
            &[&format!("`{file}` is a part of the record of a run")],
        );
    }
    assert_eq!(record().map(|file| file.expect("a file")), before);
    // A plan of something else makes no run of its folder.
    fs::write(place.path("plan.json"), "{}").expect("written");
    let flags = ["--nodes", "1", "--max-games", "2", "--pgn", "games.pgn"];
    let mut own = place.run("own", &flags);
    let output = own.output().expect("sprt runs");
    assert_eq!(output.status.code(), Some(4), "{}", text(&output.stderr));
}

#[test]
fn files_of_a_run_may_be_read_by_the_same_users() {
    let place = Place::new();
    let mut run = place.run("out", &["--nodes", "1", "--max-games", "2"]);
    assert_eq!(run.output().expect("sprt runs").status.code(), Some(4));
    let mode = |name: &str| {
        let metadata = fs::metadata(place.path("out").join(name)).expect("a file");
        metadata.permissions().mode()
    };
    assert_eq!(mode("result.json"), mode("plan.json"));
}

#[test]
fn a_version_in_the_name_of_a_program_is_no_extension() {
    let place = Place::new();
    let (older, newer) = (place.engine("engine-1.0"), place.engine("engine-1.1"));
    let output = place.output([&older, &newer, "--dry-run"]);
    let plan: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(plan["base"]["name"], "engine-1.0");
    assert_eq!(plan["new"]["name"], "engine-1.1");
}

#[test]
fn a_misspelt_command_is_recognised() {
    let place = Place::new();
    let output = place.output(["resmue", "x"]);
    assert_eq!(output.status.code(), Some(2));
    let said = text(&output.stderr);
    assert!(said.contains("did you mean `resume`?"), "{said}");
}

#[test]
fn a_list_says_what_became_of_each_run() {
    let place = Place::new();
    let engines = [place.engine("engine-a"), place.engine("engine-b")];
    let play = |more: &[&str]| {
        let command = ["--nodes", "1", "--seed", "7"];
        place
            .sprt(&engines)
            .args(command)
            .args(more)
            .output()
            .expect("sprt runs")
    };
    play(&["--max-games", "2"]);
    play(&["--new-option", "Losses=60"]);
    let output = place.output(["list", "--json"]);
    let list: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(list["schema"], "sprt-list");
    let mut states: Vec<_> = list["runs"]
        .as_array()
        .expect("runs")
        .iter()
        .map(|run| (run["state"].as_str(), run["limit"].as_str()))
        .collect();
    states.sort_unstable();
    assert_eq!(
        states,
        [
            (Some("decided"), Some("N=1")),
            (Some("undecided"), Some("N=1"))
        ]
    );
    let table = place.output(["list"]);
    assert!(text(&table.stdout).contains("undecided"));

    // A run answers to a part of its name, if it alone has it.
    let name = list["runs"][0]["name"].as_str().expect("a name");
    let kept = place.path("state/runs");
    fs::rename(kept.join(name), kept.join("20200101-first-of-all")).expect("renamed");
    let show = |part: &str| place.output(["show", part]);
    let one = show("of-all");
    assert_ne!(one.status.code(), Some(2), "{}", text(&one.stderr));
    let several = show("-");
    assert_eq!(several.status.code(), Some(2));
    let said = text(&several.stderr);
    assert!(
        said.contains("names of 2 runs") && said.contains("hint:"),
        "{said}"
    );
    let none = show("nothing");
    assert!(text(&none.stderr).contains("no name with it"));
}
