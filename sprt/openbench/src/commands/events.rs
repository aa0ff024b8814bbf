//! `sprt openbench events`: what people did to workloads.

use foundation::{Exit, Failure, Printer};
use openbench_command::command::Events;

use super::table::{moment, object, table};
use crate::read::tables;
use crate::settings::Settings;

pub async fn run(args: &Events, printer: Printer) -> Result<Exit, Failure> {
    let mut session = Settings::find()?.session(&args.server, None, printer)?;
    let mut events = Vec::new();
    for number in 1..=args.pages {
        let path = format!("/events/{number}/");
        let found = session.page(&path, &[], tables::events).await?;
        if found.is_empty() {
            break;
        }
        events.extend(found);
    }
    if args.json {
        object("openbench-events", "events", &events, printer);
        return Ok(Exit::Yes);
    }
    let rows = events.into_iter().map(|event| {
        [
            moment(event.created),
            event.user,
            event.id.to_string(),
            event.branch,
            event.time_control,
            event.summary,
        ]
    });
    let heads = ["time", "user", "id", "branch", "limit", "event"];
    table(heads, rows, "no events", printer);
    Ok(Exit::Yes)
}
