//! Random lines for the real program: whatever comes, it answers `isready`, ends at `quit`, and
//! nothing panics.

use std::io::{BufRead, BufReader, Read, Write};
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use crate::uci::started;

/// How long an answer may take on a machine that is busy with other tests.
const TIMEOUT: Duration = Duration::from_mins(1);
const LINES: usize = 400;

/// What lines are made of: commands in whole and in part, numbers at the ends of ranges, moves,
/// positions good and bad, and garbage. What takes minutes by design is not among it.
#[rustfmt::skip]
const PIECES: &[&str] = &[
    "uci", "isready", "ucinewgame", "stop", "ponderhit", "debug on", "register later", "spsa",
    "position startpos", "position fen", "moves", "e2e4", "e7e5", "e1g1", "a7a8q", "0000", "e2e9",
    "position startpos moves e2e4 e7e5 g1f3", "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
    "position fen r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 99 200",
    "position fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
    "position fen bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1",
    "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "w", "KQkq", "-",
    "go", "go infinite", "go ponder wtime 50 btime 50", "go depth 3", "go nodes 500", "go mate 1",
    "go movetime 5", "go wtime 1 btime 1", "go wtime -7 btime 9 winc 0 binc 0 movestogo 0",
    "go depth", "go perft 2", "searchmoves", "perft 2", "perft x", "bench x", "bench 0", "genfens",
    "genfens 0 seed 1 book None", "datagen", "datagen out", "rescore", "rescore from",
    "setoption", "setoption name", "setoption name Hash value 2", "setoption name Hash value",
    "setoption name Threads value 2", "setoption name Threads value -1", "value", "name",
    "setoption name MultiPV value 500", "setoption name MultiPV value 3",
    "setoption name Move Overhead value 5000", "setoption name UCI_Chess960 value true",
    "setoption name PruningStats value true", "setoption name PruningSample value 3",
    "setoption name Pruning value disabled", "setoption name Pruning value x",
    "setoption name EvalFile value /dev/null", "setoption name EvalFile value <none>",
    "setoption name Clear Hash", "setoption name RfpMargin value 20",
    "setoption name LmrQuietMul value 99999999999999999999", "setoption name SyzygyPath value /",
    "0", "-1", "1", "18446744073709551616", "1e9", "\t", "  ", "\u{0}", "\u{feff}", "ñandú", "\"",
    "Quit", "info string", "bestmove e2e4", "%s%n", "--help",
];

/// `SplitMix64`.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % bound as u64) as usize
    }

    fn line(&mut self) -> Vec<u8> {
        let mut line = Vec::new();
        for _ in 0..=self.below(3) * self.below(3) {
            let piece = PIECES[self.below(PIECES.len())];
            // A part of a piece now and then; a whole command may be a part of these.
            let is_whole = ["quit", "bench"].iter().any(|word| piece.starts_with(word));
            let end = match self.below(8) {
                0 if !is_whole => self.below(piece.len() + 1),
                _ => piece.len(),
            };
            line.extend_from_slice(&piece.as_bytes()[..end]);
            line.push(b' ');
        }
        if self.below(20) == 0 {
            line.extend((0..self.below(40)).map(|_| self.below(256) as u8));
        }
        line.retain(|&byte| byte != b'\n');
        line.push(b'\n');
        line
    }
}

/// Ends all that a line may have begun, and asks for a sign of life.
fn survives(seed: u64) {
    let mut child = started();
    let mut input = child.stdin.take().unwrap();
    let mut errors = child.stderr.take().unwrap();
    let output = BufReader::new(child.stdout.take().unwrap());
    let (sender, ready) = channel();
    let reader = thread::spawn(move || {
        for line in output.lines().map_while(Result::ok) {
            if line == "readyok" && sender.send(()).is_err() {
                break;
            }
        }
    });
    let mut random = Random(seed);
    for number in 0..LINES {
        let line = random.line();
        // A line may ask itself, so that there may be more answers than are waited for.
        while ready.try_recv().is_ok() {}
        input.write_all(&line).unwrap();
        input.write_all(b"isready\n").unwrap();
        let text = String::from_utf8_lossy(&line);
        let answer = ready.recv_timeout(TIMEOUT);
        assert!(
            answer.is_ok(),
            "seed {seed}, line {number}: no readyok after {text:?}"
        );
        if random.below(4) == 0 {
            input.write_all(b"stop\n").unwrap();
        }
    }
    input.write_all(b"quit\n").unwrap();
    drop(input);
    let status = child.wait().unwrap();
    reader.join().unwrap();
    let mut told = String::new();
    errors.read_to_string(&mut told).unwrap();
    assert!(
        status.success() && told.is_empty(),
        "seed {seed}: {status}: {told}"
    );
}

#[test]
fn random_lines_neither_stop_nor_kill_the_program() {
    for seed in 0..4 {
        survives(seed);
    }
}
