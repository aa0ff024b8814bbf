//! Whether the place that engines get on the machine favours one of them: an engine against itself
//! under a clock, on a quiet machine and on one where every processor is busy.
//!
//! `cargo bench -p sprt --bench placement [-- ENGINE]` prints the score and the nodes a second of
//! both sides. They are one program: what differs beyond chance is the runner's doing.

#![allow(
    clippy::print_stdout,
    clippy::expect_used,
    reason = "a benchmark prints, and stops where it cannot measure"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

const GAMES: &str = "60";

/// Keeps a processor busy until it is dropped.
struct Load(Child);

impl Load {
    fn new() -> Self {
        let mut command = Command::new("sh");
        command.args(["-c", "while :; do :; done"]);
        Self(command.spawn().expect("a shell"))
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn main() {
    let engine = std::env::args()
        .skip(1)
        .find(|argument| !argument.starts_with('-'));
    let engine = engine.map_or_else(|| PathBuf::from("/usr/games/stockfish"), PathBuf::from);
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    println!(
        "{} against itself, {GAMES} games at 0.5+0.005, {processors} at a time\n",
        engine.display()
    );
    println!(
        "| machine | slots | NEW won, drawn, lost | NEW nodes/s | BASE nodes/s | ratio | time losses |"
    );
    println!("|---|---|---|---|---|---|---|");
    for (machine, loads) in [("quiet", 0), ("busy", processors)] {
        let busy: Vec<Load> = (0..loads).map(|_| Load::new()).collect();
        for (affinity, slots) in [("never", "free"), ("always", "bound")] {
            let folder = tempfile::tempdir().expect("a folder");
            let run = folder.path().join("run");
            play(&engine, &run, affinity, processors);
            let text = fs::read_to_string(run.join("result.json")).expect("a result");
            let result: serde_json::Value = serde_json::from_str(&text).expect("JSON");
            let [new, base] = speeds(&fs::read_to_string(run.join("games.pgn")).expect("games"));
            let losses = |side: &str| result["faults"][side]["time_losses"].as_u64().unwrap_or(0);
            println!(
                "| {machine} | {slots} | {} {} {} | {new:.0} | {base:.0} | {:.3} | {} |",
                result["wins"],
                result["draws"],
                result["losses"],
                new / base,
                losses("new") + losses("base")
            );
        }
        drop(busy);
    }
}

fn play(engine: &Path, run: &Path, affinity: &str, processors: usize) {
    let ended = Command::new(env!("CARGO_BIN_EXE_sprt"))
        .arg("run")
        .args([engine, engine])
        .arg("--out")
        .arg(run)
        .args(["--tc", "0.5+0.005", "--hash", "1", "--seed", "1", "-q"])
        .args(["--affinity", affinity, "--max-games", GAMES])
        .args(["--concurrency", &processors.to_string()])
        .stdout(Stdio::null())
        .status();
    ended.expect("sprt runs");
}

/// Nodes a second of NEW and BASE over all games: comments are `{+0.31/12 0.084s, n=48213, …}`, and
/// NEW has White in every other game.
fn speeds(pgn: &str) -> [f64; 2] {
    let mut sums = [[0.0; 2]; 2];
    for (number, game) in pgn.split("[Event ").skip(1).enumerate() {
        let moves = game.split_once("\n\n").map_or("", |(_, moves)| moves);
        let mut mover = 0;
        for comment in moves.split('{').skip(1) {
            let comment = comment.split('}').next().unwrap_or("").replace('\n', " ");
            let nodes = comment.split("n=").nth(1).and_then(leading_number);
            let time = comment
                .split([' ', ','])
                .find_map(|word| word.strip_suffix('s')?.parse::<f64>().ok());
            if let (Some(nodes), Some(time)) = (nodes, time) {
                let side = (number + mover) % 2;
                sums[side][0] += nodes;
                sums[side][1] += time;
                mover += 1;
            }
        }
    }
    sums.map(|[nodes, time]| nodes / time)
}

fn leading_number(text: &str) -> Option<f64> {
    let digits: String = text.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}
