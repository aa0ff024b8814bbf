//! `sprt openbench doctor`: what a running instance lacks.

use foundation::{Exit, Failure, Printer};
use openbench_command::instance::Doctor;

use super::table::object;
use crate::doctor::{Finding, State, folder, inside, outside};
use crate::settings::Settings;

pub async fn run(args: &Doctor, printer: Printer) -> Result<Exit, Failure> {
    let mut server = args.server.clone();
    server.server = args.url.clone().or(server.server);
    let mut session = Settings::find()?.session(&server, None, printer)?;
    let mut findings = outside::examine(&session.client).await?;
    match inside::examine(&mut session).await {
        Ok(found) => findings.extend(found),
        Err(unanswered) => {
            let failure = Failure::from(unanswered);
            printer.warn(&failure.to_string());
            findings.push(Finding::unknown("the rest", "needs a user of the server"));
        }
    }
    match &args.folder {
        Some(place) => findings.extend(folder::examine(place)?),
        None => findings.push(Finding::unknown(
            "disk",
            "give --folder DIR on the machine of the server",
        )),
    }
    let is_bad = findings.iter().any(|finding| finding.state == State::Bad);
    if args.json {
        object("openbench-doctor", "findings", &findings, printer);
    } else {
        let lines: Vec<String> = findings.iter().map(Finding::line).collect();
        printer.result(&lines.join("\n"));
    }
    Ok(if is_bad { Exit::No } else { Exit::Yes })
}
