//! `sprt show`: how a run stands.

use std::path::{Path, PathBuf};

use foundation::{Exit, Failure, Printer};

use crate::plan::Plan;
use crate::report::{RunState, block::block, json::json, verdict::sentence};
use crate::run::find_run;
use crate::run_directory::RunDirectory;
use crate::standing::Standing;

/// A run to look at.
#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// The run's folder, or its name as `sprt list` shows it
    pub run: PathBuf,
    /// Print the state as JSON
    #[arg(long)]
    pub json: bool,
}

/// Exits as the run would, were it to end now.
pub fn run(args: &Args, printer: Printer) -> Result<Exit, Failure> {
    let path = find_run(&args.run)?;
    let (plan, standing) = read(&path)?;
    let state = RunState {
        plan: &plan,
        run: &path,
        standing: &standing,
    };
    if args.json {
        printer.result(&json(&state)?);
    } else {
        printer.result(&block(&plan, &standing));
        printer.note(&sentence(&state));
    }
    Ok(standing.exit())
}

/// A run's plan, and how it stands.
pub(super) fn read(path: &Path) -> Result<(Plan, Standing), Failure> {
    let (plan, lines) = RunDirectory::read(path)?;
    let standing = Standing::after(&plan, &lines);
    Ok((plan, standing))
}
