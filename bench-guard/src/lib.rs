//! What stands between a git revision and a number that can be trusted: its source tree, the binary built from it, the
//! bench that binary prints, and the bench its commit message claims.
//!
//! The other tools of the workspace take their engines from here.

pub mod arguments;
pub mod bench;
pub mod bisect;
pub mod build;
pub mod check;
pub mod commands;
pub mod compare;
pub mod draft;
pub mod git;
pub mod hooks;
pub mod message;
pub mod pattern;
pub mod policy;
pub mod report;
pub mod repository;
pub mod settings;
pub mod uci;
