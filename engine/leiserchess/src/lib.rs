//! A Leiserchess engine that speaks UCI, every constant of which is a UCI option.
//!
//! `params.toml` declares the parameters; the build script turns it into `params`. A [`uci`] command
//! becomes a job for the `search`, which makes moves on a `board`, orders those that `moves`
//! generates and gets scores from the evaluation (`eval`). The rules are those of MIT 6.172 of
//! autumn 2018. `bench` and `perft` are commands and command-line arguments.

mod bench;
mod board;
mod book;
mod endgame;
mod eval;
mod fen;
pub mod game;
mod go;
mod laser;
mod moves;
mod options;
mod output;
mod params;
mod perft;
pub mod piece;
#[cfg(test)]
#[path = "../../src/random.rs"]
mod random;
mod score;
mod search;
mod square;
mod tt;
mod turn;
mod uci;
mod zobrist;

use std::process::ExitCode;

/// Runs the engine: arguments are a command; without any, commands are read from stdin.
pub fn run(arguments: &[String]) -> ExitCode {
    let Ok(mut engine) = uci::Engine::new() else {
        return ExitCode::from(2);
    };
    if arguments.is_empty() {
        engine.run_input(&mut std::io::stdin().lock());
        ExitCode::SUCCESS
    } else if engine.run_words(arguments) {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(2)
    }
}
