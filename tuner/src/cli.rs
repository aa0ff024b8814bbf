//! The command line: its subcommands, and what runs each.

use clap::{CommandFactory, Parser, Subcommand};
use foundation::command_line::Artefact;
use foundation::printer::OutputArgs;
use foundation::{Exit, Failure, Printer};
use runs::wait_for;

use crate::commands::ablate::{self, AblateArgs};
use crate::commands::apply::ApplyArgs;
use crate::commands::convert::ConvertArgs;
use crate::commands::extend::{self, ExtendArgs};
use crate::commands::history::HistoryArgs;
use crate::commands::init::{self, InitArgs};
use crate::commands::lint::{self, LintArgs};
use crate::commands::list::ListArgs;
use crate::commands::openbench::OpenbenchCommand;
use crate::commands::plan::{self, PlanArgs};
use crate::commands::prove::{self, ProveArgs};
use crate::commands::report::ReportArgs;
use crate::commands::resume::{self, ResumeArgs};
use crate::commands::screen::{self, ScreenArgs};
use crate::commands::show::ShowArgs;
use crate::commands::simulate::SimulateArgs;
use crate::commands::spsa::{self, SpsaArgs};
use crate::commands::validate::{self, ValidateArgs};

/// Tunes the parameters of a chess engine by SPSA over game pairs, and says how sure it is
#[derive(Parser, Debug)]
#[command(version, max_term_width = 100)]
pub struct Cli {
    #[command(flatten)]
    pub output: OutputArgs,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Write a parameter file from what an engine says about itself
    Init(Box<InitArgs>),
    /// Check a parameter file against an engine, and find options that are half wired
    Lint(Box<LintArgs>),
    /// See by fixed searches which parameters do anything, and whether each c is of the right size
    Screen(Box<ScreenArgs>),
    /// Toggle one technique of an engine at a time, and measure what it is worth
    Ablate(Box<AblateArgs>),
    /// Say what a run can be expected to find, and when
    Plan(Box<PlanArgs>),
    /// Tune parameters by SPSA over game pairs
    Spsa(Box<SpsaArgs>),
    /// Go on with an interrupted run
    Resume(ResumeArgs),
    /// Change the length of a run, and go on with it
    Extend(ExtendArgs),
    /// List the runs in the state folder
    List(ListArgs),
    /// Draw all tunes of a parameter file on one page: what was tried, what moved, what was kept
    History(HistoryArgs),
    /// Say where a run stands: values, evidence, Elo
    Show(ShowArgs),
    /// Draw a run as a self-contained HTML page
    Report(ReportArgs),
    /// Write a run's values into a parameter file
    Apply(ApplyArgs),
    /// Play tuned against start values, with openings the tune has not seen, until a test decides
    Validate(Box<ValidateArgs>),
    /// Commit a run's values on a branch once they are proved: build, bench, play, commit
    Prove(Box<ProveArgs>),
    /// Rewrite a parameter list in the format of another tuner
    Convert(ConvertArgs),
    /// Play a tune against a synthetic surface: what can this budget find?
    Simulate(SimulateArgs),
    /// Tune on an OpenBench server
    #[command(subcommand)]
    Openbench(OpenbenchCommand),
    #[command(flatten)]
    Artefact(Artefact),
}

impl Cli {
    pub fn run(self, printer: Printer) -> Result<Exit, Failure> {
        match self.command {
            Command::Init(args) => wait_for(init::run(*args, printer)),
            Command::Lint(args) => wait_for(lint::run(*args, printer)),
            Command::Screen(args) => wait_for(screen::run(*args, printer)),
            Command::Ablate(args) => wait_for(ablate::run(*args, printer)),
            Command::Plan(args) => wait_for(plan::run(*args, printer)),
            Command::Spsa(args) => wait_for(spsa::run(*args, printer)),
            Command::Resume(args) => wait_for(resume::run(args, printer)),
            Command::Extend(args) => wait_for(extend::run(args, printer)),
            Command::List(args) => args.run(printer),
            Command::History(args) => args.run(printer),
            Command::Show(args) => args.run(printer),
            Command::Report(args) => args.run(printer),
            Command::Validate(args) => wait_for(validate::run(*args, printer)),
            Command::Prove(args) => wait_for(prove::run(*args, printer)),
            Command::Apply(args) => args.run(printer),
            Command::Convert(args) => args.run(printer),
            Command::Simulate(args) => args.run(printer),
            Command::Openbench(command) => command.run(printer),
            Command::Artefact(artefact) => {
                artefact.write(Self::command(), printer).map(|()| Exit::Yes)
            }
        }
    }
}
