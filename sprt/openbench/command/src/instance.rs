//! The commands for people who run a server of their own.

use std::path::PathBuf;

use clap::Args;

use foundation::variables;

use crate::flags::ServerArgs;

/// What a new instance is like.
#[derive(Args, Debug)]
pub struct Init {
    /// Folder to write to; it must be empty or not there
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// The address that the server will have, such as `https://bench.example.org`
    #[arg(long, value_name = "URL", env = variables::OPENBENCH_SERVER)]
    pub server: Option<String>,
    /// Serve over plain HTTP, in a network that nobody else can listen to
    #[arg(long)]
    pub allow_http: bool,
    /// The engine's name on the server [default: that of this folder]
    #[arg(long, value_name = "NAME")]
    pub engine: Option<String>,
    /// The engine's address on GitHub [default: that of the remote]
    #[arg(long, value_name = "URL")]
    pub source: Option<String>,
    /// A compiler for the engine, such as `g++` or `cargo>=1.95`; once for each [default: by the
    /// sources]
    #[arg(long, value_name = "NAME")]
    pub compiler: Vec<String>,
}
/// Which instance to examine.
#[derive(Args, Debug)]
pub struct Doctor {
    /// Its address [default: that of --server]
    #[arg(value_name = "URL")]
    pub url: Option<String>,
    /// The folder with its files, on the machine where it runs: its free disk is examined, too
    #[arg(long, value_name = "DIR")]
    pub folder: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub server: ServerArgs,
}
