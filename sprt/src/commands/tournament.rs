//! `sprt tournament`: from engines and a format to a plan, and from the plan to a table.

use std::path::PathBuf;

use foundation::{Exit, Failure, Printer};

use crate::plan::flags::{MatchFlags, SIDES, TestFlags, is_known, overlay, project_section};
use crate::report::Output;
use crate::report::pgn::StyleFlags;
use crate::signals::Signals;
use crate::tournament::request::{EngineRequest, Request, TournamentFlags};
use crate::tournament::{self, TournamentPlan, configuration};

/// Engines and what they play.
#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// Configuration: TOML with [tournament], [match] and an [[engine]] for each, or a file of
    /// Leiserchess's autotester
    pub config: Option<PathBuf>,
    /// An engine as in `sprt run`, with settings of its own: './mine name=Mine option=Hash=64
    /// tc=4+0.04'; repeated
    #[arg(long, value_name = "ENGINE [KEY=VALUE...]")]
    pub engine: Vec<String>,
    #[command(flatten)]
    pub tournament: TournamentFlags,
    #[command(flatten)]
    pub play: MatchFlags,
    /// Folder of the run [default: a new one under the state folder]
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub out: Option<PathBuf>,
    /// Append the games to this file at the end
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub pgn: Option<PathBuf>,
    /// Append the position at the end of each game to this file, as EPD
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub epd: Option<PathBuf>,
    #[command(flatten)]
    pub records: StyleFlags,
    /// Write what is said to and by each engine to this folder, a file a game, with time stamps
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub log: Option<PathBuf>,
    /// Write everything that happens to this file as JSON Lines; `-` is standard output
    #[arg(long, value_name = "FILE|-", help_heading = "Output")]
    pub events: Option<PathBuf>,
    /// Print the plan as JSON and play nothing
    #[arg(long, help_heading = "Output")]
    pub dry_run: bool,
    /// Print the result as JSON
    #[arg(long, help_heading = "Output")]
    pub json: bool,
}

impl Args {
    /// Resolves everything that a tournament needs.
    async fn plan(&self, printer: Printer) -> Result<TournamentPlan, Failure> {
        let section = project_section("sprt", "sprt tournament --help", |key| {
            is_known::<MatchFlags>(key) || is_known::<TestFlags>(key) || SIDES.contains(&key)
        })?;
        let mut request = match &self.config {
            Some(file) => configuration::read(file)?,
            None => Request::default(),
        };
        request.put_over(&self.tournament, &self.play)?;
        request.play = overlay(&request.play, &section)?;
        for text in &self.engine {
            request.engines.push(EngineRequest::parse(text)?);
        }
        let mut plan = request.resolve(printer).await?;
        plan.pgn = self.records.resolve()?;
        Ok(plan)
    }
}

pub async fn run(args: Args, printer: Printer) -> Result<Exit, Failure> {
    let signals = Signals::listen()?;
    let Some(plan) = signals.unless_interrupted(args.plan(printer)).await? else {
        return Ok(signals.exit());
    };
    if args.dry_run {
        printer.result(&plan.to_json()?);
        return Ok(Exit::Yes);
    }
    let output = Output {
        out: args.out,
        pgn: args.pgn,
        epd: args.epd,
        log: args.log,
        events: args.events,
        json: args.json,
    };
    tournament::run::start(plan, &output, &signals, printer).await
}
