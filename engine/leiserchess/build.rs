//! Turns `params.toml` into the table of parameters, with the chess engine's build code.

#[path = "../build/params_code.rs"]
mod params_code;
#[path = "../build/params_file.rs"]
mod params_file;

use std::path::Path;
use std::{env, fs};

const FILE: &str = "params.toml";

#[allow(clippy::print_stdout, reason = "the way a build script talks to cargo")]
fn main() {
    println!("cargo::rerun-if-changed={FILE}");
    if let Err(message) = generate() {
        println!("cargo::error=engine/leiserchess/{FILE}: {message}");
    }
}

fn generate() -> Result<(), String> {
    let text = fs::read_to_string(FILE).map_err(|error| error.to_string())?;
    let code = params_code::render(&params_file::parse(&text)?);
    let folder = env::var("OUT_DIR").map_err(|error| format!("OUT_DIR: {error}"))?;
    fs::write(Path::new(&folder).join("params.rs"), code).map_err(|error| error.to_string())
}
