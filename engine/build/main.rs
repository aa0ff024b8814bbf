//! Turns `params.toml` into the table of parameters: one `Spec` and one typed accessor per entry.
//! Embeds a network: the one that `EVALFILE` names, else `network.bin`. The engine is built for the
//! size of its hidden layer.
//!
//! The order of the file is the order of the options. A missing file or a bad entry fails the build
//! with the entry's name; an entry that nothing reads is dead code and fails the lints.

#[path = "../src/network/king_buckets.rs"]
#[allow(dead_code, reason = "it is only read here")]
mod king_buckets;
#[path = "../src/network/file.rs"]
#[allow(dead_code, reason = "it is only read here")]
mod network_file;
mod params_code;
mod params_file;

use std::env;
use std::fs;
use std::path::Path;

use network_file::NetworkFile;

const FILE: &str = "params.toml";
/// The network that is embedded unless another is named.
const OUR_NETWORK: &str = "network.bin";
/// The network to embed instead, as OpenBench workers give it to `make`.
const NETWORK: &str = "EVALFILE";
/// The folder in which `make` was called: a network's path is relative to it.
const FOLDER: &str = "EVALFILE_FOLDER";

#[allow(clippy::print_stdout, reason = "the way a build script talks to cargo")]
fn main() {
    println!("cargo::rerun-if-changed={FILE}");
    for variable in [NETWORK, FOLDER] {
        println!("cargo::rerun-if-env-changed={variable}");
    }
    for result in [generate(), embed()] {
        if let Err(message) = result {
            println!("cargo::error={message}");
        }
    }
}

/// Embeds the network, after a check that an engine can compute it.
#[allow(clippy::print_stdout, reason = "the way a build script talks to cargo")]
fn embed() -> Result<(), String> {
    let (path, origin) = match env::var_os(NETWORK).filter(|network| !network.is_empty()) {
        Some(network) => {
            let folder = env::var_os(FOLDER).unwrap_or_default();
            (Path::new(&folder).join(network), NETWORK)
        }
        None => (Path::new(OUR_NETWORK).to_owned(), "engine"),
    };
    let describe = |error: String| format!("{origin}: {}: {error}", path.display());
    let path = path
        .canonicalize()
        .map_err(|error| describe(error.to_string()))?;
    println!("cargo::rerun-if-changed={}", path.display());
    let bytes = fs::read(&path).map_err(|error| describe(error.to_string()))?;
    let network = NetworkFile::from_bytes(&bytes).map_err(describe)?;
    network.check_for_build().map_err(describe)?;
    write(
        "network.rs",
        &format!(
            "/// Size of the hidden layer for which this engine is built.\n\
             pub const HIDDEN: usize = {};\n\
             static EMBEDDED: &[u8] = include_bytes!({:?});\n",
            network.hidden,
            path.display().to_string()
        ),
    )
}

fn write(name: &str, code: &str) -> Result<(), String> {
    let folder = env::var("OUT_DIR").map_err(|error| format!("OUT_DIR: {error}"))?;
    let target = Path::new(&folder).join(name);
    fs::write(&target, code).map_err(|error| format!("{}: {error}", target.display()))
}

fn generate() -> Result<(), String> {
    let text = fs::read_to_string(FILE).map_err(|error| format!("engine/{FILE}: {error}"))?;
    let entries =
        params_file::parse(&text).map_err(|message| format!("engine/{FILE}: {message}"))?;
    write("params.rs", &params_code::render(&entries))
}
