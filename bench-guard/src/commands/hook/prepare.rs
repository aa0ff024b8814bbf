//! prepare-commit-msg: writes the bench into the message.

use std::path::Path;

use super::pending::{Pending, is_underway};
use crate::{
    build,
    check::{Measurer, Outcome},
    message::Reading,
    policy::Duty,
    repository::Revision,
    settings::{Need, cores},
};
use foundation::{Failure, Printer, failure::OrUnable};

pub fn run(file: &Path, source: Option<&str>, printer: Printer) -> Result<(), Failure> {
    let pending = Pending::read(file)?;
    let snapshot = pending.snapshot()?;
    let due = match pending.duty(&snapshot)? {
        Duty::Functional => true,
        Duty::NonFunctional => pending.settings.non_functional_bench == Need::Required,
        Duty::Exempt(_) => false,
    };
    // An amended message carries the bench of the commit that it replaces.
    let carries = Reading::of(&pending.commit.message).bench().is_some();
    let amended = carries && source == Some("commit");
    if !due && !amended {
        return Ok(());
    }
    let revision = Revision::WorkTree { snapshot };
    let replaying = ["rebase-merge", "rebase-apply", "CHERRY_PICK_HEAD"]
        .iter()
        .any(|name| is_underway(&pending.repository, name));
    let build_settings = pending.settings.build_settings(cores());
    if replaying && build::known(&revision, &build_settings).is_none() {
        return Ok(());
    }
    let note = |text: &str| printer.note(&format!("bench-guard: {text}"));
    let outcome = Measurer::new(&pending.repository, &pending.settings, &note)
        .revision(&revision, cores())?;
    match outcome {
        Outcome::Bench(bench) => {
            if let Some(text) = pending.draft.with_bench(bench) {
                std::fs::write(file, text)
                    .or_unable(format_args!("write the message `{}`", file.display()))?;
            }
            Ok(())
        }
        Outcome::Differing(values) => Err(Failure::unable(format!("runs gave {values:?}"))),
        Outcome::BuildFailed { reason, log } => Err(Failure::unable(format!("{reason}\n{log}"))),
        Outcome::BenchFailed { reason, log } => {
            Err(Failure::unable(format!("the bench {reason}\n{log}")))
        }
        Outcome::NotRun => Ok(()),
    }
}
