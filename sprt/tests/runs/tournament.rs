//! Tournaments by the real program: every kind, killed and resumed, with engines that fail.

use std::os::unix::process::CommandExt;
use std::process::{Command, Output, Stdio};

use crate::support::{Place, eventually, json, kill_group, text};

/// A round robin of three engines of different strength.
fn round_robin(place: &Place, out: &str, more: &[&str]) -> Command {
    let engine = |name: &str, losses: u32| format!("{} option=Losses={losses}", place.engine(name));
    let mut command = place.sprt(["tournament", "--nodes", "1", "--seed", "7", "--json"]);
    for engine in [engine("anna", 10), engine("boris", 30), engine("carla", 60)] {
        command.args(["--engine", &engine]);
    }
    command.args(["--out", out]).args(more);
    command
}

fn finished(mut command: Command) -> Output {
    let output = command.output().expect("sprt runs");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    output
}

/// The result without the name of its folder.
fn result(output: &Output) -> serde_json::Value {
    let mut result = json(output);
    result["run"] = serde_json::Value::Null;
    result
}

/// Who played and how it ended, of each pair.
fn games(place: &Place, out: &str) -> Vec<String> {
    let journal = place.journal(out);
    let lines = journal
        .lines()
        .map(|line| line.split(",\"games_end\"").next());
    lines
        .map(|line| line.unwrap_or_default().to_owned())
        .collect()
}

#[test]
fn a_round_robin_ends_with_the_same_table_at_any_concurrency() {
    let place = Place::new();
    let more = |concurrency| ["--rounds", "20", "--concurrency", concurrency];
    let alone = finished(round_robin(&place, "alone", &more("1")));
    let together = finished(round_robin(&place, "together", &more("5")));
    assert_eq!(result(&together), result(&alone));
    assert_eq!(games(&place, "together"), games(&place, "alone"));

    let result = result(&alone);
    assert_eq!(
        (&result["schema"], &result["games"]),
        (&"sprt-tournament".into(), &120.into())
    );
    let names: Vec<_> = (0..3)
        .map(|place| result["engines"][place]["name"].clone())
        .collect();
    assert_eq!(names, ["anna", "boris", "carla"]);
    let elo = |place: usize| result["engines"][place]["elo"].as_f64().expect("a rating");
    assert!(elo(0) > elo(1) && elo(1) > elo(2));
    assert!(result["engines"][0]["against"][0].is_null());
    assert_eq!(result["engines"][0]["games"], 80);
    let pgn = std::fs::read_to_string(place.path("alone/games.pgn")).expect("games");
    assert_eq!(pgn.matches("[Event \"tournament\"]").count(), 120);
}

#[test]
fn a_project_file_says_what_faults_do_and_how_often_an_opening_is_played() {
    let place = Place::new();
    let section = "[sprt]\non-fault = \"void\"\ngames-per-opening = 4\n";
    std::fs::write(place.path("whetstone.toml"), section).expect("written");
    let format = |out: &str, more: &[&str]| {
        let more = [&["--rounds", "2"], more].concat();
        finished(round_robin(&place, out, &more));
        let plan = std::fs::read(place.path(out).join("plan.json")).expect("a plan");
        let plan: serde_json::Value = serde_json::from_slice(&plan).expect("JSON");
        (plan["on_fault"].clone(), place.openings(out))
    };
    let (on_fault, openings) = format("of-file", &[]);
    assert_eq!(on_fault, "void");
    assert!(openings.iter().all(|opening| *opening == openings[0]));
    let typed = ["--on-fault", "stop", "--games-per-opening", "2"];
    let (on_fault, openings) = format("typed", &typed);
    assert_eq!(on_fault, "stop");
    assert!(openings.iter().any(|opening| *opening != openings[0]));
}

#[test]
fn each_pairing_of_a_round_has_the_same_opening() {
    let place = Place::new();
    finished(round_robin(&place, "run", &["--rounds", "3"]));
    let openings = place.openings("run");
    for round in openings.chunks(6) {
        assert!(
            round.iter().all(|opening| *opening == round[0]),
            "{round:?}"
        );
    }
    assert_ne!(openings[0], openings[6]);
}

#[test]
fn pairings_may_have_openings_of_their_own_and_play_them_several_times() {
    let place = Place::new();
    let more = ["--rounds", "4", "--book-policy", "encounter"];
    let mut command = round_robin(&place, "run", &more);
    command.args(["--games-per-opening", "4"]);
    finished(command);
    let openings = place.openings("run");
    // Three pairings, two games each.
    let rounds: Vec<&[String]> = openings.chunks(6).collect();
    assert_eq!(rounds.len(), 4);
    assert_eq!((rounds[0], rounds[2]), (rounds[1], rounds[3]));
    let different: std::collections::BTreeSet<&String> = openings.iter().collect();
    assert_eq!(different.len(), 6);
    assert_eq!(rounds[0][0], rounds[0][1]);

    let odd = round_robin(&place, "odd", &["--games-per-opening", "3"])
        .output()
        .expect("sprt runs");
    assert_eq!(odd.status.code(), Some(2));
    assert!(text(&odd.stderr).contains("expected an even number"));
}

#[test]
fn a_round_robin_that_is_killed_again_and_again_ends_with_the_same_table() {
    let place = Place::new();
    let more = ["--rounds", "60", "--concurrency", "3"];
    let undisturbed = finished(round_robin(&place, "undisturbed", &more));

    let mut child = round_robin(&place, "killed", &more)
        .process_group(0)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("sprt runs");
    eventually("the run has begun", || {
        place.path("killed/plan.json").exists()
    });
    for kill in 0..4 {
        std::thread::sleep(std::time::Duration::from_millis(60 + 83 * (kill * 7 % 5)));
        kill_group(&child);
        let _ = child.wait();
        child = place
            .sprt(["resume", "killed", "--json", "--concurrency", "2"])
            .process_group(0)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("sprt runs");
    }
    let output = child.wait_with_output().expect("sprt ends");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(result(&output), result(&undisturbed));
    assert_eq!(games(&place, "killed"), games(&place, "undisturbed"));
}

#[test]
fn a_tournament_is_shown_and_listed() {
    let place = Place::new();
    finished(round_robin(
        &place,
        "state/runs/robin",
        &["--rounds", "8", "--title", "Spring"],
    ));
    let shown = finished(place.sprt(["show", "robin"]));
    let table = text(&shown.stdout);
    assert!(
        table.starts_with("Rank Name    Elo    +    - games score oppo. draws\n"),
        "{table}"
    );
    assert!(table.contains("\n   1 anna "), "{table}");
    assert!(text(&shown.stderr).contains("the round robin is over after 48 games"));
    let listed = text(&finished(place.sprt(["list"])).stdout);
    assert!(
        listed.contains("round robin of 3") && listed.contains("anna is first"),
        "{listed}"
    );
    let listed = json(&finished(place.sprt(["list", "--json"])));
    assert_eq!(listed["runs"][0]["tournament"]["title"], "Spring");
    assert_eq!(listed["runs"][0]["state"], "finished");
}

#[test]
fn the_better_engine_wins_the_knock_out_and_a_tie_is_broken() {
    let place = Place::new();
    let mut command = place.sprt(["tournament", "--kind", "knock-out", "--rounds", "2"]);
    command.args([
        "--nodes",
        "1",
        "--seed",
        "3",
        "--json",
        "--out",
        "cup",
        "--concurrency",
        "2",
    ]);
    // The third and the fourth are equal and deterministic: their match goes to the tie-breaks.
    for (name, losses) in [
        ("anna", 0),
        ("boris", 50),
        ("carla", 0),
        ("dmitri", 0),
        ("eva", 80),
    ] {
        let engine = format!("{} option=Losses={losses}", place.engine(name));
        command.args(["--engine", &engine]);
    }
    let result = json(&finished(command));
    let stages = result["stages"].as_array().expect("stages");
    let names: Vec<_> = stages.iter().map(|stage| stage["name"].clone()).collect();
    assert_eq!(names, ["quarter-finals", "semi-finals", "final"]);
    assert_eq!(stages[2]["matches"][0]["winner"], result["winner"]);
    let ties: u64 = stages
        .iter()
        .flat_map(|stage| stage["matches"].as_array().expect("matches"))
        .map(|played| played["tie_breaks"].as_u64().expect("a count"))
        .sum();
    assert!(ties > 0, "{result:#}");
    let shown = text(&finished(place.sprt(["show", "cup"])).stdout);
    assert!(
        shown.contains("quarter-finals\n") && shown.contains(" has no opponent"),
        "{shown}"
    );
}

#[test]
fn a_swiss_tournament_continues_where_it_was_interrupted() {
    let place = Place::new();
    let mut command = place.sprt(["tournament", "--kind", "swiss", "--rounds", "1"]);
    command.args(["--nodes", "1", "--seed", "3", "--json"]);
    command.args(["--out", "state/runs/whole"]);
    for (name, losses) in [("anna", 0), ("boris", 50), ("carla", 20), ("dmitri", 30)] {
        let engine = format!("{} option=Losses={losses}", place.engine(name));
        command.args(["--engine", &engine]);
    }
    let whole = json(&finished(command));
    // Two turns of two matches, each of two games.
    assert_eq!(whole["games"], 8, "{whole:#}");
    let places = whole["places"].as_array().expect("places");
    let figures = |name: &str| -> Vec<f64> {
        let figures = places.iter().map(|place| place[name].as_f64());
        figures.map(|figure| figure.expect(name)).collect()
    };
    let (points, opponents) = (figures("points"), figures("opponents"));
    assert!(points.is_sorted_by(|one, other| one >= other), "{places:?}");
    assert_eq!(points.iter().sum::<f64>(), 8.0, "{places:?}");
    for pair in places.windows(2) {
        let same = |name: &str| pair[0][name] == pair[1][name];
        let is_level = same("points") && same("opponents");
        assert_eq!(same("place"), is_level, "{places:?}");
    }
    // Each has met two of them.
    assert_eq!(opponents.iter().sum::<f64>(), 16.0, "{places:?}");
    let shown = text(&finished(place.sprt(["show", "whole"])).stdout);
    assert!(shown.starts_with("place engine "), "{shown}");
    let alone = (places[1]["place"] != 1).then(|| &places[0]["name"]);
    let listed = json(&finished(place.sprt(["list", "--json"])));
    let leader = &listed["runs"][0]["tournament"]["leader"];
    assert!(
        alone.is_none_or(|first| first == leader),
        "{places:?} {leader}"
    );
    let (journal, played) = (
        place.journal("state/runs/whole"),
        games(&place, "state/runs/whole"),
    );
    for pairs in 1..4 {
        let begun: Vec<&str> = journal.lines().take(pairs).collect();
        std::fs::write(
            place.path("state/runs/whole/pairs.jsonl"),
            begun.join("\n") + "\n",
        )
        .expect("written");
        let resumed = json(&finished(place.sprt(["resume", "whole", "--json"])));
        assert_eq!(resumed["engines"], whole["engines"], "after {pairs} pairs");
        assert_eq!(resumed["places"], whole["places"], "after {pairs} pairs");
        assert_eq!(games(&place, "state/runs/whole"), played);
    }
}

#[test]
fn a_gauntlet_plays_the_first_engine_against_all_others() {
    let place = Place::new();
    let result = json(&finished(round_robin(
        &place,
        "run",
        &["--rounds", "4", "--kind", "gauntlet"],
    )));
    let anna = &result["engines"][0];
    assert_eq!(
        (&anna["name"], &anna["games"]),
        (&"anna".into(), &16.into())
    );
    assert!(result["engines"][1]["against"][2].is_null());
}

#[test]
fn an_engine_that_crashes_again_and_again_leaves_no_result() {
    let place = Place::new();
    let bad = format!("{} option=Script=crash@2", place.engine("bad"));
    let output = round_robin(&place, "run", &["--rounds", "20", "--engine", &bad])
        .output()
        .expect("sprt runs");
    assert_eq!(output.status.code(), Some(3), "{}", text(&output.stderr));
    assert_eq!(json(&output)["spoiled"][0]["engine"], "bad");
    let said = text(&output.stderr);
    assert!(
        said.contains("games of an engine that spoiled them: bad spoiled a game in each of its last five pairs"),
        "{said}"
    );
    assert!(said.contains("last fault: pair"), "{said}");
}

#[test]
fn void_pairs_are_played_and_count_for_nobody() {
    let place = Place::new();
    let bad = format!("{} option=Script=crash@2", place.engine("bad"));
    let more = ["--rounds", "2", "--engine", &bad, "--on-fault", "void"];
    let output = round_robin(&place, "run", &more)
        .output()
        .expect("sprt runs");
    assert_eq!(output.status.code(), Some(3), "{}", text(&output.stderr));
    let result = json(&output);
    let bad = result["engines"]
        .as_array()
        .expect("engines")
        .last()
        .expect("four");
    assert_eq!(
        (&bad["name"], &bad["games"], &bad["elo"]),
        (&"bad".into(), &0.into(), &serde_json::Value::Null)
    );
    assert_eq!(
        result["void_pairs"],
        result["pairs"].as_u64().expect("pairs") - result["games"].as_u64().expect("games") / 2
    );
}

#[test]
fn what_cannot_be_played_is_said_before_anything_is_written() {
    let place = Place::new();
    let alone = place.engine("anna");
    for (arguments, words) in [
        (vec!["--engine", &*alone], "at least two engines"),
        (
            vec!["--engine", "no-such-engine", "--engine", &*alone],
            "no-such-engine",
        ),
        (vec!["--engine", &*alone, "--engine", "x nodez=1"], "nodez"),
        (
            vec!["--engine", &*alone, "--engine", &*alone, "--rounds", "0"],
            "--rounds 0",
        ),
        (
            vec![
                "--engine", &*alone, "--engine", &*alone, "--kind", "gauntlet", "--seeds", "2",
            ],
            "--seeds 2",
        ),
    ] {
        let mut command = place.sprt(["tournament", "--nodes", "1", "--out", "run"]);
        let output = command.args(&arguments).output().expect("sprt runs");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let said = text(&output.stderr);
        assert!(said.contains(words), "{arguments:?}: {said}");
        assert!(!place.path("run").exists());
    }
}

#[test]
fn a_journal_of_other_players_is_refused() {
    let place = Place::new();
    finished(round_robin(&place, "run", &["--rounds", "2"]));
    let plan = place.path("run/plan.json");
    let changed = std::fs::read_to_string(&plan)
        .expect("a plan")
        .replace("\"name\": \"anna\"", "\"name\": \"zoe\"");
    // As earlier releases wrote it, which had no digest of the plan.
    let (changed, _) = changed
        .split_once(",\n  \"plan_sha256\"")
        .expect("a digest");
    std::fs::write(&plan, format!("{changed}\n}}\n")).expect("written");
    let output = place.output(["show", "run"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("does not belong to the plan"));
}

#[test]
fn a_configuration_is_played_and_the_command_line_wins() {
    let place = Place::new();
    place.engine("anna");
    place.engine("boris");
    let config = "[tournament]\ntitle = \"Spring\"\nrounds = 9\n\n[match]\nnodes = 1\nseed = 5\n\n\
        [[engine]]\nengine = \"./anna\"\nname = \"Anna\"\n\n\
        [[engine]]\nengine = \"./boris\"\noption = [\"Losses=60\"]\n";
    let folder = place.path("configurations");
    std::fs::create_dir(&folder).expect("a folder");
    for engine in ["anna", "boris"] {
        std::fs::hard_link(place.path(engine), folder.join(engine)).expect("an engine");
    }
    std::fs::write(folder.join("spring.toml"), config).expect("written");
    let arguments = [
        "tournament",
        "configurations/spring.toml",
        "--rounds",
        "3",
        "--json",
        "--out",
        "run",
    ];
    let result = json(&finished(place.sprt(arguments)));
    assert_eq!(
        (&result["title"], &result["seed"]),
        (&"Spring".into(), &5.into())
    );
    assert_eq!(
        (&result["games"], &result["limit"]),
        (&6.into(), &"N=1".into())
    );
    assert_eq!(result["engines"][0]["name"], "Anna");

    std::fs::write(folder.join("spring.toml"), config.replace("seed", "sead")).expect("written");
    let output = place.output(arguments);
    assert_eq!(output.status.code(), Some(2));
    let said = text(&output.stderr);
    assert!(
        said.contains("spring.toml`, line 7: unknown key `sead`"),
        "{said}"
    );
}

/// The configuration that the course prints, with other programs behind its paths.
#[test]
fn the_configuration_of_the_lecture_is_played_as_it_stands() {
    let place = Place::new();
    let config = "cpus = 2\nbook = ../tests/book.dta\ngame_rounds = 12\ntitle = basic\nadjudicate = 400\n\n\
        # now we have the player definitions\n# --\n\n\
        player = reference\ninvoke = ../player/reference\nfis = 60 0.5\n\n\
        player = mine\ninvoke = ../player/leiserchess\nfis = 60 0.5\nLosses = 50\n\n\
        player = depth_2\ninvoke = ../player/leiserchess\ndepth = 2\n";
    for folder in ["tests", "player"] {
        std::fs::create_dir(place.path(folder)).expect("a folder");
    }
    place.engine("player/reference");
    place.engine("player/leiserchess");
    let book = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\n\
        rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1\n";
    std::fs::write(place.path("tests/book.dta"), book).expect("a book");
    std::fs::write(place.path("tests/basic.txt"), config).expect("a configuration");
    let result = json(&finished(place.sprt([
        "tournament",
        "tests/basic.txt",
        "--variant",
        "standard",
        "--json",
        "--out",
        "run",
    ])));
    assert_eq!(
        (&result["title"], &result["games"]),
        (&"basic".into(), &12.into())
    );
    let plan: serde_json::Value =
        serde_json::from_slice(&std::fs::read(place.path("run/plan.json")).expect("a plan"))
            .expect("JSON");
    assert_eq!(plan["concurrency"], 2);
    assert_eq!(plan["engines"][0]["limit"]["clock"]["base_ms"], 60_000);
    assert_eq!(plan["engines"][2]["limit"]["depth"], 2);
    assert_eq!(plan["adjudication"]["max_moves"], 400);
    assert!(plan["adjudication"]["draw"].is_null() && plan["adjudication"]["resign"].is_null());

    std::fs::write(
        place.path("tests/basic.txt"),
        config.replace("Losses", "lmr_r1"),
    )
    .expect("written");
    let output = place.output([
        "tournament",
        "tests/basic.txt",
        "--variant",
        "standard",
        "--out",
        "no",
    ]);
    assert_eq!(output.status.code(), Some(2));
    let said = text(&output.stderr);
    assert!(
        said.contains("line 14") && said.contains("lmr_r1"),
        "{said}"
    );
}

#[test]
fn a_tournament_is_recorded_as_a_match_is() {
    let place = Place::new();
    let more = [
        "--rounds", "1", "--pgn", "all.pgn", "--epd", "ends.epd", "--log", "logs",
    ];
    let mut command = round_robin(&place, "run", &more);
    command
        .args(["--title", "Spring", "--event", "Cup", "--site", "Here"])
        .args(["--pgn-notation", "uci", "--pgn-fields", "nps,pv"])
        .args(["--pgn-lines", "^info depth"])
        .args(["--events", "events.jsonl"]);
    finished(command);
    let read = |name: &str| std::fs::read_to_string(place.path(name)).expect(name);
    let pgn = read("all.pgn");
    assert_eq!(pgn, read("run/games.pgn"));
    assert_eq!(pgn.matches("[Event \"Cup\"]\n[Site \"Here\"]").count(), 6);
    let flat = pgn.replace('\n', " ");
    assert!(
        flat.contains("pv=\"") && flat.contains("line=\"info depth 1"),
        "{flat}"
    );
    let moves = flat.split("1. ").nth(1).expect("moves").as_bytes();
    assert!(moves[0].is_ascii_lowercase() && moves[3].is_ascii_digit());
    let ends = read("ends.epd");
    assert_eq!(
        ends.lines().filter(|line| line.contains(" hmvc ")).count(),
        6
    );
    let logs = std::fs::read_dir(place.path("logs")).expect("logs");
    let names: Vec<String> = logs
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .collect();
    let games: Vec<&String> = names
        .iter()
        .filter(|name| name.starts_with("game-"))
        .collect();
    assert_eq!(
        games.len(),
        12,
        "two engines in each of six games: {names:?}"
    );
    assert!(read("logs/game-1-anna.log").contains("> go nodes 1"));
    let events = read("events.jsonl");
    assert_eq!(events.matches("\"game_started\"").count(), 6, "{events}");

    // What another tournament plays comes after it.
    let mut command = round_robin(&place, "more", &["--rounds", "1", "--pgn", "all.pgn"]);
    command.args(["--epd", "ends.epd"]);
    finished(command);
    assert!(read("all.pgn").starts_with(&pgn) && read("all.pgn").matches("[Round ").count() == 12);
    assert_eq!(read("ends.epd").matches(" hmvc ").count(), 12);
}
