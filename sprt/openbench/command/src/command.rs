//! The commands of `sprt openbench`, as they are typed.

use std::path::PathBuf;

use clap::{Args, Subcommand, value_parser};
use foundation::format::FormatArgs;
use serde::Serialize;

use crate::flags::{
    BaseArgs, Changes, DatagenArgs, FieldArgs, ServerArgs, SubmitFlags, TestArgs, TuneArgs,
};
use crate::instance::{Doctor, Init};
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
    List(Box<List>),
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
    /// Show the results of a workload by user, processor and instruction set
    Results(Look),
    /// Show a perturbation of a tune, as a worker would be given it
    Perturbation(Look),
    /// Show what people did to workloads
    Events(Events),
    /// Show the machines that work for the server, or one of them
    Machines(Machines),
    /// Show the users, with their games and tests
    Users(Everything),
    /// Show the engines, how workers build them, and their default networks
    Engines(Everything),
    /// Write the files of a private instance that tests the engine of this repository
    Init(Init),
    /// Examine a running instance: what it lacks to be safe and to play
    Doctor(Doctor),
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

/// What to change of a network.
#[derive(Args, Clone, Debug, Default)]
#[group(required = true, multiple = true)]
pub struct NetworkChanges {
    /// Its new name
    #[arg(long)]
    pub name: Option<String>,
    /// Whether it is the default of its engine
    #[arg(long, value_name = "BOOL")]
    pub default: Option<bool>,
    /// Whether it was the default once; such a network cannot be deleted
    #[arg(long, value_name = "BOOL")]
    pub was_default: Option<bool>,
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
    #[command(flatten)]
    pub filters: SearchFilters,
    /// List the tests that passed
    #[arg(long, conflicts_with_all = ["user", "search", "SearchFilters"])]
    pub greens: bool,
    /// Page of the list of finished workloads
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with_all = ["search", "SearchFilters"])]
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
    /// Make a network the default of its engine, as an approver
    Default {
        /// The engine's name on the server
        engine: String,
        /// Its name or hash
        network: String,
        #[command(flatten)]
        server: ServerArgs,
    },
    /// Change a network's name and flags, as an approver
    Edit {
        /// The engine's name on the server
        engine: String,
        /// Its name or hash
        network: String,
        #[command(flatten)]
        changes: NetworkChanges,
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

/// What a search may be narrowed to.
#[derive(Args, Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[command(next_help_heading = "Search, in workloads of any age")]
pub struct SearchFilters {
    /// With one of these words in the name of the dev branch
    #[arg(long, value_name = "WORDS")]
    pub keywords: Option<String>,
    /// Of one of these users, separated by blanks
    #[arg(long, value_name = "NAMES")]
    pub authors: Option<String>,
    /// With this dev engine
    #[arg(long, value_name = "NAME")]
    pub dev_engine: Option<String>,
    /// With this base engine
    #[arg(long, value_name = "NAME")]
    pub base_engine: Option<String>,
    /// With this in the name of dev's network
    #[arg(long, value_name = "WORDS")]
    pub dev_network: Option<String>,
    /// With this in the name of base's network
    #[arg(long, value_name = "WORDS")]
    pub base_network: Option<String>,
    /// Of this kind
    #[arg(long, value_name = "KIND", value_parser = ["sprt", "games", "spsa", "datagen"])]
    pub workload_type: Option<String>,
    /// With this book
    #[arg(long, value_name = "NAME")]
    pub opening_book: Option<String>,
    /// With this kind of time control
    #[arg(long, value_name = "KIND", value_parser = ["fixed-depth", "fixed-nodes", "fixed-time", "fischer", "cyclic"])]
    pub tc_type: Option<String>,
    /// With this in the time control
    #[arg(long, value_name = "TC")]
    pub tc_value_input: Option<String>,
    /// With one thread, or with more
    #[arg(long, value_name = "HOW", value_parser = ["single", "multi"])]
    pub threads: Option<String>,
    /// Without tests that passed
    #[arg(long)]
    pub hide_greens: bool,
    /// Without tests that failed with more wins than losses
    #[arg(long)]
    pub hide_yellows: bool,
    /// Without other tests that failed
    #[arg(long)]
    pub hide_reds: bool,
    /// Without simplifications that passed
    #[arg(long)]
    pub hide_blues: bool,
    /// Without workloads that were stopped
    #[arg(long)]
    pub hide_stopped: bool,
    /// With deleted workloads, too
    #[arg(long)]
    pub show_deleted: bool,
}

/// A workload to look at.
#[derive(Args, Debug)]
pub struct Look {
    /// Its number, or the address of its page
    #[arg(value_name = "ID|URL")]
    pub workload: WorkloadName,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub server: ServerArgs,
}

/// How much of what people did to show.
#[derive(Args, Debug)]
pub struct Events {
    /// How many pages to read, the newest first
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u32).range(1..=50))]
    pub pages: u32,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub server: ServerArgs,
}

/// Which machines to show.
#[derive(Args, Debug)]
pub struct Machines {
    /// Describe one machine, also one that is gone
    #[arg(value_name = "NUMBER")]
    pub machine: Option<u64>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub server: ServerArgs,
}

/// All of a list.
#[derive(Args, Debug)]
pub struct Everything {
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub server: ServerArgs,
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
