//! `tuner apply`: a run's values, written into the parameter file they came from.

use std::path::PathBuf;

use clap::Args;
use foundation::failure::OrUnable;
use foundation::{Exit, Failure, Printer, files};

use crate::formats::location::Source;
use crate::formats::params_file;
use crate::run::journal;
use crate::run::result::{RunResult, short};

/// What `tuner apply` was told.
#[derive(Args, Clone, Debug)]
pub struct ApplyArgs {
    /// The run's folder
    pub run: PathBuf,
    /// The file to change; comments and order stay
    #[arg(value_name = "PARAMS")]
    pub params: PathBuf,
    /// Write no value that ended at a bound, or that moved less than noise without evidence
    #[arg(long)]
    pub only_evident: bool,
    /// Say what would be written, and write nothing
    #[arg(long)]
    pub dry_run: bool,
}

impl ApplyArgs {
    pub fn run(&self, printer: Printer) -> Result<Exit, Failure> {
        let replayed = journal::replay(&self.run)?;
        let result = RunResult::new(&replayed.session);
        if !replayed.session.is_finished() {
            printer.warn(&format!(
                "the run is at pair {} of {}; these are the values of now",
                result.pairs, result.planned_pairs
            ));
        }
        for warning in result.warnings() {
            printer.warn(&warning);
        }
        let name = self.params.display().to_string();
        let text =
            std::fs::read_to_string(&self.params).or_unable(format_args!("read `{name}`"))?;
        let tuned = replayed
            .session
            .tune()
            .parameters
            .iter()
            .zip(&result.parameters);
        let values: Vec<_> = tuned
            .filter(|(_, found)| !self.only_evident || !(found.at_bound || found.below_noise))
            .map(|(parameter, found)| (parameter, found.value))
            .collect();
        let source = Source {
            name: &name,
            text: &text,
        };
        let new = params_file::with_values(source, &values)?;
        for (parameter, value) in values
            .iter()
            .filter(|(parameter, value)| parameter.value != *value)
        {
            printer.result(&format!(
                "{}: {} -> {}",
                parameter.name,
                short(parameter.value),
                short(*value)
            ));
        }
        if !self.dry_run {
            files::replace(&self.params, &new)?;
            printer.note(&format!("wrote {name}"));
        }
        Ok(Exit::Yes)
    }
}
