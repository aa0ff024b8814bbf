//! `sprt openbench fetch`: fetches the results of a workload.

use std::path::PathBuf;

use foundation::format::Format;
use foundation::{Exit, Failure, Printer, process::command_on};
use openbench_command::command::Fetch;
use serde_json::json;

use crate::fetch::Fetched;
use crate::fetch::archive::Wait;
use crate::markdown;
use crate::settings::Settings;
use crate::watch;

/// Exits with 2 if the archive lacks games that the server counted; the others are written
/// nevertheless.
pub async fn run(args: &Fetch, printer: Printer) -> Result<Exit, Failure> {
    let id = args.workload.id;
    let mut session = Settings::find()?.session(&args.server, Some(&args.workload), printer)?;
    let folder = args
        .out
        .clone()
        .unwrap_or_else(|| PathBuf::from(format!("openbench-{id}")));
    let wait = (!args.no_games).then(Wait::default);
    let fetched = crate::fetch::fetch(&mut session, id, &folder, wait, printer).await?;
    match args.form.format() {
        Format::Json => {
            let mut value = json!({"schema": "openbench-fetched", "version": 1});
            if let (Some(object), Ok(serde_json::Value::Object(rest))) =
                (value.as_object_mut(), serde_json::to_value(&fetched))
            {
                object.extend(rest);
            }
            printer.result(&value.to_string());
        }
        Format::Markdown => {
            let view = watch::poll(&mut session, id, None, true).await?;
            printer.result(&markdown::comment(
                &view,
                &fetched.url,
                fetched.evidence.as_deref(),
            )?);
        }
        Format::Text => print(&fetched, printer),
    }
    match &fetched.missing {
        Some(missing) => {
            printer.warn(&missing.to_string());
            if args.allow_missing {
                return Ok(Exit::Yes);
            }
            printer.note(
                "a worker that is stopped between its report and its upload loses the games, not \
                 the results; --allow-missing takes what is there",
            );
            Ok(Exit::Unable)
        }
        None => Ok(Exit::Yes),
    }
}

fn print(fetched: &Fetched, printer: Printer) {
    if let Some(block) = &fetched.block {
        printer.result(block);
    }
    if let Some(proof) = &fetched.proof {
        printer.result(&format!("\n{proof}"));
    }
    if let Some(why) = &fetched.no_proof {
        printer.note(&format!(
            "the block comes without a proof that binds it to a commit: {why}"
        ));
    }
    for tuned in &fetched.tuned {
        printer.result(&tuned.line());
    }
    if let Some(games) = &fetched.games {
        printer.note(&format!("{} games from {} files", games.games, games.files));
    }
    match (&fetched.repetition, &fetched.evidence) {
        (Some(repetition), Some(evidence)) if repetition.is_any() => printer.warn(evidence),
        (_, Some(evidence)) => printer.note(evidence),
        _ => {}
    }
    let folder = &fetched.folder;
    printer.note(&format!(
        "wrote {} to {}",
        fetched.files.join(", "),
        folder.display()
    ));
    if fetched.kind == "tune" {
        printer.note(&format!(
            "next: {} (fetch again meanwhile, and it shows the way of the values); {} params.toml",
            command_on("tuner report", folder),
            command_on("tuner openbench prove", folder)
        ));
    }
}
