//! `bench-guard perft ENGINE`: does the engine generate exactly the legal moves?

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use engine_client::{Engine, Launch, OptionKind, Timeouts, UCI};
use schemars::JsonSchema;
use serde::Serialize;

use super::project::engine_binary;
use crate::{
    environment::Environment,
    perft::{Counter, POSITIONS, PerftPosition, Wording, parse},
    report::{self, Object},
};
use foundation::{Exit, Failure, Printer, counted, failure::OrUnable};

/// The variant of chess, as an option of UCI.
const CHESS960: &str = "UCI_Chess960";

#[derive(clap::Args, Debug)]
pub(crate) struct PerftArgs {
    /// A binary, a revision, or `.`
    #[arg(value_name = "ENGINE", default_value = ".")]
    engine: String,
    /// Positions with counts, one a line: `FEN ;D1 20 ;D2 400` [default: a built-in set]
    #[arg(long, value_name = "FILE")]
    positions: Option<PathBuf>,
    /// Count no deeper than this
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=20))]
    depth: Option<u32>,
    /// Time limit of one count, in seconds
    #[arg(long, default_value_t = 60, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=86400))]
    limit: u64,
    /// Time limit from the start of the engine to `uciok`, in seconds
    #[arg(long, default_value_t = 15, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=3600))]
    startup_timeout: u64,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct Counted {
    /// Positions that were counted.
    positions: usize,
    /// Positions of Chess960 that were left out, since the engine does not play it.
    left_out: usize,
    /// Those whose count is wrong, each at the first depth at which it is.
    wrong: Vec<Miscount>,
}

#[derive(Serialize, JsonSchema)]
struct Miscount {
    position: String,
    /// What the position tests.
    id: String,
    depth: u32,
    expected: u64,
    found: u64,
}

impl Object for Counted {
    const SCHEMA: &'static str = "bench-guard-perft";
}

/// Exit 0 if every count is right, 1 if one is not, 3 if the engine fails.
pub(crate) fn run(args: &PerftArgs, printer: Printer) -> Result<Exit, Failure> {
    let text = match &args.positions {
        Some(file) => {
            fs::read_to_string(file).or_unable(format_args!("read `{}`", file.display()))?
        }
        None => POSITIONS.to_owned(),
    };
    let mut positions = parse(&text).map_err(|why| {
        Failure::unable(why).hint("give a position and its counts a line: `FEN ;D1 20 ;D2 400`")
    })?;
    let all = positions.len();
    positions.retain_mut(|PerftPosition { counts, .. }| {
        counts.retain(|(depth, _)| args.depth.is_none_or(|most| *depth <= most));
        !counts.is_empty()
    });
    if positions.is_empty() {
        return Err(Failure::unable(match args.depth {
            Some(depth) if all > 0 => format!("no position has a count at depth {depth} or less"),
            _ => "there is no position to count".to_owned(),
        }));
    }
    if positions.len() < all {
        let without = counted(all - positions.len(), "position");
        printer.warn(&format!(
            "{without} without a count at that depth: not counted"
        ));
    }
    let (binary, environment) = engine_binary(&args.engine, printer)?;
    let counted = engine_client::block_on(count(args, &binary, &environment, &positions))?;
    if args.json {
        printer.result(&report::object(&counted)?);
    } else {
        printer.result(&describe(&counted));
    }
    Ok(if counted.wrong.is_empty() {
        Exit::Yes
    } else {
        Exit::No
    })
}

async fn count(
    args: &PerftArgs,
    command: &Path,
    environment: &Environment,
    positions: &[PerftPosition],
) -> Result<Counted, Failure> {
    let limit = Duration::from_secs(args.limit);
    let launch = Launch {
        variables: Some(environment.variables()),
        ..Launch::new(&args.engine, command, &UCI)
    };
    let timeouts = Timeouts {
        startup: Duration::from_secs(args.startup_timeout),
        answer: limit,
    };
    let wording = Wording::find(&launch, timeouts).await?;
    let mut engine = Engine::start(&launch, timeouts).await?;
    let plays_chess960 = engine.options.iter().any(|option| {
        let is_check = matches!(option.kind, OptionKind::Check { .. });
        option.name.eq_ignore_ascii_case(CHESS960) && is_check
    });
    let (chess960, chess): (Vec<_>, Vec<_>) = positions
        .iter()
        .partition(|position| position.is_chess960());
    let mut counted = Counted {
        positions: chess.len(),
        left_out: 0,
        wrong: Vec::new(),
    };
    let mut counter = Counter::new(&mut engine, wording.clone(), limit);
    all(args, &mut counter, &chess, &mut counted.wrong).await?;
    if !chess960.is_empty() && plays_chess960 {
        let lines = format!("setoption name {CHESS960} value true\nisready\n");
        let ready = engine.converse(&lines, "readyok", limit, |_| ()).await;
        ready.map_err(|fault| Failure::engine(format!("`{}`: {fault}", args.engine)))?;
        counted.positions += chess960.len();
        let mut counter = Counter::new(&mut engine, wording, limit);
        all(args, &mut counter, &chess960, &mut counted.wrong).await?;
    } else {
        counted.left_out = chess960.len();
    }
    engine.quit().await;
    Ok(counted)
}

/// Counts each position at its largest depth, and at smaller ones if that count is wrong.
async fn all(
    args: &PerftArgs,
    counter: &mut Counter<'_>,
    positions: &[&PerftPosition],
    wrong: &mut Vec<Miscount>,
) -> Result<(), Failure> {
    for position in positions {
        let PerftPosition { fen, id, counts } = position;
        let mut miscount = None;
        // A mistake at one depth also shows at the next ones, so that most positions need one
        // count.
        for (depth, expected) in counts.iter().rev() {
            let found = counter.count(fen, *depth).await.map_err(|fault| {
                Failure::engine(format!(
                    "`{}` failed at `{fen}`, depth {depth}: {fault}",
                    args.engine
                ))
                .hint("--limit gives it more time, --depth less to do")
            })?;
            if found == *expected {
                break;
            }
            miscount = Some(Miscount {
                position: fen.clone(),
                id: id.clone(),
                depth: *depth,
                expected: *expected,
                found,
            });
        }
        wrong.extend(miscount);
    }
    Ok(())
}

fn describe(counted: &Counted) -> String {
    let mut lines: Vec<String> = Vec::new();
    for it in &counted.wrong {
        let Miscount {
            position,
            id,
            depth,
            expected,
            found,
        } = it;
        let title = if id.is_empty() { "wrong" } else { id };
        lines.push(format!(
            "{title}\n    {position}\n    depth {depth}: the engine counts {found}, expected {expected}"
        ));
    }
    let left_out = match counted.left_out {
        0 => String::new(),
        count => format!(", {count} of Chess960 left out: it has no {CHESS960}"),
    };
    lines.push(format!(
        "{} positions, {} wrong{left_out}",
        counted.positions,
        counted.wrong.len()
    ));
    lines.join("\n")
}
