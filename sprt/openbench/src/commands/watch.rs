//! `sprt openbench watch`: follows a workload until it has ended.

use std::time::Duration;

use foundation::{Exit, Failure, Printer};
use openbench_command::command::Watch;

use crate::settings::Settings;
use crate::watch::{self, View};

/// Follows it until it has ended, or `interrupted` says with what to exit.
pub async fn run(
    args: &Watch,
    interrupted: impl Future<Output = Exit>,
    printer: Printer,
) -> Result<Exit, Failure> {
    let mut session = Settings::find()?.session(&args.server, Some(&args.workload), printer)?;
    let interval = Duration::from_secs(args.interval);
    let mut last = None;
    let mut tell = |view: &View| {
        if args.form.is_json() {
            printer.result(&view.json().to_string());
        } else {
            printer.result(&view.line());
        }
        last = Some(view.clone());
    };
    let outcome = tokio::select! {
        outcome = watch::watch(&mut session, args.workload.id, interval, printer, &mut tell) => outcome?,
        exit = interrupted => return Ok(exit),
    };
    if let Some(view) = last.filter(|_| !args.form.is_json()) {
        for line in view.details() {
            printer.result(&line);
        }
    }
    if let Some(text) = outcome.error() {
        printer.warn(&format!("ended by an error: {text}"));
    }
    Ok(outcome.exit())
}
