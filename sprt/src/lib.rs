//! Plays two engines against each other, in pairs of games with colours swapped, until a sequential
//! probability ratio test decides.
//!
//! Data flows one way:
//!
//! ```text
//! cli ─ commands ─▶ plan ─▶ run ─ jobs ─▶ arena ─ finished games, events ─▶ run ─▶ report
//!                    │                      │                                │
//!        flags, contender, openings    engine, game, adjudication     standing (stats)
//! ```
//! Command-line arguments ([`cli`], [`commands`]) become a [`plan::Plan`], with engines built and
//! books opened. A session has the pairs of a [`run`] or a [`tournament`] played in the [`arena`],
//! counts them and asks whether it is over. What happens is told to the reporters, each of which writes it in its own
//! form: journal, PGN, progress, block, JSON.

use foundation::{Exit, Failure, failure::OrUnable};

mod analysis;
mod check;
pub mod cli;
pub mod commands;
mod conduct;
mod fastchess;
pub mod plan;
pub mod reference;
mod report;
pub mod run;
pub mod run_directory;
mod runs;
mod serve;
mod session;
pub mod signals;
mod standing;
pub mod tournament;

pub use plan::{contender, flags};
pub use report::Output;

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
