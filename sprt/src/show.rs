//! Runs that were kept: a list of them, and how one stands.

use std::path::{Path, PathBuf};

use clap::Args;
use foundation::{Exit, Failure, Printer, failure::OrUnable};
use tabled::builder::Builder;
use tabled::settings::Style;

use crate::plan::Plan;
use crate::report::result::RunResult;
use crate::run::{find_run, runs};
use crate::run_directory::RunDirectory;
use crate::tally::Tally;
use stats::Verdict;

/// A run to look at.
#[derive(Args, Clone, Debug)]
pub struct ShowArgs {
    /// The run's folder, or its name as `sprt list` shows it
    pub run: PathBuf,
    /// Print the state as JSON
    #[arg(long)]
    pub json: bool,
}

/// `sprt show`: exits as the run would, were it to end now.
pub fn show(args: &ShowArgs, printer: Printer) -> Result<Exit, Failure> {
    let path = find_run(&args.run)?;
    let (plan, tally) = read(&path)?;
    let result = RunResult::new(&plan, &tally, &path);
    if args.json {
        printer.result(&result.json());
    } else {
        printer.result(result.block().trim_end());
        printer.note(&result.sentence());
    }
    Ok(tally.verdict(&plan.test).exit())
}

/// `sprt list`: one line a run, the latest last.
pub fn list(printer: Printer) -> Result<Exit, Failure> {
    let folder = runs()?;
    if !folder.exists() {
        printer.note(&format!("no runs yet in `{}`", folder.display()));
        return Ok(Exit::Yes);
    }
    let mut paths: Vec<PathBuf> = std::fs::read_dir(&folder)
        .or_unable(format_args!("list `{}`", folder.display()))?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.join("plan.json").is_file())
        .collect();
    paths.sort();
    let mut table = Builder::new();
    table.push_record(["run", "games", "LLR", "verdict"]);
    for path in &paths {
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        match read(path) {
            Ok((plan, tally)) => {
                let verdict = match tally.verdict(&plan.test) {
                    Verdict::H1 => "H1",
                    Verdict::H0 => "H0",
                    Verdict::Undecided => "undecided",
                };
                let llr = format!("{:.2}", tally.llr(&plan.test));
                table.push_record([name, tally.wdl.games().to_string(), llr, verdict.to_owned()]);
            }
            Err(failure) => table.push_record([
                name,
                String::new(),
                String::new(),
                failure.message().to_owned(),
            ]),
        }
    }
    printer.result(&table.build().with(Style::sharp()).to_string());
    printer.detail(&format!("runs are kept in `{}`", folder.display()));
    Ok(Exit::Yes)
}

fn read(path: &Path) -> Result<(Plan, Tally), Failure> {
    let (plan, lines) = RunDirectory::read(path)?;
    let mut tally = Tally::default();
    for line in &lines {
        tally.add(&line.games);
    }
    Ok((plan, tally))
}
