//! Whole ablations, of an engine that has switches without effect and one margin that matters.

use std::fs;

use nix::sys::signal::Signal;
use serde_json::Value;

use crate::support::{Answer, Place};

fn ablate(place: &Place, more: &[&str]) -> Answer {
    let engine = place.engine("idle-switch");
    let common = [
        "ablate",
        "params.toml",
        "--engine",
        &engine,
        "--concurrency",
        "2",
        "--seed",
        "3",
    ];
    place.run([&common, more].concat())
}

fn settings(answer: &Answer) -> Vec<Value> {
    let object: Value = serde_json::from_str(&answer.stdout).expect("an object");
    assert_eq!(object["schema"], "tuner-ablation");
    object["settings"].as_array().expect("settings").clone()
}

const SUITE: &str = "\
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - am e4;
rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - am e5;
";

#[test]
fn settings_that_change_the_search_are_measured_in_every_way() {
    let place = Place::new();
    place.write("two.epd", SUITE);
    let judge = place.engine("engine");
    let flags = [
        "--off",
        "Gated=8",
        "--games",
        "6",
        "--suite",
        "two.epd",
        "--judge",
        &judge,
        "--judge-nodes",
        "50",
        "--out",
        "out",
        "--page",
        "page.html",
        "--json",
    ];
    let answer = ablate(&place, &flags);
    assert_eq!(answer.code, Some(0), "{answer:?}");
    let found = settings(&answer);
    let names: Vec<&str> = found.iter().filter_map(|it| it["name"].as_str()).collect();
    assert_eq!(
        names,
        [
            "baseline",
            "UseMargin=false",
            "Style=bold",
            "Style=wild",
            "Gated=8",
            "conservative"
        ]
    );
    assert_eq!(found[5]["options"]["Margin"], "150");
    for (place, setting) in found.iter().enumerate() {
        let is_idle = (1..4).contains(&place);
        assert_eq!(
            setting["changes_nothing"],
            place == 0 || is_idle,
            "{setting}"
        );
        assert_eq!(setting["suite"].is_null(), is_idle, "{setting}");
        assert_eq!(
            setting["games"].is_null(),
            place == 0 || is_idle,
            "{setting}"
        );
        assert_eq!(setting["blunders"].is_null(), is_idle, "{setting}");
    }
    let games = &found[5]["games"];
    let count = |name: &str| games[name].as_u64().expect("a count");
    assert_eq!(count("wins") + count("losses") + count("draws"), 6);
    assert!(place.read("page.html").contains("<td>conservative</td>"));

    // The same command continues where it ended: nothing is played or judged again.
    let files = [
        "out/games/pairs.jsonl",
        "out/suite/answers.jsonl",
        "out/blunders/judgements.jsonl",
    ];
    let before = files.map(|file| place.read(file));
    assert_eq!(ablate(&place, &flags).stdout, answer.stdout);
    assert_eq!(files.map(|file| place.read(file)), before);

    // Cut short, it plays what is missing and ends the same.
    let pairs = place.read("out/games/pairs.jsonl");
    let first: Vec<&str> = pairs.lines().take(2).collect();
    place.write("out/games/pairs.jsonl", &(first.join("\n") + "\n"));
    fs::remove_dir_all(place.path("out/blunders")).expect("removed");
    assert_eq!(settings(&ablate(&place, &flags)), found);

    let other = ablate(&place, &["--games", "8", "--out", "out"]);
    assert_eq!(other.code, Some(2), "{other:?}");
    other.says("holds results for other settings");
}

#[test]
fn a_folder_is_continued_only_by_flags_that_ask_for_the_same() {
    let place = Place::new();
    place.write("two.epd", SUITE);
    let (one, _) = SUITE.split_at(SUITE.find('\n').map_or(0, |end| end + 1));
    place.write("one.epd", one);
    let ablate = |more: &[&str]| {
        let engine = place.engine("idle-switch");
        let common = "ablate params.toml --off Gated=8 --out out";
        let all = common
            .split(' ')
            .chain(["--engine", &engine, "--games", "4"]);
        place.run(all.chain(more.iter().copied()))
    };
    let usual = ["--suite", "two.epd", "--suite-nodes", "60", "--seed", "3"];
    let first = ablate(&usual);
    assert_eq!(first.code, Some(0), "{first:?}");
    for more in [
        &["--nodes", "90"][..],
        &["--seed", "4"],
        &["--book-order", "sequential"],
        &["--draw-adj", "off"],
        &["--suite-nodes", "70"],
        &["--suite", "one.epd"],
    ] {
        let other = |flag: &&[&str]| more[0] != flag[0] || more[1] == flag[1];
        let kept: Vec<&str> = usual.chunks(2).filter(other).flatten().copied().collect();
        let answer = ablate(&[&kept, more].concat());
        assert_eq!(answer.code, Some(2), "{more:?}: {answer:?}");
        let words = "holds results for other settings";
        assert!(answer.stderr.contains(words), "{more:?}: {answer:?}");
    }
    let again = ablate(&[&usual[..], &["--concurrency", "1"]].concat());
    assert_eq!((again.code, again.stdout), (Some(0), first.stdout));
}

#[test]
fn games_that_were_interrupted_are_continued_by_the_same_command() {
    let place = Place::new();
    let engine = place.engine("idle-switch");
    let arguments = "--games 200 --off Gated=8 --out all --json";
    let ablate = ["ablate", "params.toml", "--engine", &engine];
    let ablate = || ablate.iter().copied().chain(arguments.split(' '));
    let command = place.tuner(ablate());
    let interrupted = place.interrupted(command, "all/games/pairs.jsonl", Signal::SIGINT);
    let told = &interrupted.stderr;
    assert!(
        told.contains("continue with the same command and `--out all`")
            && !told.contains("sprt resume"),
        "{told}"
    );
    let done = place.run(ablate());
    assert_eq!(done.code, Some(0), "{done:?}");
    assert_eq!(place.read("all/games/pairs.jsonl").lines().count(), 200);
}

#[test]
fn the_table_names_what_changes_nothing_once() {
    let place = Place::new();
    let answer = ablate(&place, &["--games", "0"]);
    assert_eq!(answer.code, Some(0), "{answer:?}");
    assert!(
        answer
            .stdout
            .contains("no search to depth 9 changes: UseMargin=false, Style=bold, Style=wild"),
        "{answer:?}"
    );
    assert!(
        !answer.stdout.contains("Elo") && answer.stdout.contains("conservative"),
        "{answer:?}"
    );
}

#[test]
fn only_the_switches_that_are_named_are_turned_over() {
    let place = Place::new();
    let answer = ablate(&place, &["--switch", "usemargin", "--dry-run"]);
    let found: Value = serde_json::from_str(&answer.stdout).expect("a list");
    let names: Vec<&str> = found
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|it| it["name"].as_str())
        .collect();
    assert_eq!(names, ["baseline", "UseMargin=false"]);
}

#[test]
fn what_cannot_be_ablated_is_refused_before_work_begins() {
    let place = Place::new();
    place.write("none.epd", "8/8/8 w - - bm a1;\n");
    for (more, words) in [
        (&["--games", "3"][..], "expected an even number"),
        (&["--games", "0", "--judge", "x"], "--judge without games"),
        (&["--switch", "Margin"], "is no switch"),
        (&["--switch", "Nothing"], "no such option"),
        (&["--off", "Nothing=1"], "no option `Nothing`"),
        (&["--off", "Gated=99"], "`99`"),
        (&["--setting", "odd"], "`odd` is no setting"),
        (
            &["--setting", "a: Gated=4", "--setting", "a: Gated=5"],
            "two settings are called `a` and `a`",
        ),
        // Tournaments give engines whose names differ only in case other names.
        (
            &["--setting", "Baseline: Gated=4"],
            "two settings are called `baseline` and `Baseline`",
        ),
        (&["--suite", "none.epd"], "no position with a solution"),
    ] {
        let answer = ablate(&place, &[more, &["--out", "none"]].concat());
        assert_eq!(answer.code, Some(2), "{more:?}: {answer:?}");
        assert!(answer.stderr.contains(words), "{more:?}: {answer:?}");
        assert!(!place.path("none").exists(), "{more:?}");
    }
}
