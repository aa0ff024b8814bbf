//! fastchess's command line: words to [`Arguments`].
//!
//! A word that begins with a dash is an option, and the words after it are its values (`-2` is a
//! value). An option or key that is not known is warned of and left out, because a newer server may
//! send some; a bad value of a known one is an error, because the match would not be the one that
//! was asked for.

use std::path::PathBuf;

use foundation::Failure;

use super::score::Intervals;
use super::side::{Side, SideWords};
use super::values::{
    Openings, PgnOut, at_least_one, count, draw_rule, one, openings, pairs, pgn_out, resign_rule,
    small,
};
use super::warnings::Warnings;
use referee::adjudication::Rules;
use referee::arena::ProcessorList;
use referee::tablebase::{Adjudicate, TableUse};

/// Rounds that are played where none are asked for, as in fastchess.
const ROUNDS: u64 = 2;
/// Milliseconds that an engine may take to start where nothing else is said: fastchess's 10 seconds
/// are not enough for a large network on a busy machine, and a match that cannot start is lost to
/// the worker.
const STARTUP_MS: u64 = 60_000;
/// Milliseconds that it may take to answer, as in fastchess.
pub(super) const PING_MS: u64 = 60_000;
/// Games between two ratings, as in fastchess.
const RATING_INTERVAL: u64 = 10;

/// fastchess's options that mean something and that this runner does not have.
const NOT_HERE: [&str; 6] = [
    "-config",
    "-report",
    "-autosaveinterval",
    "-check-mate-pvs",
    "-show-latency",
    "-ucinewgame-ms",
];

/// A match as it was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Arguments {
    pub(crate) variant: &'static str,
    pub(crate) concurrency: usize,
    pub(crate) rounds: u64,
    /// Whether each opening is played with both colours.
    pub(crate) reverses: bool,
    /// Who has White in the first game, and whether colours are swapped after it.
    pub(crate) second_begins: bool,
    pub(crate) swaps: bool,
    pub(crate) wait_ms: u64,
    pub(crate) adjudication: Rules,
    pub(crate) tablebases: Option<Tablebases>,
    /// The engine that has White in odd games, and the other one.
    pub(crate) sides: [Side; 2],
    pub(crate) openings: Option<Openings>,
    pub(crate) seed: u64,
    pub(crate) pgn: Option<PgnOut>,
    /// Whether the checksum of that file is printed after each round.
    pub(crate) prints_crc32: bool,
    pub(crate) event: String,
    pub(crate) site: String,
    pub(crate) startup_ms: u64,
    /// How long an engine may take to answer where no clock runs.
    pub(crate) ping_ms: Option<u64>,
    /// Whether each game has a processor of its own, where that was asked for, and of which ones.
    pub(crate) has_own_processors: bool,
    pub(crate) processors: Option<ProcessorList>,
    /// How often the score is printed as cutechess prints it, where that was asked for.
    pub(crate) cutechess: Option<Intervals>,
}

/// Syzygy tables that end games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tablebases {
    pub(crate) folders: Vec<PathBuf>,
    pub(crate) table_use: TableUse,
}

/// Options as they come in, before it is known that they make a match.
#[derive(Default)]
struct Reader {
    variant: Option<&'static str>,
    concurrency: Option<u64>,
    rounds: Option<u64>,
    games: Option<u64>,
    adjudication: Rules,
    tb_folders: Vec<PathBuf>,
    tb_pieces: Option<u64>,
    tb_use: TableUse,
    second_begins: bool,
    keeps_colors: bool,
    is_strict: bool,
    wait_ms: u64,
    sides: Vec<SideWords>,
    each: Vec<(String, String)>,
    openings: Option<Openings>,
    seed: Option<u64>,
    pgn: Option<PgnOut>,
    prints_crc32: bool,
    event: Option<String>,
    site: Option<String>,
    startup_ms: Option<u64>,
    ping_ms: Option<u64>,
    has_own_processors: bool,
    processors: Option<ProcessorList>,
    is_cutechess: bool,
    score_interval: Option<u64>,
    rating_interval: Option<u64>,
}

impl Arguments {
    /// Reads the words after the program's name.
    ///
    /// # Errors
    /// They do not describe a match.
    pub(crate) fn read(words: &[String], warnings: &mut Warnings) -> Result<Self, Failure> {
        let mut reader = Reader::default();
        let mut rest = words;
        while let [word, after @ ..] = rest {
            if !is_option(word) {
                warnings.push(format!("`{word}` follows no option and is left out"));
                rest = after;
                continue;
            }
            let count = after.iter().take_while(|word| !is_option(word)).count();
            let (values, after) = after.split_at(count);
            reader
                .option(word, values, warnings)
                .map_err(|failure| failure.context(word))?;
            rest = after;
        }
        reader.finish(warnings)
    }
}

/// `-games`, also `--version`, but not `-2`.
fn is_option(word: &str) -> bool {
    word.strip_prefix('-')
        .is_some_and(|rest| !rest.starts_with(|letter: char| letter.is_ascii_digit()))
}

impl Reader {
    fn option(
        &mut self,
        option: &str,
        values: &[String],
        warnings: &mut Warnings,
    ) -> Result<(), Failure> {
        match option {
            "-engine" => {
                let mut side = SideWords::default();
                for (key, value) in pairs(option, values, warnings) {
                    side.read(key, value, warnings)?;
                }
                self.sides.push(side);
            }
            "-each" => {
                let each = pairs(option, values, warnings);
                let owned = each
                    .into_iter()
                    .map(|(key, value)| (key.to_owned(), value.to_owned()));
                self.each.extend(owned);
            }
            "-variant" => {
                self.variant = Some(match one(values)? {
                    "standard" => "standard",
                    "fischerandom" | "chess960" => "chess960",
                    other => {
                        return Err(Failure::unable(format!(
                            "`{other}` is no variant: expected standard or fischerandom"
                        )));
                    }
                });
            }
            "-concurrency" => self.concurrency = Some(count(values)?),
            "-rounds" => self.rounds = Some(count(values)?),
            "-games" => self.games = Some(count(values)?),
            "-repeat" => self.games = Some(if values.is_empty() { 2 } else { count(values)? }),
            "-maxmoves" => {
                let most = Some(small(count(values)?));
                self.adjudication.max_moves = most.filter(|moves| *moves > 0);
            }
            "-srand" => self.seed = Some(count(values)?),
            "-startup-ms" => self.startup_ms = Some(count(values)?),
            "-ping-ms" => self.ping_ms = Some(count(values)?),
            "-draw" => self.adjudication.draw = Some(draw_rule(values, warnings)?),
            "-resign" => self.adjudication.resign = Some(resign_rule(values, warnings)?),
            "-tb" => {
                let folders = one(values)?.split([':', ';']);
                self.tb_folders = folders
                    .filter(|it| !it.is_empty())
                    .map(PathBuf::from)
                    .collect();
            }
            "-tbignore50" => self.tb_use.ignore_50 = true,
            "-tbadjudicate" => {
                self.tb_use.adjudicate = match one(values)? {
                    "BOTH" => Adjudicate::All,
                    "WIN_LOSS" => Adjudicate::Wins,
                    "DRAW" => Adjudicate::Draws,
                    other => {
                        return Err(Failure::unable(format!(
                            "`{other}`: expected BOTH, WIN_LOSS or DRAW"
                        )));
                    }
                };
            }
            "-use-affinity" => {
                self.has_own_processors = true;
                if !values.is_empty() {
                    let list = values.join(",").parse().map_err(Failure::unable)?;
                    self.processors = Some(list);
                }
            }
            "-output" => self.output(values)?,
            "-scoreinterval" => self.score_interval = Some(count(values)?),
            "-ratinginterval" => self.rating_interval = Some(count(values)?),
            "-noswap" => self.keeps_colors = true,
            "-reverse" => self.second_begins = true,
            "-strict" => self.is_strict = true,
            "-wait" => self.wait_ms = count(values)?,
            "-tbpieces" => self.tb_pieces = Some(count(values)?),
            "-openings" => self.openings = openings(values, warnings)?,
            "-pgnout" => self.pgn = pgn_out(values, warnings)?,
            "-crc32" => {
                self.prints_crc32 = match one(values)? {
                    "pgn=true" => true,
                    "pgn=false" => false,
                    other => {
                        return Err(Failure::unable(format!(
                            "`{other}`: expected pgn=true or pgn=false"
                        )));
                    }
                };
            }
            "-event" => self.event = Some(values.join(" ")),
            "-site" => self.site = Some(values.join(" ")),
            // What they ask for is what happens here anyway.
            "-recover" | "-testEnv" | "-force-concurrency" => {
                for value in values {
                    warnings.unknown(value, option);
                }
            }
            _ => {
                let what = [&[option.to_owned()], values].concat().join(" ");
                warnings.push(if NOT_HERE.contains(&option) {
                    format!("`{what}`: this runner does not have {option}; it is left out")
                } else {
                    format!("`{what}`: {option} is not known here and is left out")
                });
            }
        }
        Ok(())
    }

    fn output(&mut self, values: &[String]) -> Result<(), Failure> {
        self.is_cutechess = match one(values)? {
            "format=cutechess" => true,
            "format=fastchess" => false,
            other => {
                return Err(Failure::unable(format!(
                    "`{other}`: expected format=cutechess or format=fastchess"
                )));
            }
        };
        Ok(())
    }

    /// How often cutechess's score is printed; fastchess's own is not.
    fn intervals(&self, warnings: &mut Warnings) -> Option<Intervals> {
        if self.is_cutechess {
            return Some(Intervals {
                score: self.score_interval.unwrap_or(1),
                rating: self.rating_interval.unwrap_or(RATING_INTERVAL),
            });
        }
        if self.rating_interval.is_some() {
            warnings.push(
                "-ratinginterval without -output format=cutechess: no ratings are printed"
                    .to_owned(),
            );
        }
        None
    }

    fn finish(mut self, warnings: &mut Warnings) -> Result<Arguments, Failure> {
        for side in &mut self.sides {
            for (key, value) in &self.each {
                side.read(key, value, warnings)?;
            }
        }
        let cutechess = self.intervals(warnings);
        let found = self.sides.len();
        let Ok([first, second]) = <[SideWords; 2]>::try_from(self.sides) else {
            return Err(
                Failure::unable(format!("got {found} engines, expected two"))
                    .hint("give -engine cmd=PROGRAM name=NAME tc=SECONDS+INCREMENT twice"),
            );
        };
        let mut sides = [first.finish(1, warnings)?, second.finish(2, warnings)?];
        if sides[0].name == sides[1].name {
            sides[1].name.push_str("_2");
        }
        let reverses = match self.games.unwrap_or(2) {
            1 => false,
            2 => true,
            other => {
                return Err(Failure::unable(format!("-games {other}: expected 1 or 2")));
            }
        };
        if self.tb_folders.is_empty() && self.tb_pieces.is_some() {
            warnings.push("-tbpieces without -tb: there are no tables to end games by".to_owned());
        }
        let tablebases = (!self.tb_folders.is_empty()).then(|| Tablebases {
            folders: self.tb_folders,
            table_use: TableUse {
                pieces: self
                    .tb_pieces
                    .filter(|pieces| *pieces > 0)
                    .map(|pieces| pieces as usize),
                ..self.tb_use
            },
        });
        if self.openings.is_none() {
            warnings
                .push("no -openings: every game begins from the usual start position".to_owned());
        }
        if self.is_strict
            && let Some(warning) = warnings.first()
        {
            return Err(Failure::unable(warning.to_owned()).hint("-strict makes it an error"));
        }
        Ok(Arguments {
            second_begins: self.second_begins,
            swaps: !self.keeps_colors,
            wait_ms: self.wait_ms,
            variant: self.variant.unwrap_or("standard"),
            concurrency: at_least_one("-concurrency", self.concurrency.unwrap_or(1))? as usize,
            rounds: at_least_one("-rounds", self.rounds.unwrap_or(ROUNDS))?,
            reverses,
            adjudication: self.adjudication,
            tablebases,
            sides,
            openings: self.openings,
            seed: self.seed.unwrap_or_default(),
            pgn: self.pgn,
            prints_crc32: self.prints_crc32,
            event: self.event.unwrap_or_else(|| "sprt fastchess".to_owned()),
            site: self.site.unwrap_or_else(|| "?".to_owned()),
            startup_ms: self.startup_ms.unwrap_or(STARTUP_MS),
            ping_ms: self.ping_ms,
            has_own_processors: self.has_own_processors,
            processors: self.processors,
            cutechess,
        })
    }
}

#[cfg(test)]
#[path = "arguments/tests.rs"]
mod tests;
