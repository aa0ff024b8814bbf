//! The command line of `sprt`, and its pages.
//!
//! [`cli`] reads what was typed, and one file in [`commands`] carries out each command on the crates
//! below: `referee` plays games, `runs` plans, keeps and reports them, `openbench` speaks to a
//! server. The checks of an engine, the match runner of an OpenBench worker (`fastchess`) and the
//! pages of `serve` stand on these crates as equals. Nothing depends on this crate.

#![warn(unreachable_pub)]

mod check;
pub mod cli;
pub mod commands;
mod convert;
mod fastchess;
mod play;
pub mod reference;
mod serve;
