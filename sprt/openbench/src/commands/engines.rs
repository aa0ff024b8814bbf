//! `sprt openbench engines`: the engines of the server, and how workers build them.

use foundation::{Exit, Failure, Printer};
use openbench_command::command::Everything;

use super::table::{object, table};
use crate::read::api::{self, BuildInfo};
use crate::settings::Settings;

pub async fn run(args: &Everything, printer: Printer) -> Result<Exit, Failure> {
    let mut session = Settings::find()?.session(&args.server, None, printer)?;
    let value = session.json("/api/buildinfo/").await?;
    if args.json {
        object("openbench-engines", "engines", &value, printer);
        return Ok(Exit::Yes);
    }
    let engines: BuildInfo = api::part(value, None)?;
    let rows = engines.into_iter().map(|(name, engine)| {
        let network = engine.network.unwrap_or_default();
        [
            name,
            if engine.private { "yes" } else { "" }.to_owned(),
            engine.source,
            engine.build.path,
            engine.build.compilers.join(" "),
            engine.build.systems.join(" "),
            engine.build.cpuflags.join(" "),
            format!("{} {}", network.name, network.sha)
                .trim()
                .to_owned(),
        ]
    });
    let heads = [
        "engine",
        "private",
        "source",
        "folder",
        "compilers",
        "systems",
        "CPU flags",
        "default network",
    ];
    table(heads, rows, "the server knows no engine", printer);
    Ok(Exit::Yes)
}
