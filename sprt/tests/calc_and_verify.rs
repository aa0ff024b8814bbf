//! The two commands that compute and play nothing, as a user meets them.

use std::fmt::Write as _;

use assert_cmd::Command;
use assert_cmd::assert::Assert;
use serde_json::Value;

fn sprt(arguments: &[&str]) -> Assert {
    Command::new(env!("CARGO_BIN_EXE_sprt"))
        .args(arguments)
        .assert()
}

fn stdout(assert: &Assert) -> String {
    String::from_utf8_lossy(&assert.get_output().stdout).into_owned()
}

fn stderr(assert: &Assert) -> String {
    String::from_utf8_lossy(&assert.get_output().stderr).into_owned()
}

fn json(assert: &Assert) -> Value {
    serde_json::from_str(&stdout(assert)).expect("one JSON object")
}

const BLOCK: &str = "Elo   | 6.27 +- 4.15 (95%)
SPRT  | 8.0+0.08s Threads=1 Hash=32MB
LLR   | 2.91 (-2.25, 2.89) [0.00, 5.00]
Games | N: 7482 W: 1780 L: 1645 D: 4057
Penta | [28, 858, 1839, 983, 33]
";

#[test]
fn figures_that_results_of_one_kind_do_not_give_are_left_out() {
    let printed = stdout(&sprt(&["calc", "--penta", "20,0,0,0,0"]));
    let figures: Vec<&str> = printed
        .lines()
        .filter(|line| line.contains("Elo"))
        .filter_map(|line| line.split("| ").nth(1))
        .collect();
    assert_eq!(figures, ["n/a"; 3], "{printed}");
}

#[test]
fn calc_exits_by_its_verdict() {
    for (bounds, code, verdict) in [
        ("0,5", 0, "H1"),
        ("20,25", 1, "H0"),
        ("11,13", 4, "undecided"),
    ] {
        let assert = sprt(&[
            "calc",
            "--penta",
            "28,858,1839,983,33",
            "--bounds",
            bounds,
            "--beta",
            "0.1",
            "--json",
        ])
        .code(code);
        let object = json(&assert);
        assert_eq!(object["verdict"], verdict);
        assert_eq!(stderr(&assert), "");
    }
}

#[test]
fn calc_prints_the_fields_in_the_order_of_its_schema() {
    let assert = sprt(&[
        "calc",
        "--penta=28,858,1839,983,33",
        "--wdl=1780,1645,4057",
        "--json",
    ]);
    let text = stdout(&assert);
    let names = [
        "schema",
        "version",
        "verdict",
        "llr",
        "lower",
        "upper",
        "elo0",
        "elo1",
        "model",
        "games",
        "wins",
        "losses",
        "draws",
        "pentanomial",
        "elo",
        "nelo",
        "los",
    ];
    let places: Vec<_> = names
        .iter()
        .map(|name| text.find(&format!("\n  \"{name}\": ")))
        .collect();
    assert!(
        places.iter().all(Option::is_some) && places.is_sorted(),
        "{places:?}\n{text}"
    );
    let object = json(&assert);
    assert_eq!(
        (&object["schema"], &object["version"]),
        (&"sprt-calc".into(), &1.into())
    );
    assert_eq!(object["draws"], 4057);
    assert!((object["llr"].as_f64().expect("a number") - 2.9052).abs() < 1e-4);
}

#[test]
fn figures_that_do_not_exist_are_null() {
    let empty = json(&sprt(&["calc", "--penta", "0,0,0,0,0", "--json"]).code(4));
    assert_eq!(empty["llr"], 0.0);
    for path in [
        "/nelo",
        "/los",
        "/elo/value",
        "/elo/low",
        "/unbiased_elo/high",
    ] {
        assert_eq!(empty.pointer(path), Some(&Value::Null), "{path}");
    }
    // An interval that reaches a score of 0 or 1 has no end in Elo.
    let wide = stdout(&sprt(&["calc", "--penta", "0,0,1,0,3"]).code(4));
    let elo = wide.lines().find(|line| line.starts_with("Elo "));
    assert!(
        elo.is_some_and(|line| line.contains(", inf] (95%)")),
        "{wide}"
    );
    let wide = json(&sprt(&["calc", "--penta", "0,0,1,0,3", "--json"]).code(4));
    assert!(wide["elo"]["low"].is_f64(), "{wide}");
    assert!(wide["elo"]["high"].is_null(), "{wide}");
    let one_pair = json(&sprt(&["calc", "--penta", "0,0,0,1,0", "--json"]).code(4));
    assert_eq!(one_pair["elo"]["low"], Value::Null);
    assert_eq!(one_pair["unbiased_elo"]["low"], Value::Null);
    assert!(one_pair["elo"]["value"].is_number());
    assert!(one_pair["los"].is_null() && one_pair["unbiased_los"].is_null());
    let level = json(&sprt(&["calc", "--penta", "0,0,1,0,0", "--json"]).code(4));
    assert_eq!(
        (&level["los"], &level["unbiased_los"]),
        (&0.5.into(), &0.5.into())
    );
    let exchanged = ["calc", "--penta", "1,2,3,4,5", "--bounds", "5,0", "--json"];
    let exchanged = json(&sprt(&exchanged).code(4));
    assert!(exchanged["unbiased_los"].as_f64().expect("a number") > 0.5);
    assert_eq!(
        (&one_pair["wins"], &one_pair["draws"]),
        (&1.into(), &1.into())
    );
    let mixed = json(&sprt(&["calc", "--penta", "0,0,2,1,0", "--json"]).code(4));
    assert_eq!(mixed["wins"], Value::Null);
}

#[test]
fn calc_follows_pairs_in_the_order_of_play() {
    let outcomes = "32324".repeat(60);
    let assert = sprt(&[
        "calc",
        "--outcomes",
        &outcomes,
        "--bounds",
        "0,10",
        "--model",
        "logistic",
    ])
    .code(0);
    assert!(
        stdout(&assert).contains("H1 accepted after pair"),
        "{}",
        stdout(&assert)
    );
}

#[test]
fn calc_says_what_it_cannot_use() {
    for (arguments, complaint) in [
        (
            vec!["--penta", "1,2,3,4,5", "--wdl", "1,2,3"],
            "cannot be the games of the pairs",
        ),
        (vec!["--penta", "1,2,3,4"], "five counts"),
        (
            vec!["--penta", "1,2,3,4,5", "--alpha", "1.5"],
            "--alpha 1.5",
        ),
        (
            vec!["--penta", "1,2,3,4,5", "--bounds", "0,inf"],
            "--bounds 0,inf",
        ),
        (vec!["--penta", "1,2,3,4,5", "--model", "bayesian"], "--wdl"),
        (vec!["--penta", "1,2,3,4,2000000000000"], "2000000000000"),
        (vec!["--outcomes", "01x"], "`x`"),
        (vec![], "--penta"),
    ] {
        let assert = sprt(&[&["calc"], arguments.as_slice()].concat()).code(2);
        let said = stderr(&assert);
        assert!(said.contains(complaint), "{arguments:?}: {said}");
        assert_eq!(stdout(&assert), "");
    }
}

#[test]
fn verify_reads_a_commit_message_from_standard_input() {
    let message = format!(
        "Reduce less\r\n\r\n{}\r\nhttps://example.org/test/1/\r\n\r\nBench: 1\r\n",
        BLOCK.replace('\n', "\r\n    ")
    );
    let assert = Command::new(env!("CARGO_BIN_EXE_sprt"))
        .args(["verify", "-"])
        .write_stdin(message)
        .assert()
        .code(0);
    assert!(stdout(&assert).contains("verified"), "{}", stdout(&assert));
}

#[test]
fn verify_names_the_figure_and_both_values() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("message");
    std::fs::write(&file, format!("{BLOCK}\n{}", BLOCK.replace("2.91", "3.91"))).expect("written");
    let name = file.to_string_lossy();
    let assert = sprt(&["verify", &name]).code(1);
    let said = stdout(&assert);
    assert!(said.contains("LLR: found 3.91, recomputed 2.91"), "{said}");
    assert!(said.contains("block at line 1: verified"), "{said}");

    let object = json(&sprt(&["verify", &name, "--json"]).code(1));
    assert_eq!(
        (&object["schema"], &object["verified"]),
        (&"sprt-verify".into(), &false.into())
    );
    assert_eq!(object["blocks"][0]["verified"], true);
    assert_eq!(object["blocks"][1]["verdict"], "H1");
}

#[test]
fn verify_says_what_it_cannot_read() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("message");
    let name = file.to_string_lossy();
    assert!(stderr(&sprt(&["verify", &name]).code(2)).contains("hint:"));
    for (content, complaint) in [
        ("Bench: 123\n".to_owned(), "no OpenBench block"),
        (BLOCK.replace("1839", "18x39"), "cannot read `Penta"),
        (BLOCK.replace("LLR ", "RLL "), "no `LLR` line"),
        ("\u{0}\u{1}".to_owned(), "no OpenBench block"),
    ] {
        std::fs::write(&file, &content).expect("written");
        let said = stderr(&sprt(&["verify", &name]).code(2));
        assert!(said.contains(complaint) && said.contains("hint:"), "{said}");
    }
}

#[test]
fn unusual_tests_are_vouched_for_by_flags() {
    let counts = [
        "calc",
        "--penta",
        "28,858,1839,983,33",
        "--bounds",
        "0,3.1",
        "--alpha",
        "0.04",
    ];
    let llr = json(&sprt(&[&counts[..], &["--json"]].concat()))["llr"]
        .as_f64()
        .expect("a number");
    let text = BLOCK
        .replace("2.91", &format!("{llr:.2}"))
        .replace("(-2.25, 2.89) [0.00, 5.00]", "(-2.95, 3.17) [0.00, 3.10]");
    let verify = |flags: &[&str]| {
        Command::new(env!("CARGO_BIN_EXE_sprt"))
            .args(["verify", "-"])
            .args(flags)
            .write_stdin(text.clone())
            .assert()
    };
    assert!(stdout(&verify(&[]).code(1)).contains("--alpha and --beta"));
    assert!(stdout(&verify(&["--alpha", "0.04"]).code(1)).contains("--bounds"));
    verify(&["--alpha", "0.04", "--bounds", "0,3.1"]).code(0);
}

#[test]
fn verify_weighs_copies_in_a_folder_that_was_fetched() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut games = String::new();
    for round in 1..=40 {
        // Each opening in two rounds, and the same moves each time.
        let opening = (round + 1) / 2;
        let first = if opening % 2 == 0 { "1-0" } else { "1/2-1/2" };
        for (white, black, result) in [("A-dev", "A-base", first), ("A-base", "A-dev", "1/2-1/2")] {
            let _ = write!(
                games,
                "[Round \"{round}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\
                 [FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 {opening}\"]\n\n1. e4 {result}\n\n"
            );
        }
    }
    let calc = sprt(&[
        "calc",
        "--penta",
        "0,0,20,20,0",
        "--bounds",
        "0,5",
        "--json",
    ]);
    let llr = json(&calc);
    let text = format!(
        "LLR   | {:.2} (-2.94, 2.94) [0.00, 5.00]\nGames | N: 80 W: 20 L: 0 D: 60\nPenta | [0, 0, 20, 20, 0]\n",
        llr["llr"].as_f64().expect("a figure")
    );
    std::fs::write(folder.path().join("block.txt"), text).expect("written");
    std::fs::write(folder.path().join("games.pgn"), games).expect("written");
    let name = folder.path().display().to_string();
    let said = stdout(&sprt(&["verify", &name]).code(0));
    assert!(
        said.contains("40 pairs from 20 openings, 20 of them copies of others move by move: 20 effective pairs"),
        "{said}"
    );
    let object = json(&sprt(&["verify", &name, "--json"]).code(0));
    assert_eq!(object["repetition"]["effective"], 20.0);
    let (counted, effective) = (&llr["llr"], &object["effective_llr"]);
    let ratio = counted.as_f64().expect("a figure") / effective.as_f64().expect("a figure");
    assert!((ratio - 2.0).abs() < 0.01, "{counted} {effective}");
    let comment = stdout(&sprt(&["verify", &name, "--format", "markdown"]).code(0));
    assert!(
        comment.starts_with("**sprt verify: verified**\n\n```text\n"),
        "{comment}"
    );
}

#[test]
fn verify_refuses_a_test_that_copies_decide() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut games = String::new();
    for round in 1..=400 {
        let opening = 1 + round % 2;
        for (white, black, result) in [("A-dev", "A-base", "1-0"), ("A-base", "A-dev", "1/2-1/2")] {
            let _ = write!(
                games,
                "[Round \"{round}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\
                 [FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 {opening}\"]\n\n1. e4 {result}\n\n"
            );
        }
    }
    let calc = json(&sprt(&[
        "calc",
        "--penta",
        "0,0,0,400,0",
        "--bounds",
        "0,5",
        "--json",
    ]));
    let text = format!(
        "LLR   | {:.2} (-2.94, 2.94) [0.00, 5.00]\nGames | N: 800 W: 400 L: 0 D: 400\nPenta | [0, 0, 0, 400, 0]\n",
        calc["llr"].as_f64().expect("a figure")
    );
    assert_eq!(calc["verdict"], "H1");
    std::fs::write(folder.path().join("block.txt"), &text).expect("written");
    std::fs::write(folder.path().join("games.pgn"), &games).expect("written");
    let name = folder.path().display().to_string();
    let said = stdout(&sprt(&["verify", &name]).code(1));
    assert!(
        !said.contains("H1 accepted") && said.contains("copies of games decide the test"),
        "{said}"
    );
    let object = json(&sprt(&["verify", &name, "--json"]).code(1));
    assert_eq!(object["verified"], false);
    let comment = stdout(&sprt(&["verify", &name, "--format", "markdown"]).code(1));
    assert!(comment.starts_with("**sprt verify: refused**"), "{comment}");
    // Games that are missing lower the ratio, too.
    let (first, _) = games.split_once("[Round \"4\"]").expect("round 4");
    std::fs::write(folder.path().join("games.pgn"), first).expect("written");
    let said = stdout(&sprt(&["verify", &name]).code(0));
    assert!(!said.contains("decided by copies"), "{said}");
    // A machine may send more games than were counted.
    let more = games.replacen("[Round \"1\"]", "[Round \"401\"]", 2);
    let more = format!(
        "{games}{}",
        &more[..more.find("[Round \"2\"]").expect("round 2")]
    );
    std::fs::write(folder.path().join("games.pgn"), more).expect("written");
    sprt(&["verify", &name]).code(1);
    // No flag can vouch for bounds in the wrong order.
    let wrong = text.replace("[0.00, 5.00]", "[5.00, 0.00]");
    std::fs::write(folder.path().join("block.txt"), wrong).expect("written");
    let said = stdout(&sprt(&["verify", &name]).code(1));
    assert!(said.contains("the first less than the second"), "{said}");
    assert!(!said.contains("--bounds"), "{said}");
    std::fs::write(folder.path().join("games.pgn"), "no games").expect("written");
    sprt(&["verify", &name]).code(2);
}
