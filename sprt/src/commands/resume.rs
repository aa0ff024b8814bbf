//! `sprt resume`: continues an interrupted run.

use std::path::PathBuf;

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
    /// Append the games to this file at the end
    #[arg(long, value_name = "FILE")]
    pub pgn: Option<PathBuf>,
    /// Append the position at the end of each game from now on to this file, as EPD
    #[arg(long, value_name = "FILE")]
    pub epd: Option<PathBuf>,
    /// Log the dialogue with each engine to this folder, one file per game, with time stamps
    #[arg(long, value_name = "DIR")]
    pub log: Option<PathBuf>,
    /// Compress the files of --log by gzip
    #[arg(long, requires = "log")]
    pub log_gzip: bool,
    /// Write everything that happens from now on to this file as JSON Lines; `-` is standard output
    #[arg(long, value_name = "FILE|-")]
    pub events: Option<PathBuf>,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
}

pub async fn run(args: Args, printer: Printer) -> Result<Exit, Failure> {
    let path = find_run(&args.run)?;
    match Kind::of(&path)? {
        Some(Kind::Suite) => return suite::search(&path, args.json, printer).await,
        Some(Kind::Blunders) => return blunders::judge(&path, None, args.json, printer).await,
        Some(Kind::Puzzles) => return make::make(&path, None, printer).await,
        None => {}
    }
    let signals = Signals::listen()?;
    let output = Output {
        pgn: args.pgn,
        epd: args.epd,
        log: args.log,
        log_gzip: args.log_gzip,
        events: args.events,
        json: args.json,
        ..Output::default()
    };
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
        return session::resume(&args.run, change, &output, &signals, printer).await;
    }
    let change = |plan: &mut Plan| {
        if let Some(concurrency) = args.concurrency {
            plan.play.concurrency = concurrency as usize;
        }
        match args.max_games {
            Some(games) => plan.allow_games(games),
            None => Ok(()),
        }
    };
    session::resume(&args.run, change, &output, &signals, printer).await
}
