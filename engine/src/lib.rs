//! A UCI chess engine whose every search parameter is a UCI option.
//!
//! `params.toml` declares the parameters; the build makes [`params`] of it, and nothing else names a constant of the
//! search. A command ([`uci`]) becomes a job for the [`search`], which draws on the evaluation ([`eval`]), static
//! exchanges ([`see`]) and the transposition table ([`tt`]); [`position`] wraps the board of `cozy-chess`. [`bench`],
//! [`perft`] and [`genfens`] are the tools beside it, each a UCI command and a command-line word.

pub mod bench;
pub mod eval;
pub mod genfens;
mod go;
mod options;
pub mod output;
pub mod params;
pub mod perft;
pub mod position;
pub mod score;
pub mod search;
pub mod see;
pub mod tt;
pub mod uci;

use std::process::ExitCode;

/// Runs the engine: on stdin without words, otherwise on the words as commands.
pub fn run(words: &[String]) -> ExitCode {
    let mut engine = uci::Engine::new();
    let ok = if words.is_empty() {
        engine.listen(&mut std::io::stdin().lock());
        true
    } else {
        engine.obey(words)
    };
    if ok {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(2)
    }
}
