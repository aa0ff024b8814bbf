//! `sprt openbench machines`: the machines that work for the server.

use foundation::{Exit, Failure, Printer};
use openbench_command::command::Machines;

use super::table::{object, table};
use crate::idle::UNLISTED;
use crate::read::tables;
use crate::settings::Settings;

pub async fn run(args: &Machines, printer: Printer) -> Result<Exit, Failure> {
    let mut session = Settings::find()?.session(&args.server, None, printer)?;
    if let Some(number) = args.machine {
        let path = format!("/machines/{number}/");
        let described = session.page(&path, &[], tables::machine).await?;
        if args.json {
            let described: serde_json::Map<_, _> = described
                .into_iter()
                .map(|(label, value)| (label, value.into()))
                .collect();
            object("openbench-machine", "machine", &described, printer);
            return Ok(Exit::Yes);
        }
        let rows = described.into_iter().map(|(label, value)| [label, value]);
        table(["", "machine"], rows, "nothing is known of it", printer);
        return Ok(Exit::Yes);
    }
    let machines = session.page("/machines/", &[], tables::machines).await?;
    if args.json {
        object("openbench-machines", "machines", &machines, printer);
        return Ok(Exit::Yes);
    }
    let rows = machines.into_iter().map(|machine| {
        let played = machine
            .workload
            .map_or_else(String::new, |id| format!("{id} {}", machine.branch));
        [
            machine.id.to_string(),
            machine.user,
            machine.name,
            machine.system,
            machine.isa,
            played,
            machine.threads.to_string(),
            machine.speed,
        ]
    });
    let heads = [
        "id",
        "user",
        "name",
        "system",
        "isa",
        "workload",
        "threads",
        "nps, dev / base",
    ];
    table(
        heads,
        rows,
        &format!("the server lists no machine: {UNLISTED}"),
        printer,
    );
    Ok(Exit::Yes)
}
