//! The program as a referee drives it.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::io::Write as _;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::Duration;

/// The sample game of the rules.
const SAMPLE: &str = "\
    g4g5 e6e7 g5g4 e7e6 g4L b3L g4h5 b4R f3e4 d5e4f5 f2e3 f5g5 h5g6 g5h4 h0g0 c4R e3e4 b3b2 g0f0 \
    d6d7 d5c5b5 h4g3f2 e2f2g2 c4b3 e4d5R d7L d5e6e7 b2b1 e1d0 e4d3 b5c4 d5c4c3 d5R e2f3 g2g3 \
    f3g3g2 f3e4 d7L e4d3c4 a7b7 c4b5 e4d5d6 h4g5 g2f3 e4f3e2 e4f3 e2f3g3 b7a7 b5a4 b4a4b5 b4b5a6 \
    d7e7f6 g5f6e5 a7L g6g5f5 d6d7L f0e1 d7c7 e1e0 b4c3 f5g6f6 b3c2 f6f5 c2d1c0 c2b2 b1a1 d0c0R \
    a1b2c1 e5e6 c3c2 a1b1 c1L b1R d0R e0L c1b2 b1b2c1 b1a1 c1b2 a1b2a3 e6U a3R e6d5 a7R f5e6 c2U \
    a1b1 c7U e0f0 c2d2 b1c1 c7b7 d5L d2e3 f0g1 e3f3 g1h1 f3g3 e6f5";

fn start(arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_leiserchess"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

fn output(arguments: &[&str], input: &str) -> Output {
    let mut child = start(arguments);
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(input.as_bytes()).unwrap();
    drop(stdin);
    child.wait_with_output().unwrap()
}

fn stdout(input: &str) -> String {
    let output = output(&[], input);
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn every_parameter_is_an_option_with_a_meaning() {
    let text = stdout("uci\nhelp PawnValue\n");
    assert!(text.contains("option name PawnValue type spin default 10000 min 5000 max 20000"));
    assert!(text.contains("PawnValue: value of a pawn; 5000 to 20000, default 10000"));
    assert!(text.contains("uciok"));
}

#[test]
fn the_sample_game_is_followed_to_its_last_move_which_is_found() {
    let text = stdout(&format!(
        "position startpos moves {SAMPLE}\ngo depth 3\ndisplay\n"
    ));
    assert!(text.contains("score mate 1"), "{text}");
    assert!(text.contains("bestmove g3"), "{text}");
    let text = stdout(&format!(
        "position startpos moves {SAMPLE} g3h3\ngo depth 3\n"
    ));
    assert!(
        text.contains("the game is over") && text.contains("bestmove (none)"),
        "{text}"
    );
}

#[test]
fn a_position_that_is_not_one_changes_nothing() {
    for (bad, reason) in [
        ("startpos moves g4g5 g4g5", "move g4g5 is illegal"),
        ("startpos moves h0h0", "move h0h0 is illegal"),
        (
            "startpos moves f3e4 d5e4e5 d5e5e4",
            "move d5e5e4 is illegal",
        ),
        ("fen 8/8 W", "8 ranks"),
        ("somewhere", "expected startpos"),
    ] {
        let text = stdout(&format!(
            "position startpos moves e1e0\nposition {bad}\ndisplay\n"
        ));
        assert!(text.contains(reason), "{text}");
        assert!(
            text.contains("info fen ss7/3nwse3/2nwse4/1nwse3NW1/1se3NWSE1/4NWSE2/3NW4/4SE2NN B")
        );
    }
}

#[test]
fn all_ways_to_limit_a_search_end_it_with_a_legal_move() {
    for go in [
        "go depth 3",
        "go nodes 2000",
        "go movetime 20",
        "go time 200 inc 10",
        "go wtime 200 btime 200 winc 10 binc 10",
        "go mate 1 depth 3",
        "go searchmoves g4L depth 2",
        "go infinite\nstop",
        "go ponder time 100 inc 0\nponderhit",
        "setoption name Threads value 3\ngo depth 4",
        "go depth",
    ] {
        let text = stdout(&format!("position startpos\n{go}\nisready\ngenerate\n"));
        let best = text
            .lines()
            .find_map(|line| line.strip_prefix("bestmove "))
            .unwrap();
        let best = best.split(' ').next().unwrap();
        let legal = text.lines().find(|line| line.starts_with("h0R ")).unwrap();
        assert!(legal.split(' ').any(|mv| mv == best), "{go}: {text}");
    }
}

#[test]
fn pondering_waits_for_the_hit() {
    let mut child = start(&[]);
    let mut stdin = child.stdin.take().unwrap();
    stdin
        .write_all(b"position startpos\ngo ponder depth 1\n")
        .unwrap();
    // Long enough for the search to end.
    thread::sleep(Duration::from_millis(300));
    stdin.write_all(b"isready\nponderhit\n").unwrap();
    drop(stdin);
    let text = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    let place = |word| {
        text.find(word)
            .unwrap_or_else(|| panic!("no {word}: {text}"))
    };
    assert!(place("readyok") < place("bestmove"), "{text}");
}

#[test]
fn a_move_has_a_score_even_if_no_iteration_was_completed() {
    let position = "position fen 3se4/2ssnw4/2nw5/1nwse1se3/1se1SWSE1SWNW/3NN4/2NW1NE1NE1/8 B";
    for nodes in [1, 2, 1000] {
        let text = stdout(&format!("{position}\ngo nodes {nodes}\n"));
        let lines: Vec<_> = text.lines().collect();
        let [.., info, best] = lines[..] else {
            panic!("{nodes}: {text}")
        };
        assert!(info.contains(" score "), "{nodes}: {text}");
        assert!(info.contains(&format!(" nodes {nodes} ")), "{text}");
        let best = best.strip_prefix("bestmove ").unwrap();
        let best = best.split(' ').next().unwrap();
        let line = info.split_once(" pv ").unwrap().1;
        assert_eq!(line.split(' ').next(), Some(best), "{nodes}: {text}");
    }
}

#[test]
fn several_best_moves_are_searched() {
    let text = stdout("position startpos\nsetoption name MultiPV value 3\ngo depth 5\ndisplay\n");
    let line = |rank: usize| {
        let start = "info depth 5 ";
        let mut lines = text.lines().filter(|line| line.starts_with(start));
        let line = lines.find(|line| line.contains(&format!(" multipv {rank} ")));
        let (head, moves) = line.expect(&text).split_once(" pv ").unwrap();
        let (_, score) = head.split_once(" score cp ").unwrap();
        let score: i32 = score.split(' ').next().unwrap().parse().unwrap();
        (score, moves.split(' ').next().unwrap())
    };
    let [(first, best), (second, next), (third, last)] = [1, 2, 3].map(line);
    assert!(first >= second && second >= third, "{text}");
    assert!(best != next && next != last && last != best, "{text}");
    assert!(text.contains(&format!("bestmove {best}")), "{text}");
    // There are no more lines than moves.
    let text = stdout("position endgame\nsetoption name MultiPV value 256\ngo depth 2\ndisplay\n");
    assert!(
        text.contains(" multipv 6 ") && !text.contains(" multipv 7 "),
        "{text}"
    );
}

#[test]
fn perft_and_bench_run_from_the_command_line() {
    let text = |arguments: &[&str]| String::from_utf8(output(arguments, "").stdout).unwrap();
    assert!(text(&["perft", "3", "--strict"]).contains("perft  3 239197 "));
    assert!(text(&["perft", "2", "8/8/8/3ee4/3WW4/8/8/8", "W"]).contains("perft  2 270 "));
    let bench = text(&["bench", "2"]);
    assert!(bench.trim_end().ends_with(" nps"), "{bench}");
    assert_eq!(output(&["dance"], "").status.code(), Some(2));
}
