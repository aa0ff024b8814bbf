//! Talks to one chess engine: a process that may do anything at any time.
//!
//! It takes a [`Launch`] (program, options, dialect) and [`Search`]es, and gives back [`Answer`]s or a
//! [`Fault`] in words fit for a user. Every wait has a deadline, and the engine never outlives its tool.
//! It knows no rules of any game, plays no games and keeps no clock: that is the referee's business.
//!
//! [`process`] starts the engine under a [`guard`] and reads and writes under deadlines. A
//! [`Dialect`] knows the wording ([`uci`] is the first), a [`Limit`] how long an engine may think.
//! [`Engine`] holds the dialogue, and [`Supervisor`] starts an engine again when it fails.

#![warn(unreachable_pub)]

mod client;
mod color;
mod dialect;
mod fault;
pub mod guard;
mod heads;
pub mod hint;
mod info;
mod kept_lines;
mod launch;
mod limit;
mod log;
pub mod node_limit;
mod option;
pub mod process;
mod score;
mod supervisor;
mod text;
pub mod uci;

pub use client::{Answer, Engine, LATE_MOVE_GRACE};
pub use color::Color;
pub use dialect::{Dialect, Introduction, OtherProtocol, ScoreQuality, Search};
pub use fault::{Fault, Silence};
pub use heads::Heads;
pub use info::Info;
pub use launch::{Launch, Restart, Timeouts};
pub use limit::{Clocks, Face, Limit, SideLimit, Stage, TimeControl};
pub use log::LogTarget;
pub use option::{OptionKind, USUAL_HASH, UciOption};
pub use score::EngineScore;
pub use supervisor::Supervisor;
pub use text::{cut, printable};
pub use uci::UCI;

use foundation::{Failure, failure::OrUnable};

/// Talks to engines on this thread.
///
/// # Errors
/// The talk has failed, or cannot begin.
pub fn block_on<T>(talk: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .or_unable("start the runtime")?
        .block_on(talk)
}
