//! A UCI chess engine; what it can do is described in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    engine::run(&words)
}
