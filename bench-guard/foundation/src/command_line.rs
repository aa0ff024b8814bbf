//! Subcommands that every tool has: shell completions and manual pages, made from the tool's own
//! description.

use std::path::{Path, PathBuf};

use clap::{Command, Subcommand};
use clap_complete::Shell;

use crate::{Failure, Printer, failure::OrUnable};

/// Flatten this into a tool's subcommands.
#[derive(Subcommand, Debug, Clone)]
pub enum Artefact {
    /// Print a completion script for a shell
    Completions {
        #[arg(value_enum)]
        shell: Shell,
    },
    /// Write manual pages, one a subcommand
    Man {
        /// Folder to write to
        #[arg(value_name = "DIR")]
        folder: PathBuf,
    },
}

impl Artefact {
    /// Writes the artefact for `tool`, the tool's whole clap description.
    pub fn write(&self, mut tool: Command, printer: Printer) -> Result<(), Failure> {
        match self {
            Self::Completions { shell } => {
                let name = tool.get_name().to_owned();
                let mut script = Vec::new();
                clap_complete::generate(*shell, &mut tool, name, &mut script);
                printer.result(String::from_utf8_lossy(&script).trim_end());
                Ok(())
            }
            Self::Man { folder } => write_manual(tool, folder),
        }
    }
}

fn write_manual(tool: Command, folder: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(folder)
        .and_then(|()| clap_mangen::generate_to(tool, folder))
        .or_unable(format_args!("write manual pages to `{}`", folder.display()))
}
