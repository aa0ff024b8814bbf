//! `sprt list`: the runs that were kept.

use std::path::PathBuf;

use foundation::{Exit, Failure, Printer, failure::OrUnable};
use stats::Verdict;
use tabled::builder::Builder;
use tabled::settings::Style;

use super::show::read;
use crate::run::runs;

/// One line a run, the latest last.
pub fn run(printer: Printer) -> Result<Exit, Failure> {
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
            Ok((_, standing)) => {
                let verdict = match standing.verdict() {
                    Verdict::H1 => "H1",
                    Verdict::H0 => "H0",
                    Verdict::Undecided => "undecided",
                };
                let llr = format!("{:.2}", standing.llr());
                table.push_record([
                    name,
                    standing.tally().wdl.games().to_string(),
                    llr,
                    verdict.to_owned(),
                ]);
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
