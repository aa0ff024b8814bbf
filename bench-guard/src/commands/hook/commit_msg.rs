//! commit-msg: refuses a message that owes a bench, or names a wrong one.

use std::{fmt::Write, path::Path};

use super::pending::Pending;
use crate::{
    build,
    check::{BenchVerdict, Facts, Measurement, Measurer, judge},
    message::Reading,
    policy::{Duty, Exemption},
    repository::Revision,
    settings::cores,
};
use foundation::{Exit, Failure, Printer};

pub(crate) fn run(file: &Path, printer: Printer) -> Result<Exit, Failure> {
    Pending::for_each_engine(file, |pending| check(&pending, printer)).map(|_| Exit::Yes)
}

/// Refuses a message that is wrong for one engine.
fn check(pending: &Pending, printer: Printer) -> Result<(), Failure> {
    let engine = pending.settings.name();
    let message = &pending.commit.message;
    if message.trim().is_empty() && !pending.may_be_empty {
        // git itself stops at an empty message.
        return Ok(());
    }
    // git itself would stop here, but for the bench that was written into the message.
    let untouched = if pending.may_be_empty {
        None
    } else if (!pending.is_given || pending.is_edited) && pending.draft.is_untouched("") {
        Some("the message contains only a bench")
    } else if let Some(template) = &pending.template
        && pending.draft.is_untouched(template)
    {
        Some("the message is the template, and you did not edit it")
    } else {
        None
    };
    if let Some(reason) = untouched {
        let hint = "describe what the commit does; no commit was made";
        return Err(Failure::no(reason).hint(hint));
    }
    let snapshot = pending.snapshot()?;
    let duty = match pending.duty(&snapshot) {
        Err(failure) if pending.commit.parents.len() > 1 => {
            // Older gits cannot say what they would merge; the commit is not to fail for that.
            printer.warn(&format!(
                "bench-guard: this merge is not checked: {failure}"
            ));
            return Ok(());
        }
        duty => duty?,
    };
    let revision = Revision::WorkTree { snapshot };
    let build_settings = pending.build_settings(&revision)?;
    let failed_before = build::last_failure(&revision, &build_settings).is_some();
    let reading = Reading::of(message, engine);
    let is_exempt = matches!(duty, Duty::Exempt(_));
    let not_verified = |reason: &str| {
        printer.warn(&format!(
            "bench-guard: the bench in the message is not verified: {reason}"
        ));
    };
    // prepare-commit-msg has built this tree, unless the bench was typed in the editor afterwards, or
    // stands among other words. OpenBench reads it from any, but reads no work in progress.
    let is_unchecked = !failed_before
        && match duty {
            Duty::Exempt(Exemption::Unfinished) => reading.has_bench_line(),
            Duty::Exempt(_) => reading.bench().is_some(),
            Duty::Functional | Duty::NonFunctional(_) => false,
        };
    let outcome = match build::known(&revision, &build_settings) {
        Some(measured) => match measured.agreed() {
            Some(bench) => Measurement::Bench(bench.nodes),
            None => Measurement::NotRun,
        },
        None if is_unchecked && !pending.is_replayed() => {
            let note = |text: &str| printer.note(&format!("bench-guard: {text}"));
            let measurer = Measurer::new(&pending.repository, &pending.settings, &note);
            match measurer.revision(&revision, cores()) {
                Ok(outcome @ Measurement::Bench(_)) => outcome,
                // What failed is told below.
                Ok(_) => Measurement::NotRun,
                Err(failure) => {
                    not_verified(failure.message());
                    Measurement::NotRun
                }
            }
        }
        None => Measurement::NotRun,
    };
    let judgement = judge(&Facts {
        duty,
        engine,
        value: &reading.value,
        outcome: &outcome,
        parent_bench: pending.parent.as_ref().and_then(|parent| {
            let settings = pending.build_settings(parent).ok();
            let known = settings.and_then(|settings| build::known(parent, &settings)?.agreed());
            let known = known.map(|bench| bench.nodes);
            known.or_else(|| parent.message_bench_of(engine))
        }),
        message,
        non_functional_bench: pending.settings.non_functional_bench,
        refuses_unfinished: false,
        prose: reading.prose.as_deref(),
        unproved: None,
        variants: &[],
    });
    // Building may have failed just now.
    let failed = build::last_failure(&revision, &build_settings);
    if let Some(failed) = &failed
        && outcome == Measurement::NotRun
        && judgement.verdict == BenchVerdict::Ok
    {
        if !is_exempt {
            return Err(Failure::no(format!("this tree has no bench: {failed}"))
                .hint("no commit was made; `git commit --no-verify` skips this check"));
        }
        not_verified(failed);
    }
    for warning in &reading.warnings {
        printer.warn(&format!("bench-guard: {warning}"));
    }
    let (BenchVerdict::Ok | BenchVerdict::NotNeeded | BenchVerdict::Silent) = judgement.verdict
    else {
        let mut reason = format!("{}: {}", judgement.verdict, judgement.detail);
        if outcome == Measurement::NotRun {
            if let Some(failed) = failed {
                let _ = write!(reason, "; the bench of this tree is unknown: {failed}");
            } else if pending.is_replayed() && judgement.verdict == BenchVerdict::Missing {
                // A rebase that stops here loses the message, and nothing is built in its middle.
                printer.warn(&format!(
                    "bench-guard: {reason}; in the middle of a rebase or cherry-pick nothing is built: \
                     `bench-guard fix` writes the benches afterwards"
                ));
                return Ok(());
            }
        }
        let hint = "no commit was made; `git commit --no-verify` skips this check";
        return Err(Failure::no(reason).hint(hint));
    };
    Ok(())
}
