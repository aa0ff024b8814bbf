//! `sprt openbench results`: which machines played a workload, and with which results.

use foundation::{Exit, Failure, Printer};
use openbench_command::command::Look;
use serde_json::json;

use super::table::table;
use crate::read::api::{self, Summary};
use crate::settings::Settings;

pub async fn run(args: &Look, printer: Printer) -> Result<Exit, Failure> {
    let mut session = Settings::find()?.session(&args.server, Some(&args.workload), printer)?;
    let id = args.workload.id;
    let summary = session.summary(id).await?;
    let summary = summary.map(|answer| api::part::<Summary>(answer, Some("summary")));
    let summary = summary.transpose()?;
    let machines = session.results(id).await?;
    if args.json {
        let schema = "openbench-results";
        let object =
            json!({"schema": schema, "version": 1, "summary": summary, "machines": machines});
        printer.result(&object.to_string());
        return Ok(Exit::Yes);
    }
    let summary = summary.unwrap_or_default();
    let rows = summary.parts().into_iter().flat_map(|(by, rows)| {
        rows.iter().map(move |row| {
            [
                by.to_owned(),
                row.key.clone(),
                row.pairs.to_string(),
                format!("{}%", row.percent),
                row.elo.clone(),
                row.penta.clone(),
            ]
        })
    });
    let heads = ["by", "", "pairs", "share", "Elo", "penta"];
    table(heads, rows, "no results", printer);
    let rows = machines.into_iter().map(|machine| {
        [
            machine.machine.to_string(),
            machine.user,
            machine.games.to_string(),
            machine.crashes.to_string(),
            machine.timeloss.to_string(),
            if machine.active { "yes" } else { "" }.to_owned(),
        ]
    });
    let heads = [
        "machine",
        "user",
        "games",
        "crashes",
        "time losses",
        "active",
    ];
    table(heads, rows, "no machine has played it", printer);
    Ok(Exit::Yes)
}
