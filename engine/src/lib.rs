//! A UCI chess engine whose every search parameter is a UCI option.
//!
//! `params.toml` declares the parameters; the build script turns it into [`params`]. A UCI command
//! (`uci`) becomes a job for the [`search`], which uses the evaluation (`eval`), static exchange
//! evaluation (`see`) and the transposition table ([`tt`]); [`position`] wraps the board of
//! `cozy-chess`. [`bench`], [`perft`], `genfens`, `datagen`, which writes [`packed`]
//! positions, and `rescore`, which searches them once more, are UCI commands and command-line
//! arguments.

mod arguments;
pub mod bench;
mod book;
mod checksum;
mod datagen;
mod eval;
mod generation;
mod genfens;
mod go;
mod memory;
pub mod network;
mod options;
mod origin;
mod output;
pub mod packed;
pub mod params;
pub mod perft;
mod player;
pub mod position;
mod random;
mod rescore;
pub mod score;
pub mod search;
mod see;
pub mod tablebase;
pub mod techniques;
pub mod tt;
mod uci;
mod workers;
mod zobrist;

use std::process::ExitCode;

/// Runs the engine. Without arguments it reads UCI commands from stdin; arguments are run as
/// commands.
pub fn run(arguments: &[String]) -> ExitCode {
    let mut engine = uci::Engine::new();
    let ok = if arguments.is_empty() {
        engine.run_input(&mut std::io::stdin().lock());
        true
    } else {
        engine.run_commands(arguments)
    };
    if ok {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(2)
    }
}
