//! `sprt openbench networks list|upload|download|default|edit|delete`.

use std::path::PathBuf;

use foundation::{Exit, Failure, Printer};
use openbench_command::command::{NetworkChanges, Networks};
use openbench_command::flags::ServerArgs;
use serde_json::json;
use tabled::builder::Builder;
use tabled::settings::Style;

use super::session::session;
use crate::networks;

pub async fn run(command: Networks, printer: Printer) -> Result<Exit, Failure> {
    match command {
        Networks::List {
            engine,
            json,
            server,
        } => {
            let mut session = session(&server, None, printer)?;
            let networks = session.networks(&engine).await?.networks;
            if json {
                printer.result(
                    &json!({"schema": "openbench-networks", "version": 1, "networks": networks})
                        .to_string(),
                );
                return Ok(Exit::Yes);
            }
            let mut table = Builder::new();
            table.push_record(["name", "hash", "default", "author", "created"]);
            for network in networks {
                let default = if network.default { "yes" } else { "" };
                let created = network
                    .created
                    .split('.')
                    .next()
                    .unwrap_or_default()
                    .to_owned();
                table.push_record([
                    network.name,
                    network.sha256,
                    default.to_owned(),
                    network.author,
                    created,
                ]);
            }
            printer.result(&table.build().with(Style::sharp()).to_string());
        }
        Networks::Upload {
            engine,
            file,
            name,
            server,
        } => {
            let mut session = session(&server, None, printer)?;
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
            let mut session = session(&server, None, printer)?;
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
            let mut session = session(&server, None, printer)?;
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
    let mut session = session(server, None, printer)?;
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
