//! What a tune costs over the bare games: its wall time against that of `sprt` playing the very
//! same games.
//!
//! `cargo bench -p tuner --bench overhead -- ENGINE [PAIRS]` takes this workspace's engine and
//! plays at 1,000 nodes a move. Only parameters of its time management are tuned: with a fixed
//! number of nodes they change no move, so that both tools play move for move the same games from
//! the same openings, in turn. The ratio of the two is printed for each round; times on a shared
//! machine differ from round to round.

#![allow(
    clippy::expect_used,
    reason = "a benchmark stops where it cannot measure"
)]

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

use foundation::Printer;
use foundation::printer::OutputArgs;
use sprt::cli;
use tuner::run::journal;

const ROUNDS: usize = 5;
const USUAL_PAIRS: u64 = 100;
/// What the names of the engine's parameters of time management begin with.
const MOVES_NOTHING: &str = "Tm";
/// The first argument with which this program plays `sprt` instead of measuring.
const AS_SPRT: &str = "as-sprt";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|argument| argument != "--bench")
        .collect();
    let printer = Printer::new(OutputArgs::default());
    match arguments.first().map(String::as_str) {
        // Cargo also starts benchmarks only to see that they can be started.
        None => printer.note("usage: cargo bench -p tuner --bench overhead -- ENGINE [PAIRS]"),
        Some(AS_SPRT) => return play_as_sprt(printer),
        Some(engine) => {
            let pairs = arguments.get(1).map_or(USUAL_PAIRS, |count| {
                count.parse().expect("a number of pairs")
            });
            measure(
                &fs::canonicalize(engine).expect("the engine"),
                pairs,
                printer,
            );
        }
    }
    ExitCode::SUCCESS
}

fn measure(engine: &Path, pairs: u64, printer: Printer) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let params = folder.path().join("params.toml");
    let mut init = Command::new(env!("CARGO_BIN_EXE_tuner"));
    init.arg("init").arg("--engine").arg(engine);
    init.arg("--out").arg(&params);
    wait(&mut init);
    let table: toml::Table = fs::read_to_string(&params)
        .expect("a file")
        .parse()
        .expect("TOML");
    let names = table["params"].as_table().expect("parameters").keys();
    let names: Vec<&str> = names
        .map(String::as_str)
        .filter(|name| name.starts_with(MOVES_NOTHING))
        .collect();
    printer.result(&format!(
        "{pairs} pairs at 1,000 nodes a move, {} parameters",
        names.len()
    ));
    let mut ratios = Vec::new();
    for round in 0..ROUNDS {
        let (games, tune) = (
            folder.path().join(format!("games-{round}")),
            folder.path().join(format!("tune-{round}")),
        );
        let mut sprt = Command::new(std::env::current_exe().expect("this program"));
        sprt.args([AS_SPRT, "run"]).args([engine, engine]);
        // Bounds that no match of an engine against itself reaches.
        sprt.args(["--bounds=-900,900", "--alpha=1e-9", "--beta=1e-9"]);
        sprt.args(["--max-games", &(2 * pairs).to_string()]);
        let bare = seconds(&mut sprt, &games);

        let mut tuner = Command::new(env!("CARGO_BIN_EXE_tuner"));
        tuner.arg("spsa").arg(&params);
        tuner.args(["--only", &names.join(","), "--force"]);
        tuner.args([
            "--pairs-per-iteration=1",
            "--iterations",
            &pairs.to_string(),
        ]);
        let tuned = seconds(&mut tuner, &tune);

        let result = fs::read_to_string(games.join("result.json")).expect("a result");
        let result: serde_json::Value = serde_json::from_str(&result).expect("JSON");
        let replayed = journal::replay(&tune).expect("a whole journal");
        assert_eq!(
            result["pentanomial"],
            serde_json::json!(replayed.session.penta()),
            "the games were not the same"
        );
        let ratio = tuned / bare;
        printer.result(&format!(
            "sprt {bare:6.2} s   tuner {tuned:6.2} s   ratio {ratio:.3}"
        ));
        ratios.push(ratio);
    }
    ratios.sort_by(f64::total_cmp);
    printer.result(&format!("median ratio {:.3}", ratios[ROUNDS / 2]));
}

/// The seconds that a run into a folder takes; both tools get the same flags.
fn seconds(command: &mut Command, out: &Path) -> f64 {
    command.args(["--nodes=1000", "--seed=1"]);
    command.arg(OsStr::new("--out")).arg(out);
    let started = Instant::now();
    wait(command);
    started.elapsed().as_secs_f64()
}

fn wait(command: &mut Command) {
    let output = command
        .stdin(Stdio::null())
        .output()
        .expect("a program that starts");
    // `sprt` is meant to end undecided.
    assert!(
        matches!(output.status.code(), Some(0 | 4)),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

fn play_as_sprt(printer: Printer) -> ExitCode {
    let words = std::env::args_os().filter(|word| word != "--bench" && word != AS_SPRT);
    let cli::Command::Run(args) = cli::Cli::read(words).command else {
        return ExitCode::FAILURE;
    };
    match runs::wait_for(sprt::commands::run::run(*args, printer)) {
        Ok(exit) => exit.into(),
        Err(failure) => printer.fail(&failure).into(),
    }
}
