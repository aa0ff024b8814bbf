//! The dialogue with the real program, over pipes.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use engine::network::{HIDDEN, INPUTS, KingBuckets, NetworkFile, OUTPUTS};

/// How long an answer may take on a machine that is busy with other tests.
const TIMEOUT: Duration = Duration::from_mins(1);

/// The engine, with its input and output in the hands of the test, in a folder where it may write.
pub fn started() -> Child {
    Command::new(env!("CARGO_BIN_EXE_engine"))
        .current_dir(env!("CARGO_TARGET_TMPDIR"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

struct Program {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Program {
    fn start() -> Self {
        let mut child = started();
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

    /// The lines up to the first that starts like this, inclusive.
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

    /// Checks that the program has printed nothing before it answers `isready`.
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

pub(crate) fn words(arguments: &[&str]) -> (bool, Vec<String>) {
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
fn a_go_without_an_end_is_refused_as_an_argument() {
    for go in ["go", "go searchmoves e2e4", "go infinite", "go ponder"] {
        let (understood, lines) = words(&["position startpos", go]);
        assert!(!understood, "{go}");
        let start = format!("info string {go}: expected a limit");
        assert!(
            lines.iter().any(|line| line.starts_with(&start)),
            "{lines:?}"
        );
    }
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
fn garbage_is_reported_and_survived() {
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
fn a_misspelt_limit_is_reported_and_still_answered() {
    let mut program = Program::start();
    let lines = program.send("go depth x").until("bestmove");
    assert_eq!(lines[0], "info string go depth: expected a number, got 'x'");
    assert!(lines[1].starts_with("info string go: no valid limit"));
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
fn a_command_that_is_refused_does_not_end_the_search() {
    let mut program = Program::start();
    program.send("go infinite");
    for command in ["setoption name NoSuchOption value 3", "bench x"] {
        let lines = program.send(command).send("isready").until("readyok");
        assert!(
            !lines.iter().any(|line| line.starts_with("bestmove")),
            "{lines:?}"
        );
    }
    program.send("stop").until("bestmove");
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

/// The value after a keyword of an info line.
fn field<'a>(line: &'a str, keyword: &str) -> &'a str {
    let mut words = line.split(' ').skip_while(|&word| word != keyword);
    words.nth(1).unwrap_or_default()
}

/// The centipawns of an info line, mates at the ends of the scale.
fn score(line: &str) -> i32 {
    let text = |keyword| field(line, keyword).parse::<i32>();
    match (text("cp"), text("mate")) {
        (Ok(centipawns), _) => centipawns,
        (_, Ok(mate)) => mate.signum() * (100_000 - mate.abs()),
        _ => panic!("no score: {line}"),
    }
}

#[test]
fn variations_of_an_iteration_are_sorted_and_differ_and_the_first_is_played() {
    let mut program = Program::start();
    for (fen, multi_pv, depth) in [
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", 6, 4),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            4,
            7,
        ),
        (
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            4,
            7,
        ),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 3, 9),
    ] {
        let lines = program
            .send("ucinewgame")
            .send(&format!("setoption name MultiPV value {multi_pv}"))
            .send(&format!("position fen {fen}"))
            .send(&format!("go depth {depth}"))
            .until("bestmove");
        let infos: Vec<&str> = lines
            .iter()
            .map(String::as_str)
            .filter(|line| line.contains(" pv "))
            .collect();
        assert!(infos.len() >= multi_pv && infos.len().is_multiple_of(multi_pv));
        for block in infos.chunks(multi_pv) {
            for (index, line) in block.iter().enumerate() {
                assert_eq!(field(line, "multipv"), (index + 1).to_string());
            }
            assert!(block.is_sorted_by_key(|line| -score(line)), "{block:?}");
            let mut moves: Vec<&str> = block.iter().map(|line| field(line, "pv")).collect();
            moves.sort_unstable();
            moves.dedup();
            assert_eq!(moves.len(), multi_pv, "{block:?}");
        }
        let last = infos[infos.len() - multi_pv];
        assert_eq!(field(lines.last().unwrap(), "bestmove"), field(last, "pv"));
    }
}

#[test]
fn the_move_played_is_the_one_last_reported() {
    let mut program = Program::start();
    program
        .send("position fen rn1qkb1r/pbpp1p2/1p2p2p/6p1/2PP4/3BP1P1/PP3PP1/RN1QK1NR w KQkq - 1 9");
    // Without ucinewgame each search starts from other tables and stops at another place.
    for nodes in (1..1_200).step_by(7).chain([2_000; 40]) {
        let lines = program.send(&format!("go nodes {nodes}")).until("bestmove");
        let best = field(lines.last().unwrap(), "bestmove");
        let last = &lines[lines.len() - 2];
        assert_eq!(field(last, "pv"), best, "{lines:?}");
        assert_eq!(field(last, "nodes"), nodes.to_string(), "{lines:?}");
        assert!(score(last).abs() < 1_000, "{lines:?}");
        // Match runners skip scores that are bounds.
        assert!(!last.contains("bound"), "{lines:?}");
    }
}

#[test]
fn a_stopped_search_reports_variations_without_bounds() {
    let mut program = Program::start();
    program
        .send("setoption name MultiPV value 5")
        .send("position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    for nodes in (1..200).step_by(7).chain((500..6_000).step_by(61)) {
        let lines = program
            .send("ucinewgame")
            .send(&format!("go nodes {nodes}"))
            .until("bestmove");
        let is_first = |line: &String| line.contains(" multipv 1 ");
        let start = lines.iter().rposition(is_first).unwrap();
        let block = &lines[start..lines.len() - 1];
        let best = field(lines.last().unwrap(), "bestmove");
        assert_eq!(field(&block[0], "pv"), best, "{block:?}");
        let is_first = ["0", "1"].contains(&field(&block[0], "depth"));
        let is_complete = block.len() == 5 || is_first;
        assert!(is_complete, "{block:?}");
        let mut moves: Vec<&str> = block.iter().map(|line| field(line, "pv")).collect();
        moves.sort_unstable();
        moves.dedup();
        assert_eq!(moves.len(), block.len(), "{block:?}");
        for (index, line) in block.iter().enumerate() {
            assert_eq!(field(line, "multipv"), (index + 1).to_string());
            assert!(!line.contains("bound"), "{block:?}");
            assert!(score(line).abs() < 1_000, "{block:?}");
        }
    }
}

#[test]
fn a_finished_game_has_a_score_but_no_move() {
    let mut program = Program::start();
    for (fen, expected) in [
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "cp 0"),
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "mate 0"),
    ] {
        let lines = program
            .send(&format!("position fen {fen}"))
            .send("go depth 5")
            .until("bestmove");
        let score = format!("info depth 0 score {expected}");
        assert_eq!(lines, [score.as_str(), "bestmove 0000"]);
    }
}

#[test]
fn clear_hash_forgets_earlier_searches() {
    let mut program = Program::start();
    let mut nodes = |command: &str| {
        let lines = program.send(command).send("go depth 8").until("bestmove");
        let last = &lines[lines.len() - 2];
        field(last, "nodes").parse::<u64>().unwrap()
    };
    let first = nodes("position startpos");
    let again = nodes("position startpos");
    assert!(again < first, "{first} {again}");
    // The histories are kept, so the count is not the first one again.
    assert!(nodes("setoption name Clear Hash") > again);
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
        .send("setoption name PruningSample value 10")
        .send("position startpos");
    let lines = program.send("go depth 9").until("bestmove");
    let count = |name: &str| -> u64 {
        let start = format!("info string stats {name} ");
        let line = lines.iter().find(|line| line.starts_with(&start)).unwrap();
        line[start.len()..].parse().unwrap()
    };
    assert!(count("fail highs") > 0 && count("late move reductions") > 0);
    let json = lines
        .iter()
        .find_map(|line| line.strip_prefix("info string stats {"));
    let json: serde_json::Value = serde_json::from_str(&format!("{{{}", json.unwrap())).unwrap();
    let null_move = &json["pruning"]["null move"];
    assert!(null_move["cut"].as_u64() > Some(0) && null_move["sampled"].as_u64() > Some(0));
    assert_eq!(json["pruning"]["deep futility"]["tried"], 0);
    // The table has the same figures.
    let row = lines
        .iter()
        .find(|line| line.starts_with("info string stats null move  "));
    assert!(row.unwrap().contains(&format!(" {} ", null_move["cut"])));
}

/// A network that counts material: each hidden value has one kind of piece as inputs.
fn material_network(hidden: usize) -> Vec<u8> {
    let mut network = NetworkFile {
        hidden,
        scale: 400,
        king_buckets: KingBuckets::ONE,
        hidden_weights: vec![0; INPUTS * hidden],
        hidden_biases: vec![0; hidden],
        output_weights: vec![0; OUTPUTS * 2 * hidden],
        output_biases: vec![0; OUTPUTS],
    };
    for (piece, value) in [1, 3, 3, 5, 9].into_iter().enumerate() {
        for square in 0..64 {
            let input = piece * 64 + square;
            network.hidden_weights[input * hidden + piece] = if piece == 0 { 25 } else { 100 };
        }
        for weights in network.output_weights.chunks_exact_mut(2 * hidden) {
            weights[piece] = value * 96;
            weights[hidden + piece] = -value * 96;
        }
    }
    network.to_bytes()
}

#[test]
fn a_network_replaces_the_evaluation_and_can_be_taken_back() {
    let path = std::env::temp_dir().join(format!("uci-network-{}.bin", std::process::id()));
    let load = format!("setoption name EvalFile value {}", path.display());
    let nodes = |setup: &[&str]| {
        let mut arguments = setup.to_vec();
        arguments.push("bench 5");
        let (ok, lines) = words(&arguments);
        let last = lines.last().unwrap().split_whitespace().next().unwrap();
        (ok, last.to_owned())
    };
    let none = "setoption name EvalFile value <none>";
    std::fs::write(&path, material_network(HIDDEN)).unwrap();
    let hand_crafted = nodes(&[none]);
    let by_network = nodes(&[&load]);
    assert!(hand_crafted.0 && by_network.0);
    assert_ne!(by_network, hand_crafted);
    assert_eq!(nodes(&[&load]), by_network);
    assert_eq!(nodes(&[&load, none]), hand_crafted);
    // White is a rook ahead.
    let position = "position fen 4k3/pppp4/8/8/8/8/PPPP4/R3K3 w - - 0 1";
    let (_, lines) = words(&[&load, position, "go depth 1"]);
    let score = lines.iter().find_map(|line| {
        let mut words = line.split_whitespace().skip_while(|&word| word != "cp");
        words.nth(1)?.parse::<i32>().ok()
    });
    assert!(score > Some(30), "{lines:?}");

    std::fs::write(&path, material_network(HIDDEN / 2)).unwrap();
    let (ok, lines) = words(&[&load]);
    std::fs::remove_file(&path).unwrap();
    assert!(!ok && lines.len() == 1);
    for told in [
        &format!("expected a hidden layer of {HIDDEN}"),
        &format!("got {}", HIDDEN / 2),
        "unchanged",
    ] {
        assert!(lines[0].contains(told), "{lines:?}");
    }
    let (ok, lines) = words(&["setoption name EvalFile value /nowhere/net.bin"]);
    assert!(!ok && lines[0].contains("/nowhere/net.bin"), "{lines:?}");
}
