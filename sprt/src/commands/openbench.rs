//! `sprt openbench`: submits to an OpenBench server, follows what was submitted, and brings results
//! home.

pub mod errors;
pub mod list;
pub mod manage;
pub mod modify;
pub mod networks;
mod session;
pub mod submit;

use ::openbench::commands::{fetch, watch};
use clap::Subcommand;
use foundation::{Exit, Failure, Printer};
use runs::signals::Signals;

/// Exit codes: those of a run for what is watched (0 passed or complete, 1 failed, 4 stopped, 3
/// ended by an error), else 0 done and 2 not done.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Submit a test, a tune or data generation
    #[command(subcommand)]
    Submit(submit::Command),
    /// Follow a workload until it has ended
    Watch(watch::Args),
    /// Bring a workload's results, games and tuned values home
    Fetch(fetch::Args),
    /// List workloads
    List(list::Args),
    /// Stop a workload
    Stop(manage::Args),
    /// Let a stopped workload go on
    Restart(manage::Args),
    /// Delete a workload
    Delete(manage::Args),
    /// Bring a deleted workload back
    Restore(manage::Args),
    /// Approve a workload, so that machines may play it
    Approve(manage::Args),
    /// Change priority, throughput, size or description of a workload
    Modify(modify::Args),
    /// List, upload, download and delete networks
    #[command(subcommand)]
    Networks(networks::Command),
    /// Show what workers report to have gone wrong
    Errors(errors::Args),
}

impl Command {
    pub async fn run(self, printer: Printer) -> Result<Exit, Failure> {
        use ::openbench::manage::Action;
        match self {
            Self::Submit(command) => command.run(printer).await,
            Self::Watch(args) => {
                let signals = Signals::listen()?;
                watch::run(&args, signals.interrupted(), printer).await
            }
            Self::Fetch(args) => fetch::run(&args, printer).await,
            Self::List(args) => list::run(&args, printer).await,
            Self::Stop(args) => manage::run(&args, Action::Stop, printer).await,
            Self::Restart(args) => manage::run(&args, Action::Restart, printer).await,
            Self::Delete(args) => manage::run(&args, Action::Delete, printer).await,
            Self::Restore(args) => manage::run(&args, Action::Restore, printer).await,
            Self::Approve(args) => manage::run(&args, Action::Approve, printer).await,
            Self::Modify(args) => modify::run(&args, printer).await,
            Self::Networks(command) => command.run(printer).await,
            Self::Errors(args) => errors::run(&args, printer).await,
        }
    }
}
