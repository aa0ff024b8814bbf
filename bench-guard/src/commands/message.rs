//! `bench-guard message FILE`: what OpenBench would read, and whether the message owes more.

use std::path::PathBuf;

use super::project::{current_folder, read_file_or_stdin};
use crate::{
    check::{BenchVerdict, Facts, Measurement, judge},
    message::BenchMatches,
    policy,
    report::{self, Format, FormatArgs},
    repository::Commit,
    settings::Settings,
};
use foundation::{Exit, Failure, Printer};

#[derive(clap::Args, Debug)]
pub(crate) struct MessageArgs {
    /// The file with the message; `-` is stdin
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

pub(crate) fn run(args: &MessageArgs, printer: Printer) -> Result<Exit, Failure> {
    let settings = Settings::find(&current_folder()?)?;
    let bytes = read_file_or_stdin(&args.file)?;
    let commit = Commit::unborn(String::from_utf8_lossy(&bytes).into_owned());
    let reading = BenchMatches::of(&commit.message);
    let judgement = judge(&Facts {
        engine: None,
        duty: policy::duty(&commit, &settings, false),
        value: &reading.value(),
        outcome: &Measurement::NotRun,
        parent_bench: None,
        message: &commit.message,
        non_functional_bench: settings.non_functional_bench,
        refuses_unfinished: false,
        prose: None,
        unproved: None,
        variants: &[],
    });
    let bench = reading.bench();
    let verdict = judgement.verdict;
    let warnings: Vec<String> = reading.warnings().iter().map(ToString::to_string).collect();
    match args.format.chosen() {
        Format::Json => printer.result(&report::message_json(
            bench,
            verdict.name(),
            &judgement.detail,
            &warnings,
        )?),
        Format::Text | Format::Markdown | Format::Github => {
            let read = bench.map_or_else(|| "none".to_owned(), |bench| bench.to_string());
            printer.result(&read);
            for warning in &warnings {
                printer.warn(warning);
            }
            if verdict.is_wrong() {
                printer.note(&format!("{verdict}: {}", judgement.detail));
            } else if bench.is_none() {
                printer.note(&format!(
                    "{}: {}",
                    BenchVerdict::NotNeeded,
                    judgement.detail
                ));
            }
        }
    }
    Ok(if verdict.is_wrong() {
        Exit::No
    } else {
        Exit::Yes
    })
}
