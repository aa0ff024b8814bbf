//! commit-msg: refuses a message that owes a bench, or names a wrong one.

use std::path::Path;

use super::pending::Pending;
use crate::{
    build,
    check::{Facts, Outcome, Verdict, judge},
    message::Reading,
    policy,
    repository::Revision,
    settings::cores,
};
use foundation::{Exit, Failure, Printer};

pub fn run(file: &Path, printer: Printer) -> Result<Exit, Failure> {
    let pending = Pending::read(file)?;
    let message = &pending.commit.message;
    if message.trim().is_empty() {
        // git itself stops at an empty message.
        return Ok(Exit::Yes);
    }
    if pending.draft.is_bench_only() {
        return Err(Failure::no("the message says nothing but the bench")
            .hint("write what the commit does; the commit was not made"));
    }
    let snapshot = pending.snapshot()?;
    let duty = pending.duty(&snapshot)?;
    let revision = Revision::WorkTree { snapshot };
    let build_settings = pending.settings.build_settings(cores());
    let known = build::known(&revision, &build_settings).and_then(|measured| measured.agreed());
    let outcome = known.map_or(Outcome::NotRun, |bench| Outcome::Bench(bench.nodes));
    let reading = Reading::of(message);
    let parent = pending.repository.resolve("HEAD").ok();
    let judgement = judge(&Facts {
        duty,
        value: &reading.value(),
        outcome: &outcome,
        parent_bench: parent.and_then(|parent| {
            let measured = build::known(&parent, &build_settings)?;
            Some(measured.agreed()?.nodes)
        }),
        claims_gain: policy::claims_gain(message),
        non_functional_bench: pending.settings.non_functional_bench,
        unproved: None,
    });
    for warning in reading.warnings() {
        printer.warn(&format!("bench-guard: {warning}"));
    }
    let (Verdict::Ok | Verdict::NotNeeded | Verdict::Silent) = judgement.verdict else {
        return Err(
            Failure::no(format!("{}: {}", judgement.verdict, judgement.detail))
                .hint("the commit was not made; `git commit --no-verify` makes it all the same"),
        );
    };
    Ok(Exit::Yes)
}
