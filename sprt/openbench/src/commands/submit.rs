//! `sprt openbench submit test|tune|datagen`.

use std::io::Read as _;
use std::path::Path;

use foundation::format::Format;
use foundation::{Exit, Failure, Printer, failure::OrUnable, process::command_on};
use openbench_command::command::Submit;
use openbench_command::workload::Kind;

use crate::markdown;
use crate::settings::Settings;
use crate::submit::submit;
use crate::watch;

pub async fn run(command: Submit, printer: Printer) -> Result<Exit, Failure> {
    let found = Settings::find()?;
    let (kind, settings, lines, flags, server) = match command {
        Submit::Test(args) => {
            let settings = found
                .with(&args.fields)
                .with(&args.base)
                .with(&args.question);
            (Kind::Test, settings, None, args.flags, args.server)
        }
        Submit::Tune(args) => {
            let lines = read(&args.lines)?;
            let settings = found.with(&args.fields).with(&args.schedule);
            (Kind::Tune, settings, Some(lines), args.flags, args.server)
        }
        Submit::Datagen(args) => {
            let settings = found.with(&args.fields).with(&args.base).with(&args.games);
            (Kind::Datagen, settings, None, args.flags, args.server)
        }
    };
    let here = std::env::current_dir().or_unable("find out which folder this is")?;
    let mut session = settings.session(&server, None, printer)?;
    let lines = lines.as_deref();
    let report = submit(&mut session, kind, &settings, &here, lines, &flags, printer).await?;
    if let Some(note) = report.note() {
        printer.note(&note);
    }
    match (flags.form.format(), report.submitted()) {
        (Format::Markdown, Some(submitted)) => {
            let view = watch::poll(&mut session, submitted.id, None, false).await?;
            printer.result(&markdown::comment(&view, &submitted.url, None)?);
        }
        (format, _) => printer.result(&report.text(format == Format::Json)),
    }
    Ok(Exit::Yes)
}

/// The parameter lines of a tune.
fn read(path: &Path) -> Result<String, Failure> {
    if path == Path::new("-") {
        let mut lines = String::new();
        std::io::stdin()
            .read_to_string(&mut lines)
            .or_unable("read the parameters from stdin")?;
        return Ok(lines);
    }
    let name = path.display();
    if path
        .extension()
        .is_some_and(|extension| extension == "toml")
    {
        return Err(
            Failure::unable(format!("`{name}` is no list of lines")).hint(format!(
                "run `{}`",
                command_on("tuner openbench submit", path)
            )),
        );
    }
    std::fs::read_to_string(path).or_unable(format_args!("read `{name}`"))
}
