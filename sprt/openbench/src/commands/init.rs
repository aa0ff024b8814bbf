//! `sprt openbench init`: writes what a private instance needs.

use foundation::{Exit, Failure, Printer, failure::OrUnable, process::command_on};
use openbench_command::instance::Init;

use crate::address::Server;
use crate::instance;
use crate::instance::engine::{self, Overrides};
use crate::settings::Settings;

pub fn run(args: &Init, printer: Printer) -> Result<Exit, Failure> {
    let settings = Settings::find()?;
    let server = args
        .server
        .as_deref()
        .or(settings.get("server"))
        .ok_or_else(|| {
            Failure::unable("the address of the new server is not given")
                .hint("give --server https://HOST")
        })?;
    let server = Server::parse(server, args.allow_http)?;
    // Before minutes of building.
    instance::check_empty(&args.folder)?;
    let here = std::env::current_dir().or_unable("find out which folder this is")?;
    let overrides = Overrides {
        name: args
            .engine
            .clone()
            .or_else(|| settings.get("engine").map(str::to_owned)),
        source: args.source.clone(),
        compilers: args.compiler.clone(),
    };
    let engine = engine::describe(&here, &overrides, printer)?;
    instance::write(&args.folder, &server, &engine)?;
    if let Some(file) = engine.credentials() {
        printer.warn(&format!(
            "{} is private: the server starts only with a GitHub token in server/Config/{file}",
            engine.name
        ));
    }
    let folder = args.folder.display();
    printer.result(&format!(
        "{folder}: an instance of OpenBench {} at {server} for {}\n\
         \n  {}\n  docker compose up --detach --build --wait\n  \
         docker compose exec server python account.py NAME --approver\n  \
         sprt openbench doctor {}{}",
        &instance::COMMIT[..7],
        engine.name,
        command_on("cd", &args.folder),
        server.origin(),
        if args.allow_http { " --allow-http" } else { "" },
    ));
    Ok(Exit::Yes)
}
