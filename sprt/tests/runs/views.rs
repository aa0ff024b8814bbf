//! The views of a run besides its result: report, events, forecast.

use std::fs;

use serde_json::Value;

use super::support::{Place, json, text};

/// A name that would be markup, were it not escaped.
const HOSTILE: &str = "<i>x<script>alert(1)";

#[test]
fn names_of_engines_are_text_on_the_page() {
    let place = Place::new();
    let (base, new) = (place.engine(HOSTILE), place.engine("engine-b"));
    let run = place
        .sprt([
            "run",
            &base,
            &new,
            "--depth",
            "1",
            "--max-games",
            "20",
            "--seed",
            "3",
        ])
        .args(["--out", "out", "--base-option", "Script=crash@4"])
        .output()
        .expect("it runs");
    assert!(place.path("out").exists(), "{}", text(&run.stderr));
    let report = place.sprt(["report", "out"]).output().expect("it runs");
    assert!(report.status.success(), "{}", text(&report.stderr));
    let page = fs::read_to_string(place.path("out/report.html")).expect("a page");
    assert!(page.contains("&lt;i&gt;x&lt;script&gt;alert(1)"));
    assert!(
        !page.contains("<i>") && !page.contains("<script>alert"),
        "a name became markup"
    );
    assert!(page.contains("default-src 'none'"));
    for external in ["href=\"http", "src=", "@import", "url("] {
        assert!(!page.contains(external), "the page loads `{external}`");
    }
    let (page, _scripts) = page
        .split_once("<script type=\"text/plain\" id=\"packed-games\"")
        .expect("games behind what is read");
    for part in [
        "/20</b>",
        "Script crash@4 → default",
        "--max-games 20",
        "Log-likelihood ratio",
        "crashes",
        "The openings",
        "each on processors of its own",
        "<th>time losses",
        "Depth",
        "expected under H1",
    ] {
        assert!(page.contains(part), "{part} is missing");
    }
    assert!(!page.contains("NaN") && !page.contains("inf"));
}

#[test]
fn the_hint_of_a_run_elsewhere_has_its_path() {
    let place = Place::new();
    let run = place
        .run("out", &["--depth", "1", "--max-games", "4"])
        .output()
        .expect("it runs");
    let words = text(&run.stderr);
    let path = place.path("out").display().to_string();
    assert!(words.contains(&format!("`sprt serve {path}`")), "{words}");
    let shown = place.sprt(["show", "out"]).output().expect("it runs");
    let words = text(&shown.stderr);
    assert!(words.contains("finished: 4/4 games"), "{words}");
}

#[test]
fn a_run_without_games_has_a_page() {
    let place = Place::new();
    let run = place
        .run("out", &["--depth", "1", "--max-games", "2"])
        .output();
    assert!(run.expect("it runs").status.code().is_some());
    for file in ["pairs.jsonl", "games.pgn"] {
        fs::write(place.path("out").join(file), "").expect("writable");
    }
    let report = place
        .sprt(["report", "out", "--out", "page.html"])
        .output()
        .expect("it runs");
    assert!(report.status.success(), "{}", text(&report.stderr));
    let page = fs::read_to_string(place.path("page.html")).expect("a page");
    assert!(page.contains("No pair of games is finished yet"));
}

#[test]
fn events_come_as_lines_in_the_order_of_their_happening() {
    let place = Place::new();
    let run = place
        .run(
            "out",
            &[
                "--depth",
                "1",
                "--max-games",
                "4",
                "--events",
                "events.jsonl",
            ],
        )
        .output()
        .expect("it runs");
    let result = json(&run);
    let lines = fs::read_to_string(place.path("events.jsonl")).expect("events");
    let events: Vec<Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).expect("an object a line"))
        .collect();
    let kinds: Vec<&str> = events
        .iter()
        .filter_map(|event| event["type"].as_str())
        .collect();
    assert_eq!(events[0]["schema"], "sprt-events");
    assert_eq!((kinds[0], kinds[1]), ("header", "run_started"));
    assert_eq!(kinds.last(), Some(&"run_finished"));
    let count = |kind: &str| kinds.iter().filter(|known| **known == kind).count();
    assert_eq!(
        (
            count("game_started"),
            count("game_finished"),
            count("pair_finished")
        ),
        (4, 4, 2)
    );
    let moves: u64 = events
        .iter()
        .filter(|event| event["type"] == "pair_finished")
        .flat_map(|pair| pair["games"].as_array().expect("games"))
        .map(|game| {
            game["moves"]
                .as_array()
                .map_or(0, |moves| moves.len() as u64)
        })
        .sum();
    assert_eq!(count("move_made") as u64, moves);
    let end = &events[events.len() - 1];
    assert_eq!(end["standing"]["pentanomial"], result["pentanomial"]);
}

#[test]
fn events_take_standard_output_for_themselves() {
    let place = Place::new();
    let run = place
        .run(
            "out",
            &["--depth", "1", "--max-games", "2", "--events", "-"],
        )
        .output()
        .expect("it runs");
    for line in text(&run.stdout).lines() {
        let event: Value = serde_json::from_str(line).expect("nothing but events");
        assert!(event["type"].is_string());
    }
}

#[test]
fn a_plan_tells_what_a_test_will_cost() {
    let place = Place::new();
    let arguments = [
        "plan",
        "--elo",
        "0,2.5,5",
        "--bounds",
        "0,5",
        "--games-per-second",
        "10",
        "--json",
    ];
    let plan = json(&place.sprt(arguments).output().expect("it runs"));
    let strengths = plan["strengths"].as_array().expect("strengths");
    let figure = |index: usize, name: &str| strengths[index][name].as_f64().expect(name);
    assert!((figure(0, "h1") - 0.05).abs() < 0.005 && (figure(2, "h0") - 0.05).abs() < 0.005);
    assert!(figure(1, "expected_pairs") > figure(0, "expected_pairs"));
    let hours = 2.0 * figure(1, "expected_pairs") / 10.0 / 3600.0;
    assert!((figure(1, "expected_hours") - hours).abs() < 1e-9);
    let wrong = place
        .sprt(["plan", "--bounds", "5,0"])
        .output()
        .expect("it runs");
    assert_eq!(wrong.status.code(), Some(2));
    let nothing = place
        .sprt(["plan", "--bounds", "0,5", "--penta", "0,0,0,0,0"])
        .output()
        .expect("it runs");
    assert_eq!(nothing.status.code(), Some(2));
    assert!(text(&nothing.stderr).contains("no game was played"));
}

#[test]
fn a_forecast_is_of_the_test_that_the_project_plays() {
    let place = Place::new();
    let settings = "[sprt]\nbounds = '0,3'\nbeta = 0.1\nnodes = 1\n";
    fs::write(place.path("whetstone.toml"), settings).expect("written");
    let forecast = |more: &[&str]| {
        let plan = ["plan", "--elo", "2", "--json"];
        let output = place.sprt(plan.iter().chain(more)).output();
        json(&output.expect("it runs"))["test"].clone()
    };
    let test = forecast(&[]);
    assert_eq!(
        (test["elo1"].as_f64(), test["beta"].as_f64()),
        (Some(3.0), Some(0.1))
    );
    let test = forecast(&["--bounds", "0,8"]);
    assert_eq!(
        (test["elo1"].as_f64(), test["beta"].as_f64()),
        (Some(8.0), Some(0.1))
    );
}

#[test]
fn a_forecast_says_whether_the_bounds_are_corrected() {
    let place = Place::new();
    let output = place
        .sprt(["plan", "--bounds", "0,5", "--elo", "0", "--json"])
        .output();
    let forecast = json(&output.expect("it runs"));
    assert_eq!(
        forecast["test"]["overshoot_correction"], false,
        "{forecast}"
    );
}

#[test]
fn a_test_with_corrected_bounds_stands_as_it_ended_when_it_is_read_again() {
    let place = Place::new();
    let flags = [
        "--depth",
        "1",
        "--bounds",
        "0,100",
        "--correct-overshoot",
        "--max-games",
        "400",
    ];
    let run = json(
        &place
            .run("out", &flags)
            .args(["--base-option", "Losses=60"])
            .output()
            .expect("it runs"),
    );
    let shown = json(
        &place
            .sprt(["show", "out", "--json"])
            .output()
            .expect("it runs"),
    );
    for member in ["verdict", "llr", "lower", "upper", "games"] {
        assert_eq!(run[member], shown[member], "{member}");
    }
    let (upper, plain) = (run["upper"].as_f64().expect("a bound"), 19f64.ln());
    assert!(upper < plain, "{upper} was not corrected");
}

#[test]
fn a_name_is_that_of_a_run_first_and_a_tune_is_called_one() {
    let place = Place::new();
    let arguments = ["--nodes", "1", "--max-games", "2"];
    let output = place.run("state/runs/1-mine", &arguments).output();
    output.expect("sprt runs");
    let tune = r#"{"schema":"tuner-plan"}"#;
    for (folder, plan) in [("runs/2-ablate-mine/games", "{}"), ("tunes/3-other", tune)] {
        let folder = place.path("state").join(folder);
        fs::create_dir_all(&folder).expect("made");
        fs::write(folder.join("plan.json"), plan).expect("written");
    }
    for (name, code, words) in [
        ("mine", 4, "games"),
        ("ablate-mine", 2, "is an ablation of `tuner`"),
        ("other", 2, "`tuner show "),
        ("nothing", 2, "no run `nothing`"),
    ] {
        let shown = place.output(["show", name]);
        let said = text(&shown.stderr);
        assert_eq!(shown.status.code(), Some(code), "{name}: {said}");
        assert!(said.contains(words), "{name}: {said}");
    }
}
