//! Runs whose files were damaged by something other than the runner, and what is said and saved.

use std::fs;
use std::time::{Duration, SystemTime};

use runs::plan::Plan;
use runs::run_folder::MatchFolder;

use crate::suite;
use crate::support::{Place, json, text};

/// A run of twelve pairs, alone in its place.
fn run() -> Place {
    let place = Place::new();
    let arguments = ["--nodes", "1", "--max-games", "24", "--concurrency", "2"];
    let output = place.run("run", &arguments).output().expect("sprt runs");
    assert_eq!(output.status.code(), Some(4), "{}", text(&output.stderr));
    place
}

fn said(place: &Place, arguments: &[&str]) -> (Option<i32>, String) {
    let output = place.output(arguments);
    (output.status.code(), text(&output.stderr))
}

/// Fills these lines of the journal, counted from 0, with zeros, all but their ends.
fn zero(place: &Place, lines: std::ops::Range<usize>) {
    let changed: Vec<String> = place
        .journal("run")
        .lines()
        .enumerate()
        .map(|(number, line)| {
            if lines.contains(&number) {
                "\0".repeat(line.len()) + "\n"
            } else {
                format!("{line}\n")
            }
        })
        .collect();
    fs::write(place.path("run/pairs.jsonl"), changed.concat()).expect("written");
}

/// Makes a run one whose process was killed an hour ago, ten seconds after its beginning.
fn as_if_killed(place: &Place, run: &str, journal: &str) {
    let now = SystemTime::now();
    let killed = now - Duration::from_hours(1);
    let since_1970 = killed.duration_since(SystemTime::UNIX_EPOCH);
    let began = since_1970.expect("after 1970").as_secs_f64() - 10.0;
    let activity = serde_json::json!({ "started": began });
    fs::write(place.path(run).join("activity.json"), activity.to_string()).expect("written");
    let journal = fs::File::options()
        .append(true)
        .open(place.path(run).join(journal));
    let stamped = journal.and_then(|journal| journal.set_modified(killed));
    stamped.expect("a time");
}

/// How many seconds a run had been played before its last process began.
fn played_before(place: &Place, run: &str) -> f64 {
    let activity = fs::read_to_string(place.path(run).join("activity.json")).expect("a file");
    let activity: serde_json::Value = serde_json::from_str(&activity).expect("JSON");
    activity["seconds_before"].as_f64().expect("a number")
}

/// The journal without the places of games, in which clock times stand.
fn results(journal: &str) -> Vec<String> {
    let result = |line: &str| line.split(",\"games_end\"").next().map(str::to_owned);
    journal.lines().filter_map(result).collect()
}

#[test]
fn a_line_of_zeros_in_the_middle_is_refused_and_nothing_is_cut_off() {
    let place = run();
    zero(&place, 4..5);
    let damaged = place.journal("run");
    for command in ["resume", "show", "report"] {
        let (code, said) = said(&place, &[command, "run"]);
        assert_eq!(code, Some(2), "{command}: {said}");
        assert!(said.contains("line 5"), "{command}: {said}");
        assert!(
            said.contains("sprt resume --repair run"),
            "{command}: {said}"
        );
    }
    assert_eq!(place.journal("run"), damaged);
    fs::create_dir_all(place.path("state/runs")).expect("made");
    fs::rename(place.path("run"), place.path("state/runs/damaged")).expect("moved");
    let (code, said) = said(&place, &["list"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(
        said.contains("damaged: ") && said.contains("line 5"),
        "{said}"
    );
}

#[test]
fn no_changed_byte_of_a_journal_passes_in_silence() {
    let place = run();
    let path = place.path("run/pairs.jsonl");
    let whole = fs::read(&path).expect("a journal");
    let read = || MatchFolder::read_recorded::<Plan>(&place.path("run"));
    let pairs = |lines| serde_json::to_value(lines).expect("JSON");
    let sound = pairs(read().expect("a run").1.lines);
    let (mut refused, mut told) = (0, 0);
    for (at, mask) in (0..whole.len()).flat_map(|at| [(at, 0x01), (at, 0xff)]) {
        let mut changed = whole.clone();
        changed[at] ^= mask;
        fs::write(&path, &changed).expect("written");
        match read() {
            Err(_) => refused += 1,
            Ok((_, recorded)) if recorded.losses().is_empty() => {
                assert_eq!(pairs(recorded.lines), sound, "byte {at} ^ {mask:#x}");
            }
            Ok(_) => told += 1,
        }
    }
    // Only the end of the last line may be torn.
    assert!(
        refused > whole.len() && told <= 2,
        "{refused} refused, {told} told"
    );
}

#[test]
fn a_repair_keeps_sound_pairs_and_plays_the_others_again() {
    let place = run();
    let whole = place.journal("run");
    zero(&place, 4..6);
    as_if_killed(&place, "run", "pairs.jsonl");
    let (code, told) = said(&place, &["resume", "--repair", "run"]);
    assert_eq!(code, Some(4), "{told}");
    assert_eq!(played_before(&place, "run").round(), 10.0);
    assert!(told.contains("line 5: "), "{told}");
    assert!(
        told.contains("10 pairs kept, pairs 5, 6 were played again"),
        "{told}"
    );
    assert_eq!(results(&place.journal("run")), results(&whole));
    assert!(place.path("run/pairs.jsonl.damaged").is_file());
    assert!(place.path("run/games.pgn.damaged").is_file());
    let games = fs::read_to_string(place.path("run/games.pgn")).expect("games");
    let rounds = games.lines().filter(|line| line.starts_with("[Round "));
    let expected: Vec<String> = (1..=12)
        .flat_map(|pair| [format!("[Round \"{pair}\"]"), format!("[Round \"{pair}\"]")])
        .collect();
    assert_eq!(rounds.collect::<Vec<_>>(), expected);
    let (code, again) = said(&place, &["resume", "--repair", "run"]);
    assert_eq!(code, Some(4), "{again}");
    assert!(again.contains("nothing to repair"), "{again}");
}

#[test]
fn a_repair_replaces_games_that_are_gone() {
    let place = run();
    let whole = place.journal("run");
    // Less than the first pair, which is on disk before another is written.
    fs::write(place.path("run/games.pgn"), "[Event ").expect("written");
    let (code, told) = said(&place, &["resume", "run"]);
    assert_eq!(code, Some(2), "{told}");
    assert!(told.contains("--repair"), "{told}");
    let (code, told) = said(&place, &["resume", "--repair", "run"]);
    assert_eq!(code, Some(4), "{told}");
    assert_eq!(results(&place.journal("run")), results(&whole));
}

/// A tournament in `run` that is over, alone in its place.
fn tournament(kind: &str, engines: &[&str]) -> Place {
    let place = Place::new();
    let mut command = place.sprt(["tournament", "--kind", kind, "--nodes", "1"]);
    command.args(["--rounds", "2", "--out", "run"]);
    for name in engines {
        command.args(["--engine", &place.engine(name)]);
    }
    let output = command.output().expect("sprt runs");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    place
}

#[test]
fn a_tournament_is_repaired_too() {
    let place = tournament("round-robin", &["engine-a", "engine-b", "engine-c"]);
    let whole = place.journal("run");
    zero(&place, 1..2);
    let (code, told) = said(&place, &["resume", "--repair", "run"]);
    assert_eq!(code, Some(0), "{told}");
    assert!(told.contains("pair 2 was played again"), "{told}");
    assert_eq!(results(&place.journal("run")), results(&whole));
}

#[test]
fn a_repair_leaves_out_pairs_that_other_engines_play_now() {
    let place = tournament(
        "knock-out",
        &["engine-a", "engine-b", "engine-c", "engine-d"],
    );
    // As if the first stage had ended otherwise when it was played first; such a line has no
    // checksum.
    let lines = place.journal("run");
    let changed: Vec<String> = lines
        .lines()
        .enumerate()
        .map(|(number, line)| {
            let (members, _) = line.split_once(",\"crc32\"").expect("a checksum");
            let (before, rest) = members.split_once("\"players\":[").expect("players");
            let (_, after) = rest.split_once(']').expect("players");
            match number {
                0 => "\0\n".to_owned(),
                1..4 => format!("{members}}}\n"),
                _ => format!("{before}\"players\":[\"engine-x\",\"engine-y\"]{after}}}\n"),
            }
        })
        .collect();
    fs::write(place.path("run/pairs.jsonl"), changed.concat()).expect("written");
    let (code, told) = said(&place, &["resume", "--repair", "run"]);
    assert_eq!(code, Some(0), "{told}");
    assert!(told.contains("left out, because"), "{told}");
    assert_eq!(results(&place.journal("run")), results(&lines));
}

#[test]
fn a_line_that_was_deleted_moved_or_doubled_is_repaired() {
    let place = run();
    let whole = place.journal("run");
    let lines: Vec<&str> = whole.lines().collect();
    let mut deleted = lines.clone();
    deleted.remove(4);
    let mut swapped = lines.clone();
    swapped.swap(4, 5);
    let mut doubled = lines.clone();
    doubled.insert(5, lines[4]);
    for (lines, words) in [
        (deleted, "has no pair 5"),
        (swapped, "pair 5 follows pair 6"),
        (doubled, "pair 5 is there twice"),
    ] {
        fs::write(place.path("run/pairs.jsonl"), lines.join("\n") + "\n").expect("written");
        let (code, told) = said(&place, &["resume", "run"]);
        assert_eq!(code, Some(2), "{told}");
        let (code, told) = said(&place, &["resume", "--repair", "run"]);
        assert_eq!(code, Some(4), "{told}");
        assert!(told.contains(words), "{told}");
        assert_eq!(results(&place.journal("run")), results(&whole));
    }
}

#[test]
fn zeros_at_the_end_are_told_and_their_pairs_played_again() {
    let place = run();
    let whole = place.journal("run");
    zero(&place, 10..12);
    let (code, told) = said(&place, &["show", "run"]);
    assert_eq!(code, Some(4), "{told}");
    assert!(
        told.contains("line 11") && told.contains("played again"),
        "{told}"
    );
    let (code, told) = said(&place, &["resume", "run"]);
    assert_eq!(code, Some(4), "{told}");
    assert!(
        told.contains("line 11") && told.contains("played again"),
        "{told}"
    );
    assert_eq!(results(&place.journal("run")), results(&whole));
}

#[test]
fn an_emptied_journal_is_an_error_and_not_a_new_run() {
    let place = run();
    fs::write(place.path("run/pairs.jsonl"), "").expect("written");
    for command in ["show", "resume"] {
        let (code, told) = said(&place, &[command, "run"]);
        assert_eq!(code, Some(2), "{command}: {told}");
        assert!(told.contains("pairs.jsonl` is empty"), "{command}: {told}");
    }
}

#[test]
fn a_plan_that_was_edited_is_refused() {
    let place = run();
    let path = place.path("run/plan.json");
    let plan = fs::read_to_string(&path).expect("a plan");
    let edited = plan.replacen("\"seed\": 7", "\"seed\": 8", 1);
    assert_ne!(edited, plan);
    fs::write(&path, edited).expect("written");
    for command in ["resume", "show"] {
        let (code, told) = said(&place, &[command, "run"]);
        assert_eq!(code, Some(2), "{command}: {told}");
        assert!(told.contains("plan.json` was changed"), "{command}: {told}");
    }
}

#[test]
fn a_run_without_a_digest_of_its_plan_is_resumed() {
    let place = run();
    let path = place.path("run/plan.json");
    let plan = fs::read_to_string(&path).expect("a plan");
    let mut older: serde_json::Value = serde_json::from_str(&plan).expect("JSON");
    let removed = older
        .as_object_mut()
        .expect("an object")
        .remove("plan_sha256");
    assert!(removed.is_some());
    fs::write(&path, older.to_string()).expect("written");
    let output = place.sprt(["resume", "run", "--json"]).output();
    let output = output.expect("sprt runs");
    assert_eq!(output.status.code(), Some(4), "{}", text(&output.stderr));
    assert_eq!(json(&output)["games"], 24);
}

#[test]
fn a_journal_of_searches_is_repaired_and_what_it_lost_is_told() {
    let place = run();
    suite::loss(&place, "weak", "suite");
    let judge = place.engine("judge");
    let (code, told) = said(
        &place,
        &[
            "blunders", "run", "--judge", &judge, "--depth", "1", "--out", "count",
        ],
    );
    assert_eq!(code, Some(0), "{told}");
    for (run, file, exit) in [
        ("suite", "answers.jsonl", 1),
        ("count", "judgements.jsonl", 0),
    ] {
        let path = place.path(run).join(file);
        let whole = fs::read(&path).expect("a journal");
        let lines = |text: &[u8]| String::from_utf8_lossy(text).lines().count();
        let mut changed = whole.clone();
        let second = changed.iter().position(|byte| *byte == b'\n').expect("one") + 1;
        changed[second + 12] ^= 1;
        fs::write(&path, &changed).expect("written");
        let (code, told) = said(&place, &["resume", run]);
        assert_eq!(code, Some(2), "{told}");
        let hint = format!("sprt resume --repair {run}");
        assert!(told.contains("line 2") && told.contains(&hint), "{told}");

        as_if_killed(&place, run, file);
        let (code, told) = said(&place, &["resume", "--repair", run]);
        assert_eq!(code, Some(exit), "{told}");
        assert_eq!(played_before(&place, run).round(), 10.0);
        assert!(told.contains("line 2: the checksum is"), "{told}");
        let again = fs::read(&path).expect("a journal");
        assert_eq!(lines(&again), lines(&whole));
        let old = fs::read(path.with_extension("jsonl.damaged"));
        assert_eq!(old.expect("the old file"), changed);

        fs::write(&path, &again[..again.len() - 5]).expect("written");
        let (code, told) = said(&place, &["resume", run]);
        assert_eq!(code, Some(exit), "{told}");
        let words = format!("(line {}), as after a crash", lines(&whole));
        assert!(told.contains(&words), "{told}");
        let (code, told) = said(&place, &["resume", run, "--max-games", "4"]);
        assert_eq!(code, Some(2), "{told}");

        // No repair finds a line that is sound, and there twice.
        let first = again.split_inclusive(|byte| *byte == b'\n').next();
        fs::write(&path, [again.as_slice(), first.expect("a line")].concat()).expect("written");
        let (code, told) = said(&place, &["resume", run]);
        assert_eq!(code, Some(2), "{told}");
        assert!(
            told.contains("delete that line") && !told.contains("--repair"),
            "{told}"
        );
    }
}
