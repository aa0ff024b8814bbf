//! `sprt openbench list`.

use foundation::{Exit, Failure, Printer};
use openbench::read::page;
use openbench::settings::ServerArgs;
use serde_json::json;
use tabled::builder::Builder;
use tabled::settings::Style;

use super::session::session;

/// Which workloads to list.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Those of one user
    #[arg(long, value_name = "NAME", conflicts_with = "search")]
    user: Option<String>,
    /// Those with these words in their description, of any age
    #[arg(long, value_name = "WORDS")]
    search: Option<String>,
    /// Further pages of finished ones
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with = "search")]
    page: u32,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    server: ServerArgs,
}

pub async fn run(args: &Args, printer: Printer) -> Result<Exit, Failure> {
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
