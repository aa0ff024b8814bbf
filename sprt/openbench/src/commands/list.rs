//! `sprt openbench list`.

use foundation::{Exit, Failure, Printer};
use openbench_command::command::List;
use serde_json::json;
use tabled::builder::Builder;
use tabled::settings::Style;

use super::session::session;
use crate::read::page;

pub async fn run(args: &List, printer: Printer) -> Result<Exit, Failure> {
    let mut session = session(&args.server, None, printer)?;
    let page = match (&args.search, &args.user) {
        (Some(words), _) => {
            session
                .page("/search/", &[("info-contains", words)])
                .await?
        }
        (None, Some(user)) => {
            session
                .page(&format!("/user/{user}/{}/", args.page), &[])
                .await?
        }
        (None, None) => session.page(&format!("/index/{}/", args.page), &[]).await?,
    };
    let rows = page::list(&page);
    if args.json {
        printer.result(
            &json!({"schema": "openbench-list", "version": 1, "workloads": rows}).to_string(),
        );
        return Ok(Exit::Yes);
    }
    if rows.is_empty() {
        printer.note("no workloads");
        return Ok(Exit::Yes);
    }
    let mut table = Builder::new();
    table.push_record(["id", "kind", "state", "author", "branch", "limit", "result"]);
    for row in rows {
        table.push_record([
            row.id.to_string(),
            row.kind.to_owned(),
            row.state,
            row.author,
            row.branch,
            row.time_control,
            row.statistics.join("\n"),
        ]);
    }
    printer.result(&table.build().with(Style::sharp()).to_string());
    Ok(Exit::Yes)
}
