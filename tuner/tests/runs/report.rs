//! The page and the figures that are made of a run.

use std::time::{Duration, Instant};

use crate::support::Place;

#[test]
fn the_page_is_whole_and_loads_nothing() {
    let place = Place::new();
    place.finished("run", &[]);
    let answer = place.run(["report", "run"]);
    assert_eq!(
        (answer.code, answer.stdout.trim()),
        (Some(0), "run/report.html"),
        "{answer:?}"
    );
    let page = place.read("run/report.html");
    for part in [
        "Margin: 100 → ",
        "Gated: 3 → ",
        "40 / 40",
        "dummy",
        "Screen before the run",
        "Elo expected over the start",
        "ready to paste",
        "setoption name Margin value ",
        "Gated, int, ",
        "No evidence of interactions (1 tested).",
    ] {
        assert!(page.contains(part), "{part}");
    }
    for resource in [
        "http:", "https:", "src=", "href=", "url(", "@import", "<script", "NaN",
    ] {
        assert!(!page.contains(resource), "{resource}");
    }
    for element in ["svg", "table", "section", "main", "body", "html"] {
        let count = |text: &str| page.matches(text).count();
        assert_eq!(
            count(&format!("<{element}")),
            count(&format!("</{element}>")),
            "{element}"
        );
    }
}

#[test]
fn a_run_that_is_not_finished_is_shown_as_it_stands() {
    let place = Place::new();
    place.finished("run", &[]);
    let journal = place.read("run/journal.jsonl");
    let begun: Vec<&str> = journal.lines().take(10).collect();
    place.write("run/journal.jsonl", &(begun.join("\n") + "\n"));
    place.run(["report", "run"]);
    assert!(
        place
            .read("run/report.html")
            .contains("The run is not finished")
    );
    let figures = place.run(["report", "run", "--json"]).json();
    assert_eq!(figures["schema"], "tuner-result");
    assert!(figures["pairs"].as_u64().expect("a count") <= 10);
    let validated = place.run(["validate", "run", "--dry-run"]);
    validated.says("this validates its present values");
}

#[test]
fn a_live_page_loads_itself_until_the_run_is_finished() {
    let place = Place::new();
    place.finished("run", &[]);
    let journal = place.read("run/journal.jsonl");
    let begun: Vec<&str> = journal.lines().take(10).collect();
    place.write("run/journal.jsonl", &(begun.join("\n") + "\n"));
    let mut reporter = place
        .tuner(["report", "run", "--live", "1"])
        .spawn()
        .expect("a reporter");
    let page = || std::fs::read_to_string(place.path("run/report.html")).unwrap_or_default();
    let deadline = Instant::now() + Duration::from_mins(2);
    while page().is_empty() && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(20));
    }
    let early = page();
    assert!(
        early.contains("http-equiv=\"refresh\" content=\""),
        "{early}"
    );
    assert!(early.contains("Nobody plays this run now"), "{early}");
    assert!(early.contains("id=\"lost\" hidden"), "{early}");
    // Whoever plays it to its end ends the reporter too.
    place.write("run/journal.jsonl", &journal);
    assert!(reporter.wait().expect("it ends").success());
    let last = page();
    assert!(
        !last.contains("<script") && !last.contains("refresh"),
        "{last}"
    );
    assert!(last.contains("40 / 40"), "{last}");
}

#[test]
fn runs_are_listed_and_shown() {
    let place = Place::new();
    let none = place.run(["list"]);
    assert_eq!((none.code, none.stdout.as_str()), (Some(0), ""), "{none:?}");
    let played = place.run(["spsa", "params.toml", "--engine", "./engine", "--seed", "7"]);
    assert_eq!(played.code, Some(0), "{played:?}");
    let runs = &place.run(["list", "--json"]).json()["runs"];
    assert_eq!(
        (&runs[0]["pairs"], &runs[0]["parameters"]),
        (&40.into(), &2.into())
    );
    let run = runs[0]["run"].as_str().expect("a folder").to_owned();
    assert!(place.run(["list"]).stdout.contains("finished"));
    let shown = place.run(["show", &run]);
    assert!(
        shown.stdout.contains("│ Margin") && shown.code == Some(0),
        "{shown:?}"
    );
    let json = place.run(["show", &run, "--json"]).json();
    assert_eq!(
        (&json["pairs"], &json["interactions"]["tested"]),
        (&40.into(), &1.into())
    );
    assert!(
        shown.stdout.contains("no evidence of interactions"),
        "{shown:?}"
    );
}
