//! Runs that are interrupted in every way, and what is left of them.

use std::fs::OpenOptions;
use std::io::Write;
use std::os::unix::process::CommandExt;
use std::process::Stdio;
use std::time::Duration;

use crate::support::{Place, eventually, json, kill_group, processes_in, text};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

/// A match that takes some seconds and is decided by the test.
const UNDECIDED_FOR_LONG: [&str; 10] = [
    "--nodes",
    "1",
    "--new-option",
    "Losses=40",
    "--base-option",
    "Losses=30",
    "--max-games",
    "600",
    "--concurrency",
    "3",
];

#[test]
fn games_and_verdict_are_the_same_at_any_concurrency() {
    let place = Place::new();
    let run = |out: &str, concurrency: &str| {
        let arguments = [
            "--nodes",
            "1",
            "--new-option",
            "Losses=60",
            "--concurrency",
            concurrency,
            "--max-games",
            "400",
        ];
        let output = place.run(out, &arguments).output().expect("sprt runs");
        assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
        let mut result = json(&output);
        result["run"] = serde_json::Value::Null;
        (result, without_offsets(&place.journal(out)))
    };
    let alone = run("alone", "1");
    assert_eq!(alone.0["verdict"], "H0");
    assert_eq!(run("together", "5"), alone);
}

/// How often a run is killed; more often by hand: `SPRT_TEST_KILLS=10`.
fn kills() -> u64 {
    std::env::var("SPRT_TEST_KILLS")
        .ok()
        .and_then(|kills| kills.parse().ok())
        .unwrap_or(4)
}

#[test]
fn a_run_that_is_killed_again_and_again_ends_as_if_it_had_not_been() {
    let place = Place::new();
    let output = place
        .run("undisturbed", &UNDECIDED_FOR_LONG)
        .output()
        .expect("sprt runs");
    let undisturbed = json(&output);

    // The same match, killed with its whole process group at moments that differ from run to run.
    let mut child = place
        .run("killed", &UNDECIDED_FOR_LONG)
        .process_group(0)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("sprt runs");
    eventually("the run has begun", || {
        place.path("killed/plan.json").exists()
    });
    for kill in 0..kills() {
        std::thread::sleep(Duration::from_millis(40 + 83 * (kill * 7 % 5)));
        kill_group(&child);
        let _ = child.wait();
        child = place
            .sprt([
                "resume",
                "killed",
                "--json",
                "--concurrency",
                if kill % 2 == 0 { "2" } else { "4" },
            ])
            .process_group(0)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("sprt runs");
    }
    let output = child.wait_with_output().expect("sprt ends");
    let resumed = json(&output);
    for figure in [
        "verdict",
        "llr",
        "pentanomial",
        "pairs",
        "wins",
        "losses",
        "draws",
    ] {
        assert_eq!(resumed[figure], undisturbed[figure], "{figure}");
    }
    assert_eq!(
        without_offsets(&place.journal("killed")),
        without_offsets(&place.journal("undisturbed"))
    );
    let games = |out: &str| {
        let pgn = std::fs::read_to_string(place.path(out).join("games.pgn")).expect("games");
        pgn.matches("[Event ").count() as u64
    };
    assert_eq!(Some(games("killed")), resumed["games"].as_u64());
    assert_eq!(games("killed"), games("undisturbed"));
}

/// The journal without the lengths of the PGN, in which clock times stand.
fn without_offsets(journal: &str) -> Vec<String> {
    journal
        .lines()
        .map(|line| {
            line.split(",\"games_end\"")
                .next()
                .unwrap_or_default()
                .to_owned()
        })
        .collect()
}

#[test]
fn no_engine_outlives_a_runner_that_was_killed_not_even_one_that_is_deaf() {
    let place = Place::new();
    let mut child = place
        .sprt([&place.engine("deaf"), &place.engine("engine-a")])
        .args([
            "--tc",
            "60",
            "--new-option",
            "Script=stall@2",
            "--out",
            "run",
        ])
        .process_group(0)
        .stderr(Stdio::null())
        .spawn()
        .expect("sprt runs");
    eventually("both engines of both slots run", || {
        processes_in(place.path("").as_path()).len() >= 2 && place.path("run").exists()
    });
    kill_group(&child);
    let _ = child.wait();
    eventually("all engines are gone", || {
        processes_in(place.path("").as_path()).is_empty()
    });
}

#[cfg(target_os = "linux")]
#[test]
fn a_deaf_engine_ends_when_its_runner_and_all_guards_are_killed() {
    let place = Place::new();
    let mut child = place
        .sprt([&place.engine("deaf"), &place.engine("engine-a")])
        .args(["--tc", "60", "--new-option", "Script=stall@2"])
        .args(["--concurrency", "1", "--out", "run"])
        .stderr(Stdio::null())
        .spawn()
        .expect("sprt runs");
    eventually("both engines play", || {
        processes_in(&place.path("")).len() == 2 && place.path("run").exists()
    });
    // A runner that cannot act when its guards are killed, and is killed then.
    let guards = children(child.id());
    assert_eq!(guards.len(), 2);
    let runner = Pid::from_raw(child.id() as i32);
    kill(runner, Signal::SIGSTOP).expect("a signal sent");
    for guard in guards {
        kill(guard, Signal::SIGKILL).expect("a signal sent");
    }
    child.kill().expect("killed");
    let _ = child.wait();
    eventually("both engines are gone", || {
        processes_in(&place.path("")).is_empty()
    });
}

#[cfg(target_os = "linux")]
fn children(parent: u32) -> Vec<Pid> {
    let tasks = std::fs::read_dir(format!("/proc/{parent}/task")).expect("its threads");
    let of_task = |task: std::fs::DirEntry| std::fs::read_to_string(task.path().join("children"));
    let lists = tasks.flatten().filter_map(|task| of_task(task).ok());
    let numbers = lists.flat_map(|list| {
        let numbers = list.split_whitespace().map(|number| number.parse().ok());
        numbers.collect::<Vec<_>>()
    });
    numbers.flatten().map(Pid::from_raw).collect()
}

#[test]
fn an_interrupt_ends_the_run_in_order_and_says_how_to_go_on() {
    for (signal, code) in [(Signal::SIGINT, 130), (Signal::SIGTERM, 143)] {
        let place = Place::new();
        let child = place
            .run("run", &["--nodes", "1", "--bounds=-500,500"])
            .args(["--alpha", "1e-90", "--beta", "1e-90"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("sprt runs");
        eventually("the first pair is finished", || {
            place.path("run/pairs.jsonl").exists() && !place.journal("run").is_empty()
        });
        // As `timeout` does: once to its child, once to the group that its child belongs to.
        for _ in 0..2 {
            kill(Pid::from_raw(child.id() as i32), signal).expect("a signal sent");
            std::thread::sleep(Duration::from_millis(2));
        }
        let output = child.wait_with_output().expect("sprt ends");
        assert_eq!(output.status.code(), Some(code));
        assert!(
            text(&output.stderr).contains("sprt resume run"),
            "{}",
            text(&output.stderr)
        );
        assert!(processes_in(place.path("").as_path()).is_empty());
        assert_eq!(json(&output)["verdict"], "undecided");
    }
}

#[test]
fn a_torn_last_line_of_the_journal_is_dropped() {
    let place = Place::new();
    let whole = place
        .run("run", &["--nodes", "1", "--max-games", "6"])
        .output()
        .expect("sprt runs");
    let journal = place.path("run/pairs.jsonl");
    let whole_journal = place.journal("run");
    // As after a crash of the machine in the middle of a write: the last line is half there.
    let torn = &whole_journal[..whole_journal.len() - 9];
    std::fs::write(&journal, torn).expect("written");
    let output = place.output(["resume", "run", "--json"]);
    assert_eq!(json(&output)["pentanomial"], json(&whole)["pentanomial"]);
    assert_eq!(
        without_offsets(&place.journal("run")),
        without_offsets(&whole_journal)
    );
}

#[test]
fn a_journal_that_something_else_changed_is_refused() {
    let place = Place::new();
    place
        .run("run", &["--nodes", "1", "--max-games", "4"])
        .output()
        .expect("sprt runs");
    let mut journal = OpenOptions::new()
        .append(true)
        .open(place.path("run/pairs.jsonl"))
        .expect("a journal");
    journal.write_all(b"{}\n").expect("written");
    let output = place.output(["resume", "run"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).contains("line 3"),
        "{}",
        text(&output.stderr)
    );
}

#[test]
fn a_finished_run_is_shown_and_not_played_on() {
    let place = Place::new();
    let first = place
        .run("run", &["--nodes", "1", "--max-games", "4"])
        .output()
        .expect("sprt runs");
    for command in ["resume", "show"] {
        let again = place.output([command, "run", "--json"]);
        assert_eq!(again.status.code(), Some(4), "{}", text(&again.stderr));
        assert_eq!(json(&again), json(&first));
    }
}

#[test]
fn a_changed_binary_is_not_resumed() {
    let place = Place::new();
    place
        .run("run", &["--nodes", "1", "--max-games", "4"])
        .output()
        .expect("sprt runs");
    std::fs::remove_file(place.path("engine-b")).expect("removed");
    std::fs::write(place.path("engine-b"), "another").expect("written");
    let output = place.output(["resume", "run"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).contains("has changed since the run began"),
        "{}",
        text(&output.stderr)
    );
}

#[test]
fn a_run_whose_network_was_exchanged_is_not_resumed() {
    let place = Place::new();
    let network = place.path("net.bin");
    std::fs::write(&network, "one").expect("written");
    let flags = ["--nodes", "1", "--max-games", "4", "--new-option"];
    let mut play = place.run("run", &[&flags[..], &["Script=net.bin"]].concat());
    play.output().expect("sprt runs");
    let resume = || place.output(["resume", "run"]);
    let same = resume();
    assert_eq!(same.status.code(), Some(4), "{}", text(&same.stderr));
    for change in [Some("another"), None] {
        match change {
            Some(content) => std::fs::write(&network, content).expect("written"),
            None => std::fs::remove_file(&network).expect("removed"),
        }
        let output = resume();
        let told = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{told}");
        assert!(told.contains("`net.bin`, the Script of "), "{told}");
        assert!(told.contains("has changed since the run began"), "{told}");
    }
}

#[test]
fn a_file_that_the_engine_writes_is_no_reason_not_to_resume() {
    let place = Place::new();
    std::fs::write(place.path("moves.log"), "one").expect("written");
    let flags = ["--nodes", "1", "--max-games", "4", "--new-option"];
    let mut play = place.run("run", &[&flags[..], &["Log=moves.log"]].concat());
    play.output().expect("sprt runs");
    let output = place.output(["resume", "run"]);
    assert_eq!(output.status.code(), Some(4), "{}", text(&output.stderr));
    let log = std::fs::read_to_string(place.path("moves.log")).expect("a log");
    assert_ne!(log, "one", "the engine has written to it");
}

#[test]
fn two_processes_do_not_play_one_run() {
    let place = Place::new();
    let mut child = place
        .run("run", &["--tc", "60", "--new-option", "Script=stall@2"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("sprt runs");
    eventually("the run has begun", || place.path("run").exists());
    let output = place.output(["resume", "run"]);
    child.kill().expect("killed");
    let _ = child.wait();
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).contains("being played already"),
        "{}",
        text(&output.stderr)
    );
}

#[test]
fn an_emptied_journal_is_not_resumed_and_its_games_stay() {
    let place = Place::new();
    place
        .run("run", &["--nodes", "1", "--max-games", "4"])
        .output()
        .expect("sprt runs");
    std::fs::write(place.path("run/pairs.jsonl"), "").expect("written");
    let games = std::fs::read(place.path("run/games.pgn")).expect("games");
    let output = place.output(["resume", "run"]);
    assert_eq!(output.status.code(), Some(2));
    let said = text(&output.stderr);
    assert!(said.contains("pairs.jsonl` is empty"), "{said}");
    assert_eq!(
        std::fs::read(place.path("run/games.pgn")).expect("games"),
        games
    );
}

#[test]
fn games_without_a_line_of_a_run_that_was_left_before_its_first_pair_are_kept() {
    let place = Place::new();
    let mut child = place
        .run("run", &["--nodes", "1", "--max-games", "2"])
        // The games are short, and take a while.
        .args(["--base-option", "Losses=100"])
        .args(["--new-option", "Script=sleep:300@all"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("sprt runs");
    eventually("the run has begun", || {
        place.path("run/activity.json").exists()
    });
    kill(Pid::from_raw(child.id() as i32), Signal::SIGINT).expect("a signal sent");
    assert_eq!(child.wait().expect("sprt ends").code(), Some(130));
    let result = std::fs::read(place.path("run/result.json")).expect("a result");
    let result: serde_json::Value = serde_json::from_slice(&result).expect("JSON");
    assert_eq!(result["pairs"], 0);
    // As if it had been resumed, and killed when the games were written and their line was not.
    std::fs::write(place.path("run/games.pgn"), "games\n").expect("written");
    let output = place.sprt(["resume", "run", "--json"]).output();
    let output = output.expect("sprt runs");
    assert_eq!(json(&output)["games"], 2, "{}", text(&output.stderr));
    let kept = std::fs::read(place.path("run/games.pgn.stray")).expect("games");
    assert_eq!(kept, b"games\n");
}

#[test]
fn pairs_whose_games_a_power_failure_took_are_played_again() {
    let place = Place::new();
    let output = place
        .run(
            "run",
            &["--nodes", "1", "--max-games", "20", "--concurrency", "1"],
        )
        .output()
        .expect("sprt runs");
    let whole = place.journal("run");
    let games = OpenOptions::new()
        .write(true)
        .open(place.path("run/games.pgn"))
        .expect("games");
    let length = games.metadata().expect("a file").len();
    games.set_len(length - 1).expect("a shorter file");
    let resumed = place.sprt(["resume", "run", "--json"]).output();
    let resumed = resumed.expect("sprt runs");
    let told = text(&resumed.stderr);
    assert!(told.contains("the last pair"), "{told}");
    assert!(told.contains("played again"), "{told}");
    assert_eq!(
        without_offsets(&place.journal("run")),
        without_offsets(&whole)
    );
    assert_eq!(json(&resumed)["games"], json(&output)["games"]);
}

#[test]
fn a_changed_line_of_the_journal_is_refused() {
    let place = Place::new();
    place
        .run("run", &["--nodes", "1", "--max-games", "4"])
        .output()
        .expect("sprt runs");
    let journal = place
        .journal("run")
        .replacen("\"plies\":", "\"plies\":1", 1);
    std::fs::write(place.path("run/pairs.jsonl"), journal).expect("written");
    let output = place.output(["resume", "run"]);
    assert_eq!(output.status.code(), Some(2));
    let said = text(&output.stderr);
    assert!(
        said.contains("line 1") && said.contains("checksum"),
        "{said}"
    );
}

#[test]
fn a_limit_of_games_can_be_raised() {
    let place = Place::new();
    let first = place
        .run("run", &["--nodes", "1", "--max-games", "4"])
        .output()
        .expect("sprt runs");
    assert_eq!(json(&first)["games"], 4);
    let more = place.output(["resume", "run", "--json", "--max-games", "8"]);
    assert_eq!(more.status.code(), Some(4), "{}", text(&more.stderr));
    let whole = place
        .run("whole", &["--nodes", "1", "--max-games", "8"])
        .output()
        .expect("sprt runs");
    assert_eq!(json(&more)["pentanomial"], json(&whole)["pentanomial"]);
    let shown = place.sprt(["show", "run", "--json"]).output();
    assert_eq!(json(&shown.expect("sprt runs"))["max_pairs"], 4);
}

#[test]
fn a_longer_run_that_is_interrupted_continues_as_it_says() {
    for length in ["--max-games", "--games"] {
        let place = Place::new();
        let first = place
            .run("run", &["--nodes", "1", length, "4"])
            .output()
            .expect("sprt runs");
        assert_eq!(json(&first)["games"], 4, "{}", text(&first.stderr));
        let child = place
            .sprt([
                "resume",
                "run",
                "--max-games",
                "20000",
                "--pgn",
                "all games",
            ])
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("sprt runs");
        eventually("more pairs are played", || {
            place.journal("run").lines().count() > 2
        });
        kill(Pid::from_raw(child.id() as i32), Signal::SIGINT).expect("a signal sent");
        let output = child.wait_with_output().expect("sprt ends");
        let told = text(&output.stderr);
        let command = "continue with `sprt resume run --pgn 'all games'`";
        assert!(told.contains(command), "{told}");

        let shown = place.output(["show", "run"]);
        let told = text(&shown.stderr);
        assert_eq!(shown.status.code(), Some(4), "{told}");
        assert!(
            told.contains("interrupted") && told.contains("/20000 games"),
            "{told}"
        );
        let played = place.journal("run").lines().count();
        let mut child = place
            .sprt(["resume", "run"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("sprt runs");
        eventually("it is played on", || {
            place.journal("run").lines().count() > played
        });
        kill(Pid::from_raw(child.id() as i32), Signal::SIGINT).expect("a signal sent");
        assert_eq!(child.wait().expect("sprt ends").code(), Some(130));
    }
}

#[test]
fn a_limit_that_something_else_changed_is_refused() {
    let place = Place::new();
    place
        .run("run", &["--nodes", "1", "--max-games", "4"])
        .output()
        .expect("sprt runs");
    std::fs::write(place.path("run/limit.json"), "{}").expect("written");
    let output = place.output(["resume", "run"]);
    assert_eq!(output.status.code(), Some(2));
    let told = text(&output.stderr);
    assert!(
        told.contains("run/limit.json`") && told.contains("`sprt resume run --max-games N`"),
        "{told}"
    );
}

#[test]
fn a_run_of_an_earlier_release_is_resumed() {
    let place = Place::new();
    let whole = place
        .run("run", &["--nodes", "1", "--max-games", "6"])
        .output()
        .expect("sprt runs");
    // As they wrote it: no checksums in the journal, no policy for faults in the plan; and one pair
    // is missing.
    let journal: Vec<String> = place
        .journal("run")
        .lines()
        .take(2)
        .map(|line| {
            line.split(",\"crc32\"")
                .next()
                .unwrap_or_default()
                .to_owned()
                + "}\n"
        })
        .collect();
    std::fs::write(place.path("run/pairs.jsonl"), journal.concat()).expect("written");
    let plan = std::fs::read_to_string(place.path("run/plan.json")).expect("a plan");
    let plan = plan.replace("\"on_fault\": \"forfeit\",", "");
    let (plan, _) = plan.split_once(",\n  \"plan_sha256\"").expect("a digest");
    let plan = format!("{plan}\n}}\n");
    assert!(!plan.contains("on_fault"));
    std::fs::write(place.path("run/plan.json"), plan).expect("written");
    let output = place.output(["resume", "run", "--json"]);
    assert_eq!(json(&output)["pentanomial"], json(&whole)["pentanomial"]);
    assert_eq!(place.journal("run").lines().count(), 3);
}
