//! `sprt run`: from arguments to a plan, and from the plan to a verdict.

use foundation::{Exit, Failure, Printer};

use super::output::{self, OutputFlags};
use runs::plan::Plan;
use runs::plan::contender::{self, Contender};
use runs::plan::project_file::{BASE, NEW, match_section, overlay, side, side_under};
use runs::plan::settings::{BaseFlags, EngineFlags, NewFlags};
use runs::plan::{MatchFlags, TestFlags};

const ALL_FLAGS: &str = "`sprt run --help` shows all options.";
const IN_THE_BACKGROUND: &str = "\
In the background:
  nohup sprt run BASE NEW --out RUN > run.log 2>&1 &
  sprt show --follow RUN    a line for each change
  sprt serve RUN            its page, with buttons to pause and stop it
  Without a terminal a line is written every ten seconds, with the time of day (UTC).
  Ctrl-C, `kill -INT` and Stop on the page end a run so that `sprt resume RUN` continues it.";

/// Two engines and what to ask of them.
#[derive(clap::Args, Clone, Debug)]
#[command(after_help = ALL_FLAGS, after_long_help = IN_THE_BACKGROUND)]
pub struct Args {
    /// The engine that NEW must beat: a program, a git revision, or a folder with a Makefile (`.`)
    pub base: String,
    /// The engine under test, named in the same way
    pub new: String,
    #[command(flatten)]
    pub test: TestFlags,
    #[command(flatten)]
    pub play: MatchFlags,
    #[command(flatten)]
    pub base_only: BaseFlags,
    #[command(flatten)]
    pub new_only: NewFlags,
    #[command(flatten)]
    pub output: OutputFlags,
}

impl Args {
    /// Resolves everything that a run needs.
    async fn plan(&self, printer: Printer) -> Result<Plan, Failure> {
        let section = match_section("sprt run --help")?;
        let test: TestFlags = overlay(&self.test, &section)?;
        let flags: MatchFlags = overlay(&self.play, &section)?;
        let question = test.resolve()?;
        let mut play = flags.resolve()?;
        let common = flags.settings()?;
        let of_file = |name| side_under(&self.play, &side(&section, name));
        let base: EngineFlags = overlay(&self.base_only.clone().into(), &of_file(BASE)?)?;
        let new: EngineFlags = overlay(&self.new_only.clone().into(), &of_file(NEW)?)?;
        let base = base.entry(&self.base, &common)?;
        let new = new.entry(&self.new, &common)?;
        flags.fit_to(&mut play, &[&base.settings, &new.settings])?;

        // A word that means nothing is found out before BASE is built.
        contender::look_up(&self.new)?;
        let trial = play.trial()?;
        let base = Contender::resolve(&base, &trial, printer).await?;
        let new = Contender::resolve(&new, &trial, printer).await?;
        if base.sha256 == new.sha256 && base.settings == new.settings {
            printer.warn(
                "both engines are the same program with the same settings; no test can tell them apart",
            );
        }
        let mut plan = Plan::new(base, new, question, play);
        plan.pgn = self.output.records.resolve()?;
        Ok(plan)
    }
}

pub async fn run(args: Args, printer: Printer) -> Result<Exit, Failure> {
    let flags = args.output.clone();
    output::play(Box::pin(args.plan(printer)), flags, printer).await
}
