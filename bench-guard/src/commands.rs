//! One module a command: from what was typed to what is printed and the exit code.

mod bench;
mod bisect;
mod check;
mod compare;
mod hook;
mod message;

use std::path::{Path, PathBuf};

use clap::CommandFactory;

use crate::{
    arguments::{Arguments, Command},
    hooks,
    repository::Repository,
    settings::Settings,
};
use foundation::{Exit, Failure, Printer, failure::OrUnable};

/// Runs a command.
pub fn run(arguments: Arguments, printer: Printer) -> Result<Exit, Failure> {
    let folder = std::path::absolute(&arguments.directory).or_unable(format_args!(
        "find the folder `{}`",
        arguments.directory.display()
    ))?;
    let scene = Scene { folder, printer };
    match arguments.command {
        Command::Message(arguments) => message::run(&scene, &arguments),
        Command::Check(arguments) => check::run(&scene, &arguments),
        Command::Bench(arguments) => bench::run(&scene, &arguments),
        Command::Bisect(arguments) => bisect::run(&scene, &arguments),
        Command::Compare(arguments) => compare::run(&scene, &arguments),
        Command::Hook(arguments) => hook::run(&scene, &arguments.hook),
        Command::Install => {
            hooks::install(&scene.repository()?, printer)?;
            Ok(Exit::Yes)
        }
        Command::Uninstall => {
            hooks::uninstall(&scene.repository()?, printer)?;
            Ok(Exit::Yes)
        }
        Command::Artefact(artefact) => {
            artefact.write(Arguments::command(), printer)?;
            Ok(Exit::Yes)
        }
    }
}

/// Where a command works and writes.
struct Scene {
    folder: PathBuf,
    printer: Printer,
}

impl Scene {
    fn repository(&self) -> Result<Repository, Failure> {
        Repository::discover(&self.folder)
    }

    /// The settings, with the number of runs from the command line if it was given.
    fn settings(&self, runs: Option<usize>) -> Result<Settings, Failure> {
        let mut settings = Settings::find(&self.folder)?;
        match runs {
            Some(runs @ 1..=1024) => settings.runs = runs,
            Some(_) => return Err(Failure::unable("--runs must be between 1 and 1024")),
            None => {}
        }
        Ok(settings)
    }

    /// A path that was typed, seen from where the command works.
    fn path(&self, path: &Path) -> PathBuf {
        self.folder.join(path)
    }
}
