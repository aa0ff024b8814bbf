//! Runs of matches and tournaments: what is planned, played, kept and reported.
//!
//! It takes a [`plan::Plan`] or a [`tournament::TournamentPlan`] (made from flags, which `[match]`
//! of a parameter file shares), has its pairs played by the referee in a [`session`], and keeps a
//! run folder from which the run goes on after any end. A [`standing`] follows from plan and
//! journal alone. Reporters get one stream of events, and each writes its own form.
//!
//! It parses no command line and serves no page: that is the business of the tools.

#![warn(unreachable_pub)]

use foundation::{Exit, Failure, failure::OrUnable};

pub mod activity;
pub mod analysis;
pub mod control;
pub(crate) mod diagnostics;
pub mod games;
pub mod overview;
pub mod pair_record;
pub mod plan;
pub mod recorded;
pub mod report;
pub mod run_folder;
mod salvage;
pub mod session;
pub mod signals;
pub mod standing;
pub mod state_folder;
pub mod status;
pub mod tournament;

/// Runs a command that waits for engines. One thread is enough: slots have threads of their own.
pub fn wait_for(command: impl Future<Output = Result<Exit, Failure>>) -> Result<Exit, Failure> {
    tokio::runtime::Builder::new_current_thread()
        // A slot has a thread of its own, and there may be as many as `--concurrency` allows.
        .max_blocking_threads(8192)
        .enable_all()
        .build()
        .or_unable("start the runtime")?
        .block_on(command)
}
