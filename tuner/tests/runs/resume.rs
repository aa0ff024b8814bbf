//! Runs that are played to their end, killed, resumed, lengthened and applied.

use std::fs::OpenOptions;
use std::io::Write;
use std::process::{Command, Stdio};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::support::{Answer, PARAMS, Place, sorted};

/// A run of the release before: plan, journal, and the point of the first parameter that the
/// release which played it had.
const EARLIER: (&str, &str, f64) = (
    include_str!("../data/version-7/plan.json"),
    include_str!("../data/version-7/journal.jsonl"),
    156.159_392_903_638_23,
);

#[test]
fn trajectory_and_journal_are_the_same_for_the_same_seed() {
    let place = Place::new();
    let run = |out: &str| {
        let answer = place.finished(out, &["--concurrency", "3"]);
        let mut result = answer.json();
        result["run"] = serde_json::Value::Null;
        result
    };
    assert_eq!(run("a"), run("b"));
    assert_eq!(
        sorted(&place.read("a/journal.jsonl")),
        sorted(&place.read("b/journal.jsonl"))
    );
    assert_eq!(place.read("a/journal.jsonl").lines().count(), 40);
}

#[test]
fn a_killed_run_continues_as_if_nothing_had_happened() {
    let place = Place::new();
    place.finished("whole", &[]);
    let mut child = place.spsa("killed", &[]).spawn().expect("a run");
    place.wait_for("killed/journal.jsonl", 500);
    child.kill().expect("kill");
    child.wait().expect("wait");
    let mut torn = OpenOptions::new()
        .append(true)
        .open(place.path("killed/journal.jsonl"))
        .expect("the journal");
    torn.write_all(b"{\"pair\":{\"pair\":7,\"pen")
        .expect("a torn line");
    drop(torn);
    let resumed = place.run(["resume", "killed"]);
    assert_eq!(resumed.code, Some(0), "{resumed:?}");
    let next = "tuner apply killed params.toml\n";
    resumed.says(next);
    assert_eq!(
        sorted(&place.read("whole/journal.jsonl")),
        sorted(&place.read("killed/journal.jsonl"))
    );
}

#[test]
fn a_run_of_an_older_release_continues_where_it_leads_the_same_way() {
    let place = Place::new();
    for (algorithm, expected) in [("classic", 0), ("bayes", 2)] {
        place.finished(algorithm, &["--algorithm", algorithm]);
        let plan = format!("{algorithm}/plan.json");
        let now = place.read(&plan);
        let mut older: serde_json::Value = serde_json::from_str(&now).expect("a plan");
        older["version"] = 3.into();
        let digest = older
            .as_object_mut()
            .expect("an object")
            .remove("plan_sha256");
        assert!(digest.is_some());
        place.write(&plan, &older.to_string());
        let shown = place.run(["show", algorithm]);
        assert_eq!(shown.code, Some(expected), "{shown:?}");
        if expected != 0 {
            shown.says("got tuner-plan version 3");
            shown.says("hint: continue the run");
        }
    }
}

#[test]
fn a_half_played_run_of_a_release_before_is_resumed_to_the_same_journal() {
    let place = Place::new();
    place.finished("now", &[]);
    let now: serde_json::Value =
        serde_json::from_str(&place.read("now/plan.json")).expect("a plan");
    let (plan, whole, _) = EARLIER;
    let mut plan: serde_json::Value = serde_json::from_str(plan).expect("a plan");
    std::fs::create_dir(place.path("old")).expect("a folder");
    // The engine is built anew for each test, so neither its place nor its digest is the
    // recorded one.
    plan["engine"] = now["engine"].clone();
    let digest = plan
        .as_object_mut()
        .expect("an object")
        .remove("plan_sha256");
    assert!(digest.is_some());
    place.write("old/plan.json", &plan.to_string());
    let half: String = whole.split_inclusive('\n').take(40).collect();
    place.write("old/journal.jsonl", &half);
    let resumed = place.run(["resume", "old"]);
    assert_eq!(resumed.code, Some(0), "{resumed:?}");
    let journal = place.read("old/journal.jsonl");
    assert_eq!(sorted(&journal), sorted(whole));
}

#[test]
fn a_journal_that_was_changed_is_found_out() {
    let place = Place::new();
    place.finished("run", &[]);
    let journal = place.read("run/journal.jsonl");
    let changed = journal.replacen("\"plus\":[", "\"plus\":[1", 1);
    let (first, _) = changed.split_once(",\"crc32\"").expect("a checksum");
    let unchecked = format!("{first}}}\n");
    for (text, expected) in [
        (&changed, "line 1: the checksum"),
        (&unchecked, "line 1: pair"),
    ] {
        place.write("run/journal.jsonl", text);
        let answer = place.run(["resume", "run"]);
        assert_eq!(answer.code, Some(2));
        answer.says(expected);
    }
}

#[test]
fn strings_that_hold_numbers_are_tuned_as_floats() {
    let place = Place::new();
    let scale = "[params.Scale]\nvalue = 1.5\nmin = 0.5\nmax = 3.0\nc_end = 0.125\n";
    place.write("params.toml", &format!("{scale}{PARAMS}"));
    let answer = place.finished("run", &[]);
    let value = answer.json()["parameters"][0]["value"]
        .as_f64()
        .expect("a value");
    assert!(value != 1.5 && value.fract() != 0.0, "{value}");
    place.run(["apply", "run", "params.toml"]);
    assert!(
        place
            .read("params.toml")
            .contains(&format!("value = {value}\n"))
    );
    let journal = place.read("run/journal.jsonl");
    assert!(
        journal.lines().any(|line| line.contains("\"plus\":[1.")),
        "{journal}"
    );
}

#[test]
fn an_extended_run_continues_to_the_new_horizon() {
    let place = Place::new();
    place.finished("run", &[]);
    let torn = place.read("run/journal.jsonl") + "{\"pair\":{\"pair\":7,\"pen";
    place.write("run/journal.jsonl", &torn);
    let answer = place.run(["extend", "run", "--iterations", "30", "--json"]);
    assert_eq!(answer.code, Some(0), "{answer:?}");
    let lost = "its pair is played again";
    answer.says(lost);
    assert_eq!(answer.json()["pairs"], 60);
    answer.says("from 20 to 30 iterations");
    let again = place.run(["resume", "run", "--json"]);
    assert_eq!(again.json()["parameters"], answer.json()["parameters"]);
    // To the length that it has: nothing changes.
    let journal = place.read("run/journal.jsonl");
    let same = place.run(["extend", "run", "--iterations", "30"]);
    assert_eq!(same.code, Some(0), "{same:?}");
    same.says("30 iterations already");
    assert_eq!(place.read("run/journal.jsonl"), journal);
    let shorter = place.run(["extend", "run", "--iterations", "10"]);
    assert_eq!(shorter.code, Some(2), "{shorter:?}");
}

#[test]
fn a_tune_finds_the_way_up_and_is_applied() {
    let place = Place::new();
    let result = place.finished("run", &["--iterations", "120"]).json();
    let margin = &result["parameters"][0];
    assert_eq!(margin["name"], "Margin");
    let value = margin["value"].as_f64().expect("a value");
    assert!(value > 110.0 && margin["verdict"] == "evident", "{margin}");
    let validated = place.run([
        "validate",
        "run",
        "--bounds",
        "0,100",
        "--max-games",
        "400",
        "--out",
        "match",
    ]);
    assert_eq!(validated.code, Some(0), "{validated:?}");
    assert!(validated.stdout.contains("Penta | ["), "{validated:?}");
    transfers(&place);
    let applied = place.run(["apply", "run", "params.toml", "--only-evident"]);
    assert_eq!(applied.code, Some(0), "{applied:?}");
    assert!(
        applied.stdout.contains(&format!("Margin: 100 -> {value}")),
        "{applied:?}"
    );
    let gated = &result["parameters"][1]["value"];
    let gated = gated.as_f64().expect("a value");
    let expected = PARAMS.replace("value = 100 ", &format!("value = {value} "));
    assert_eq!(
        place
            .read("params.toml")
            .replace(&format!("value = {gated}\n"), "value = 3\n"),
        expected
    );
}

/// The same values in two matches, of which the second has four times the nodes and begins where
/// the openings of the first one end.
fn transfers(place: &Place) {
    let words = [
        "validate",
        "run",
        "--transfer",
        "--games",
        "40",
        "--out",
        "both",
    ];
    let told = place.run(words);
    assert_eq!(told.code, Some(0), "{told:?}");
    for part in [
        "100 nodes a move",
        "400 nodes a move",
        "difference",
        "the gain carries over",
    ] {
        assert!(told.stdout.contains(part), "{told:?}");
    }
    let again = place.run(words.into_iter().chain(["--json"]));
    let found = again.json();
    assert_eq!(found["schema"], "tuner-transfer");
    assert_eq!(found["longer"]["run"], "both-longer");
    assert_eq!(found["finding"], "carries-over");
    let [own, longer] = ["both", "both-longer"].map(|run| {
        serde_json::from_str::<serde_json::Value>(&place.read(&format!("{run}/plan.json")))
            .expect("a plan")
    });
    assert_eq!(
        (&own["limit"]["nodes"], &longer["limit"]["nodes"]),
        (&100.into(), &400.into())
    );
    let start = |plan: &serde_json::Value| plan["book"]["start"].as_u64().expect("a place");
    assert_eq!(start(&longer), start(&own) + 20);
    let other = place.run([
        "validate",
        "run",
        "--transfer",
        "--games",
        "60",
        "--out",
        "both",
    ]);
    other.says("another match");
    let files = ["a", "b", "c", "d", "e", "f", "g", "h"];
    let moves = files.map(|file| format!("{file}2{file}3\n{file}2{file}4\n"));
    place.write("small.txt", &moves.concat());
    let words = ["validate", "run", "--transfer", "--games", "20"];
    let small = place.run(
        words
            .into_iter()
            .chain(["--book", "small.txt", "--out", "small"]),
    );
    assert_eq!(small.code, Some(0), "{small:?}");
    small.says("after 6 pairs the second match comes");
    let planned = place.run(["validate", "run", "--transfer", "--dry-run"]);
    let nodes = |plan: usize| planned.json()[plan]["limit"]["nodes"].clone();
    assert_eq!([nodes(0), nodes(1)], [100, 400]);
    let words = ["validate", "run", "--transfer", "--bounds", "0,100"];
    let test = place.run(
        words
            .into_iter()
            .chain(["--book", "small.txt", "--out", "test"]),
    );
    test.says("the second match comes to openings");
    let plies = place.run(["validate", "run", "--transfer", "--depth", "3"]);
    assert_eq!(plies.code, Some(2), "{plies:?}");
    plies.says("has no multiple");
}

#[test]
fn slots_play_at_the_same_time() {
    let place = Place::new();
    place.engine("in-company");
    let answer = place.run([
        "spsa",
        "params.toml",
        "--engine",
        "./in-company",
        "--force",
        "--concurrency",
        "2",
        "--out",
        "run",
    ]);
    assert_eq!(answer.code, Some(0), "{answer:?}");
    assert_eq!(place.read("run/journal.jsonl").matches("fault").count(), 0);
}

#[test]
fn a_run_of_a_release_before_is_read_reported_and_applied() {
    let (plan, journal, expected) = EARLIER;
    let place = Place::new();
    std::fs::create_dir(place.path("old")).expect("a folder");
    place.write("old/plan.json", plan);
    place.write("old/journal.jsonl", journal);
    let shown = place.run(["show", "old", "--json"]);
    assert_eq!(shown.code, Some(0), "{shown:?}");
    let margin = &shown.json()["parameters"][0];
    let point = margin["point"].as_f64().expect("a number");
    assert!((point - expected).abs() < 1e-6, "{margin}");
    let report = place.run(["report", "old"]);
    assert_eq!(report.code, Some(0), "{report:?}");
    let applied = place.run(["apply", "old", "params.toml"]);
    assert_eq!(applied.code, Some(0), "{applied:?}");
    let value = margin["value"].as_f64().expect("a number");
    assert!(
        applied.stdout.contains(&format!("Margin: 100 -> {value}")),
        "{applied:?}"
    );
}

#[test]
fn a_journal_that_cannot_grow_ends_the_run_with_one_next_step() {
    let place = Place::new();
    let tuner = place.spsa("run", &["--iterations", "200"]);
    // 12 blocks of 512 bytes or of 1 KiB, as the shell has it.
    let limited = Command::new("sh")
        .args(["-c", "ulimit -f 12; exec \"$0\" \"$@\""])
        .arg(tuner.get_program())
        .args(tuner.get_args())
        .current_dir(place.path(""))
        .env("WHETSTONE_STATE", place.path("state"))
        .output();
    let answer = Answer::of(&limited.expect("a shell"));
    assert_eq!(answer.code, Some(2), "{answer:?}");
    let hint = "hint: make room; then `tuner resume run`\n";
    assert!(answer.stderr.ends_with(hint), "{answer:?}");
}

#[test]
fn a_tune_ends_when_its_folder_is_moved() {
    for is_interrupted in [false, true] {
        let place = Place::new();
        if is_interrupted {
            // The games wait once it is moved, so that no pair finds that.
            let journal = place.path("moved/journal.jsonl");
            place.write("hold", &journal.display().to_string());
        }
        let tune = place
            .spsa("run", &["--iterations", "100000"])
            .stderr(Stdio::piped())
            .spawn()
            .expect("a run");
        place.wait_for("run/journal.jsonl", 500);
        std::fs::rename(place.path("run"), place.path("moved")).expect("moved");
        if is_interrupted {
            kill(Pid::from_raw(tune.id() as i32), Signal::SIGINT).expect("a signal");
        }
        let answer = Answer::of(&tune.wait_with_output().expect("it ends"));
        assert_eq!(answer.code, Some(2), "{answer:?}");
        let hint = "hint: continue with `tuner resume` and its new path\n";
        assert!(answer.stderr.ends_with(hint), "{answer:?}");
    }
}
