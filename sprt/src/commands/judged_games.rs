//! Which games a judge goes through, and where that is recorded: for the commands that count
//! mistakes, and for those that make something of them.

use std::path::{Path, PathBuf};

use analysis::blunders::folder::BlundersRun;
use analysis::blunders::plan::GamesFile;
use analysis::games::pgn;
use foundation::{
    Failure, Printer, counted, digest, failure::OrUnable, files, process::command_on, run_folder,
};
use referee::game::{self, Variant, variants};
use runs::report::check_writable;
use runs::state_folder::new_run_path;

use super::stats::file_of;

/// Broken games that are named; more are counted only.
const NAMED: usize = 5;

/// The games and the run.
#[derive(clap::Args, Clone, Debug)]
pub struct JudgedGames {
    /// Games as PGN, also as .gz or .zip; or a run, as `sprt show` takes it
    #[arg(required = true, value_name = "GAMES|RUN")]
    pub games: Vec<PathBuf>,
    /// Game of records whose tags do not name it, or variant of chess
    #[arg(long, value_name = "GAME")]
    pub variant: Option<String>,
    /// Judge the moves of this player alone; may be repeated
    #[arg(long, value_name = "NAME")]
    pub player: Vec<String>,
    /// Folder of the run [default: a new one under the state folder]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Print the plan as JSON and judge nothing
    #[arg(long)]
    pub dry_run: bool,
}

impl JudgedGames {
    /// Where games lie, and what they are now.
    pub(super) fn files(&self) -> Result<Vec<GamesFile>, Failure> {
        let one = |games_or_run: &PathBuf| {
            // They are read again, also where the run is resumed.
            let hint = "write the games to a file first";
            if games_or_run.as_os_str() == "-" {
                return Err(Failure::unable("`-` is standard input, expected a file").hint(hint));
            }
            let path = file_of(games_or_run)?;
            files::refuse_stream(&path).map_err(|failure| failure.hint(hint))?;
            let shown = path.display();
            Ok(GamesFile {
                sha256: digest::of_file_cached(&path).or_unable(format_args!("read `{shown}`"))?,
                path: std::path::absolute(&path)
                    .or_unable(format_args!("find out where `{shown}` is"))?,
            })
        };
        self.games.iter().map(one).collect()
    }

    /// What is played in the first of some files.
    pub(super) fn variant(&self, files: &[GamesFile]) -> Result<&'static dyn Variant, Failure> {
        match (&self.variant, files.first()) {
            (None, Some(first)) => pgn::variant_of(&first.path),
            (name, _) => game::find(name.as_deref().unwrap_or(variants::USUAL)),
        }
    }

    /// The folder of the run, which need not be there; `command` is in the name of a new one.
    ///
    /// # Errors
    /// There is nothing to judge.
    pub(super) fn folder(&self, run: &BlundersRun, command: &str) -> Result<PathBuf, Failure> {
        if run.plan.searches == 0 {
            return Err(Failure::unable("there is no move to judge").hint(
                "moves out of a book are not judged, nor those of players that --player does not name",
            ));
        }
        self.out.clone().map_or_else(|| new_run_path(command), Ok)
    }
}

/// # Errors
/// The file of positions is a part of the record of a run, or cannot be written.
pub(super) fn checked_epd(epd: &Path) -> Result<(), Failure> {
    run_folder::refuse_record(epd)?;
    check_writable(epd, "positions", "--epd")
}

/// A file of positions as a plan has it, for the run may be continued in another folder.
///
/// # Errors
/// It is a part of the record of a run.
pub(super) fn planned_epd(epd: Option<&Path>) -> Result<Option<PathBuf>, Failure> {
    let absolute = |epd: &Path| {
        run_folder::refuse_record(epd)?;
        let shown = epd.display();
        std::path::absolute(epd).or_unable(format_args!("find out where `{shown}` is"))
    };
    epd.map(absolute).transpose()
}

/// Warns of the positions at which the judge failed, each with its fault if it has one; whether there
/// are any. `consequence` is what becomes of them.
pub(super) fn warn_of_faults<'a>(
    positions: impl Iterator<Item = (&'a String, &'a Option<String>)>,
    consequence: &str,
    printer: Printer,
) -> bool {
    let faults = positions.filter_map(|(fen, fault)| Some((fen, fault.as_ref()?)));
    let faults: Vec<_> = faults.collect();
    if let Some((fen, fault)) = faults.first() {
        printer.warn(&format!(
            "the judge failed at {}, {consequence}; for instance at `{fen}`: {fault}",
            counted(faults.len(), "position")
        ));
    }
    !faults.is_empty()
}

/// What to do where the judge was interrupted.
pub(super) fn say_interrupted(run: &Path, json: bool, printer: Printer) {
    printer.note(&format!(
        "interrupted; continue with `{}{}`",
        command_on("sprt resume", run),
        if json { " --json" } else { "" }
    ));
}

/// Names games that cannot be read, and counts them.
pub(super) fn warn_of_broken(run: &BlundersRun, printer: Printer) {
    for (number, why) in run.broken.iter().take(NAMED) {
        printer.warn(&format!("game {number} is left out: {why}"));
    }
    if run.broken.len() > NAMED {
        printer.warn(&format!("{} games are left out in all", run.broken.len()));
    }
}
