//! `sprt suite`, with scripted engines.

use std::fmt::Write as _;
use std::fs;
use std::os::unix::process::CommandExt as _;
use std::process::Output;

use serde_json::Value;

use crate::browser::{Browser, ask};
use crate::serve::Server;
use crate::support::{Place, eventually, json, kill_group, text};

/// So many positions in which White can play e2e4, which solves them.
fn suite(place: &Place, positions: usize) -> String {
    let mut lines = String::new();
    for number in 0..positions {
        let pawn = |file: usize| if number >> file & 1 == 1 { 'n' } else { 'p' };
        let pawns: String = (0..8).map(pawn).collect();
        let theme = ["Centre", "Flank"][number % 2];
        // Writing to a `String` cannot fail.
        let _ = writeln!(
            lines,
            "rnbqkbnr/{pawns}/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4; id \"{theme}.{number}\";"
        );
    }
    let path = place.path("suite.epd");
    fs::write(&path, lines).expect("written");
    path.display().to_string()
}

/// The option by which the scripted engine plays this move at once.
fn plays(best: &str) -> String {
    format!("Script=say:info depth 2 score cp 30 nodes 7 pv {best}|bestmove {best}@all")
}

fn run(place: &Place, arguments: &[&str]) -> Output {
    let mut command = place.sprt(["suite", &place.engine("engine"), "--concurrency", "2"]);
    command.args(arguments).output().expect("sprt runs")
}

#[test]
fn a_setting_that_solves_less_is_reported_by_the_gate() {
    let place = Place::new();
    let suite = suite(&place, 14);
    let weak = format!("weak: {}", plays("a2a3"));
    let arguments = [
        "--suite",
        &suite,
        "--option",
        &plays("e2e4"),
        "--setting",
        &weak,
        "--json",
        "--out",
        "run",
    ];
    let output = run(&place, &arguments);
    let result = json(&output);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    assert_eq!(
        (&result["schema"], &result["complete"]),
        (&"sprt-suite".into(), &true.into())
    );
    let solved = |engine: usize| result["engines"][engine]["all"]["solved"].as_u64();
    assert_eq!(
        (solved(0), solved(1)),
        (Some(70), Some(0)),
        "14 positions, 5 budgets"
    );
    assert_eq!(result["comparison"]["verdict"], "loss");
    assert_eq!(result["comparison"]["all"]["p_loss"], 1.0 / 16384.0);
    assert_eq!(result["positions"][0]["answers"][0]["solution_nodes"], 7);
    let picture = result["positions"][0].get("picture");
    assert_eq!(picture, Some(&Value::Null), "{result}");
    assert!(
        text(&output.stderr).contains("power: "),
        "{}",
        text(&output.stderr)
    );

    let shown = place.output(["show", "run"]);
    assert_eq!(shown.status.code(), Some(1));
    let said = text(&shown.stdout);
    for words in [
        "solved by BASE only (14): Centre.0; ",
        "-100.0 %",
        "Flank.11 and 2 more",
        "p of a loss below 0.0001",
        "a loss is shown",
        "Flank",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
}

#[test]
fn an_engine_passes_against_itself_within_a_wide_margin() {
    let place = Place::new();
    let suite = suite(&place, 12);
    let settings = "[settings]\nsame = ['Hash=16']\n";
    fs::write(place.path("whetstone.toml"), settings).expect("a file");
    let setting = "same";
    let of = |margin: &str| {
        let output = run(
            &place,
            &[
                "--suite",
                &suite,
                "--setting",
                setting,
                "--margin",
                margin,
                "--json",
            ],
        );
        let verdict = json(&output)["comparison"]["verdict"].clone();
        (output.status.code(), verdict)
    };
    assert_eq!(
        of("5"),
        (Some(4), "undecided".into()),
        "12 positions cannot exclude so small a loss"
    );
    assert_eq!(of("30"), (Some(0), "passed".into()));
}

/// The answers of a run, without what depends on the clock.
fn answers(result: &Value) -> Vec<Value> {
    let mut positions = result["positions"].as_array().expect("positions").clone();
    for position in &mut positions {
        for answer in position["answers"].as_array_mut().expect("answers") {
            answer["ms"] = Value::Null;
            answer["solution_ms"] = Value::Null;
        }
    }
    positions
}

#[test]
fn a_run_that_is_killed_continues_and_ends_as_one_that_was_not() {
    let place = Place::new();
    let suite = suite(&place, 20);
    let script = "Script=sleep:200@all";
    let whole = run(
        &place,
        &[
            "--suite", &suite, "--option", script, "--out", "whole", "--json",
        ],
    );
    assert_eq!(whole.status.code(), Some(0), "{}", text(&whole.stderr));

    let engine = place.engine("engine");
    let mut command = place.sprt([
        "suite",
        &engine,
        "--suite",
        &suite,
        "--option",
        script,
        "--out",
        "state/runs/killed",
    ]);
    let mut child = command
        .args(["--concurrency", "1"])
        .process_group(0)
        .spawn()
        .expect("sprt runs");
    let journal = place.path("state/runs/killed/answers.jsonl");
    let lines = || {
        fs::read_to_string(&journal)
            .unwrap_or_default()
            .lines()
            .count()
    };
    eventually("some answers", || lines() >= 3);
    kill_group(&child);
    child.wait().expect("it has ended");
    assert!(lines() < 20);
    // The disk may have got a part of a line.
    let mut torn = fs::read(&journal).expect("a journal");
    torn.extend(b"{\"position\":3,");
    fs::write(&journal, torn).expect("written");
    let shown = place.output(["show", "killed"]);
    assert_eq!(shown.status.code(), Some(4), "it can go on");
    let told = text(&shown.stderr);
    let words = " s: interrupted; it can be continued with `sprt resume`\n";
    assert!(told.contains(words), "{told}");
    let listed = place.output(["list"]);
    let table = text(&listed.stdout);
    assert!(table.contains("killed \u{2502} interrupted"), "{table}");
    let listed = json(&place.output(["list", "--json"]));
    assert_eq!(listed["suites"][0]["state"], "interrupted");
    let report = ["report", "killed", "--out", "killed.html"];
    let reported = place.output(report);
    assert!(reported.status.success(), "{}", text(&reported.stderr));
    let page = fs::read_to_string(place.path("killed.html")).expect("a page");
    assert!(page.contains("(interrupted; ") && page.contains(" s</b><span>searched</span>"));

    let resumed = place.output(["resume", "killed", "--json"]);
    assert_eq!(resumed.status.code(), Some(0), "{}", text(&resumed.stderr));
    assert_eq!(answers(&json(&resumed)), answers(&json(&whole)));
    assert_eq!(lines(), 20);
}

#[test]
fn a_run_ends_when_its_folder_is_moved() {
    let place = Place::new();
    let suite = suite(&place, 2000);
    let engine = place.engine("engine");
    let searched = place
        .sprt(["suite", &engine, "--suite", &suite, "--out", "run"])
        .args(["--option", "Script=sleep:40@all", "--concurrency", "1"])
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("sprt runs");
    eventually("an answer", || {
        fs::metadata(place.path("run/answers.jsonl")).is_ok_and(|found| found.len() > 0)
    });
    fs::rename(place.path("run"), place.path("moved")).expect("moved");
    // Another one takes its place.
    fs::create_dir(place.path("run")).expect("made");
    let output = searched.wait_with_output().expect("it ends");
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("`run` was moved while"), "{said}");
    let files = fs::read_dir(place.path("run")).expect("a folder");
    assert_eq!(files.count(), 0);
}

#[test]
fn an_engine_that_dies_is_started_again_and_asked_once_more() {
    let place = Place::new();
    let suite = suite(&place, 10);
    let output = run(
        &place,
        &[
            "--suite",
            &suite,
            "--option",
            "Script=crash@game4",
            "--json",
        ],
    );
    let result = json(&output);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(result["engines"][0]["all"]["faults"], 0);
    assert_eq!(result["engines"][0]["all"]["searches"], 10);
}

#[test]
fn a_move_that_is_illegal_is_a_fault_and_no_solution() {
    let place = Place::new();
    let suite = suite(&place, 3);
    let engine = place.script(
        "cheat",
        "while read -r line; do case $line in\n\
         uci) echo uciok;; isready) echo readyok;; quit) exit;;\n\
         position*startpos*) best=e2e4;; position*) best=e2e5;;\n\
         go*) echo \"info depth 1 score cp 0 nodes 1 pv $best\"; echo \"bestmove $best\";;\nesac; done",
    );
    let output = place.output(["suite", &engine, "--suite", &suite]);
    assert_eq!(output.status.code(), Some(3));
    let said = text(&output.stderr);
    assert!(
        said.contains("failed at 3 of 3 searches") && said.contains("illegal move `e2e5`"),
        "{said}"
    );
}

#[test]
fn lines_that_cannot_be_used_are_reported_or_refused() {
    let place = Place::new();
    let file = place.path("mixed.epd");
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    fs::write(
        &file,
        format!("{start} bm e4;\n{start} bm Nd2;\n8/8/8 w - - bm a1;\n{start} bm d4;\n"),
    )
    .expect("written");
    let file = file.display().to_string();
    let output = run(&place, &["--suite", &file, "--json"]);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(
        said.contains("line 2 is left out: the solution `Nd2` is illegal"),
        "{said}"
    );
    assert!(said.contains("line 3 is left out: no position"), "{said}");
    assert!(said.contains("1 position stood there before"), "{said}");
    assert_eq!(json(&output)["suites"][0]["positions"], 1);

    let strict = run(&place, &["--suite", &file, "--strict"]);
    assert_eq!(strict.status.code(), Some(2));
    assert!(
        text(&strict.stderr).contains("line 2: "),
        "{}",
        text(&strict.stderr)
    );

    let empty = place.path("empty.epd");
    fs::write(&empty, format!("{start} id \"x\";\n")).expect("written");
    let nothing = run(&place, &["--suite", &empty.display().to_string()]);
    let said = text(&nothing.stderr);
    assert_eq!(nothing.status.code(), Some(2), "{said}");
    assert!(
        said.contains("no solution") && said.contains("hint: "),
        "{said}"
    );
}

#[test]
fn flags_that_make_no_sense_together_are_refused() {
    let place = Place::new();
    let suite = suite(&place, 2);
    let engine = place.engine("engine");
    for (more, words) in [
        (
            vec![engine.as_str(), "--setting", "a: Hash=1"],
            "--setting with 2 engines",
        ),
        (vec!["--setting", "a"], "`a` is no setting"),
        (
            vec!["--setting", "a: Hash"],
            "`Hash` is not an engine option",
        ),
        (vec!["--depth", "3", "--budgets", "5"], "--budgets 5"),
        (vec!["--by", "points"], "no position has scored moves"),
        (vec!["--margin", "0"], "--margin 0"),
        (vec!["--alpha", "1"], "--alpha 1"),
        (vec!["--nodes", "0"], "--nodes 0"),
    ] {
        let output = run(&place, &[&["--suite", &suite], &more[..]].concat());
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(words), "{words}: {said}");
    }
}

#[test]
fn an_engine_may_have_settings_of_its_own() {
    let place = Place::new();
    let suite = suite(&place, 3);
    let engine = place.engine("engine");
    let (quick, slow) = (
        format!("{engine} name=quick nodes=9"),
        format!("{engine} name=slow depth=3"),
    );
    let output = place.output(["suite", &quick, &slow, "--suite", &suite, "--json"]);
    let result = json(&output);
    assert_eq!(result["budgets"], 1, "a depth cannot be varied a little");
    let engine = |place: usize| result["engines"][place].clone();
    assert_eq!(
        (&engine(0)["name"], &engine(1)["name"]),
        (&"quick".into(), &"slow".into())
    );
    assert_eq!(
        (&engine(0)["limit"], &engine(1)["limit"]),
        (&"9 nodes a move".into(), &"depth 3".into())
    );
    assert_eq!(engine(0)["all"]["nodes"], 27);
}

#[test]
fn runs_of_suites_are_listed() {
    let place = Place::new();
    let suite = suite(&place, 2);
    run(&place, &["--suite", &suite]);
    let output = place.output(["list", "--json"]);
    let list = json(&output);
    assert_eq!(list["suites"][0]["answers"], 2);
    assert_eq!(list["unreadable"], Value::Array(Vec::new()));
    let table = place.output(["list"]);
    assert!(
        text(&table.stdout).contains("suite-engine"),
        "{}",
        text(&table.stdout)
    );
}

/// A run in which NEW, of this name, misses every solution, with one search a position.
pub fn loss(place: &Place, name: &str, out: &str) {
    let suite = suite(place, 14);
    let weak = format!("{name}: {}", plays("a2a3"));
    let output = run(
        place,
        &[
            "--suite",
            &suite,
            "--option",
            &plays("e2e4"),
            "--setting",
            &weak,
            "--budgets",
            "1",
            "--out",
            out,
        ],
    );
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
}

#[test]
fn a_run_has_a_page_with_its_positions() {
    let place = Place::new();
    loss(&place, "<i>weak", "out");
    let report = place.output(["report", "out"]);
    assert!(report.status.success(), "{}", text(&report.stderr));
    let page = fs::read_to_string(place.path("out/report.html")).expect("a page");
    for words in [
        "&lt;i&gt;weak against baseline: test suite",
        "<b>a loss is shown</b>",
        "solved, NEW less BASE: -100.0 %",
        "<b>14</b><span>positions worse</span>",
        "<tr><th>Centre<td>0<td>7<td>-100.0 %",
        "suite.epd, 14 positions",
        "id=\"packed-suite\"",
    ] {
        assert!(page.contains(words), "{words}");
    }

    let server = Server::start(&place, "0");
    let listed = &server.get("/api/runs")["runs"][0];
    assert_eq!(
        (&listed["name"], &listed["words"], &listed["searches"]),
        (&"out".into(), &"loss".into(), &28.into())
    );
    let result = server.get("/api/suite?run=out");
    assert_eq!(result["positions"][3]["answers"][1]["best"], "a2a3");
    assert_eq!(result["positions"][3]["answers"][1]["score"], "+0.30");
    let boards = server.get("/api/boards?run=out");
    assert_eq!(boards["boards"], Value::Array(Vec::new()));
    let token = [("x-token", server.token.as_str())];
    let (status, games) = ask(&server.address, "GET", "/api/games?run=out", &token, "");
    assert_eq!(status, 422);
    assert!(
        games.contains("is a run of a suite, which plays no games"),
        "{games}"
    );
    let Some(browser) = Browser::start(&place) else {
        return;
    };
    let file = format!("file://{}", place.path("out/report.html").display());
    let live = format!("http://{}/?token={}#out", server.address, server.token);
    for url in [file, live] {
        browser.open(&url);
        eventually("positions are listed", || {
            browser.holds("document.querySelectorAll('#positions .list tbody tr').length === 14")
        });
        browser.run("const is = document.querySelector('#positions [name=is]'); is.value = 'better'; is.dispatchEvent(new Event('input', { bubbles: true }));");
        assert!(
            browser.holds("!document.querySelector('#positions .list tbody tr')"),
            "no position is better: {url}"
        );
        browser.run("const is = document.querySelector('#positions [name=is]'); is.value = 'worse'; is.dispatchEvent(new Event('input', { bubbles: true })); document.querySelector('#positions .list tbody button').click();");
        assert!(
            browser.holds("document.querySelectorAll('#positions .board .piece').length === 32 && [...document.querySelectorAll('#positions .touched')].map((it) => it.dataset.square).sort().join() === 'a2,a3'"),
            "the position with the wrong answer is not drawn: {url}"
        );
        let shown =
            || browser.run("return document.querySelector('#positions .result').textContent;");
        assert_eq!(shown(), "Centre.0");
        browser.run("document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight', bubbles: true}));");
        assert_eq!(shown(), "Flank.1");
        assert!(
            browser.holds("!document.querySelector('main i')"),
            "a name became markup: {url}"
        );
        browser.resize(390);
        assert!(browser.fits(390), "the page does not fit a phone: {url}");
        browser.resize(1280);
    }
}

#[test]
fn a_run_of_a_suite_refuses_flags_that_it_does_not_have() {
    let place = Place::new();
    let suite = suite(&place, 2);
    let output = run(
        &place,
        &[
            "--suite",
            &suite,
            "--option",
            &plays("e2e4"),
            "--out",
            "run",
        ],
    );
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let refused: &[&[&str]] = &[
        &["resume", "run", "--pgn", "file"],
        &["resume", "run", "--log", "file"],
        &["resume", "run", "--events", "file"],
        &["show", "run", "--format", "markdown"],
        &["resume", "run", "--epd", "file"],
    ];
    place.refuses("a run of a suite", refused);
}

#[test]
fn engines_are_told_of_chess960_and_have_no_clock() {
    let place = Place::new();
    let (engine, log) = (place.engine("engine-a"), place.path("input"));
    let spied = place.script("spied", &format!("tee {} | {engine}", log.display()));
    let suite = suite(&place, 1);
    let run = |engine: &str| {
        let arguments = ["suite", engine, "--suite", &suite, "--variant", "chess960"];
        place.output(arguments)
    };
    let output = run(&spied);
    let input = fs::read_to_string(log).expect("what the engine was told");
    assert!(
        input.contains("setoption name UCI_Chess960 value true\n"),
        "{input}{}",
        text(&output.stderr)
    );
    let refused = run(&format!("{engine} tc=8+0.08"));
    assert_eq!(refused.status.code(), Some(2));
    let said = text(&refused.stderr);
    assert!(said.contains("a position has no clock"), "{said}");
}
