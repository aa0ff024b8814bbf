//! `sprt openbench errors`.

use foundation::{Exit, Failure, Printer};
use openbench::address::WorkloadName;
use openbench::read::page;
use openbench::settings::ServerArgs;
use serde_json::json;

use super::session::session;

/// Which errors to show.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Those of one workload alone
    #[arg(value_name = "ID|URL")]
    workload: Option<WorkloadName>,
    /// Print the log of one error, by the number of its event
    #[arg(long, value_name = "EVENT", conflicts_with = "workload")]
    log: Option<u64>,
    /// How many pages to read, the newest first
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=50))]
    pages: u32,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    server: ServerArgs,
}

pub async fn run(args: &Args, printer: Printer) -> Result<Exit, Failure> {
    let mut session = session(&args.server, args.workload.as_ref(), printer)?;
    if let Some(event) = args.log {
        let page = session.page(&format!("/event/{event}/"), &[]).await?;
        let log =
            page::log(&page).ok_or_else(|| Failure::unable(format!("event {event} has no log")))?;
        printer.result(&log);
        return Ok(Exit::Yes);
    }
    let id = args.workload.as_ref().map(|workload| workload.id);
    let events = openbench::watch::errors(&mut session, id, args.pages).await?;
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
