//! What stands between a git revision and a number that can be trusted: its source tree, the binary
//! built from it, the bench that the binary prints, and the bench that its commit message claims.
//!
//! ```text
//! repository ──▶ build ──▶ bench ──▶ check ──▶ report
//!      └──▶ message, policy ──────────┘
//! ```
//!
//! The other tools of the workspace take their engines from here ([`build::build`]).

#![warn(unreachable_pub)]

pub mod bench;
pub mod build;
mod check;
pub mod cli;
mod commands;
mod environment;
pub mod message;
mod perft;
mod policy;
pub mod programs;
pub mod proof;
pub mod reference;
mod report;
pub mod repository;
mod repro;
pub mod settings;
mod speed;
