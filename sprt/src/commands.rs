//! One file per command: its arguments, and `run`, which carries it out.

pub mod blunders;
pub mod book;
pub mod calc;
pub mod check;
pub mod convert;
pub mod fastchess;
mod judge;
mod judged_games;
pub mod list;
mod output;
pub mod plan;
pub mod play;
mod progress;
pub mod report;
pub mod resume;
pub mod run;
pub mod serve;
pub mod show;
pub mod stats;
pub mod suite;
pub mod tournament;
pub mod verify;
