//! `sprt tournament`: from engines and a format to a plan, and from the plan to a table.

use std::path::PathBuf;

use foundation::{Exit, Failure, Printer};

use super::output::{self, OutputFlags};
use runs::plan::project_file::{match_section, overlay};
use runs::plan::{MatchFlags, TestFlags};
use runs::tournament::request::{EngineRequest, Request, TournamentFlags};
use runs::tournament::{TournamentPlan, configuration};

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
    #[command(flatten)]
    pub output: OutputFlags,
}

impl Args {
    /// Resolves everything that a tournament needs.
    async fn plan(&self, printer: Printer) -> Result<TournamentPlan, Failure> {
        let section = match_section("sprt tournament --help")?;
        let mut request = match &self.config {
            Some(file) => configuration::read(file)?,
            None => Request::default(),
        };
        request.put_over(&self.tournament, &self.play)?;
        request.play = overlay(&request.play, &section)?;
        // A tournament has two flags of the same name as a test.
        let test: TestFlags = overlay(&TestFlags::default(), &section)?;
        let own = &mut request.tournament;
        own.on_fault = own.on_fault.or(test.on_fault);
        // A match may play single games, a tournament may not.
        let of_pairs = test
            .games_per_opening
            .filter(|games| games.is_multiple_of(2));
        own.games_per_opening = own.games_per_opening.or(of_pairs);
        for text in &self.engine {
            request.engines.push(EngineRequest::parse(text)?);
        }
        let mut plan = request.resolve(printer).await?;
        plan.pgn = self.output.records.resolve()?;
        Ok(plan)
    }
}

pub async fn run(args: Args, printer: Printer) -> Result<Exit, Failure> {
    let flags = args.output.clone();
    output::play(Box::pin(args.plan(printer)), flags, printer).await
}
