//! The dialogue with the real program, over pipes.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

/// How long an answer may take on a machine that is busy with other tests.
const TIMEOUT: Duration = Duration::from_mins(1);

struct Program {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Program {
    fn start() -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_engine"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (sender, lines) = channel();
        let output = BufReader::new(child.stdout.take().unwrap());
        thread::spawn(move || {
            for line in output.lines() {
                if line.is_err() || sender.send(line.unwrap_or_default()).is_err() {
                    break;
                }
            }
        });
        let input = child.stdin.take();
        Self {
            child,
            input,
            lines,
        }
    }

    fn send(&mut self, text: &str) -> &mut Self {
        let input = self.input.as_mut().unwrap();
        input.write_all(format!("{text}\n").as_bytes()).unwrap();
        self
    }

    /// The lines up to and with the first that starts so.
    fn until(&mut self, start: &str) -> Vec<String> {
        let mut seen = Vec::new();
        loop {
            let line = self
                .lines
                .recv_timeout(TIMEOUT)
                .unwrap_or_else(|_| panic!("no {start}: {seen:?}"));
            seen.push(line);
            if seen.last().unwrap().starts_with(start) {
                return seen;
            }
        }
    }

    /// Nothing was said before the program was known to be ready.
    fn is_silent(&mut self) -> bool {
        self.send("isready").until("readyok").len() == 1
    }

    fn ends(&mut self) {
        for _ in 0..600 {
            if let Some(status) = self.child.try_wait().unwrap() {
                assert!(status.success(), "{status}");
                return;
            }
            thread::sleep(Duration::from_millis(100));
        }
        panic!("still running");
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn words(arguments: &[&str]) -> (bool, Vec<String>) {
    let output = Command::new(env!("CARGO_BIN_EXE_engine"))
        .args(arguments)
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.stderr.is_empty(), "{:?}", output.stderr);
    (
        output.status.success(),
        text.lines().map(str::to_owned).collect(),
    )
}

#[test]
fn introduces_itself() {
    let mut program = Program::start();
    let lines = program.send("uci").until("uciok");
    assert!(lines[0].starts_with("id name "));
    for option in [
        "Hash",
        "Threads",
        "Move Overhead",
        "MultiPV",
        "Ponder",
        "UCI_Chess960",
        "RfpMargin",
    ] {
        let start = format!("option name {option} type ");
        assert!(
            lines.iter().any(|line| line.starts_with(&start)),
            "{option}"
        );
    }
}

#[test]
fn stop_ends_an_infinite_search() {
    let mut program = Program::start();
    program
        .send("position startpos")
        .send("go infinite")
        .send("isready")
        .until("readyok");
    let lines = program.send("stop").until("bestmove");
    assert_eq!(
        lines
            .iter()
            .filter(|line| line.starts_with("bestmove"))
            .count(),
        1
    );
    program.send("quit").ends();
}

#[test]
fn quit_and_end_of_input_end_a_search() {
    for last in ["quit\n", ""] {
        let mut program = Program::start();
        program.send("go infinite").send("isready").until("readyok");
        let mut input = program.input.take().unwrap();
        input.write_all(last.as_bytes()).unwrap();
        drop(input);
        program.ends();
    }
}

#[test]
fn a_finished_infinite_search_waits_for_stop() {
    let mut program = Program::start();
    // Mate: nothing to search at all.
    program
        .send("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")
        .send("go infinite");
    assert!(program.is_silent());
    assert_eq!(
        program.send("stop").until("bestmove").last().unwrap(),
        "bestmove 0000"
    );
}

#[test]
fn pondering_waits_for_the_hit() {
    let mut program = Program::start();
    program
        .send("position startpos moves e2e4")
        .send("go ponder wtime 100 btime 100");
    thread::sleep(Duration::from_millis(300));
    let early = program.send("isready").until("readyok");
    assert!(!early.iter().any(|line| line.starts_with("bestmove")));
    program.send("ponderhit").until("bestmove");
    program
        .send("go ponder depth 3")
        .send("stop")
        .until("bestmove");
}

#[test]
fn garbage_is_told_and_survived() {
    let mut program = Program::start();
    for text in [
        "xyzzy",
        "position",
        "position fen",
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "position startpos moves e2e5",
        "position nowhere",
        "setoption",
        "setoption name",
        "setoption name Hash",
        "setoption name Hash value many",
        "setoption name Hash value 99999999",
        "setoption name Threads value 0",
        "setoption name RfpMargin value 1e2",
        "setoption name RfpMargin value 10000",
        "setoption name NoSuchOption value 3",
        "perft",
        "perft x",
        "perft 99",
        "bench zero",
        "bench -1",
        "genfens",
        "genfens x seed 1 book None",
        "genfens 1 seed 1 book /no/such/file",
        "go perft",
        "\u{1F600} \u{0}",
    ] {
        let answer = program.send(text).send("isready").until("readyok");
        assert!(answer.len() >= 2, "{text}: {answer:?}");
        assert!(answer[0].starts_with("info string "), "{text}: {answer:?}");
    }
    let mut input = program.input.take().unwrap();
    input.write_all(b"\xff\xfe\x00\n\n   \n").unwrap();
    program.input = Some(input);
    // The position is still the one before the mistakes.
    let lines = program.send("go depth 3").until("bestmove");
    assert!(lines.last().unwrap().len() >= "bestmove a1a2".len());
}

#[test]
fn carriage_returns_and_odd_case_are_tolerated() {
    let mut program = Program::start();
    assert!(
        program
            .send("setoption name rfpMARGIN value 80\r")
            .is_silent()
    );
    assert!(
        program
            .send("setoption name move overhead value 20\r")
            .is_silent()
    );
    program
        .send("position startpos moves e2e4\r")
        .send("go nodes 50\r")
        .until("bestmove");
}

#[test]
fn output_stays_small_at_one_node() {
    let mut program = Program::start();
    let lines = program
        .send("position startpos")
        .send("go nodes 1")
        .until("bestmove");
    assert!(lines.len() <= 2, "{lines:?}");
}

#[test]
fn castling_is_printed_as_asked() {
    let fen = "position fen 4k3/8/8/8/8/8/5PPP/4K2R w K - 0 1";
    let mut program = Program::start();
    let lines = program
        .send(fen)
        .send("go depth 1 searchmoves e1g1")
        .until("bestmove");
    assert!(lines.last().unwrap().starts_with("bestmove e1g1"));
    program
        .send("setoption name UCI_Chess960 value true")
        .send(fen);
    let lines = program
        .send("go depth 1 searchmoves e1h1")
        .until("bestmove");
    assert!(lines.last().unwrap().starts_with("bestmove e1h1"));
}

#[test]
fn several_lines_are_ranked() {
    let mut program = Program::start();
    program
        .send("setoption name MultiPV value 3")
        .send("position startpos");
    let lines = program.send("go depth 6").until("bestmove");
    let last: Vec<&String> = lines
        .iter()
        .filter(|line| line.contains(" depth 6 "))
        .collect();
    let mut moves: Vec<&str> = last
        .iter()
        .map(|line| {
            line.split(" pv ")
                .nth(1)
                .unwrap()
                .split(' ')
                .next()
                .unwrap()
        })
        .collect();
    assert_eq!(moves.len(), 3);
    moves.sort_unstable();
    moves.dedup();
    assert_eq!(moves.len(), 3, "three different moves");
}

#[test]
fn more_lines_than_moves_are_printed_before_the_search_ends() {
    let mut program = Program::start();
    // Three moves are legal.
    program
        .send("setoption name MultiPV value 5")
        .send("position fen 7k/8/8/8/8/8/R7/6K1 b - - 0 1")
        .send("go infinite")
        .until("info depth ");
    program.send("stop").until("bestmove");
}

#[test]
fn a_finished_infinite_search_has_said_all_it_found() {
    let mut program = Program::start();
    // Deep enough to end at once, and too quick for a line an iteration.
    program.send("go infinite depth 2").until("info depth 2 ");
    program.send("stop").until("bestmove");
}

#[test]
fn a_new_game_forgets_everything() {
    let mut program = Program::start();
    let mut search = || {
        let mut lines = program
            .send("ucinewgame")
            .send("position startpos moves e2e4 e7e5")
            .send("go nodes 20000")
            .until("bestmove");
        for line in &mut lines {
            // Speed and time are the machine's.
            let kept: Vec<&str> = line.split(' ').collect();
            let cut = kept
                .iter()
                .position(|&word| word == "nps")
                .unwrap_or(kept.len());
            let pv = line
                .find(" pv ")
                .map(|at| line[at..].to_owned())
                .unwrap_or_default();
            *line = kept[..cut].join(" ") + &pv;
        }
        lines.split_off(lines.len() - 2)
    };
    let first = search();
    assert_eq!(search(), first);
}

#[test]
fn statistics_are_printed_on_request() {
    let mut program = Program::start();
    program
        .send("setoption name PruningStats value true")
        .send("position startpos");
    let lines = program.send("go depth 9").until("bestmove");
    let count = |name: &str| -> u64 {
        let start = format!("info string stats {name} ");
        let line = lines.iter().find(|line| line.starts_with(&start)).unwrap();
        line[start.len()..].parse().unwrap()
    };
    assert!(count("null move") > 0 && count("late move reductions") > 0);
    assert_eq!(count("deep futility"), 0);
}

#[test]
fn words_on_the_command_line_are_commands() {
    let (ok, lines) = words(&["perft", "3"]);
    assert!(ok && lines == ["8902"]);
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let (ok, lines) = words(&["perft", "2", fen]);
    assert!(ok && lines == ["2039"], "{lines:?}");
    let (ok, lines) = words(&["position startpos", "go depth 3"]);
    assert!(ok && lines.last().unwrap().starts_with("bestmove "));
    let (ok, lines) = words(&["go infinite"]);
    assert!(!ok && lines[0].starts_with("info string "));
    assert!(!words(&["frobnicate"]).0);
}

#[test]
fn openings_are_generated_as_openbench_reads_them() {
    let (ok, lines) = words(&["genfens 5 seed 42 book None ", "quit"]);
    assert!(ok);
    let fens: Vec<&str> = lines
        .iter()
        .filter_map(|line| line.strip_prefix("info string genfens "))
        .collect();
    assert_eq!(fens.len(), 5);
    for fen in &fens {
        assert_eq!(fen.split(' ').count(), 6, "{fen}");
        engine::position::Position::from_fen(fen).unwrap();
    }
    assert_eq!(
        words(&["genfens 5 seed 42 book None", "quit"]).1,
        lines,
        "the seed decides"
    );
    assert_ne!(words(&["genfens 5 seed 43 book None", "quit"]).1, lines);
}

#[test]
fn bench_ends_with_its_signature_and_repeats_it() {
    let run = || {
        let (ok, lines) = words(&["bench", "3"]);
        assert!(ok);
        let last: Vec<String> = lines
            .last()
            .unwrap()
            .split(' ')
            .map(str::to_owned)
            .collect();
        assert_eq!(
            (last.len(), last[1].as_str(), last[3].as_str()),
            (4, "nodes", "nps")
        );
        last[0].parse::<u64>().unwrap()
    };
    let first = run();
    assert!(first > 1_000);
    // Several at once, as a worker runs them.
    let others: Vec<_> = (0..4).map(|_| thread::spawn(run)).collect();
    for other in others {
        assert_eq!(other.join().unwrap(), first);
    }
}
