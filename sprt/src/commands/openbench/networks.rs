//! `sprt openbench networks list|upload|download|delete`.

use std::path::PathBuf;

use clap::Subcommand;
use foundation::{Exit, Failure, Printer};
use openbench::networks;
use openbench::settings::ServerArgs;
use serde_json::json;
use tabled::builder::Builder;
use tabled::settings::Style;

use super::session::session;

/// What to do with networks.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// List the networks of an engine
    List {
        /// The engine's name on the server
        engine: String,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        server: ServerArgs,
    },
    /// Upload a network; takes an approver
    Upload {
        /// The engine's name on the server
        engine: String,
        /// The file
        file: PathBuf,
        /// What to call it [default: the file's name]
        #[arg(long)]
        name: Option<String>,
        #[command(flatten)]
        server: ServerArgs,
    },
    /// Download a network, and check its hash
    Download {
        /// The engine's name on the server
        engine: String,
        /// Its name or hash
        network: String,
        /// File to write [default: its name]
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
        #[command(flatten)]
        server: ServerArgs,
    },
    /// Delete a network
    Delete {
        /// The engine's name on the server
        engine: String,
        /// Its name or hash
        network: String,
        #[command(flatten)]
        server: ServerArgs,
    },
}

impl Command {
    pub async fn run(self, printer: Printer) -> Result<Exit, Failure> {
        match self {
            Self::List {
                engine,
                json,
                server,
            } => {
                let mut session = session(&server, None, printer)?;
                let networks = session.networks(&engine).await?.networks;
                if json {
                    printer.result(&json!({"schema": "openbench-networks", "version": 1, "networks": networks}).to_string());
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
            Self::Upload {
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
            Self::Download {
                engine,
                network,
                out,
                server,
            } => {
                let mut session = session(&server, None, printer)?;
                let network = networks::find(&mut session, &engine, &network).await?;
                // Names come from others: only the last part may become a file here.
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
            Self::Delete {
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
}
