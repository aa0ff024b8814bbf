//! From one machine to a server and back: the form's lines, and what was fetched.

use crate::support::{Answer, Place};

const DIGEST: &str = "Name,Curr,Start,Min,Max,C,C_end,R,R_end\n\
    Margin,124.5000,100,0,400,12.0,12.0,0.002,0.002\n\
    Gated,3.2000,3,1,8,0.6,0.6,0.002,0.002\n";

#[test]
fn a_plan_for_a_server_has_the_gains_for_its_length() {
    let place = Place::new();
    let file = ["plan", "params.toml", "--openbench"];
    let own = place.run(file);
    assert_eq!(own.code, Some(0), "{own:?}");
    // 40 pairs, two parameters: the rule's greatest rate.
    assert!(
        own.stdout
            .starts_with("Margin, int, 100, 0, 400, 12, 0.012\nGated, int, 3, 1, 8, 0.6, 0.012\n"),
        "{own:?}"
    );
    own.says("Iterations 20, Pairs-Per 2, Alpha 0.602, Gamma 0.101, A-ratio 0.1");
    own.says("with the usual r_end of 0.002 (± is 95%)");
    let longer = place.run(
        file.iter()
            .chain(&["--iterations", "30000", "--only", "gated"]),
    );
    let rate = 0.004 * (20_000.0_f64 / 60_000.0).sqrt() * 15.0_f64.sqrt();
    assert_eq!(
        longer.stdout.trim(),
        format!("Gated, int, 3, 1, 8, 0.6, {rate}"),
        "{longer:?}"
    );
}

#[test]
fn a_run_is_handed_over_with_its_values_and_what_is_left_of_its_pairs() {
    let place = Place::new();
    place.finished("run", &[]);
    let journal = place.read("run/journal.jsonl");
    let begun: Vec<&str> = journal.lines().take(30).collect();
    place.write("run/journal.jsonl", &(begun.join("\n") + "\n"));
    let shown = place.run(["show", "run", "--json"]).json();
    let handed = place.run(["plan", "run", "--openbench"]);
    assert_eq!(handed.code, Some(0), "{handed:?}");
    let value = &shown["parameters"][0]["value"];
    let value = value.as_f64().expect("a number");
    assert!((value - 100.0).abs() > 0.5, "{shown}");
    assert!(
        handed
            .stdout
            .starts_with(&format!("Margin, int, {value}, ")),
        "{handed:?}"
    );
    let left = 40 - shown["pairs"].as_u64().expect("a count");
    let iterations = left.div_ceil(2);
    handed.says(&format!("Iterations {iterations}, Pairs-Per 2"));
    // Under the conditions that it was begun under, and not under those of a preset.
    let mut submit = place.tuner_with_client(["openbench", "submit", "run"]);
    let sent = Answer::of(&submit.output().expect("tuner runs"));
    for part in ["--tc=N=100", "--options=Threads=1 Hash=16"] {
        assert!(sent.stdout.contains(part), "{part}: {sent:?}");
    }
}

#[test]
fn a_fetched_tune_is_reported_validated_and_applied() {
    let place = Place::new();
    std::fs::create_dir(place.path("home")).expect("a folder");
    place.write("home/digest.csv", DIGEST);
    let moment = |games: u64, digest: &str| {
        serde_json::json!({
            "games": games, "penta": [10, 20, 40, 20, 10], "finished": games == 1600,
            "iterations": 100, "games_planned": 1600, "digest": digest,
        })
        .to_string()
    };
    let early = DIGEST.replace("124.5000", "110.0000");
    place.write(
        "home/history.jsonl",
        &format!("{}\n{}\n", moment(800, &early), moment(1600, DIGEST)),
    );
    let report = place.run(["report", "home"]);
    assert_eq!(
        (report.code, report.stdout.trim()),
        (Some(0), "home/report.html"),
        "{report:?}"
    );
    let page = place.read("home/report.html");
    for part in [
        "Margin: 100 → 124.5",
        "1600 / 1600",
        "A point for each fetch",
    ] {
        assert!(page.contains(part), "{part}");
    }
    assert!(!page.contains("NaN") && !page.contains("<script"));
    let figures = place.run(["report", "home", "--json"]).json();
    assert_eq!(figures["schema"], "tuner-server-result");
    assert_eq!(figures["parameters"][0]["value"], 124.5);
    // 800 pairs at these gains do not take a dead parameter two c away.
    assert_eq!(figures["parameters"][0]["verdict"], "evident");
    assert_eq!(figures["parameters"][1]["verdict"], "undecided");

    let live = place.run(["report", "home", "--live"]);
    assert_eq!(live.code, Some(2), "{live:?}");
    live.says("fetched again");
    let alone = place.run(["validate", "home", "--dry-run"]);
    assert_eq!(alone.code, Some(2), "{alone:?}");
    alone.says("hint: add --params FILE");
    place.write(
        "params.toml",
        &crate::support::PARAMS.replace("[match]", "[match]\nengine = \"./engine\""),
    );
    let arguments = ["validate", "home", "--params", "params.toml", "--dry-run"];
    let plan = place.run(arguments);
    assert_eq!(plan.code, Some(0), "{plan:?}");
    let new = plan.json()["new"].to_string();
    assert!(new.contains(r#"["Margin","124"]"#), "{new}");
    let applied = place.run(["apply", "home", "params.toml"]);
    assert_eq!(applied.code, Some(0), "{applied:?}");
    assert!(
        place
            .read("params.toml")
            .contains("value = 124  # to be tuned")
    );
}

#[test]
fn what_a_tune_was_told_not_to_move_is_left_alone() {
    let place = Place::new();
    std::fs::create_dir(place.path("home")).expect("a folder");
    place.write(
        "home/digest.csv",
        DIGEST
            .replace("3.2000,3,1,8,0.6,0.6,0.002", "3,3,1,8,0,0,0")
            .as_str(),
    );
    let list = "Margin, int, 100, 0, 400, 12, 0.002\nGated, int, 3, 1, 8, 0, 0.002\n";
    place.write("list.txt", list);
    let applied = place.run(["apply", "home", "list.txt"]);
    assert_eq!(applied.code, Some(0), "{applied:?}");
    assert_eq!(place.read("list.txt"), list.replace("100", "124"));
    let words = [
        "validate",
        "home",
        "--params",
        "list.txt",
        "--nodes",
        "50",
        "--dry-run",
    ];
    let plan = place.run(words.into_iter().chain(["--option", "Hash=1"]));
    assert!(!plan.stderr.contains("has no parameter"), "{plan:?}");
    place.write("home/digest.csv", DIGEST);
    let moved = place.run(["apply", "home", "list.txt"]);
    moved.says("has no parameter Gated");
}

#[test]
fn both_matches_of_a_fetched_tune_go_on_with_their_openings() {
    let place = Place::new();
    std::fs::create_dir(place.path("home")).expect("a folder");
    place.write("home/digest.csv", DIGEST);
    place.write(
        "params.toml",
        &crate::support::PARAMS.replace("[match]", "[match]\nengine = \"./engine\""),
    );
    let words = [
        "validate",
        "home",
        "--params",
        "params.toml",
        "--transfer",
        "--games",
        "4",
    ];
    let words = words.into_iter().chain(["--out", "both"]);
    for _ in 0..2 {
        let told = place.run(words.clone());
        assert_eq!(told.code, Some(0), "{told:?}");
    }
    let other = place.run(words.chain(["--seed", "7"]));
    other.says("another match");
}

#[test]
fn values_of_a_server_are_written_into_lists_without_ranges() {
    let place = Place::new();
    std::fs::create_dir(place.path("home")).expect("a folder");
    place.write("home/digest.csv", DIGEST);
    let values = "Margin, 100\nGated, 3\n";
    place.write("values.txt", values);
    let refused = place.run(["apply", "home", "values.txt"]);
    assert_eq!(refused.code, Some(2), "{refused:?}");
    for part in ["inputs.txt", "fetch the tune again"] {
        refused.says(part);
    }
    place.write(
        "home/inputs.txt",
        "Margin, int, 100.0, 0.0, 400.0, 12.0, 0.002\nGated, int, 3.0, 1.0, 8.0, 0.6, 0.002\n",
    );
    let options = "setoption name Margin value 100\nsetoption name Gated value 3\n";
    for text in [values, options] {
        place.write("values.txt", text);
        let applied = place.run(["apply", "home", "values.txt"]);
        assert_eq!(applied.code, Some(0), "{applied:?}");
        assert_eq!(place.read("values.txt"), text.replace("100", "124"));
    }
}

#[test]
fn a_submission_names_what_it_does_not_hand_over() {
    let place = Place::new();
    let (params, _) = crate::support::PARAMS
        .split_once("[match]")
        .expect("a section");
    place.write(
        "params.toml",
        &format!(
            "{params}[match]\nnodes = 100\nhash = 32\noption = ['Contempt=5', 'Move Overhead=10']\n\
                book = 'book.epd'\ndepth = 9\n"
        ),
    );
    let mut submit = place.tuner_with_client(["openbench", "submit", "params.toml"]);
    let sent = Answer::of(&submit.output().expect("tuner runs"));
    assert_eq!(sent.code, Some(0), "{sent:?}");
    for part in ["--tc=N=100", "--options=Threads=1 Hash=32 Contempt=5"] {
        assert!(sent.stdout.contains(part), "{part}: {sent:?}");
    }
    assert!(!sent.stdout.contains("Overhead"), "{sent:?}");
    for part in [
        "not handed over: Move Overhead=10",
        "not handed over: book, depth;",
    ] {
        assert!(sent.stderr.contains(part), "{part}: {sent:?}");
    }
}
