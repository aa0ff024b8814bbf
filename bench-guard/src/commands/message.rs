//! `bench-guard message FILE`: what OpenBench would read, and whether the message owes more.

use std::io::Read;

use super::Scene;
use crate::{
    arguments::{Format, MessageArguments},
    check::{Facts, Outcome, Verdict, judge},
    message::Reading,
    policy, report,
    repository::Commit,
};
use foundation::{Exit, Failure, failure::OrUnable};

pub fn run(scene: &Scene, arguments: &MessageArguments) -> Result<Exit, Failure> {
    let settings = scene.settings(None)?;
    let mut bytes = Vec::new();
    if arguments.file.as_os_str() == "-" {
        std::io::stdin()
            .read_to_end(&mut bytes)
            .or_unable("read the message from stdin")?;
    } else {
        let path = scene.path(&arguments.file);
        bytes = std::fs::read(&path).or_unable(format_args!("read `{}`", path.display()))?;
    }
    let commit = Commit::unborn(String::from_utf8_lossy(&bytes).into_owned());
    let reading = Reading::of(&commit.message);
    let judgement = judge(&Facts {
        duty: policy::duty(&commit, &settings),
        value: &reading.value(),
        outcome: &Outcome::NotRun,
        parent_bench: None,
        claims_gain: false,
        non_functional_bench: settings.non_functional_bench,
        unproved: None,
    });
    let bench = reading.bench();
    let verdict = judgement.verdict;
    let warnings: Vec<String> = reading.warnings().iter().map(ToString::to_string).collect();
    match arguments.format.chosen() {
        Format::Json => scene.printer.result(&report::message_json(
            bench,
            verdict.name(),
            &judgement.detail,
            &warnings,
        )),
        Format::Text | Format::Github => {
            let read = bench.map_or_else(|| "none".to_owned(), |bench| bench.to_string());
            scene.printer.result(&read);
            for warning in &warnings {
                scene.printer.warn(warning);
            }
            if verdict.is_wrong() {
                scene
                    .printer
                    .note(&format!("{verdict}: {}", judgement.detail));
            } else if bench.is_none() {
                scene
                    .printer
                    .note(&format!("{}: {}", Verdict::NotNeeded, judgement.detail));
            }
        }
    }
    Ok(if verdict.is_wrong() {
        Exit::No
    } else {
        Exit::Yes
    })
}
