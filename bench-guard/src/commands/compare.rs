//! `bench-guard compare A B`: where does one engine search more nodes than the other?

mod course;
mod rows;
mod search;

use std::{fmt::Write, fs, path::PathBuf, time::Duration};

use schemars::JsonSchema;
use serde::Serialize;

use self::{
    rows::{POSITIONS, Row, positions, sort},
    search::Task,
};
use super::project::Project;
use crate::report::{self, Object};
use foundation::{Exit, Failure, Printer, failure::OrUnable, pool};

/// From the start of an engine to `uciok`.
const STARTUP: Duration = Duration::from_secs(15);

#[derive(Serialize, JsonSchema)]
pub(crate) struct Comparison<'a> {
    a: &'a str,
    b: &'a str,
    depth: u32,
    total_a: u64,
    total_b: u64,
    /// Largest difference first.
    positions: &'a [Row],
}

impl Object for Comparison<'_> {
    const SCHEMA: &'static str = "bench-guard-compare";
}

#[derive(clap::Args, Debug)]
pub(crate) struct CompareArgs {
    /// A binary, a revision, or `.`
    pub(crate) a: String,
    /// A binary, a revision, or `.`
    pub(crate) b: String,
    /// Depth each position is searched to
    #[arg(long, default_value_t = 10, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=120))]
    pub(crate) depth: u32,
    /// Positions, one FEN or EPD a line [default: a built-in set]
    #[arg(long, value_name = "FILE")]
    pub(crate) positions: Option<PathBuf>,
    /// A UCI option for both engines
    #[arg(long = "option", value_name = "NAME=VALUE")]
    pub(crate) options: Vec<String>,
    /// Time limit per position, in seconds
    #[arg(long, default_value_t = 60, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=86400))]
    pub(crate) limit: u64,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

pub(crate) fn run(args: &CompareArgs, printer: Printer) -> Result<Exit, Failure> {
    let text = match &args.positions {
        Some(file) => {
            fs::read_to_string(file).or_unable(format_args!("read `{}`", file.display()))?
        }
        None => POSITIONS.to_owned(),
    };
    let fens = positions(&text)
        .map_err(|reason| Failure::unable(reason).hint("give one FEN or EPD a line"))?;
    if fens.is_empty() {
        return Err(Failure::unable("there is no position to compare"));
    }
    let options = args.options.iter().map(|text| option(text));
    let task = Task {
        fens: &fens,
        depth: args.depth,
        options: &options.collect::<Result<Vec<_>, _>>()?,
        limit: Duration::from_secs(args.limit),
        startup: STARTUP,
    };
    let engines = [
        (&args.a, binary(&args.a, printer)?),
        (&args.b, binary(&args.b, printer)?),
    ];
    let counts = pool::map(2, &engines, |(name, binary)| {
        let courses = search::courses(&task, binary, name)?;
        Ok::<_, Failure>(
            courses
                .iter()
                .map(|it| it.nodes.unwrap_or(0))
                .collect::<Vec<_>>(),
        )
    })?;
    let mut counts = counts.into_iter();
    let (a, b) = (
        counts.next().unwrap_or_default(),
        counts.next().unwrap_or_default(),
    );
    let mut rows: Vec<Row> = fens
        .iter()
        .zip(a.iter().zip(&b))
        .map(|(fen, (a, b))| Row::new(fen, *a, *b))
        .collect();
    sort(&mut rows);
    let (total_a, total_b) = (a.iter().sum(), b.iter().sum());
    if args.json {
        printer.result(&report::object(&Comparison {
            a: &args.a,
            b: &args.b,
            depth: args.depth,
            total_a,
            total_b,
            positions: &rows,
        })?);
    } else {
        let total = Row::new(
            &format!("total of {} positions, depth {}", rows.len(), args.depth),
            total_a,
            total_b,
        );
        printer.result(&table(&rows, &total));
    }
    Ok(Exit::Yes)
}

fn table(rows: &[Row], total: &Row) -> String {
    let mut text = format!(
        "{:>12} {:>12} {:>8}  position\n",
        "nodes of A", "nodes of B", "B / A"
    );
    for row in rows.iter().chain([total]) {
        let change = match row.ratio {
            Some(ratio) => format!("{:+.1}%", 100.0 * (ratio - 1.0)),
            None => "-".to_owned(),
        };
        let _ = writeln!(text, "{:>12} {:>12} {change:>8}  {}", row.a, row.b, row.fen);
    }
    text.trim_end().to_owned()
}

fn option(text: &str) -> Result<(String, String), Failure> {
    let (name, value) = text.split_once('=').ok_or_else(|| {
        Failure::unable(format!("`{text}` is not an option")).hint("write NAME=VALUE")
    })?;
    Ok((name.to_owned(), value.to_owned()))
}

/// A program where there is one of that name, else a revision, built.
fn binary(text: &str, printer: Printer) -> Result<PathBuf, Failure> {
    let path = PathBuf::from(text);
    if path.is_file() {
        return Ok(path);
    }
    let project = Project::open()?;
    let revision = project.repository.resolve(text).map_err(|failure| {
        if text.contains('/') {
            failure.hint(format!("there is no file `{}` either", path.display()))
        } else {
            failure
        }
    })?;
    Ok(project.binary(&revision, printer)?.path)
}
