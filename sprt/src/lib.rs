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

pub mod adjudication;
pub mod arena;
pub mod calc;
pub mod cli;
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
pub mod show;
pub mod shuffle;
pub mod signals;
pub mod tally;
pub mod verify;

// Until every user has the new names.
pub use game as rules;
pub mod score {
    pub use crate::engine::EngineScore as Score;
}
