//! `sprt fastchess`: the match runner of an OpenBench worker, also under the names a worker looks
//! for.

use std::ffi::OsString;
use std::path::Path;

use clap::Parser;
use foundation::{Exit, Failure, Printer, process::word};

use super::{run as match_command, tournament};
use crate::convert::{Asked, Tool, convert};
use crate::fastchess;

/// What a worker calls its match runner.
const NAMES: [&str; 2] = ["fastchess-ob", "fastchess"];

/// The version of fastchess whose command line and lines are spoken here; a worker compares the
/// first number of the line with what its server asks for at least.
const INTERFACE: &str = "1.8.2";

/// The words of fastchess's command line.
#[derive(clap::Args, Clone, Debug)]
#[command(disable_help_flag = true)]
pub struct Args {
    /// Options as fastchess takes them; --version prints the version of its interface
    #[arg(
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "OPTION"
    )]
    pub words: Vec<String>,
}

/// The words, where a command line is fastchess's: by the name the program was started under, or by
/// its first word. It must not be read as ours, for `-variant` is no `-v`.
pub fn called(arguments: impl IntoIterator<Item = OsString>) -> Option<Args> {
    let mut arguments = arguments.into_iter();
    let program = arguments.next()?;
    let mut rest = arguments.peekable();
    let name = Path::new(&program).file_name()?.to_string_lossy();
    let name = name.strip_suffix(".exe").unwrap_or(&name);
    if !NAMES.contains(&name) {
        rest.next_if(|word| word == "fastchess")?;
    }
    let words = rest.map(|word| word.to_string_lossy().into_owned());
    Some(Args {
        words: words.collect(),
    })
}

pub async fn run(args: Args, printer: Printer) -> Result<Exit, Failure> {
    match args.words.first().map(String::as_str) {
        Some("--version" | "version" | "-v" | "-version") => {
            printer.result(&version());
            Ok(Exit::Yes)
        }
        None | Some("--help" | "help" | "-h" | "-help") => {
            printer.result(&format!("{}\n\n{}", version(), usage()));
            Ok(Exit::Yes)
        }
        Some(_) if Asked::needs_a_run(&args.words) => play_as_run(&args.words, printer).await,
        Some(_) => fastchess::play(&args.words, printer).await,
    }
}

/// What a converted command line is read as.
#[derive(Parser)]
#[command(name = "sprt", no_binary_name = true)]
enum Ours {
    Run(Box<match_command::Args>),
    Tournament(Box<tournament::Args>),
}

/// Plays a test or a tournament, which a worker never asks for, as a run of ours: with a verdict, and
/// a folder from which it can be resumed.
async fn play_as_run(words: &[String], printer: Printer) -> Result<Exit, Failure> {
    let converted = convert(Tool::Fastchess, words)?;
    for remark in &converted.remarks {
        printer.warn(remark);
    }
    let shown: Vec<String> = converted.words.iter().map(|it| word(it)).collect();
    printer.note(&format!("played as: sprt {}", shown.join(" ")));
    let ours = Ours::try_parse_from(&converted.words).map_err(|error| {
        let text = error.to_string();
        let text = text.strip_prefix("error: ").unwrap_or(&text);
        Failure::unable(text.lines().next().unwrap_or(text))
            .hint(format!("played as: sprt {}", shown.join(" ")))
    })?;
    match ours {
        Ours::Run(args) => Box::pin(match_command::run(*args, printer)).await,
        Ours::Tournament(args) => Box::pin(tournament::run(*args, printer)).await,
    }
}

fn version() -> String {
    let own = env!("CARGO_PKG_VERSION");
    format!("fastchess {INTERFACE} interface, sprt {own}")
}

fn usage() -> &'static str {
    "Usage: fastchess -engine KEY=VALUE... -engine KEY=VALUE... [OPTION]...

  -engine cmd=PROGRAM name=NAME [dir=DIR] [args=ARGS] [option.NAME=VALUE]...
          tc=[MOVES/]SECONDS[+INCREMENT] [timemargin=MS] | st=SECONDS | nodes=N | depth=N
  -each KEY=VALUE...                 the same for both engines
  -rounds N -games 1|2               openings, and games with each
  -concurrency N                     games at a time
  -use-affinity [LIST]               each game on a processor of its own, of those such as 2,4-7
  -variant standard|fischerandom
  -openings file=FILE [format=epd|pgn] [order=random|sequential] [start=N] [plies=N] -srand SEED
  -draw movenumber=N movecount=N score=N
  -resign movecount=N score=N [twosided=true]
  -maxmoves N
  -tb DIRS [-tbpieces N]             Syzygy tables that end games
  -pgnout file=FILE [append=false] [match_line=REGEX]...
  -output format=cutechess [-scoreinterval N] [-ratinginterval N]
                                     the score and the Elo after so many games
  -event TEXT -site TEXT
  -startup-ms N -ping-ms N           how long to wait for an engine to start, and to answer

With -sprt, -tournament or more than two engines it is played as `sprt run` or `sprt tournament`,
whose flags `sprt convert` prints. Other options are warned of and left out."
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Option<Vec<String>> {
        called(line.split(' ').map(OsString::from)).map(|args| args.words)
    }

    #[test]
    fn the_program_is_fastchess_by_its_name_or_its_first_word() {
        for line in [
            "./fastchess-ob -variant standard",
            "/usr/bin/fastchess -variant standard",
            "fastchess-ob.exe -variant standard",
            "sprt fastchess -variant standard",
        ] {
            let expected = ["-variant", "standard"].map(str::to_owned).to_vec();
            assert_eq!(words(line), Some(expected), "{line}");
        }
        for line in [
            "sprt",
            "sprt run fastchess",
            "sprt -variant",
            "fastchess-2 x",
        ] {
            assert_eq!(words(line), None, "{line}");
        }
    }

    #[test]
    fn the_first_number_of_the_version_is_the_interface_s() {
        let version = version();
        let digits = |letter: char| !(letter.is_ascii_digit() || letter == '.');
        let first = version.split(digits).find(|part| !part.is_empty());
        assert_eq!(first, Some(INTERFACE));
        assert_eq!(INTERFACE.split('.').count(), 3);
    }
}
