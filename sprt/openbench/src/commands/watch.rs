//! `sprt openbench watch`: follows a workload until it has ended.

use std::time::Duration;

use foundation::format::Format;
use foundation::{Exit, Failure, Printer};
use jiff::{SignedDuration, Timestamp};
use openbench_command::command::Watch;

use crate::markdown;
use crate::settings::Settings;
use crate::watch::{self, Event};

/// Follows it until it has ended, or until `interrupted` returns an exit code.
pub async fn run(
    args: &Watch,
    interrupted: impl Future<Output = Exit>,
    printer: Printer,
) -> Result<Exit, Failure> {
    let mut session = Settings::find()?.session(&args.server, Some(&args.workload), printer)?;
    let interval = Duration::from_secs(args.interval);
    let format = args.form.format();
    let mut last = None;
    let server = session.server().to_string();
    let mut report = |event: Event| match event {
        Event::Changed(view) => {
            match format {
                Format::Json => printer.result(&view.json().to_string()),
                Format::Text => printer.result(&view.line()),
                Format::Markdown => printer.note(&view.line()),
            }
            last = Some(view.clone());
        }
        Event::Silent { why, for_now, next } => {
            printer.warn(&silence(Timestamp::now(), &server, why, for_now, next));
        }
        Event::Back { after } => printer.note(&format!(
            "{server} answers again, after {} s",
            after.as_secs()
        )),
        Event::Idle(why) => printer.note(&format!("no worker: {why}")),
    };
    let outcome = tokio::select! {
        outcome = watch::watch(&mut session, args.workload.id, interval, &mut report) => outcome?,
        exit = interrupted => return Ok(exit),
    };
    match (last, format) {
        (Some(view), Format::Text) => {
            for line in view.details() {
                printer.result(&line);
            }
        }
        (Some(view), Format::Markdown) => {
            let path = view.info.kind().path(view.info.id);
            let url = session.server().url(&path).to_string();
            printer.result(&markdown::comment(&view, &url, None)?);
        }
        _ => {}
    }
    if let Some(text) = outcome.error() {
        printer.warn(&format!("ended by an error: {text}"));
    }
    Ok(outcome.exit())
}

/// Since when there has been no answer, why, and when the server is asked again.
fn silence(
    now: Timestamp,
    server: &str,
    why: &Failure,
    for_now: Duration,
    next: Duration,
) -> String {
    let time = |moment: Timestamp| moment.strftime("%H:%M:%S UTC").to_string();
    let past = SignedDuration::try_from(for_now).unwrap_or_default();
    let ahead = SignedDuration::try_from(next).unwrap_or_default();
    let why = why.message();
    let why = why
        .strip_prefix(&format!("no answer from {server} to "))
        .unwrap_or(why);
    format!(
        "no answer from {server} since {} ({}); asking again at {}",
        time(now - past),
        why,
        time(now + ahead)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_silence_has_a_beginning_and_a_next_try() {
        let now: Timestamp = "2026-11-25T12:00:40Z".parse().expect("a moment");
        let why =
            Failure::unable("no answer from http://127.0.0.1:8000 to /a/: connection refused");
        let text = silence(
            now,
            "http://127.0.0.1:8000",
            &why,
            Duration::from_secs(40),
            Duration::from_secs(32),
        );
        assert_eq!(
            text,
            "no answer from http://127.0.0.1:8000 since 12:00:00 UTC (/a/: connection refused); \
             asking again at 12:01:12 UTC"
        );
    }
}
