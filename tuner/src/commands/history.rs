//! `tuner history`: the tunes of one parameter file.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use foundation::failure::OrUnable;
use foundation::{Exit, Failure, Printer, run_folder};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;

use crate::commands::list;
use crate::commands::settings::read_params;
use crate::formats::location::Source;
use crate::formats::{self, Format, code, encoding};
use crate::parameter::Parameter;
use crate::report::past_tunes;
use crate::run::history::{self, PastTune};
use crate::run::journal::{self, Replayed};
use crate::run::printed::to_json;

/// The arguments of `tuner history`.
#[derive(Args, Clone, Debug)]
pub(crate) struct HistoryArgs {
    /// A file with the parameters' values: a list in any format, or source
    params: PathBuf,
    /// Folders of runs that were begun with `--out`, besides those in the state folder
    runs: Vec<PathBuf>,
    /// File to write
    #[arg(long, value_name = "FILE", default_value = "history.html")]
    out: PathBuf,
    /// Print one JSON object instead
    #[arg(long, conflicts_with = "out")]
    json: bool,
    /// Print the table instead
    #[arg(long, conflicts_with_all = ["out", "json"])]
    text: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct HistoryReport {
    schema: &'static str,
    version: u32,
    params: PathBuf,
    /// The oldest first.
    tunes: Vec<PastTune>,
}

impl HistoryArgs {
    pub(crate) fn run(&self, printer: Printer) -> Result<Exit, Failure> {
        let mut runs = list::all(printer)?;
        runs.retain(|(_, replayed)| is_same_file(&replayed.plan.params, &self.params));
        for path in &self.runs {
            runs.push((path.clone(), journal::replay(path)?));
        }
        let mut dated = Vec::new();
        for (path, replayed) in runs {
            dated.push((begun(&path)?, path, replayed));
        }
        dated.sort_by(|one, other| (one.0, &one.1).cmp(&(other.0, &other.1)));
        dated.dedup_by(|one, other| is_same_file(&one.1, &other.1));
        let tune = |(begun, path, replayed): &(Timestamp, PathBuf, Replayed)| {
            PastTune::new(path.clone(), *begun, replayed)
        };
        let mut tunes: Vec<PastTune> = dated.iter().map(tune).collect();
        // Of the last tune first, whose choices are those of the file, if any are.
        let tuned = dated.iter().zip(&tunes).rev().flat_map(|(run, tune)| {
            let values = tune.parameters.iter().map(|tried| tried.value);
            run.2.session.tune().parameters.iter().zip(values)
        });
        let present = self.present(tuned, printer)?;
        history::judge(&mut tunes, &present);
        if tunes.is_empty() {
            let shown = self.params.display();
            return Err(Failure::unable(format!("no tune of `{shown}` was found"))
                .hint("name the folders of runs that were begun with --out, or see `tuner list`"));
        }
        if self.json {
            printer.result(&to_json(&HistoryReport {
                schema: "tuner-history",
                version: 1,
                params: self.params.clone(),
                tunes,
            })?);
        } else if self.text {
            printer.result(&past_tunes::table(&tunes));
        } else {
            let title = format!("Tunes of {}", self.params.display());
            run_folder::write_output(&self.out, past_tunes::html(&title, &tunes, &present))?;
            printer.result(&self.out.display().to_string());
        }
        Ok(Exit::Yes)
    }
}

impl HistoryArgs {
    /// What the file says now: a list with ranges names its own parameters, and is asked for others that
    /// were tuned and are frozen now, as any other text is for all.
    fn present<'a>(
        &self,
        tuned: impl Iterator<Item = (&'a Parameter, f64)>,
        printer: Printer,
    ) -> Result<Vec<Parameter>, Failure> {
        let name = self.params.display().to_string();
        let (text, _) = encoding::read(&self.params)?;
        let is_list = !code::is_source(&name) && Format::of(&text).has_ranges();
        let source = Source {
            name: &name,
            text: &text,
        };
        let mut present: Vec<Parameter> = if is_list {
            read_params(&self.params, &[], &[], printer)?.parameters
        } else {
            Vec::new()
        };
        let mut missing: BTreeMap<&str, Failure> = BTreeMap::new();
        for tuned in tuned {
            let name = tuned.0.name.as_str();
            if present.iter().any(|own| own.name == name) {
                continue;
            }
            match formats::with_values(source, &[tuned]) {
                Ok((_, values)) => {
                    let own = |(own, value): (&Parameter, f64)| Parameter {
                        value,
                        ..own.clone()
                    };
                    present.extend(values.into_iter().map(own));
                    missing.remove(name);
                }
                Err(failure) => {
                    missing.entry(name).or_insert(failure);
                }
            }
        }
        for failure in missing.values() {
            printer.warn(failure.message());
        }
        Ok(present)
    }
}

/// Whether two paths lead to the same file; one that is gone is known by its name.
fn is_same_file(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => one == other,
    }
}

/// A plan is written when a run begins, and never again.
fn begun(run: &Path) -> Result<Timestamp, Failure> {
    let plan = run.join("plan.json");
    let modified = fs::metadata(&plan)
        .and_then(|metadata| metadata.modified())
        .or_unable(format_args!("read the time of `{}`", plan.display()))?;
    Timestamp::try_from(modified).or_unable(format_args!("read the time of `{}`", plan.display()))
}
