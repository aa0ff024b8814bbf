//! Plays two engines against each other, in pairs of games with colours swapped, until a sequential probability ratio
//! test decides.
//!
//! Data flows one way:
//!
//! ```text
//! cli ─ resolve ─▶ plan ─▶ arena ─ pairs ─▶ run ─▶ run directory (journal, games)
//!        │                   │               │
//!  contender, openings   engine, rules     tally ─▶ stats ─▶ report
//! ```
//! What was typed ([`cli`], [`flags`]) becomes a [`plan::Plan`] in [`resolve`], with engines built and books opened. The
//! [`arena`] plays pairs and hands them over in order; [`run`] journals them ([`run_directory`]), counts them
//! ([`tally`]) and asks the test ([`stats`]) whether it is decided. Reports ([`report`]) print what was found.

use foundation::{Exit, Failure, failure::OrUnable};

pub mod adjudication;
pub mod arena;
pub mod cli;
pub mod commands;
pub mod contender;
pub mod engine;
pub mod flags;
pub mod game;
pub mod limit;
pub mod openings;
pub mod plan;
pub mod report;
pub mod resolve;
pub mod run;
pub mod run_directory;
pub mod shuffle;
pub mod signals;
pub mod standing;
pub mod tally;

// Until every user has the new names.
pub use game as rules;
pub mod score {
    pub use crate::engine::EngineScore as Score;
}

/// Runs a command that waits for engines. Two threads carry any number of slots: they only pass lines on.
pub fn wait_for(command: impl Future<Output = Result<Exit, Failure>>) -> Result<Exit, Failure> {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        // A slot has a thread of its own, and there may be as many as `--concurrency` allows.
        .max_blocking_threads(8192)
        .enable_all()
        .build()
        .or_unable("start the runtime")?
        .block_on(command)
}
