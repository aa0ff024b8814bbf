//! The engine's executable; see the library for what it does.

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    leiserchess::run(&arguments)
}
