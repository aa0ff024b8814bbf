//! `sprt openbench fetch`: fetches the results of a workload.

use std::path::PathBuf;

use foundation::{Exit, Failure, Printer};
use openbench_command::command::Fetch;
use serde_json::json;

use crate::fetch::archive::Wait;
use crate::settings::Settings;

pub async fn run(args: &Fetch, printer: Printer) -> Result<Exit, Failure> {
    let id = args.workload.id;
    let mut session = Settings::find()?.session(&args.server, Some(&args.workload), printer)?;
    let folder = args
        .out
        .clone()
        .unwrap_or_else(|| PathBuf::from(format!("openbench-{id}")));
    let wait = (!args.no_games).then(Wait::default);
    let fetched = crate::fetch::fetch(&mut session, id, &folder, wait, printer).await?;
    if args.json {
        let mut value = json!({"schema": "openbench-fetched", "version": 1});
        if let (Some(object), Ok(serde_json::Value::Object(rest))) =
            (value.as_object_mut(), serde_json::to_value(&fetched))
        {
            object.extend(rest);
        }
        printer.result(&value.to_string());
        return Ok(Exit::Yes);
    }
    if let Some(block) = &fetched.block {
        printer.result(block);
    }
    for tuned in &fetched.tuned {
        printer.result(&tuned.line());
    }
    if let Some(games) = fetched.games {
        printer.note(&format!("{} games from {} files", games.games, games.files));
    }
    let folder = folder.display();
    printer.note(&format!("wrote {} to {folder}", fetched.files.join(", ")));
    if fetched.kind == "tune" {
        printer.note(&format!(
            "next: tuner report {folder} (fetch again meanwhile, and it shows the way of the values); \
             tuner validate {folder} --params params.toml; tuner apply {folder} params.toml"
        ));
    }
    Ok(Exit::Yes)
}
