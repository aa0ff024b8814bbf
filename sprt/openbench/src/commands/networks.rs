//! `sprt openbench networks list|upload|download|default|edit|delete`.

use std::path::PathBuf;

use foundation::{Exit, Failure, Printer};
use openbench_command::command::{NetworkChanges, Networks};
use openbench_command::flags::ServerArgs;

use super::table::{object, table};
use crate::networks;
use crate::settings::Settings;

pub async fn run(command: Networks, printer: Printer) -> Result<Exit, Failure> {
    match command {
        Networks::List {
            engine,
            json,
            server,
        } => {
            let mut session = Settings::find()?.session(&server, None, printer)?;
            let networks = session.networks(&engine).await?.networks;
            if json {
                object("openbench-networks", "networks", &networks, printer);
                return Ok(Exit::Yes);
            }
            let rows = networks.into_iter().map(|network| {
                let default = if network.default { "yes" } else { "" };
                let created = network.created.split('.').next().unwrap_or_default();
                let (default, created) = (default.to_owned(), created.to_owned());
                [
                    network.name,
                    network.sha256,
                    default,
                    network.author,
                    created,
                ]
            });
            let heads = ["name", "hash", "default", "author", "created"];
            table(heads, rows, "no networks", printer);
        }
        Networks::Upload {
            engine,
            file,
            name,
            server,
        } => {
            let mut session = Settings::find()?.session(&server, None, printer)?;
            let own = file
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            let name = name.unwrap_or(own);
            let hash = networks::upload(&mut session, &engine, &file, &name).await?;
            printer.result(&format!("{hash} {name}"));
        }
        Networks::Download {
            engine,
            network,
            out,
            server,
        } => {
            let mut session = Settings::find()?.session(&server, None, printer)?;
            let network = networks::find(&mut session, &engine, &network).await?;
            // Names come from others, so only the last part is used as a file name here.
            let own = PathBuf::from(&network.name).file_name().map(PathBuf::from);
            let to = out
                .or(own)
                .unwrap_or_else(|| PathBuf::from(&network.sha256));
            let size = networks::download(&mut session, &engine, &network, &to).await?;
            printer.result(&format!(
                "{} {} ({size} bytes)",
                network.sha256,
                to.display()
            ));
        }
        Networks::Default {
            engine,
            network,
            server,
        } => {
            let changes = NetworkChanges {
                default: Some(true),
                ..NetworkChanges::default()
            };
            edit(&server, &engine, &network, &changes, printer).await?;
        }
        Networks::Edit {
            engine,
            network,
            changes,
            server,
        } => edit(&server, &engine, &network, &changes, printer).await?,
        Networks::Delete {
            engine,
            network,
            server,
        } => {
            let mut session = Settings::find()?.session(&server, None, printer)?;
            let network = networks::find(&mut session, &engine, &network).await?;
            printer.result(&networks::delete(&mut session, &engine, &network).await?);
        }
    }
    Ok(Exit::Yes)
}

async fn edit(
    server: &ServerArgs,
    engine: &str,
    network: &str,
    changes: &NetworkChanges,
    printer: Printer,
) -> Result<(), Failure> {
    let mut session = Settings::find()?.session(server, None, printer)?;
    let network = networks::find(&mut session, engine, network).await?;
    let changed = networks::change::edit(&mut session, engine, &network, changes).await?;
    if changed.is_none() {
        printer.note("nothing to change");
    }
    let now = changed.unwrap_or(network);
    let is_default = if now.default { ", default" } else { "" };
    printer.result(&format!("{} {}{is_default}", now.sha256, now.name));
    Ok(())
}
