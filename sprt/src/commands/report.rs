//! `sprt report`: a run as one HTML page.

use std::path::PathBuf;

use foundation::{Exit, Failure, Printer, files};

use analysis::blunders::folder::is_blunders;
use analysis::suite::folder::is_suite;
use runs::analysis::Analysis;
use runs::report::{html, tournament};
use runs::state_folder::find_run;
use runs::tournament::is_tournament;

/// A run to draw.
#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// The run's folder, or its name as `sprt list` shows it, or a part of that; it may be being played
    pub run: PathBuf,
    /// File to write [default: report.html in the run's folder]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// Prints the path of the page.
pub fn run(args: &Args, printer: Printer) -> Result<Exit, Failure> {
    let run = find_run(&args.run)?;
    if is_suite(&run)? || is_blunders(&run)? {
        return Err(Failure::unable(format!(
            "`{}` is no run of games, and has no page",
            run.display()
        ))
        .hint("`sprt show` prints it"));
    }
    let page = if is_tournament(&run)? {
        tournament::View::of(&run)?.page()
    } else {
        html::page(&Analysis::of(&run)?)
    };
    let out = args.out.clone().unwrap_or_else(|| run.join("report.html"));
    files::replace(&out, page)
        .map_err(|failure| failure.hint("name a file that you may write to with --out"))?;
    printer.result(&out.display().to_string());
    Ok(Exit::Yes)
}
