//! What is found out about a file and an engine before a game is played.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use foundation::platform::affinity;

use crate::support::{PARAMS, Place};

#[test]
fn the_look_before_a_tune_has_a_budget() {
    let place = Place::new();
    // Searches deeper than 8 take a minute.
    let engine = place.engine("slow-deep");
    place.write(
        "dead.toml",
        &PARAMS
            .replace("Gated", "Dead")
            .replace("min = 1", "min = 0"),
    );
    let tuned = place.run([
        "spsa",
        "dead.toml",
        "--engine",
        &engine,
        "--out",
        "run",
        "--probe-budget",
        "15",
    ]);
    assert_eq!(tuned.code, Some(0), "{tuned:?}");
    let told = "nothing changes at depth 7, and there was no time for deeper searches: Dead; they are \
        tuned all the same (--probe-budget SECONDS allows more than 15";
    tuned.says(told);
    place.run(["report", "run"]);
    assert!(
        place
            .read("run/report.html")
            .contains("no time for deeper searches")
    );
}

#[test]
fn what_there_was_no_time_for_is_named() {
    let place = Place::new();
    let engine = place.engine("slow-deep");
    let with = |command, more: &[&str]| {
        let arguments = [command, "params.toml", "--engine", &engine, "--budget", "1"];
        place.run(arguments.iter().chain(more))
    };
    let screened = with("screen", &[]);
    assert_eq!(screened.code, Some(4), "{screened:?}");
    let told =
        "no time to probe 2 of 2 parameters: Margin, Gated; --budget SECONDS allows more than 1";
    screened.says(told);
    assert!(!screened.stdout.contains('%'), "{screened:?}");
    let row = screened.row("Margin");
    assert_eq!(row[1..7], ["-", "-", "-", "-", "12", "-"], "{screened:?}");
    let margin = &with("screen", &["--json"]).json()["parameters"][0];
    let null = serde_json::Value::Null;
    for figure in ["changes_at_c", "changes_at_bounds", "suggested_c"] {
        assert_eq!(margin[figure], null, "{figure}");
    }
    assert_eq!(
        margin["shares"],
        serde_json::json!([null, null, null, null])
    );
    let linted = with("lint", &[]);
    assert_eq!(linted.code, Some(4), "{linted:?}");
    let told = "no time for 2 of 2 parameters: Margin, Gated; --budget";
    linted.says(told);
    let report = with("lint", &["--json"]).json();
    assert_eq!(report["unexamined"], serde_json::json!(["Margin", "Gated"]));
}

#[test]
fn a_tune_of_an_engine_that_ignores_node_limits_is_refused() {
    let place = Place::new();
    let engine = place.engine("ignores-nodes");
    let answer = place.run(["spsa", "params.toml", "--engine", &engine, "--out", "run"]);
    assert_eq!(answer.code, Some(3), "{answer:?}");
    answer.says("the engine does not keep `go nodes 100`");
    assert!(!place.path("run").exists());
}

#[test]
fn dead_parameters_are_named_by_lint_and_screen() {
    let place = Place::new();
    place.write(
        "params.toml",
        &PARAMS
            .replace("Gated", "Dead")
            .replace("min = 1", "min = 0"),
    );
    let linted = place.run(["lint", "params.toml", "--engine", "./engine"]);
    assert!(
        linted.stdout.contains(
            "Dead: dead: neither minimum nor maximum changes `go depth 9` from 12 positions, nor \
             deeper ones up to 15"
        ),
        "{linted:?}"
    );
    let screen = ["screen", "params.toml", "--engine", "./engine", "--json"];
    let screened = place.run(screen);
    assert_eq!(screened.code, Some(1));
    assert_eq!(screened.stdout, place.run(screen).stdout, "asked twice");
    let report = screened.json();
    assert_eq!(report["parameters"][0]["verdict"], "fine");
    assert_eq!(report["parameters"][1]["verdict"], "dead");
    assert_eq!(report["parameters"][1]["changes_at_bounds"], false);
    assert_eq!(report["positions"], 12);
}

#[test]
fn parameters_that_change_nodes_only_are_warned_of() {
    let place = Place::new();
    let engine = place.engine("nodes-only");
    let screened = place.run(["screen", "params.toml", "--engine", &engine]);
    assert_eq!(screened.code, Some(0), "{screened:?}");
    let told = "changes nodes only, up to depth 9: Margin, Gated; try --probe-depth 13";
    screened.says(told);
}

#[test]
fn parameters_that_act_in_deep_searches_alone_are_alive() {
    let place = Place::new();
    let engine = place.engine("deep-gate");
    let screened = place.run(["screen", "params.toml", "--engine", &engine, "--json"]);
    assert_eq!(screened.code, Some(0), "{screened:?}");
    assert_eq!(screened.json()["parameters"][1]["verdict"], "deep");
    let linted = place.run(["lint", "params.toml", "--engine", &engine]);
    assert!(!linted.stdout.contains("dead"), "{linted:?}");
    let arguments = ["spsa", "params.toml", "--engine", &engine, "--out", "run"];
    let tuned = place.run(arguments);
    assert_eq!(tuned.code, Some(0), "{tuned:?}");
}

#[test]
fn a_value_at_which_the_engine_fails_spoils_no_other_result() {
    let place = Place::new();
    let engine = place.engine("crash-above");
    let screen = ["screen", "params.toml", "--engine", &engine, "--json"];
    let screened = place.run(screen);
    assert_eq!(screened.code, Some(1), "{screened:?}");
    screened.says("Margin = ");
    let parameters = &screened.json()["parameters"];
    assert_eq!(parameters[0]["verdict"], "fails");
    assert_eq!(parameters[1]["verdict"], "fine");
}

#[test]
fn a_file_made_by_init_is_complete_and_screened_as_it_stands() {
    let place = Place::new();
    let made = place.run(["init", "--engine", "./engine", "--out", "new.toml"]);
    assert_eq!(made.code, Some(0), "{made:?}");
    for name in ["Margin", "Scale", "Gated", "Dead"] {
        assert!(place.read("new.toml").contains(&format!("[params.{name}]")));
    }
    let screened = place.run(["screen", "new.toml"]);
    screened.says("dead up to depth 15: Dead");
    let linted = place.run(["lint", "new.toml", "--static-only"]);
    assert_eq!(linted.code, Some(0), "{linted:?}");
    let again = place.run(["init", "--engine", "./engine", "--out", "new.toml"]);
    assert_eq!(again.code, Some(2), "{again:?}");
}

#[test]
fn an_engine_without_options_to_tune_is_told_where_they_may_be() {
    let place = Place::new();
    place.write(
        "plain",
        "#!/bin/sh\nwhile read line; do case $line in uci) echo uciok ;; isready) echo readyok ;; quit) exit ;; esac; done\n",
    );
    fs::set_permissions(place.path("plain"), fs::Permissions::from_mode(0o755)).expect("a program");
    let answer = place.run(["init", "--engine", "./plain"]);
    assert_eq!(answer.code, Some(2), "{answer:?}");
    answer.says("has no option to tune");
    answer.says("a special build");
}

#[test]
fn a_list_that_the_engine_prints_is_taken_as_it_is() {
    let place = Place::new();
    let engine = place.engine("lister");
    let made = place.run(["init", "--engine", &engine]);
    assert!(made.stdout.contains("[params.Lost]"), "{made:?}");
    assert_eq!(made.stderr, "", "{made:?}");
}

#[test]
fn init_pins_no_rate() {
    let place = Place::new();
    let engine = place.engine("old-list");
    let plain = place.run(["init", "--engine", &engine]);
    assert!(plain.stdout.contains("c_end = 20.0"), "{plain:?}");
    assert!(!plain.stdout.contains("r_end = "), "{plain:?}");
    // Neither is lost in silence.
    plain.says("Still");
    plain.says("without 7 fields: Longer, int, 10");
    let pinned = place.run(["init", "--engine", &engine, "--r-end", "0.004"]);
    assert_eq!(
        pinned.stdout.matches("r_end = 0.004").count(),
        3,
        "{pinned:?}"
    );
    let wrong = place.run(["init", "--engine", &engine, "--r-end", "0"]);
    assert_eq!(wrong.code, Some(2), "{wrong:?}");
}

#[test]
fn a_plan_says_what_a_pinned_rate_costs_and_what_it_advises() {
    let place = Place::new();
    let pinned = PARAMS.replace("c_end = 12.0", "c_end = 12.0\nr_end = 0.002");
    place.write("pinned.toml", &pinned);
    let command = ["plan", "pinned.toml", "--untimed", "--algorithm", "classic"];
    let answer = place.run(command);
    answer.says("the file pins r_end for 1 parameter:");
    answer.says("advice: --iterations ");
    let bayes = place.run(["plan", "pinned.toml", "--untimed"]);
    bayes.says("--algorithm bayes does not use");
}

#[test]
fn parameters_are_named_in_any_case_and_with_spaces() {
    let place = Place::new();
    place.write(
        "list.txt",
        "\u{feff}Margin, int, 100, 0, 400, 12, 0.002\r\nGated, int, 3, 1, 8, 0.6, 0.002\r\n",
    );
    for file in ["params.toml", "list.txt"] {
        let answer = place.run(["plan", file, "--untimed", "--only", "margin, GATED"]);
        assert_eq!(answer.code, Some(0), "{answer:?}");
    }
    let unknown = place.run(["plan", "list.txt", "--untimed", "--only", "Margn"]);
    unknown.says("tunes no such parameter");
}

#[test]
fn a_parameter_that_is_left_out_plays_at_the_engines_default_and_that_is_said() {
    let place = Place::new();
    place.write(
        "tuned.toml",
        &PARAMS.replace("value = 100 ", "value = 167 "),
    );
    let left_out = [
        "spsa",
        "tuned.toml",
        "--engine",
        "./engine",
        "--only",
        "Gated",
        "--dry-run",
    ];
    let warned = "Margin plays at the engine's default, 100; the file has 167";
    place.run(left_out).says(warned);
    let text = place
        .read("tuned.toml")
        .replace("c_end = 12.0", "c_end = 0");
    place.write("frozen.toml", &text);
    let frozen = ["spsa", "frozen.toml", "--engine", "./engine", "--dry-run"];
    place.run(frozen).says(warned);
    let given = place.run(left_out.iter().chain(&["--option", "Margin=167"]));
    assert!(!given.stderr.contains(warned), "{given:?}");
}

#[test]
fn a_plan_says_whether_the_budget_suffices() {
    let place = Place::new();
    let untimed = place.run(["plan", "params.toml", "--untimed"]);
    assert_eq!(untimed.code, Some(0), "{untimed:?}");
    assert!(untimed.stdout.contains("40 pairs;") && untimed.stdout.contains("too small"));
    let timed = place.run([
        "plan",
        "params.toml",
        "--engine",
        "./engine",
        "--iterations",
        "50000",
    ]);
    assert!(timed.stdout.contains(", about "), "{timed:?}");
}

#[test]
fn the_project_file_stands_behind_the_parameter_file() {
    let place = Place::new();
    place.write(
        "whetstone.toml",
        "[tuner]\nnodes = 9\nhash = 4\nengine = \"engine\"\n",
    );
    let plan = place
        .run(["spsa", "params.toml", "--dry-run", "--seed", "1"])
        .json();
    assert_eq!(plan["play"]["limit"]["nodes"], 100);
    assert_eq!(plan["engine"]["name"], "engine");
    let hash = serde_json::json!(["Hash", "4"]);
    let options = plan["engine"]["options"].as_array();
    assert!(options.is_some_and(|list| list.contains(&hash)), "{plan}");
    // What `init` writes does not override it.
    let own = place.run(["init"]);
    assert!(own.stdout.ends_with("[match]\n"), "{own:?}");
    let typed = place.run(["init", "--engine", "./engine", "--tc", "8+0.08"]);
    let games = "[match]\nengine = \"./engine\"\ntc = \"8+0.08\"\n";
    assert!(typed.stdout.ends_with(games), "{typed:?}");
    place.write("whetstone.toml", "[tuner]\nnodez = 9\n");
    let answer = place.run(["spsa", "params.toml", "--dry-run"]);
    assert_eq!(answer.code, Some(2));
    answer.says("[tuner]: unknown key `nodez`");
}

#[test]
fn as_many_games_are_played_as_the_given_processors_can() {
    let place = Place::new();
    let engine = place.engine("engine");
    let spsa = |more: &[&str]| {
        let usual = ["spsa", "params.toml", "--engine", &engine, "--dry-run"];
        place.run([&usual[..], more].concat())
    };
    let allowed = affinity::allowed();
    let one = allowed.first().expect("a processor").to_string();
    let plan = spsa(&["--processors", &one]).json();
    assert_eq!(plan["play"]["concurrency"], 1, "{plan}");
    let answer = spsa(&["--nodes", "100", "--ponder"]);
    assert_eq!(answer.code, Some(2), "{answer:?}");
    answer.says("needs a clock");
}

#[test]
fn paths_of_a_file_start_from_its_folder() {
    let place = Place::new();
    fs::create_dir(place.path("sub")).expect("a folder");
    for name in ["own", "sub/own"] {
        fs::copy(place.engine("engine"), place.path(name)).expect("a copy");
    }
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n";
    place.write("sub/book.epd", start);
    let games = "engine = \"./own\"\nbook = \"book.epd\"\n";
    place.write("sub/p.toml", &format!("{PARAMS}{games}"));
    let plan = |file: &str| {
        let planned = place.run(["spsa", file, "--dry-run", "--seed", "1"]);
        assert_eq!(planned.code, Some(0), "{planned:?}");
        planned.json()
    };
    let own = plan("sub/p.toml");
    let path = |name| serde_json::json!(place.path(name));
    assert_eq!(own["engine"]["command"], path("sub/own"), "{own}");
    assert_eq!(own["play"]["book"]["file"], path("sub/book.epd"), "{own}");
    // `init` writes what holds there.
    for (engine, out) in [("./own", "sub/a.toml"), ("sub/own", "sub/b.toml")] {
        let made = place.run(["init", "--engine", engine, "--out", out]);
        assert_eq!(made.code, Some(0), "{made:?}");
        assert_eq!(
            plan(out)["engine"]["command"],
            path(engine.trim_start_matches("./")),
            "{engine}"
        );
    }
    fs::remove_file(place.path("sub/own")).expect("removed");
    let missing = place.run(["spsa", "sub/p.toml", "--dry-run"]);
    assert_eq!(missing.code, Some(2), "{missing:?}");
    missing.says("sub/own");
}
