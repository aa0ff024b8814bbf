//! How long the guard takes: `cargo bench -p bench-guard`. Figures are printed; none is asserted.
//!
//! A history of 100,000 commits, each with a result block and a bench, and one of 100,000 without a
//! bench, which must be compared tree by tree; the grammar alone; and the commands that git starts
//! at each commit.

#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::{
    fs,
    io::Write,
    path::Path,
    process::{Command, Stdio},
    time::Instant,
};

use bench_guard::message::server_bench;

const COMMITS: usize = 100_000;

fn main() {
    let folder = tempfile::tempdir().expect("a folder");
    let with = folder.path().join("with");
    let without = folder.path().join("without");
    make(&with, |number| {
        format!("{}\nBench: {}\n", text(number), 1_000_000 + number)
    });
    make(&without, text);
    let messages: Vec<String> = (0..COMMITS)
        .map(|number| format!("{}\nBench: {number}\n", text(number)))
        .collect();
    report("grammar over 100,000 messages", || {
        let read = messages
            .iter()
            .filter_map(|message| server_bench(message))
            .count();
        assert_eq!(read, COMMITS - 1, "all but the zero");
    });
    for (name, path) in [("with a bench", &with), ("without a bench", &without)] {
        report(
            &format!("check --no-build over 100,000 commits {name}"),
            || guard(path, &["check", "--no-build", "--all"]),
        );
    }
    let message = folder.path().join("message");
    fs::write(&message, text(1)).expect("a message");
    let file = message.to_string_lossy();
    git(&with, &["reset", "-q", "--hard"]);
    report("process `bench-guard message FILE`", || {
        guard(&with, &["message", &file]);
    });
    report("process `bench-guard hook commit-msg FILE`", || {
        guard(&with, &["hook", "commit-msg", &file]);
    });
}

/// The best of five.
fn report(what: &str, work: impl Fn()) {
    let best = (0..5)
        .map(|_| {
            let start = Instant::now();
            work();
            start.elapsed()
        })
        .min()
        .unwrap_or_default();
    println!("{:>10.1} ms  {what}", best.as_secs_f64() * 1e3);
}

fn text(number: usize) -> String {
    format!(
        "Change number {number}\n\nTune the margin and see.\n\nElo   | 6.27 +- 4.15 (95%)\n\
         SPRT  | 8.0+0.08s Threads=1 Hash=32MB\nLLR   | 2.91 (-2.25, 2.89) [0.00, 5.00]\n\
         Games | N: 7482 W: 1780 L: 1645 D: 4057\nPenta | [28, 858, 1839, 983, 33]\n"
    )
}

/// A repository of many commits, each with one changed file, as git packs it.
fn make(path: &Path, message: impl Fn(usize) -> String) {
    fs::create_dir(path).expect("a folder");
    git(path, &["init", "-q", "-b", "main"]);
    let mut import = Command::new("git")
        .arg("-C")
        .arg(path)
        .args(["fast-import", "--quiet"])
        .stdin(Stdio::piped())
        .spawn()
        .expect("git starts");
    let mut stream = std::io::BufWriter::new(import.stdin.take().expect("a pipe"));
    for number in 0..COMMITS {
        let (message, source) = (message(number), format!("int margin = {number};\n"));
        let file = number % 40;
        write!(
            stream,
            "commit refs/heads/main\ncommitter A <a@b> {} +0000\ndata {}\n{message}\n\
             M 644 inline src/file{file}.c\ndata {}\n{source}\n",
            1_600_000_000 + number,
            message.len(),
            source.len()
        )
        .expect("git reads");
    }
    drop(stream);
    assert!(import.wait().expect("git ends").success());
    git(path, &["repack", "-adq"]);
}

fn git(path: &Path, arguments: &[&str]) {
    let status = Command::new("git")
        .arg("-C")
        .arg(path)
        .args(arguments)
        .status();
    assert!(status.expect("git starts").success());
}

fn guard(folder: &Path, arguments: &[&str]) {
    let status = Command::new(env!("CARGO_BIN_EXE_bench-guard"))
        .args(["-C", &folder.to_string_lossy(), "--quiet"])
        .args(arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    status.expect("bench-guard starts");
}
