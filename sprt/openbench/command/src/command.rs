//! The commands of `sprt openbench`, as they are typed.

use std::path::PathBuf;

use clap::{Args, Subcommand, value_parser};
use foundation::format::FormatArgs;

use crate::flags::{
    BaseArgs, Changes, DatagenArgs, FieldArgs, ServerArgs, SubmitFlags, TestArgs, TuneArgs,
};
use crate::workload::WorkloadName;

/// Exit codes: those of a run for what is watched (0 passed or complete, 1 failed, 4 stopped, 3
/// ended by an error), else 0 done and 2 not done.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Submit a test, a tune or data generation
    #[command(subcommand)]
    Submit(Submit),
    /// Follow a workload until it has ended
    Watch(Watch),
    /// Fetch a workload's results, games and tuned values
    Fetch(Fetch),
    /// List workloads
    List(List),
    /// Stop a workload
    Stop(Manage),
    /// Restart a stopped workload
    Restart(Manage),
    /// Delete a workload
    Delete(Manage),
    /// Restore a deleted workload
    Restore(Manage),
    /// Approve a workload, so that machines may play it
    Approve(Manage),
    /// Change priority, throughput, size or description of a workload
    Modify(Modify),
    /// List, upload, download and delete networks
    #[command(subcommand)]
    Networks(Networks),
    /// Show the errors that workers report
    Errors(Errors),
}

/// What can be submitted.
#[derive(Subcommand, Debug)]
pub enum Submit {
    /// An SPRT, or with `--max-games` a match of fixed length
    Test(Box<SubmitTest>),
    /// A tune, from OpenBench's parameter lines; `tuner openbench submit` takes a `params.toml`
    Tune(Box<SubmitTune>),
    /// Games for training, from openings that the engine makes
    Datagen(Box<SubmitDatagen>),
}

/// A test.
#[derive(Args, Debug)]
pub struct SubmitTest {
    #[command(flatten)]
    pub fields: FieldArgs,
    #[command(flatten)]
    pub base: BaseArgs,
    #[command(flatten)]
    pub question: TestArgs,
    #[command(flatten)]
    pub flags: SubmitFlags,
    #[command(flatten)]
    pub server: ServerArgs,
}

/// A tune.
#[derive(Args, Debug)]
pub struct SubmitTune {
    /// File with a line `name, int|float, value, min, max, c_end, r_end` for each parameter, or `-`
    /// for stdin; where `r_end` is left out, it becomes the one for the length of the tune
    #[arg(value_name = "LINES")]
    pub lines: PathBuf,
    #[command(flatten)]
    pub fields: FieldArgs,
    #[command(flatten)]
    pub schedule: TuneArgs,
    #[command(flatten)]
    pub flags: SubmitFlags,
    #[command(flatten)]
    pub server: ServerArgs,
}

/// Data generation.
#[derive(Args, Debug)]
pub struct SubmitDatagen {
    #[command(flatten)]
    pub fields: FieldArgs,
    #[command(flatten)]
    pub base: BaseArgs,
    #[command(flatten)]
    pub games: DatagenArgs,
    #[command(flatten)]
    pub flags: SubmitFlags,
    #[command(flatten)]
    pub server: ServerArgs,
}

/// A workload to follow.
#[derive(Args, Debug)]
pub struct Watch {
    /// Its number, or the address of its page
    #[arg(value_name = "ID|URL")]
    pub workload: WorkloadName,
    /// Seconds between two polls; the machines of a server report every 30
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = value_parser!(u64).range(5..=3600))]
    pub interval: u64,
    // JSON is one object a line, for each change; markdown is printed once, at the end.
    #[command(flatten)]
    pub form: FormatArgs,
    #[command(flatten)]
    pub server: ServerArgs,
}

/// A workload to fetch.
#[derive(Args, Debug)]
pub struct Fetch {
    /// Its number, or the address of its page
    #[arg(value_name = "ID|URL")]
    pub workload: WorkloadName,
    /// Folder to write to [default: `openbench-ID`]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Do not download the games
    #[arg(long)]
    pub no_games: bool,
    /// Do not mind if the archive lacks games that the server counted
    #[arg(long)]
    pub allow_missing: bool,
    #[command(flatten)]
    pub form: FormatArgs,
    #[command(flatten)]
    pub server: ServerArgs,
}

/// Which workloads to list.
#[derive(Args, Debug)]
pub struct List {
    /// List the workloads of one user
    #[arg(long, value_name = "NAME", conflicts_with = "search")]
    pub user: Option<String>,
    /// List the workloads with these words in their description, of any age
    #[arg(long, value_name = "WORDS")]
    pub search: Option<String>,
    /// Page of the list of finished workloads
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with = "search")]
    pub page: u32,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub server: ServerArgs,
}

/// A workload to stop, restart, delete, restore or approve.
#[derive(Args, Debug)]
pub struct Manage {
    /// Its number, or the address of its page
    #[arg(value_name = "ID|URL")]
    pub workload: WorkloadName,
    #[command(flatten)]
    pub server: ServerArgs,
}

/// What to change of a workload.
#[derive(Args, Debug)]
pub struct Modify {
    /// Its number, or the address of its page
    #[arg(value_name = "ID|URL")]
    pub workload: WorkloadName,
    #[command(flatten)]
    pub changes: Changes,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub server: ServerArgs,
}

/// What to do with networks.
#[derive(Subcommand, Debug)]
pub enum Networks {
    /// List the networks of an engine
    List {
        /// The engine's name on the server
        engine: String,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        server: ServerArgs,
    },
    /// Upload a network, as an approver
    Upload {
        /// The engine's name on the server
        engine: String,
        /// The file
        file: PathBuf,
        /// What to call it [default: the file's name]
        #[arg(long)]
        name: Option<String>,
        #[command(flatten)]
        server: ServerArgs,
    },
    /// Download a network, and check its hash
    Download {
        /// The engine's name on the server
        engine: String,
        /// Its name or hash
        network: String,
        /// File to write [default: its name]
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
        #[command(flatten)]
        server: ServerArgs,
    },
    /// Delete a network
    Delete {
        /// The engine's name on the server
        engine: String,
        /// Its name or hash
        network: String,
        #[command(flatten)]
        server: ServerArgs,
    },
}

/// Which errors to show.
#[derive(Args, Debug)]
pub struct Errors {
    /// Show the errors of one workload only
    #[arg(value_name = "ID|URL")]
    pub workload: Option<WorkloadName>,
    /// Print the log of one error, by the number of its event
    #[arg(long, value_name = "EVENT", conflicts_with = "workload")]
    pub log: Option<u64>,
    /// How many pages to read, the newest first
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u32).range(1..=50))]
    pub pages: u32,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub server: ServerArgs,
}
