//! What stands between a git revision and a number that can be trusted: its source tree, the binary built from it, the
//! bench that binary prints, and the bench its commit message claims.
//!
//! The other tools of the workspace take their engines from here, and share the way all of them talk: [`Failure`] for
//! what went wrong, [`Exit`] for what the process returns, [`Printer`] for what is written where.

pub mod arguments;
pub mod bench;
pub mod bisect;
pub mod build;
pub mod check;
pub mod command_line;
pub mod commands;
pub mod compare;
pub mod config;
pub mod digest;
pub mod distribution;
pub mod draft;
pub mod exit;
pub mod failure;
pub mod folders;
pub mod git;
pub mod hooks;
pub mod likelihood;
pub mod message;
pub mod pattern;
pub mod policy;
pub mod printed_block;
pub mod printer;
pub mod process;
pub mod report;
pub mod repository;
pub mod settings;
pub mod signals;
pub mod uci;

pub use exit::Exit;
pub use failure::Failure;
pub use printer::Printer;
