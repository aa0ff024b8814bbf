//! `tuner list`: the runs in the state folder.

use std::fs;
use std::path::PathBuf;

use clap::Args;
use foundation::failure::OrUnable;
use foundation::{Exit, Failure, Printer, folders, run_folder};
use schemars::JsonSchema;
use serde::Serialize;

use crate::run::journal::{self, Replayed};
use crate::run::printed::{interval, table, to_json};
use crate::run::result::RunResult;

/// The arguments of `tuner list`.
#[derive(Args, Clone, Debug)]
pub(crate) struct ListArgs {
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// A line of the list.
#[derive(Debug, Serialize, JsonSchema)]
struct Listed {
    run: PathBuf,
    engine: String,
    parameters: usize,
    pairs: u64,
    planned_pairs: u64,
    elo: f64,
    elo_sd: f64,
    is_being_played: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ListReport {
    schema: &'static str,
    version: u32,
    runs: Vec<Listed>,
}

/// The folder of runs that were not given one with `--out`.
pub(crate) fn runs_folder() -> Result<PathBuf, Failure> {
    Ok(folders::state()?.join("tunes"))
}

/// The runs in the state folder, the oldest first; those that cannot be read are warned of.
pub(crate) fn all(printer: Printer) -> Result<Vec<(PathBuf, Replayed)>, Failure> {
    let folder = runs_folder()?;
    let mut paths: Vec<PathBuf> = if folder.exists() {
        let entries =
            fs::read_dir(&folder).or_unable(format_args!("read `{}`", folder.display()))?;
        entries.flatten().map(|entry| entry.path()).collect()
    } else {
        Vec::new()
    };
    // Names begin with the date.
    paths.sort();
    let mut runs = Vec::new();
    for path in paths {
        match journal::replay(&path) {
            Ok(replayed) => runs.push((path, replayed)),
            Err(failure) => printer.warn(failure.message()),
        }
    }
    Ok(runs)
}

impl ListArgs {
    pub(crate) fn run(&self, printer: Printer) -> Result<Exit, Failure> {
        let mut runs = Vec::new();
        for (path, replayed) in all(printer)? {
            let result = RunResult::new(&replayed.session);
            runs.push(Listed {
                engine: replayed.plan.engine.name.clone(),
                parameters: result.parameters.len(),
                pairs: result.pairs,
                planned_pairs: result.planned_pairs,
                elo: result.elo,
                elo_sd: result.elo_sd,
                is_being_played: run_folder::is_being_played(&path),
                run: path,
            });
        }
        if self.json {
            printer.result(&to_json(&ListReport {
                schema: "tuner-list",
                version: 1,
                runs,
            })?);
        } else if runs.is_empty() {
            let shown = runs_folder()?;
            printer.note(&format!(
                "no runs in {}; `tuner spsa` starts one, in another folder with --out",
                shown.display()
            ));
        } else {
            printer.result(&in_rows(&runs));
        }
        Ok(Exit::Yes)
    }
}

fn in_rows(runs: &[Listed]) -> String {
    let heads = ["run", "engine", "parameters", "pairs", "Elo (95%)", ""];
    let rows = runs.iter().map(|run| {
        let state = match run {
            Listed {
                is_being_played: true,
                ..
            } => "running",
            _ if run.pairs < run.planned_pairs => "unfinished",
            _ => "finished",
        };
        [
            run.run.display().to_string(),
            run.engine.clone(),
            run.parameters.to_string(),
            format!("{} of {}", run.pairs, run.planned_pairs),
            interval(run.elo, run.elo_sd, 1),
            state.to_owned(),
        ]
    });
    table(heads, rows)
}
