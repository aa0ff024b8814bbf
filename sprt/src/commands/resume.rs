//! `sprt resume`: continues an interrupted run.

use std::path::{Path, PathBuf};

use foundation::{Exit, Failure, Printer};

use super::blunders;
use super::suite::{self, make};
use analysis::Kind;
use runs::plan::Plan;
use runs::report::Output;
use runs::session;
use runs::signals::Signals;
use runs::state_folder::find_run;
use runs::tournament::{TournamentPlan, is_tournament};

/// A run that was interrupted.
#[derive(clap::Args, Clone, Debug)]
#[command(mut_arg("epd", |epd| epd.help(
    "Append the position at the end of each game to this file, as EPD; of `sprt blunders` and \
     `sprt suite make`, write the positions to this file instead of the planned one",
)))]
pub struct Args {
    /// The run's folder, or its name as `sprt list` shows it, or a part of that
    pub run: PathBuf,
    /// Mend a damaged journal first: sound pairs are kept, those between them are played again
    #[arg(long)]
    pub repair: bool,
    /// Games played at the same time [default: as before]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=4096))]
    pub concurrency: Option<u64>,
    /// End after so many games in all, an even number where they are pairs [default: as before]
    #[arg(long, value_name = "N")]
    pub max_games: Option<u64>,
    #[command(flatten)]
    pub reports: Output,
}

pub async fn run(args: Args, printer: Printer) -> Result<Exit, Failure> {
    let path = find_run(&args.run)?;
    if let Some(kind) = Kind::of(&path)? {
        return search_on(kind, &path, &args, printer).await;
    }
    let signals = Signals::listen()?;
    if args.repair {
        let is_whole = if is_tournament(&path)? {
            session::repair::<TournamentPlan>(&path, &signals, printer).await?
        } else {
            session::repair::<Plan>(&path, &signals, printer).await?
        };
        if !is_whole {
            return Ok(signals.exit());
        }
    }
    if is_tournament(&path)? {
        if args.max_games.is_some() {
            return Err(
                Failure::unable("--max-games: a tournament has its rounds").hint("leave it out")
            );
        }
        let change = |plan: &mut TournamentPlan| {
            if let Some(concurrency) = args.concurrency {
                plan.play.concurrency = concurrency as usize;
            }
            Ok(())
        };
        return session::resume(&args.run, change, &args.reports, &signals, printer).await;
    }
    let change = |plan: &mut Plan| {
        if let Some(concurrency) = args.concurrency {
            plan.play.concurrency = concurrency as usize;
        }
        match args.max_games {
            Some(games) => plan.allow_games(games, &path),
            None => Ok(()),
        }
    };
    session::resume(&args.run, change, &args.reports, &signals, printer).await
}

/// A flag that a run without games does not have.
pub(super) fn not_of(kind: Kind, path: &Path, flag: &str) -> Failure {
    let what = format!("`{}` is {kind}, which has no {flag}", path.display());
    Failure::unable(what).hint("leave it out")
}

/// Continues a run without games.
async fn search_on(
    kind: Kind,
    path: &Path,
    args: &Args,
    printer: Printer,
) -> Result<Exit, Failure> {
    let reports = &args.reports;
    for (flag, is_given) in [
        ("--max-games", args.max_games.is_some()),
        ("--concurrency", args.concurrency.is_some()),
        ("--pgn", reports.pgn.is_some()),
        ("--log", reports.log.is_some()),
        ("--events", reports.events.is_some()),
        ("--epd", reports.epd.is_some() && kind == Kind::Suite),
        ("--json", reports.json && kind == Kind::Puzzles),
    ] {
        if is_given {
            return Err(not_of(kind, path, flag));
        }
    }
    let losses = kind.losses(path, args.repair)?;
    if args.repair {
        for line in &losses.left_out {
            printer.warn(line);
        }
        printer.note(if losses.left_out.is_empty() {
            "there is nothing to repair"
        } else {
            "repaired: these lines are left out, and their positions searched again; the damaged \
             file is beside the new one, as *.damaged"
        });
    }
    for loss in losses.ends {
        printer.warn(&format!("{loss}: what is lost is searched again"));
    }
    // Of games it is the positions at their ends.
    let epd = args.reports.epd.as_deref();
    match kind {
        Kind::Suite => suite::search(path, args.reports.json, false, printer).await,
        Kind::Blunders => blunders::judge(path, epd, args.reports.json, printer).await,
        Kind::Puzzles => make::make(path, epd, printer).await,
    }
}
