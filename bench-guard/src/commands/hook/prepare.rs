//! prepare-commit-msg: writes the bench into the message.

use std::path::Path;

use super::pending::Pending;
use crate::{
    build,
    check::{Measurement, Measurer},
    message::Reading,
    policy::Duty,
    repository::Revision,
    settings::{Need, cores},
};
use foundation::{Failure, Printer, failure::OrUnable};

pub(crate) fn run(file: &Path, source: Option<&str>, printer: Printer) -> Result<(), Failure> {
    Pending::for_each_engine(file, |pending| prepare(&pending, file, source, printer)).map(drop)
}

/// Writes the bench of one engine.
fn prepare(
    pending: &Pending,
    file: &Path,
    source: Option<&str>,
    printer: Printer,
) -> Result<(), Failure> {
    if pending.is_refused_as_empty() {
        return Ok(());
    }
    let engine = pending.settings.name();
    let snapshot = pending.snapshot()?;
    let is_due = match pending.duty(&snapshot)? {
        Duty::Functional => true,
        Duty::NonFunctional(_) => pending.settings.non_functional_bench == Need::Required,
        Duty::Exempt(_) => false,
    };
    let reading = Reading::of(&pending.commit.message, engine);
    if !is_due && !reading.has_bench_line() {
        return Ok(());
    }
    let revision = Revision::WorkTree { snapshot };
    let build_settings = pending.build_settings(&revision)?;
    if pending.is_replayed() && build::known(&revision, &build_settings).is_none() {
        return Ok(());
    }
    let note = |text: &str| printer.note(&format!("bench-guard: {text}"));
    let outcome = Measurer::new(&pending.repository, &pending.settings, &note)
        .revision(&revision, cores())?;
    match outcome {
        Measurement::Bench(bench) | Measurement::Unrepeatable { bench, .. } => {
            let is_quoted = source == Some("squash") || pending.draft.is_squash();
            if let Some(edit) = pending.draft.with_bench(engine, bench, is_quoted) {
                std::fs::write(file, edit.bytes)
                    .or_unable(format_args!("write the message `{}`", file.display()))?;
                if let Some(replaced) = edit.replaced {
                    printer.warn(&format!(
                        "bench-guard: the message said {replaced}, the engine says {bench}; the message has been corrected"
                    ));
                }
            }
            Ok(())
        }
        Measurement::Differing(values) => Err(Failure::unable(format!("runs gave {values:?}"))),
        Measurement::BuildFailed { reason, log } => {
            Err(Failure::unable(format!("{reason}\n{log}")))
        }
        Measurement::BenchFailed { reason, log } => {
            Err(Failure::unable(format!("the bench {reason}\n{log}")))
        }
        Measurement::NotRun => Ok(()),
    }
}
