//! How long it takes, and how much memory, to go on with a run of 100 parameters after 200,000
//! pairs.
//!
//! `cargo bench -p tuner --bench journal -- [PARAMETERS] [PAIRS]`. The journal is written as a run
//! would write it, with drawn results, and read by a process of its own for each algorithm.

use std::io::BufRead;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use foundation::Printer;
use foundation::printer::OutputArgs;
use runs::plan::MatchFlags;
use runs::plan::contender::Contender;
use tuner::algorithm::AlgorithmName;
use tuner::algorithm::schedule::Schedule;
use tuner::evidence::anchors::Anchors;
use tuner::run::journal::{Journal, Plan, replay};
use tuner::run::lines::{Line, PairLine};
use tuner::run::session::{Outcome, Session};
use tuner::run::tune::Tune;
use tuner::synthetic::study;

fn main() {
    // Cargo passes `--bench` when it measures, and nothing when it only wants to see that we can be
    // started.
    if !std::env::args().any(|word| word == "--bench" || word == "read") {
        return;
    }
    let words: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| word != "--bench")
        .collect();
    let printer = Printer::new(OutputArgs::default());
    if let [read, folder] = words.as_slice()
        && read == "read"
    {
        let started = Instant::now();
        let replayed = replay(Path::new(folder)).expect("a whole journal");
        printer.result(&format!(
            "{} pairs read in {:.1} s, {} MiB at most",
            replayed.session.taken_in(),
            started.elapsed().as_secs_f64(),
            most_memory() / 1024
        ));
        return;
    }
    let number = |place: usize, usual: u64| {
        words
            .get(place)
            .and_then(|word| word.parse().ok())
            .unwrap_or(usual)
    };
    let (parameters, pairs) = (number(0, 100), number(1, 200_000));
    for algorithm in [AlgorithmName::Classic, AlgorithmName::Bayes] {
        let folder = tempfile::tempdir().expect("a temporary folder");
        write(folder.path(), parameters as usize, pairs, algorithm);
        let size = std::fs::metadata(folder.path().join("journal.jsonl"))
            .expect("a journal")
            .len();
        let output = Command::new(std::env::current_exe().expect("our own path"))
            .arg("read")
            .arg(folder.path())
            .output()
            .expect("a reader");
        printer.result(&format!(
            "{algorithm:?}, {parameters} parameters, {} MiB: {}",
            size >> 20,
            String::from_utf8_lossy(&output.stdout).trim()
        ));
    }
}

fn write(folder: &Path, count: usize, pairs: u64, algorithm: AlgorithmName) {
    let tune = Tune {
        parameters: study::parameters(count, 1),
        schedule: Schedule {
            iterations: pairs / 8,
            ..Schedule::default()
        },
        algorithm,
        seed: 1,
        window: 64,
        anchors: Anchors::of_run(pairs),
    };
    let engine = Contender {
        source: "none".into(),
        name: "none".into(),
        command: "none".into(),
        ..Contender::default()
    };
    let play = MatchFlags::default()
        .resolve()
        .expect("the usual conditions");
    let plan = Plan::new("params.toml".into(), tune.clone(), engine, play, Vec::new());
    let (mut journal, _) = Journal::create(folder, &plan).expect("a run folder");
    let mut session = Session::new(tune);
    for pair in 0..session.pairs() {
        let penta = (pair.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 61).min(4) as u8;
        let perturbation = session.perturbation(pair).expect("it is under way");
        let line = Line::Pair(PairLine {
            pair,
            penta,
            plus: perturbation.plus[..count].to_vec(),
            minus: perturbation.minus[..count].to_vec(),
        });
        journal.append(&line).expect("a line");
        session.answer(pair, Outcome::Played(penta));
    }
}

/// The most memory this process has had, KiB.
fn most_memory() -> u64 {
    let status = std::fs::File::open("/proc/self/status").expect("the process's status");
    std::io::BufReader::new(status)
        .lines()
        .map_while(Result::ok)
        .find_map(|line| {
            line.strip_prefix("VmHWM:")?
                .trim()
                .strip_suffix("kB")?
                .trim()
                .parse()
                .ok()
        })
        .unwrap_or(0)
}
