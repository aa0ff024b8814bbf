//! `sprt verify --replay RUN`: are the games of a run those that its engines play?

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use foundation::{Exit, Failure, Printer, counted};
use runs::plan::Plan;
use runs::report::{self, MatchState};
use runs::run_folder::MatchFolder;
use runs::session::{Difference, Replayed, Sample, replay};
use runs::signals::Signals;
use runs::standing::Standing;
use runs::state_folder::find_run;
use schemars::JsonSchema;
use serde::Serialize;

/// A run that is played again.
#[derive(clap::Args, Clone, Debug)]
pub struct ReplayFlags {
    /// Play a sample of this run again and compare the moves; the proofs in FILE must be the run's
    #[arg(long, value_name = "RUN")]
    pub(super) replay: Option<PathBuf>,
    /// Pairs of the sample
    #[arg(long, value_name = "N", default_value_t = 20, requires = "replay",
        value_parser = clap::value_parser!(u64).range(1..))]
    pairs: u64,
    /// Decides which pairs are in the sample [default: another each time]
    #[arg(long, value_name = "N", requires = "replay")]
    seed: Option<u64>,
    /// What BASE is played by [default: the build of its commit, or else the program of the run]
    #[arg(long, value_name = "ENGINE", requires = "replay")]
    base: Option<String>,
    /// What NEW is played by [default: the build of its commit, or else the program of the run]
    #[arg(long, value_name = "ENGINE", requires = "replay")]
    new: Option<String>,
    /// Games played at the same time [default: as in the run]
    #[arg(long, value_name = "N", requires = "replay",
        value_parser = clap::value_parser!(u64).range(1..=4096))]
    concurrency: Option<u64>,
}

/// The JSON object.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Output {
    schema: &'static str,
    version: u32,
    /// Whether all games of the sample came out as they were recorded.
    verified: bool,
    /// Pairs that were played again.
    pairs: usize,
    /// Pairs of the run.
    of: usize,
    /// What decided which.
    seed: u64,
    /// The smallest share of invented pairs that such a sample misses in 5 % of cases at most.
    unseen_share: f64,
    differences: Vec<Row>,
}

/// A game that came out otherwise.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Row {
    /// Its place in the run, from 1.
    game: u64,
    what: String,
    /// Whether it came out the same twice, so that the record is wrong.
    certain: bool,
}

/// Exit 0 if all games of the sample come out as recorded, 1 if one does not, 2 if the engines do
/// not repeat themselves.
pub(super) async fn run(
    run: &Path,
    args: &ReplayFlags,
    message: Option<&str>,
    json: bool,
    printer: Printer,
) -> Result<Exit, Failure> {
    let path = find_run(run)?;
    let (mut plan, recorded): (Plan, _) = MatchFolder::read_recorded(&path)?;
    if let Some(message) = message {
        let standing = Standing::after(&plan, &recorded.lines);
        let state = MatchState {
            plan: &plan,
            run: &path,
            standing: &standing,
        };
        report::same_proof(message, &state)?;
    }
    plan.base.restore(args.base.as_deref(), printer)?;
    plan.new.restore(args.new.as_deref(), printer)?;
    for (side, given, flag) in [
        (&plan.base, &args.base, "--base"),
        (&plan.new, &args.new, "--new"),
    ] {
        if side.inputs.is_some() && side.commit.is_none() && given.is_none() {
            printer.warn(&format!(
                "`{}` was built from a working tree, and the program is taken that the run names; {flag} REV builds it from a commit",
                side.name
            ));
        }
    }
    if let Some(concurrency) = args.concurrency {
        plan.play.concurrency = concurrency as usize;
    }
    let seed = args.seed.unwrap_or_else(unforeseen);
    let sample = Sample {
        pairs: usize::try_from(args.pairs).unwrap_or(usize::MAX),
        seed,
    };
    let signals = Signals::listen()?;
    let Some(replayed) = replay(&path, plan, &recorded.lines, sample, &signals).await? else {
        return Ok(signals.exit());
    };
    if json {
        printer.json(&object(&replayed, seed))?;
    } else {
        printer.result(&text(&replayed));
        printer.note(&format!(
            "seed {seed}: the same pairs again with --seed {seed}"
        ));
    }
    if replayed.differences.iter().any(|it| it.is_certain) {
        return Ok(Exit::No);
    }
    if replayed.differences.is_empty() {
        return Ok(Exit::Yes);
    }
    Err(
        Failure::unable("the engines play the same games differently each time")
            .hint("`sprt check ENGINE` and `bench-guard check --repro` look for the reason"),
    )
}

/// A number that nobody knew when the run was written.
fn unforeseen() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(0, |since| since.as_nanos() as u64)
}

fn object(replayed: &Replayed, seed: u64) -> Output {
    let row = |difference: &Difference| Row {
        game: difference.game,
        what: difference.what.clone(),
        certain: difference.is_certain,
    };
    Output {
        schema: "sprt-replay",
        version: 1,
        verified: replayed.differences.is_empty(),
        pairs: replayed.pairs,
        of: replayed.of,
        seed,
        unseen_share: replayed.unseen_share(),
        differences: replayed.differences.iter().map(row).collect(),
    }
}

fn text(replayed: &Replayed) -> String {
    let Replayed {
        pairs,
        of,
        differences,
    } = replayed;
    let mut lines: Vec<String> = differences
        .iter()
        .map(|it| {
            let doubt = if it.is_certain {
                ""
            } else {
                " (and otherwise the next time)"
            };
            format!("game {}: {}{doubt}", it.game, it.what)
        })
        .collect();
    if lines.is_empty() {
        let share = 100.0 * replayed.unseen_share();
        lines.push(format!(
            "verified: {pairs} of {} came out as recorded",
            counted(*of, "pair")
        ));
        if share > 0.0 {
            lines.push(format!(
                "a run of which {share:.1}% or more was invented fails in 95 of 100 such samples"
            ));
        }
    } else {
        let count = differences.len();
        lines.push(format!(
            "refused: {} of {} came out otherwise than recorded",
            counted(count, "game"),
            counted(*pairs, "pair")
        ));
    }
    lines.join("\n")
}
