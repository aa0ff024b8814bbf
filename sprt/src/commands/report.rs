//! `sprt report`: a run as one HTML page.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use foundation::{Exit, Failure, Printer, run_folder};

use crate::serve::mistakes;
use analysis::Kind;
use analysis::suite::{self, folder::SuiteRun};
use runs::analysis::Analysis;
use runs::games::{GamesReader, MOST_BYTES, Packed};
use runs::pair_record::PairLine;
use runs::recorded::Recorded;
use runs::report::{html, tournament};
use runs::state_folder::{self, find_run};
use runs::tournament::is_tournament;

/// A run to draw.
#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// The run's folder, or its name as `sprt list` shows it, or a part of that; it may be being played
    pub run: PathBuf,
    /// File to write [default: report.html in the run's folder]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Room for games in the page, compressed, in MiB; those that fit are shown on boards, 0 leaves
    /// them out
    #[arg(long, value_name = "MIB", default_value_t = MOST_BYTES as f64 / MIB)]
    pub games_size: f64,
}

const MIB: f64 = (1 << 20) as f64;

/// As many games as fit. A page without games is better than none.
fn packed(
    run: &Path,
    lines: &Arc<[PairLine]>,
    size: f64,
    printer: Printer,
) -> Result<Option<Packed>, Failure> {
    if !size.is_finite() || size < 0.0 {
        return Err(Failure::unable(format!(
            "--games-size: expected MiB, got {size}"
        )));
    }
    if size == 0.0 {
        return Ok(None);
    }
    let most_bytes = (size * MIB) as usize;
    let packed = GamesReader::after(run, lines.clone())
        .and_then(|reader| Packed::of(&reader, &mistakes(all_runs(), run), most_bytes));
    match packed {
        Ok(packed) => {
            if packed.games < packed.of {
                printer.note(&format!(
                    "the page carries the first {} of {} games; --games-size makes room for more",
                    packed.games, packed.of
                ));
            }
            Ok(Some(packed))
        }
        Err(failure) => {
            printer.warn(&format!("the page carries no games: {}", failure.message()));
            Ok(None)
        }
    }
}

/// Counts of mistakes are runs as well, and lie where runs lie.
fn all_runs() -> Vec<PathBuf> {
    let runs = state_folder::runs().and_then(|folder| state_folder::paths(&folder));
    runs.unwrap_or_default()
}

fn page_of_games(run: &Path, size: f64, printer: Printer) -> Result<String, Failure> {
    let lines: Arc<[PairLine]> = Recorded::read(run)?.lines.into();
    let games = packed(run, &lines, size, printer)?;
    Ok(if is_tournament(run)? {
        tournament::View::after(run, &lines)?.page(games.as_ref())
    } else {
        html::page(&Analysis::after(run, &lines)?, games.as_ref())
    })
}

/// Prints the path of the page.
pub fn run(args: &Args, printer: Printer) -> Result<Exit, Failure> {
    let run = find_run(&args.run)?;
    let page = match Kind::of(&run)? {
        Some(Kind::Suite) => suite::report::page(&SuiteRun::read(&run)?, &run)?,
        Some(Kind::Blunders | Kind::Puzzles) => {
            return Err(Failure::unable(format!(
                "`{}` is a run of neither games nor a test suite, and has no page",
                run.display()
            ))
            .hint("`sprt show` prints it"));
        }
        None => page_of_games(&run, args.games_size, printer)?,
    };
    let out = args.out.clone().unwrap_or_else(|| run.join("report.html"));
    run_folder::write_output(&out, page)
        .map_err(|failure| failure.hint("name a file that you may write to with --out"))?;
    printer.result(&out.display().to_string());
    Ok(Exit::Yes)
}
