//! `sprt verify`: are the figures of a pasted OpenBench block those of its counts, and the games of a
//! run those of its engines?

pub(crate) mod replay;

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use foundation::failure::OrUnable;
use foundation::{Exit, Failure, Printer};
use schemars::JsonSchema;
use serde::Serialize;

use stats::block::find_blocks;
use stats::verify::{CheckedBlock, CheckedFigure, Given, check};
use stats::{Model, parse_bounds};

/// Recompute every figure of the OpenBench blocks in a text, or play a sample of a run again
#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// Text with one block or more, such as a commit message; `-` is standard input
    #[arg(value_name = "FILE|-", required_unless_present = "replay")]
    pub file: Option<PathBuf>,
    /// Probability of accepting H1 under H0; by default found from the printed bounds
    #[arg(long, value_name = "P")]
    pub alpha: Option<f64>,
    /// Probability of accepting H0 under H1; by default found from the printed bounds
    #[arg(long, value_name = "P")]
    pub beta: Option<f64>,
    /// Hypotheses of the test; by default as printed, which must be multiples of 0.25 then
    #[arg(long, value_name = "ELO0,ELO1", value_parser = parse_bounds, allow_hyphen_values = true)]
    pub bounds: Option<(f64, f64)>,
    /// Model of the test; by default normalized with a Penta line, bayesian without
    #[arg(long, value_enum)]
    pub model: Option<Model>,
    /// Accept the error bars of OpenBench before November 2024 too
    #[arg(long)]
    pub older: bool,
    #[command(flatten)]
    pub replay: replay::ReplayFlags,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// The JSON object.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Output {
    schema: &'static str,
    version: u32,
    /// Whether every block is.
    verified: bool,
    blocks: Vec<CheckedBlock>,
}

/// Exit 0 if every figure of every block agrees and all games come out again, 1 if not, 2 if there is
/// nothing to check.
pub fn run(args: &Args, printer: Printer) -> Result<Exit, Failure> {
    let message = args.file.as_deref().map(read).transpose()?;
    let outcome = match (&args.file, &message) {
        (Some(file), Some(message)) => verify(args, file, message, printer)?,
        _ => Exit::Yes,
    };
    match &args.replay.replay {
        Some(run) if outcome == Exit::Yes => runs::wait_for(replay::run(
            run,
            &args.replay,
            message.as_deref(),
            args.json,
            printer,
        )),
        _ => Ok(outcome),
    }
}

fn verify(args: &Args, file: &Path, message: &str, printer: Printer) -> Result<Exit, Failure> {
    let given = Given {
        alpha: args.alpha,
        beta: args.beta,
        model: args.model,
        bounds: args.bounds,
        older: args.older,
    };
    let blocks = find_blocks(message)?;
    if blocks.is_empty() {
        return Err(
            Failure::unable(format!("no OpenBench block in {}", source(file)))
                .hint("a block has lines like `LLR   | 2.91 (-2.25, 2.89) [0.00, 5.00]`"),
        );
    }
    let blocks = blocks
        .iter()
        .map(|block| check(block, given))
        .collect::<Result<Vec<_>, Failure>>()?;
    let verified = blocks.iter().all(|block| block.verified);
    // Where a run is played again, the object of that is the answer.
    let is_answer = args.replay.replay.is_none() || !verified;
    if args.json && is_answer {
        let output = Output {
            schema: "sprt-verify",
            version: 1,
            verified,
            blocks,
        };
        printer.json(&output)?;
    } else if !args.json {
        for block in &blocks {
            printer.result(&describe(block));
        }
    }
    Ok(if verified { Exit::Yes } else { Exit::No })
}

fn source(file: &Path) -> String {
    if file == Path::new("-") {
        "standard input".to_owned()
    } else {
        format!("`{}`", file.display())
    }
}

fn read(file: &Path) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    let outcome = if file == Path::new("-") {
        io::stdin().lock().read_to_end(&mut bytes).map(|_| ())
    } else {
        fs::read(file).map(|content| bytes = content)
    };
    outcome
        .or_unable(format_args!("read {}", source(file)))
        .map_err(|failure| {
            failure.hint("give a text file, or `-` and the text on standard input")
        })?;
    // A commit message need not be UTF-8; the blocks in it are ASCII.
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn describe(block: &CheckedBlock) -> String {
    let mut lines = vec![format!("block at line {}: {}", block.line, opinion(block))];
    for figure in block.figures.iter().filter(|figure| !figure.agrees) {
        let CheckedFigure {
            name,
            found,
            recomputed,
            ..
        } = figure;
        lines.push(format!("  {name}: found {found}, recomputed {recomputed}"));
    }
    if let Some(faults) = block.faults {
        let (base, new) = (faults.base, faults.new);
        lines.push(format!(
            "  games spoiled by an engine: base {base}, new {new}"
        ));
    }
    if let Some(flags) = block.voucher() {
        lines.push(format!("  if that is what the test was, say so by {flags}"));
    }
    lines.join("\n")
}

fn opinion(block: &CheckedBlock) -> String {
    if !block.verified {
        return "refused".to_owned();
    }
    let rates = match (block.alpha, block.beta) {
        (Some(alpha), Some(beta)) => format!(" (alpha {alpha}, beta {beta})"),
        _ => String::new(),
    };
    let verdict = block.summary.as_ref().map_or(String::new(), |summary| {
        format!(", {}", summary.verdict.words())
    });
    format!("verified, {} figures{verdict}{rates}", block.figures.len())
}
