//! `bench-guard compare ENGINE ENGINE …`: nodes to depth, branching factor, time and score of engines,
//! position by position.

mod comparison;
mod picture;
mod positions;
mod search;
mod table;
mod trace;

use std::{fs, path::PathBuf, time::Duration};

pub(crate) use self::comparison::Comparison;
use self::{
    positions::{POSITIONS, positions},
    search::Task,
};
use super::project::engine_binary;
use crate::report;
use foundation::{Exit, Failure, Printer, failure::OrUnable, pool, run_folder};

/// Nodes at equal depth do not order engines by strength: sane engines differ by a factor of ten.
#[derive(clap::Args, Debug)]
pub(crate) struct CompareArgs {
    /// Binaries, revisions, or `.`: two or more; differences are to the first
    #[arg(required = true, num_args = 2.., value_name = "ENGINE")]
    pub(crate) engines: Vec<String>,
    /// Depth each position is searched to
    #[arg(long, default_value_t = 10, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=120))]
    pub(crate) depth: u32,
    /// Positions, one FEN or EPD a line [default: a built-in set]
    #[arg(long, value_name = "FILE")]
    pub(crate) positions: Option<PathBuf>,
    /// A UCI option for all engines
    #[arg(long = "option", value_name = "NAME=VALUE")]
    pub(crate) options: Vec<String>,
    /// Time limit of one search, in seconds
    #[arg(long, default_value_t = 60, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=86400))]
    pub(crate) limit: u64,
    /// Time limit from the start of an engine to `uciok`, in seconds
    #[arg(long, default_value_t = 15, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub(crate) startup_timeout: u64,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// Draw nodes to depth as an HTML page
    #[arg(long, value_name = "FILE")]
    pub(crate) plot: Option<PathBuf>,
}

pub(crate) fn run(args: &CompareArgs, printer: Printer) -> Result<Exit, Failure> {
    let text = match &args.positions {
        Some(file) => {
            fs::read_to_string(file).or_unable(format_args!("read `{}`", file.display()))?
        }
        None => POSITIONS.to_owned(),
    };
    let fens = positions(&text)
        .map_err(|reason| Failure::unable(reason).hint("give one FEN or EPD a line"))?;
    if fens.is_empty() {
        return Err(Failure::unable("there is no position to compare"));
    }
    args.plot
        .as_deref()
        .map_or(Ok(()), run_folder::refuse_record)?;
    let options = args.options.iter().map(|text| option(text));
    let options = options.collect::<Result<Vec<_>, _>>()?;
    let names = &args.engines;
    let binaries = names.iter().map(|name| engine_binary(name, printer));
    let binaries = binaries.collect::<Result<Vec<_>, _>>()?;
    let task = Task {
        fens: &fens,
        depth: args.depth,
        options: &options,
        limit: Duration::from_secs(args.limit),
        startup: Duration::from_secs(args.startup_timeout),
    };
    // No more at a time than there are cores, because times are compared.
    let engines: Vec<_> = names.iter().zip(&binaries).collect();
    let traces = pool::map(pool::cores(), &engines, |(name, (binary, environment))| {
        search::traces(&task, binary, environment, name)
    })?;
    let compared = Comparison::new(names, &fens, args.depth, &traces);
    if args.json {
        printer.result(&report::object(&compared)?);
    } else {
        printer.result(&table::text(&compared));
    }
    if let Some(file) = &args.plot {
        run_folder::write_output(file, picture::page(&compared))?;
        printer.note(&format!("drawn: {}", file.display()));
    }
    Ok(Exit::Yes)
}

fn option(text: &str) -> Result<(String, String), Failure> {
    let (name, value) = text.split_once('=').ok_or_else(|| {
        Failure::unable(format!("`{text}` is not an option")).hint("write NAME=VALUE")
    })?;
    Ok((name.to_owned(), value.to_owned()))
}
