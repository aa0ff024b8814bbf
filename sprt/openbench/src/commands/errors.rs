//! `sprt openbench errors`.

use foundation::{Exit, Failure, Printer};
use openbench_command::command::Errors;

use super::table::{moment, object, table};
use crate::read::page;
use crate::settings::Settings;

pub async fn run(args: &Errors, printer: Printer) -> Result<Exit, Failure> {
    let mut session = Settings::find()?.session(&args.server, args.workload.as_ref(), printer)?;
    if let Some(event) = args.log {
        let path = format!("/event/{event}/");
        printer.result(&session.page(&path, &[], page::log).await?);
        return Ok(Exit::Yes);
    }
    let id = args.workload.as_ref().map(|workload| workload.id);
    let events = crate::watch::errors(&mut session, id, args.pages).await?;
    if args.json {
        object("openbench-errors", "errors", &events, printer);
        return Ok(Exit::Yes);
    }
    let rows = events.into_iter().map(|event| {
        [
            moment(event.created),
            event.id.to_string(),
            event.branch,
            event.machine.to_string(),
            event.user,
            event.summary,
            event.event.map_or_else(String::new, |log| log.to_string()),
        ]
    });
    let heads = ["time", "id", "branch", "machine", "user", "error", "--log"];
    table(heads, rows, "no errors", printer);
    Ok(Exit::Yes)
}
