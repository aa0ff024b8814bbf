//! The runner at sizes that a test machine does not have: a match in many slots, a run of a million
//! games, and ten thousand runs; and the time losses of many slots under a clock.
//!
//! `cargo bench -p sprt --bench scale [-- SLOTS GAMES RUNS]`, by default 128, 1,000,000 and 10,000.
//! Engines are the scripted one of the tests, so what is measured is the runner's. The large run is
//! a small one whose pairs were written again and again; its games lie far apart in a sparse file of
//! 20 GB.

#![allow(
    clippy::print_stdout,
    clippy::expect_used,
    reason = "a benchmark prints, and stops where it cannot measure"
)]

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::os::unix::fs::FileExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use foundation::journal::Journal;
use serde_json::Value;

const GAMES_BYTES: u64 = 20_000_000_000;
/// Lines of a journal that are written at a time.
const CHUNK: u64 = 10_000;

fn main() {
    let sizes: Vec<u64> = std::env::args()
        .filter_map(|word| word.parse().ok())
        .collect();
    let size = |place: usize, usual: u64| sizes.get(place).copied().unwrap_or(usual);
    let place = tempfile::tempdir().expect("a folder");
    let place = place.path();
    many_slots(place, size(0, 128));
    clocked_slots(place, size(0, 128));
    let small = place.join("small");
    play(place, &["--games", "20", "--concurrency", "2"], &small);
    long_run(place, &small, size(1, 1_000_000));
    many_runs(place, &small, size(2, 10_000));
}

fn sprt(place: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sprt"));
    command
        .args(words)
        .env("WHETSTONE_STATE", place.join("state"))
        .env("WHETSTONE_CACHE", place.join("cache"))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

/// A match of the scripted engine against itself.
fn match_of(place: &Path, more: &[&str], out: &Path) -> Command {
    let engine = env!("CARGO_BIN_EXE_scripted-engine");
    let mut command = sprt(place, &["run", engine, engine, "--seed", "7"]);
    command
        .args(["--nodes", "100"])
        .args(more)
        .arg("--out")
        .arg(out);
    command
}

fn play(place: &Path, more: &[&str], out: &Path) {
    let status = match_of(place, more, out).status().expect("a match");
    assert!(status.success(), "a match ends: {status}");
}

/// The largest resident size of the runner, and how long all took.
fn many_slots(place: &Path, slots: u64) {
    let games = (4 * slots).to_string();
    let [mut one, mut all] = [1, slots].map(|slots| {
        let out = place.join(format!("slots-{slots}"));
        let slots = slots.to_string();
        let more = ["--games", &games, "--concurrency", &slots];
        let begun = Instant::now();
        let (kib, code) = watched(match_of(place, &more, &out).spawn().expect("a match"));
        assert_eq!(code, Some(0), "a match ends");
        (kib, begun.elapsed())
    });
    let each = (all.0.saturating_sub(one.0)) as f64 / (slots.max(2) - 1) as f64;
    println!("{games} games at 100 nodes, largest resident size of the runner");
    for (slots, (kib, took)) in [(1, &mut one), (slots, &mut all)] {
        println!(
            "  {slots:>5} slots: {:>8.1} MiB, {:.1} s",
            *kib as f64 / 1024.0,
            took.as_secs_f64()
        );
    }
    println!("  each slot: {each:.0} KiB");
}

/// Time losses of engines that answer after a drawn time, on average half of their increment, so
/// that every loss is caused by the runner or the machine.
fn clocked_slots(place: &Path, most: u64) {
    println!("2+0.1, engines that think up to 100 ms, four games a slot of 60 moves at most");
    for slots in [most / 8, most / 4, most / 2, most] {
        let slots = slots.max(1);
        let (games, slots) = ((4 * slots).to_string(), slots.to_string());
        let out = place.join(format!("clocked-{slots}"));
        let engine = env!("CARGO_BIN_EXE_scripted-engine");
        let mut command = sprt(place, &["run", engine, engine, "--seed", "7", "--json"]);
        command.args(["--tc", "2+0.1", "--option", "Script=think:100@all"]);
        command.args([
            "--max-moves",
            "60",
            "--games",
            &games,
            "--concurrency",
            &slots,
        ]);
        let begun = Instant::now();
        let output = command
            .arg("--out")
            .arg(&out)
            .stdout(Stdio::piped())
            .output();
        let output = output.expect("a match");
        let result: Value = serde_json::from_slice(&output.stdout).expect("a result");
        let lost = |side: &str| result["faults"][side]["time_losses"].as_u64().unwrap_or(0);
        println!(
            "  {slots:>5} slots: {} time losses in {games} games, {:.1} s, load {}",
            lost("base") + lost("new"),
            begun.elapsed().as_secs_f64(),
            fs::read_to_string("/proc/loadavg")
                .unwrap_or_default()
                .trim()
        );
    }
}

/// The peak of a process's memory in KiB, and its exit code.
fn watched(mut child: Child) -> (u64, Option<i32>) {
    let mut peak = 0;
    loop {
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
        peak = peak.max(kib.unwrap_or(0));
        if let Some(status) = child.try_wait().expect("a child") {
            return (peak, status.code());
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn timed(what: &str, mut command: Command) {
    let begun = Instant::now();
    let (kib, code) = watched(command.spawn().expect("it starts"));
    println!(
        "  {what}: {:.2} s, {:.0} MiB, exit {code:?}",
        begun.elapsed().as_secs_f64(),
        kib as f64 / 1024.0
    );
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a run").flatten() {
        if entry.path().is_file() {
            fs::copy(entry.path(), to.join(entry.file_name())).expect("a copy");
        }
    }
}

fn long_run(place: &Path, small: &Path, games: u64) {
    let long = place.join("long");
    copy(small, &long);
    let _ = fs::remove_file(long.join("result.json"));
    let plan = fs::read_to_string(long.join("plan.json")).expect("a plan");
    let mut plan: Value = serde_json::from_str(&plan).expect("JSON");
    // A plan without a digest is that of an earlier release.
    plan.as_object_mut()
        .expect("an object")
        .remove("plan_sha256");
    plan["max_pairs"] = (games / 2).into();
    fs::write(long.join("plan.json"), plan.to_string()).expect("a plan");
    let path = long.join("pairs.jsonl");
    let lines = fs::read_to_string(&path).expect("a journal");
    let games_text = fs::read(long.join("games.pgn")).expect("games");
    let mut end = 0;
    let pairs: Vec<(Value, &[u8])> = lines
        .lines()
        .map(|line| {
            let mut line: Value = serde_json::from_str(line).expect("JSON");
            line.as_object_mut().expect("an object").remove("crc32");
            let start = end;
            end = line["games_end"].as_u64().expect("a place") as usize;
            (line, &games_text[start..end])
        })
        .collect();
    let mut journal = Journal::open(&path, 0).expect("a journal");
    let file = fs::File::create(long.join("games.pgn")).expect("a file");
    let step = GAMES_BYTES / (games / 2);
    for first in (0..games / 2).step_by(CHUNK as usize) {
        let numbers = first..(first + CHUNK).min(games / 2);
        let lines = numbers.map(|pair| {
            let (line, text) = &pairs[(pair as usize) % pairs.len()];
            let end = step * (pair + 1);
            file.write_all_at(text, end - text.len() as u64)
                .expect("room for 8 GB of games");
            let mut line = line.clone();
            line["pair"] = pair.into();
            line["games_end"] = end.into();
            // What is not known to be on disk is read when a run is opened.
            line["games_synced"] = end.into();
            line
        });
        journal.append(lines).expect("written");
    }
    drop(journal);
    println!(
        "a run of {games} games, {} MB of journal",
        fs::metadata(&path).map_or(0, |it| it.len()) / 1_000_000
    );
    let run = long.display().to_string();
    timed("sprt show", sprt(place, &["show", &run]));
    pages(place, &[&run], "/api/run?run=long");
}

fn many_runs(place: &Path, small: &Path, runs: u64) {
    let folder = place.join("state/runs");
    for number in 0..runs {
        copy(
            small,
            &folder.join(format!("20260101-000000-run-{number:05}")),
        );
    }
    println!("{runs} runs of 20 games");
    timed("sprt list", sprt(place, &["list"]));
    pages(place, &[], "/api/runs");
}

/// Asks the server of pages twice.
fn pages(place: &Path, runs: &[&str], path: &str) {
    const PORT: &str = "18484";
    let mut command = sprt(place, &["serve", "--port", PORT, "--open"]);
    let mut server = command.args(runs).spawn().expect("a server");
    for what in ["first request", "second request"] {
        let begun = Instant::now();
        let size = loop {
            if let Some(size) = get(&format!("127.0.0.1:{PORT}"), path) {
                break size;
            }
            assert!(
                begun.elapsed() < Duration::from_mins(2),
                "the server answers"
            );
            std::thread::sleep(Duration::from_millis(20));
        };
        let seconds = begun.elapsed().as_secs_f64();
        println!("  {path}, {what}: {seconds:.2} s, {} KB", size / 1000);
    }
    server.kill().expect("it ends");
    server.wait().expect("it ended");
}

fn get(address: &str, path: &str) -> Option<usize> {
    let mut stream = TcpStream::connect(address).ok()?;
    write!(
        stream,
        "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n"
    )
    .ok()?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).ok()?;
    answer.starts_with(b"HTTP/1.1 200").then_some(answer.len())
}
