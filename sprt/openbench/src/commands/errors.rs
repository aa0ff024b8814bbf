//! `sprt openbench errors`.

use foundation::{Exit, Failure, Printer};
use openbench_command::command::Errors;
use serde_json::json;

use super::session::session;
use crate::read::page;

pub async fn run(args: &Errors, printer: Printer) -> Result<Exit, Failure> {
    let mut session = session(&args.server, args.workload.as_ref(), printer)?;
    if let Some(event) = args.log {
        let path = format!("/event/{event}/");
        printer.result(&session.page(&path, &[], page::log).await?);
        return Ok(Exit::Yes);
    }
    let id = args.workload.as_ref().map(|workload| workload.id);
    let events = crate::watch::errors(&mut session, id, args.pages).await?;
    if args.json {
        printer.result(
            &json!({"schema": "openbench-errors", "version": 1, "errors": events}).to_string(),
        );
        return Ok(Exit::Yes);
    }
    if events.is_empty() {
        printer.note("no errors");
    }
    for event in events {
        let time = jiff::Timestamp::from_second(event.created).map(|time| time.to_string());
        let log = event
            .event
            .map(|event| format!("; see --log {event}"))
            .unwrap_or_default();
        printer.result(&format!(
            "{} {} {} machine {} of {}: {}{log}",
            time.unwrap_or_default(),
            event.id,
            event.branch,
            event.machine,
            event.user,
            event.summary
        ));
    }
    Ok(Exit::Yes)
}
