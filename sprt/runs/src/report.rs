//! Everything that a run writes. Each writer is a [`Reporter`] in its own file, which is given the one
//! stream of [`Event`]s and computes no statistic: those are in the standing that events carry.
//!
//! To add a reporter, write its file and put it on the list in `reporters.rs`.

mod append;
pub mod block;
pub mod command;
mod epd;
mod event;
mod events;
pub mod html;
pub(crate) mod journal;
pub mod json;
pub mod live;
pub mod outlook;
mod output;
pub mod pgn;
pub mod progress;
mod proof;
mod recorder;
mod reporter;
mod reporters;
mod spoiled;
pub mod tournament;
pub mod verdict;

pub use event::{Event, MatchState, RunEnd, State, TournamentState};
pub use output::Output;
pub use proof::same_proof;
pub use reporter::Reporter;
pub use reporters::Reporters;
