//! What the runner itself costs, engines excluded: processor time a ply under four limits, processor
//! time of a start, games a second, and system calls a ply.
//!
//! `cargo bench -p sprt --bench overhead [-- ENGINE [WORDS]]` plays ENGINE (default: `stockfish`,
//! where it is installed, else the scripted engine of the tests) against itself; where `fastchess`
//! is on the PATH, both play in turn and the ratio is printed too. With WORDS, only rows whose names
//! have them are measured.
//!
//! A figure a ply is the difference between a long and a short match, so that what a start costs is
//! not in it. Processor time is that of the finished runner process alone, read before it is
//! reaped; times on a shared machine differ from run to run, so compare ratios. System calls are
//! counted where `strace` is installed.

#![allow(
    clippy::print_stdout,
    clippy::expect_used,
    reason = "a benchmark prints, and stops where it cannot measure"
)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use nix::sys::wait::{Id, WaitPidFlag, waitid};
use nix::unistd::Pid;

const ROUNDS: usize = 3;
/// Linux counts processor time in hundredths of a second on every platform (`USER_HZ`).
const TICKS_A_SECOND: f64 = 100.0;

/// A limit in the words of both runners, and the games of a short and a long match.
struct Case {
    name: &'static str,
    ours: [&'static str; 2],
    theirs: &'static str,
    games: [u32; 2],
}

const fn case(
    name: &'static str,
    ours: [&'static str; 2],
    theirs: &'static str,
    games: [u32; 2],
) -> Case {
    Case {
        name,
        ours,
        theirs,
        games,
    }
}

const CASES: [Case; 4] = [
    case("nodes=1", ["--nodes", "1"], "nodes=1", [20, 220]),
    case("nodes=100", ["--nodes", "100"], "nodes=100", [20, 220]),
    case("nodes=1000", ["--nodes", "1000"], "nodes=1000", [10, 90]),
    case("0.5+0.005", ["--tc", "0.5+0.005"], "tc=0.5+0.005", [4, 36]),
];

/// Processor time, wall time and plies of one match.
struct Cost {
    seconds: f64,
    wall: f64,
    plies: u64,
}

/// What is measured: the engine, the other runner, and a folder for the matches.
struct Bench {
    /// Only rows whose names have these words are measured.
    words: String,
    engine: PathBuf,
    fastchess: Option<PathBuf>,
    folder: tempfile::TempDir,
}

fn main() {
    let mut arguments = std::env::args()
        .skip(1)
        .filter(|argument| !argument.starts_with('-'));
    let engine = arguments
        .next()
        .map(PathBuf::from)
        .or_else(|| on_path("stockfish"))
        .unwrap_or_else(|| PathBuf::from(env!("CARGO_BIN_EXE_scripted-engine")));
    let bench = Bench {
        words: arguments.next().unwrap_or_default(),
        engine,
        fastchess: on_path("fastchess"),
        folder: tempfile::tempdir().expect("a temporary folder"),
    };
    println!(
        "{} against itself, medians of {ROUNDS}",
        bench.engine.display()
    );
    if bench.fastchess.is_none() {
        println!("no `fastchess` on the PATH to compare with");
    }
    println!("| | sprt | fastchess | ratio |\n|---|---|---|---|");
    let bound = CASES.iter().map(|case| (case, true, ""));
    for (case, affinity, words) in bound.chain([(&CASES[3], false, ", not bound")]) {
        let what = format!("us of CPU a ply, {}{words}", case.name);
        bench.compare(&what, |is_ours| {
            let [short, long] = case
                .games
                .map(|games| bench.play(is_ours, case, games, 1, affinity));
            (long.seconds - short.seconds) * 1e6 / (long.plies - short.plies) as f64
        });
    }
    let fast = &CASES[0];
    bench.compare("ms of CPU to start and play 2 games", |is_ours| {
        bench.play(is_ours, fast, 2, 1, true).seconds * 1e3
    });
    for (affinity, words) in [(true, "bound to processors"), (false, "not bound")] {
        bench.compare(
            &format!("games a second, two at a time, {words}"),
            |is_ours| 200.0 / bench.play(is_ours, fast, 200, 2, affinity).wall,
        );
    }
    if on_path("strace").is_some() {
        for case in [&CASES[0], &CASES[3]] {
            bench.compare(&format!("system calls a ply, {}", case.name), |is_ours| {
                let [few, many] = [4, 12].map(|games| bench.system_calls(is_ours, case, games));
                (many.0 - few.0) as f64 / (many.1 - few.1) as f64
            });
        }
    }
}

impl Bench {
    /// Measures both runners in turn and prints a row of medians.
    fn compare(&self, what: &str, measure: impl Fn(bool) -> f64) {
        if !what.contains(&self.words) {
            return;
        }
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            ours.push(measure(true));
            if self.fastchess.is_some() {
                theirs.push(measure(false));
            }
        }
        let median = |figures: &mut Vec<f64>| {
            figures.sort_by(f64::total_cmp);
            figures.get(figures.len() / 2).copied()
        };
        let text = |figure: Option<f64>, digits: usize| {
            figure.map_or_else(String::new, |figure| format!("{figure:.digits$}"))
        };
        let (ours, theirs) = (median(&mut ours), median(&mut theirs));
        let ratio = ours.zip(theirs).map(|(ours, theirs)| ours / theirs);
        println!(
            "| {what} | {} | {} | {} |",
            text(ours, 1),
            text(theirs, 1),
            text(ratio, 2)
        );
    }

    fn play(&self, is_ours: bool, case: &Case, games: u32, at_a_time: u32, affinity: bool) -> Cost {
        // The other runner takes its openings from games of ours.
        let mut command = if is_ours {
            self.sprt(case, games, at_a_time, affinity)
        } else {
            self.fastchess(case, games, at_a_time, affinity)
        };
        let started = Instant::now();
        let seconds = processor_seconds(&mut command);
        Cost {
            seconds,
            wall: started.elapsed().as_secs_f64(),
            plies: plies(&self.games(is_ours)),
        }
    }

    fn games(&self, is_ours: bool) -> PathBuf {
        let name = if is_ours {
            "run/games.pgn"
        } else {
            "fastchess.pgn"
        };
        self.folder.path().join(name)
    }

    /// System calls of a runner, engines excluded, and the plies of its match.
    fn system_calls(&self, is_ours: bool, case: &Case, games: u32) -> (u64, u64) {
        let traces = self.folder.path().join("traces");
        let _ = fs::remove_dir_all(&traces);
        fs::create_dir(&traces).expect("a folder");
        let inner = if is_ours {
            self.sprt(case, games, 1, true)
        } else {
            self.fastchess(case, games, 1, true)
        };
        let mut command = Command::new("strace");
        command
            .args(["-ff", "-qq", "-o"])
            .arg(traces.join("trace"))
            .arg(inner.get_program())
            .args(inner.get_args());
        if let Some(folder) = inner.get_current_dir() {
            command.current_dir(folder);
        }
        processor_seconds(&mut command);
        let traces: BTreeMap<u32, String> = fs::read_dir(&traces)
            .expect("traces")
            .flatten()
            .filter_map(|file| {
                let id = file.path().extension()?.to_str()?.parse().ok()?;
                let text = fs::read(file.path()).expect("a trace");
                Some((id, String::from_utf8_lossy(&text).into_owned()))
            })
            .collect();
        let runner = inner.get_program().to_string_lossy();
        let is_runner = |text: &str| {
            let started = text.lines().next().unwrap_or_default();
            started.starts_with(&format!("execve(\"{runner}\""))
                && !started.contains("__engine-guard")
        };
        let first = traces.iter().find(|(_, text)| is_runner(text));
        let mut threads = vec![*first.expect("the runner's trace").0];
        let mut calls = 0;
        while let Some(thread) = threads.pop() {
            let Some(text) = traces.get(&thread) else {
                continue;
            };
            calls += text.lines().count() as u64;
            threads.extend(text.lines().filter_map(started_thread));
        }
        (calls, plies(&self.games(is_ours)))
    }

    fn sprt(&self, case: &Case, games: u32, at_a_time: u32, affinity: bool) -> Command {
        let run = self.folder.path().join("run");
        let _ = fs::remove_dir_all(&run);
        let mut command = Command::new(env!("CARGO_BIN_EXE_sprt"));
        command
            .arg("run")
            .args([&self.engine, &self.engine])
            .arg("--out")
            .arg(&run)
            .args(case.ours)
            .args(["--hash", "1", "--seed", "1"])
            .args(["--resign-adj", "none", "--draw-adj", "none"])
            .args(["--affinity", if affinity { "always" } else { "never" }])
            .args(["--concurrency", &at_a_time.to_string()])
            .args(["--max-games", &games.to_string()]);
        command
    }

    fn fastchess(&self, case: &Case, games: u32, at_a_time: u32, affinity: bool) -> Command {
        let (book, pgn) = (self.folder.path().join("book.pgn"), self.games(false));
        let _ = fs::remove_file(&pgn);
        // The same games, without their engines' moves: the first eight plies are the opening.
        fs::copy(self.games(true), &book).expect("games to take openings from");
        let fastchess = self.fastchess.as_ref().expect("the other runner");
        let mut command = Command::new(fastchess);
        command.current_dir(self.folder.path());
        for name in ["A", "B"] {
            command
                .arg("-engine")
                .arg(format!("cmd={}", self.engine.display()))
                .arg(format!("name={name}"));
        }
        command
            .args(["-each", "proto=uci", case.theirs])
            .args(["option.Threads=1", "option.Hash=1", "-openings"])
            .arg(format!("file={}", book.display()))
            .args(["format=pgn", "order=sequential", "plies=8"])
            .args([
                "-rounds",
                &(games / 2).to_string(),
                "-games",
                "2",
                "-repeat",
            ])
            .args(["-concurrency", &at_a_time.to_string()])
            .args(["-ratinginterval", "0", "-pgnout"])
            .arg(format!("file={}", pgn.display()));
        if affinity {
            command.arg("-use-affinity");
        }
        command
    }
}

/// The thread that this system call started.
fn started_thread(call: &str) -> Option<u32> {
    let (_, started) = call.rsplit_once(" = ")?;
    call.contains("CLONE_THREAD")
        .then(|| started.parse().ok())?
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
