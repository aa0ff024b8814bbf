//! `sprt stats`: statistics of the players of games.

use std::path::{Path, PathBuf};

use analysis::games::statistics::Statistics;
use analysis::games::{pgn, report};
use foundation::{Exit, Failure, Printer, run_folder};
use referee::game;
use runs::run_folder::games_path;
use runs::state_folder::find_run;

/// Summarise the games of players: results, time, nodes, depth and speed per move
///
/// Moves out of a book are not counted. Seconds, nodes and depth are read from the comments that
/// match runners write after each move (`{+0.31/12 0.084s, n=48213}`), and those of Leiserchess's
/// autotester (`{84000000 12 48213}`).
#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// Games as PGN, also as .gz or .zip, `-` on standard input; or a run, as `sprt show` takes
    /// it. Several are counted together
    #[arg(required = true, value_name = "GAMES|RUN")]
    pub games: Vec<PathBuf>,
    /// Game of records whose tags do not name it, or variant of chess
    #[arg(long, value_name = "GAME")]
    pub variant: Option<String>,
    /// Length of a window of moves, in a player's own moves
    #[arg(long, value_name = "MOVES", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub window: u32,
    /// Draw the two players with most games as an HTML page
    #[arg(long, value_name = "FILE")]
    pub page: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Broken games that are named; more are counted only.
const NAMED: u64 = 5;

pub fn run(args: &Args, printer: Printer) -> Result<Exit, Failure> {
    let mut statistics = Statistics::new(args.window);
    let variant = args.variant.as_deref().map(game::find).transpose()?;
    let mut broken = 0;
    for games in &args.games {
        let path = match games.to_str() {
            Some("-") => PathBuf::from("/dev/stdin"),
            _ => file_of(games)?,
        };
        pgn::read(&path, variant, |number, game| match game {
            Ok(game) => statistics.add(&game),
            Err(why) => {
                broken += 1;
                if broken <= NAMED {
                    printer.warn(&format!(
                        "`{}`, game {number} is left out: {why}",
                        path.display()
                    ));
                }
            }
        })?;
    }
    if broken > NAMED {
        printer.warn(&format!("{broken} games are left out in all"));
    }
    if statistics.games == 0 {
        return Err(
            Failure::unable("there is no game to count").hint("expected PGN, or a run with games")
        );
    }
    if args.json {
        printer.result(&report::json(&statistics, broken)?);
    } else {
        printer.result(&report::text(&statistics));
    }
    if let Some(page) = &args.page {
        run_folder::write_output(page, report::page(&statistics))?;
    }
    Ok(Exit::Yes)
}

/// The games of a run, or the file itself, which may be a pipe.
pub(super) fn file_of(games: &Path) -> Result<PathBuf, Failure> {
    if games.exists() && !games.is_dir() {
        return Ok(games.to_owned());
    }
    let run = find_run(games)
        .map_err(|failure| failure.context(format_args!("`{}` is no file", games.display())))?;
    let path = games_path(&run);
    if path.exists() {
        return Ok(path);
    }
    Err(
        Failure::unable(format!("there is no `{}`", path.display())).hint(format!(
            "expected files, or the folder of a run with games; for all files of a folder, `{}`",
            games.join("*.pgn").display()
        )),
    )
}
