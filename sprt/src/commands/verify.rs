//! `sprt verify`: are the figures of a pasted OpenBench block those of its counts, and the games of a
//! run those of its engines?

pub(crate) mod replay;

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use foundation::failure::OrUnable;
use foundation::format::{Format, FormatArgs, escaped, fenced};
use foundation::{Exit, Failure, Printer};
use schemars::JsonSchema;
use serde::Serialize;

use openbench_command::repetition::Repetition;
use stats::block::find_blocks;
use stats::verify::{CheckedBlock, CheckedFigure, Given, check};
use stats::{Model, Test, parse_bounds};

/// Recompute every figure of the OpenBench blocks in a text, or play a sample of a run again
#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// Text with one block or more, such as a commit message; `-` is standard input. Of a folder that
    /// `sprt openbench fetch` wrote, its block and its games
    #[arg(value_name = "FILE|-", required_unless_present = "replay")]
    pub file: Option<PathBuf>,
    /// The games of the block, to count openings and games that are copies of others
    #[arg(long, value_name = "PGN", requires = "file")]
    pub games: Option<PathBuf>,
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
    #[command(flatten)]
    pub form: FormatArgs,
}

/// The JSON object.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Output {
    schema: &'static str,
    version: u32,
    /// Whether every block is, and none is decided by copies of games.
    verified: bool,
    blocks: Vec<CheckedBlock>,
    /// Which of the games are copies, and how many pairs are effective; null where no games are
    /// given.
    repetition: Option<Repetition>,
    /// The log-likelihood ratio of the effective pairs, where the block is of a test and has no
    /// more games than are given.
    effective_llr: Option<f64>,
}

/// Exit 0 if every figure of every block agrees, no copies of games decide a test, and all games
/// come out again; 1 if not, 2 if there is nothing to check.
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
            args.form.is_json(),
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
    let repetition = games_of(args, file)
        .map(|games| repetition_of(&games))
        .transpose()?;
    let test = match (&repetition, &blocks[..]) {
        (Some(_), [block]) => test_of(block)?,
        (Some(_), several) => {
            let count = several.len();
            return Err(
                Failure::unable(format!("games of which of {count} blocks?"))
                    .hint("give a file with the one block that the games belong to"),
            );
        }
        (None, _) => None,
    };
    let summary = blocks[0].summary.as_ref();
    let results = summary.and_then(|summary| summary.wins.zip(summary.losses));
    let repetition = repetition.map(|repetition| match results {
        Some((wins, losses)) => repetition.seen_from(wins, losses),
        None => repetition,
    });
    let counted = summary.map(|summary| summary.games);
    // Fewer games than the block counts have a lower LLR without copies, too.
    let given = repetition.as_ref().map(|repetition| repetition.games);
    let test = test.filter(|_| given >= counted);
    if let (Some(given), Some(counted)) = (given, counted)
        && given < counted
    {
        printer.warn(&format!(
            "the PGN has {}, the block counts {counted}: copies among them are not weighed",
            foundation::counted(given, "game")
        ));
    }
    let by_copies = repetition.as_ref().zip(test.as_ref());
    let by_copies =
        by_copies.is_some_and(|(repetition, (test, llr))| repetition.is_deciding(test, *llr));
    let verified = verified && !by_copies;
    let evidence = repetition.as_ref().map(|repetition| {
        let counted = test.as_ref().map(|(test, llr)| (test, *llr));
        format!("{}.", repetition.sentence(counted))
    });
    // Where a run is played again, the object of that is the answer.
    let is_answer = args.replay.replay.is_none() || !verified;
    match args.form.format() {
        Format::Json if is_answer => {
            let effective = repetition.as_ref().zip(test.as_ref());
            printer.json(&Output {
                schema: "sprt-verify",
                version: 1,
                verified,
                effective_llr: effective.map(|(repetition, (test, _))| repetition.llr(test)),
                blocks,
                repetition,
            })?;
        }
        Format::Json => {}
        Format::Text => {
            for block in &blocks {
                printer.result(&describe(block, by_copies));
            }
            if let Some(evidence) = evidence {
                printer.result(&format!("  games: {evidence}"));
            }
        }
        Format::Markdown => {
            let verdict = if verified { "verified" } else { "refused" };
            let described: Vec<String> = blocks
                .iter()
                .map(|block| describe(block, by_copies))
                .collect();
            let described = fenced(&described.join("\n"));
            let mut comment = format!("**sprt verify: {verdict}**\n\n{described}");
            if let Some(evidence) = evidence {
                comment.push_str("\n\n");
                comment.push_str(&escaped(&evidence));
            }
            printer.result(&comment);
        }
    }
    Ok(if verified { Exit::Yes } else { Exit::No })
}

/// The file with the block: of a folder that was fetched, the one in it.
fn block_file(file: &Path) -> Result<PathBuf, Failure> {
    if !file.is_dir() {
        return Ok(file.to_owned());
    }
    let block = file.join("block.txt");
    if block.is_file() {
        return Ok(block);
    }
    let folder = file.display();
    Err(Failure::unable(format!("`{folder}` holds no `block.txt`"))
        .hint("give a text file, or a folder that `sprt openbench fetch` wrote"))
}

/// The games that are given, or those beside the block in a folder.
fn games_of(args: &Args, file: &Path) -> Option<PathBuf> {
    let beside = || Some(file.join("games.pgn")).filter(|games| games.is_file());
    args.games.clone().or_else(beside)
}

/// # Errors
/// The file cannot be read, or holds no whole game.
fn repetition_of(games: &Path) -> Result<Repetition, Failure> {
    let repetition = Repetition::of(analysis::games::pgn::open(games)?)
        .map_err(|failure| failure.context(format!("read games from `{}`", games.display())))?;
    if repetition.games == 0 {
        return Err(
            Failure::unable(format!("no finished game in `{}`", games.display()))
                .hint("give the games that the block counts, as PGN, also as .gz or .zip"),
        );
    }
    Ok(repetition)
}

/// The test of a block and its LLR; `None` for a match of fixed length.
fn test_of(block: &CheckedBlock) -> Result<Option<(Test, f64)>, Failure> {
    let parts = block.summary.as_ref().and_then(|summary| {
        let (elo0, elo1) = summary.elo0.zip(summary.elo1)?;
        let (alpha, beta) = block.alpha.zip(block.beta)?;
        Some((elo0, elo1, alpha, beta, summary.model?, summary.llr?))
    });
    let Some((elo0, elo1, alpha, beta, model, llr)) = parts else {
        return Ok(None);
    };
    Ok(Some((
        Test::of_any_bounds(elo0, elo1, alpha, beta, model)?,
        llr,
    )))
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
        fs::read(block_file(file)?).map(|content| bytes = content)
    };
    outcome
        .or_unable(format_args!("read {}", source(file)))
        .map_err(|failure| {
            failure.hint("give a text file, or `-` and the text on standard input")
        })?;
    // A commit message need not be UTF-8; the blocks in it are ASCII.
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn describe(block: &CheckedBlock, by_copies: bool) -> String {
    let opinion = opinion(block, by_copies);
    let mut lines = vec![format!("block at line {}: {opinion}", block.line)];
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

fn opinion(block: &CheckedBlock, by_copies: bool) -> String {
    if !block.verified {
        return "refused".to_owned();
    }
    if by_copies {
        return "refused: its figures agree, but copies of games decide the test".to_owned();
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
