//! What the runner itself costs: its processor time a ply, engines excluded, in a match at one node
//! a move.
//!
//! `cargo bench -p sprt --bench overhead [-- ENGINE]` plays ENGINE (default: `stockfish`, where it
//! is installed, else the scripted engine of the tests) against itself and prints the figure; where
//! `fastchess` is on the PATH, both play in turn and the ratio is printed too. Each figure is the
//! difference between a long and a short match, so that what a start costs is not in it. Processor
//! time is that of the finished runner process alone, read before it is reaped; times on a shared
//! machine differ from run to run, so compare ratios.

#![allow(
    clippy::print_stdout,
    clippy::expect_used,
    reason = "a benchmark prints, and stops where it cannot measure"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use nix::sys::wait::{Id, WaitPidFlag, waitid};
use nix::unistd::Pid;

const ROUNDS: u32 = 3;
const SHORT: u32 = 20;
const LONG: u32 = 220;
/// Linux counts processor time in hundredths of a second on every platform (`USER_HZ`).
const TICKS_A_SECOND: f64 = 100.0;

/// Processor time and plies of one match.
struct Cost {
    seconds: f64,
    plies: u64,
}

/// Microseconds that one more ply costs a runner.
fn microseconds_a_ply(play: impl Fn(u32) -> Cost) -> f64 {
    let (short, long) = (play(SHORT), play(LONG));
    (long.seconds - short.seconds) * 1e6 / (long.plies - short.plies) as f64
}

fn main() {
    let engine = std::env::args()
        .skip(1)
        .find(|argument| !argument.starts_with('-'));
    let engine = engine
        .map(PathBuf::from)
        .or_else(|| on_path("stockfish"))
        .unwrap_or_else(|| PathBuf::from(env!("CARGO_BIN_EXE_scripted-engine")));
    let fastchess = on_path("fastchess");
    println!(
        "{} against itself, one node a move, {ROUNDS} rounds",
        engine.display()
    );
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut ratios = Vec::new();
    for _ in 0..ROUNDS {
        let ours = microseconds_a_ply(|games| sprt(games, &engine, folder.path()));
        println!("sprt       {ours:6.1} us of processor time a ply");
        if let Some(fastchess) = &fastchess {
            let theirs =
                microseconds_a_ply(|games| run_fastchess(games, fastchess, &engine, folder.path()));
            println!("fastchess  {theirs:6.1} us of processor time a ply");
            ratios.push(ours / theirs);
        }
    }
    if ratios.is_empty() {
        println!("no `fastchess` on the PATH to compare with");
    } else {
        ratios.sort_by(f64::total_cmp);
        println!(
            "ratio sprt / fastchess: median {:.2}",
            ratios[ratios.len() / 2]
        );
    }
}

fn sprt(games: u32, engine: &Path, folder: &Path) -> Cost {
    let run = folder.join("run");
    let _ = fs::remove_dir_all(&run);
    let games = games.to_string();
    let mut command = Command::new(env!("CARGO_BIN_EXE_sprt"));
    command
        .arg("run")
        .args([engine, engine])
        .arg("--out")
        .arg(&run)
        .args([
            "--nodes",
            "1",
            "--hash",
            "1",
            "--seed",
            "1",
            "--concurrency",
            "1",
            "--resign-adj",
            "none",
            "--draw-adj",
            "none",
            "--max-games",
            &games,
        ]);
    let seconds = processor_seconds(&mut command);
    Cost {
        seconds,
        plies: plies(&run.join("games.pgn")),
    }
}

fn run_fastchess(games: u32, fastchess: &Path, engine: &Path, folder: &Path) -> Cost {
    let book = folder.join("book.pgn");
    let pgn = folder.join("fastchess.pgn");
    let _ = fs::remove_file(&pgn);
    // The same games, without their engines' moves: each game's opening stands before the first
    // clock comment.
    fs::copy(folder.join("run/games.pgn"), &book).expect("games to take openings from");
    let rounds = (games / 2).to_string();
    let mut command = Command::new(fastchess);
    command.current_dir(folder);
    for name in ["A", "B"] {
        command
            .arg("-engine")
            .arg(format!("cmd={}", engine.display()))
            .arg(format!("name={name}"));
    }
    command.args([
        "-each",
        "proto=uci",
        "nodes=1",
        "option.Threads=1",
        "option.Hash=1",
    ]);
    command
        .arg("-openings")
        .arg(format!("file={}", book.display()));
    command.args([
        "format=pgn",
        "order=sequential",
        "plies=8",
        "-rounds",
        &rounds,
        "-games",
        "2",
    ]);
    command.args(["-repeat", "-concurrency", "1", "-ratinginterval", "0"]);
    command
        .arg("-pgnout")
        .arg(format!("file={}", pgn.display()));
    let seconds = processor_seconds(&mut command);
    Cost {
        seconds,
        plies: plies(&pgn),
    }
}

/// Moves that engines made: every move of the games less eight of each opening.
fn plies(pgn: &Path) -> u64 {
    let text = fs::read_to_string(pgn).expect("the games");
    let counts = text
        .lines()
        .filter_map(|line| line.strip_prefix("[PlyCount \"")?.strip_suffix("\"]"));
    counts
        .filter_map(|count| count.parse::<u64>().ok())
        .map(|count| count - 8)
        .sum()
}

/// User and system time of a process, without its children, from the moment it ended until it is
/// reaped.
fn processor_seconds(command: &mut Command) -> f64 {
    let mut child = command
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the runner starts");
    let id = Pid::from_raw(child.id() as i32);
    waitid(Id::Pid(id), WaitPidFlag::WEXITED | WaitPidFlag::WNOWAIT).expect("the runner ends");
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).expect("its process entry");
    child.wait().expect("reaped");
    // After the name in parentheses, user and system ticks are the twelfth and thirteenth fields.
    let fields = stat
        .rsplit(')')
        .next()
        .unwrap_or_default()
        .split_whitespace();
    let ticks: u64 = fields
        .skip(11)
        .take(2)
        .filter_map(|field| field.parse::<u64>().ok())
        .sum();
    ticks as f64 / TICKS_A_SECOND
}

fn on_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .chain([PathBuf::from("/usr/games")])
        .map(|folder| folder.join(name))
        .find(|program| program.is_file())
}
