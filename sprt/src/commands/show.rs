//! `sprt show`: how a run stands.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use foundation::{Exit, Failure, Printer, run_folder};

use crate::plan::Plan;
use crate::report::{RunState, block::block, json::json, progress, verdict::sentence};
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
    /// Wait for the end, and tell in between how the run stands
    #[arg(long)]
    pub follow: bool,
}

/// How often a run that is followed is looked at.
const LOOK: Duration = Duration::from_secs(1);

/// Exits as the run would, were it to end now.
pub fn run(args: &Args, printer: Printer) -> Result<Exit, Failure> {
    let path = find_run(&args.run)?;
    if args.follow {
        follow(&path, printer)?;
    }
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

/// Tells how the run stands whenever that has changed, until nobody plays it any more.
fn follow(path: &Path, printer: Printer) -> Result<(), Failure> {
    let mut pairs = None;
    let mut seen: Option<(Instant, u64)> = None;
    while run_folder::is_being_played(path) {
        let (_, standing) = read(path)?;
        let now = standing.tally().pairs_played();
        let (since, before) = *seen.get_or_insert_with(|| (Instant::now(), now));
        if pairs != Some(now) {
            pairs = Some(now);
            let seconds = since.elapsed().as_secs_f64();
            let speed = (now > before).then(|| 2.0 * (now - before) as f64 / seconds);
            let columns = if printer.draws_progress() {
                progress::columns()
            } else {
                usize::MAX
            };
            printer.note(&progress::fitting(
                &progress::parts(&standing, speed),
                columns,
            ));
        }
        std::thread::sleep(LOOK);
    }
    Ok(())
}

/// A run's plan, and how it stands.
pub(super) fn read(path: &Path) -> Result<(Plan, Standing), Failure> {
    let (plan, lines) = RunDirectory::read(path)?;
    let standing = Standing::after(&plan, &lines);
    Ok((plan, standing))
}
