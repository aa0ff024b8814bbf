//! `sprt openbench submit test|tune|datagen`.

use std::path::PathBuf;

use clap::Subcommand;
use foundation::{Exit, Failure, Printer, failure::OrUnable};
use openbench::address::Kind;
use openbench::settings::{
    BaseArgs, DatagenArgs, FieldArgs, ServerArgs, Settings, TestArgs, TuneArgs,
};
use openbench::submit::{ParameterLines, Report, SubmitFlags};

/// What can be submitted.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// An SPRT, or with `--max-games` a match of fixed length
    Test(Box<Test>),
    /// A tune, from OpenBench's parameter lines; `tuner openbench submit` takes a `params.toml`
    Tune(Box<Tune>),
    /// Games for training, from openings that the engine makes
    Datagen(Box<Datagen>),
}

/// A test.
#[derive(clap::Args, Debug)]
pub struct Test {
    #[command(flatten)]
    fields: FieldArgs,
    #[command(flatten)]
    base: BaseArgs,
    #[command(flatten)]
    question: TestArgs,
    #[command(flatten)]
    flags: SubmitFlags,
    #[command(flatten)]
    server: ServerArgs,
}

/// A tune.
#[derive(clap::Args, Debug)]
pub struct Tune {
    /// File with a line `name, int|float, value, min, max, c_end, r_end` for each parameter
    #[arg(value_name = "LINES")]
    lines: PathBuf,
    #[command(flatten)]
    fields: FieldArgs,
    #[command(flatten)]
    schedule: TuneArgs,
    #[command(flatten)]
    flags: SubmitFlags,
    #[command(flatten)]
    server: ServerArgs,
}

/// Data generation.
#[derive(clap::Args, Debug)]
pub struct Datagen {
    #[command(flatten)]
    fields: FieldArgs,
    #[command(flatten)]
    base: BaseArgs,
    #[command(flatten)]
    games: DatagenArgs,
    #[command(flatten)]
    flags: SubmitFlags,
    #[command(flatten)]
    server: ServerArgs,
}

impl Command {
    pub async fn run(self, printer: Printer) -> Result<Exit, Failure> {
        let found = Settings::find()?;
        let (kind, settings, lines, flags, server) = match self {
            Self::Test(args) => {
                let settings = found
                    .with(&args.fields)
                    .with(&args.base)
                    .with(&args.question);
                (Kind::Test, settings, None, args.flags, args.server)
            }
            Self::Tune(args) => {
                let name = args.lines.display().to_string();
                if args
                    .lines
                    .extension()
                    .is_some_and(|extension| extension == "toml")
                {
                    return Err(Failure::unable(format!("`{name}` is no list of lines"))
                        .hint(format!("run `tuner openbench submit {name}`")));
                }
                let lines = std::fs::read_to_string(&args.lines)
                    .or_unable(format_args!("read `{name}`"))?;
                let settings = found.with(&args.fields).with(&args.schedule);
                (Kind::Tune, settings, Some(lines), args.flags, args.server)
            }
            Self::Datagen(args) => {
                let settings = found.with(&args.fields).with(&args.base).with(&args.games);
                (Kind::Datagen, settings, None, args.flags, args.server)
            }
        };
        let here = std::env::current_dir().or_unable("find out which folder this is")?;
        let mut session = settings.session(&server, None, printer)?;
        // The gains of such a list are its author's.
        let as_given = lines.as_ref().map(|lines| |_| lines.clone());
        let report = openbench::submit::submit(
            &mut session,
            kind,
            &settings,
            &here,
            as_given.as_ref().map(|lines| lines as &ParameterLines<'_>),
            &flags,
            printer,
        )
        .await?;
        show(&report, flags.json, printer);
        Ok(Exit::Yes)
    }
}

fn show(report: &Report, json: bool, printer: Printer) {
    if let Some(note) = report.note() {
        printer.note(&note);
    }
    printer.result(&report.text(json));
}
