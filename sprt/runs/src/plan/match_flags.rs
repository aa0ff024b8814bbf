//! How games are played: the flags, which have the same names in a project file, and how they are
//! resolved: defaults are filled in, the book is opened.
//!
//! A flag that was not given is `None`, so that a project file can stand behind it. Nothing is
//! written before all flags are resolved, so a mistake leaves no half-made run behind.

use std::collections::HashSet;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use clap::Args;
use foundation::command_line::count;
use foundation::printer::When;
use foundation::{Failure, pool};
use serde::{Deserialize, Serialize};

use super::limit_flags::LimitFlags;
use super::option_list::{demanded, parse_option, usual_options, with_last_values};
use super::range::{WEEK, time_margin, within};
use super::settings::{EngineSettings, init_lines, threads, working_folder};
use super::value_name::value_name;
use super::{BookPlan, PlayPlan, SyzygyPlan, cores};
use engine_client::{Limit, Restart};
use referee::adjudication::RuleFlags;
use referee::arena::{ArenaOptions, ProcessorList};
use referee::game::{self, variants};
use referee::openings::{Order, Reading};
use referee::tablebase::{Adjudicate, TableUse};

/// Openings of a file that are read before the first game, for a run cannot get past a broken one:
/// as many as take a fraction of a second.
const OPENINGS_CHECKED: u64 = 20_000;

/// How games are played.
#[derive(Args, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
#[command(next_help_heading = "Match")]
pub struct MatchFlags {
    /// Time control, [MOVES/]SECONDS[+INCREMENT], with commas between several stages; hg60 is an
    /// hourglass [default: 8+0.08]
    #[arg(long, value_name = "TC")]
    pub tc: Option<String>,
    /// Search so many nodes a move; without a clock, unless --tc is given too
    #[arg(long, value_name = "N", value_parser = count::<u64>)]
    pub nodes: Option<u64>,
    /// Search so many plies a move; without a clock, unless --tc is given too
    #[arg(long, value_name = "N")]
    pub depth: Option<u32>,
    /// Think so many milliseconds a move
    #[arg(long, value_name = "MS")]
    pub movetime: Option<u64>,
    /// Hash of each engine in MiB [default: 16]
    #[arg(long, value_name = "MIB")]
    pub hash: Option<u32>,
    /// Threads of each engine [default: 1]
    #[arg(long, value_name = "N")]
    pub threads: Option<u32>,
    /// Option for both engines; may be repeated
    #[arg(long, value_name = "NAME=VALUE")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub option: Vec<String>,
    /// Command-line argument for both engines; may be repeated
    #[arg(long, value_name = "ARG", allow_hyphen_values = true)]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub arg: Vec<String>,
    /// Working folder of both engines [default: that of the run]
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
    /// Line to send to both engines as it stands, after their options; may be repeated
    #[arg(long, value_name = "LINE")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub init: Vec<String>,
    /// When the engines' processes are started anew [default: never, but after a failure]
    #[arg(long, value_enum, value_name = "WHEN")]
    pub restart: Option<Restart>,
    /// Let the engines think on their opponent's time, under a clock; a game needs twice the cores
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub ponder: Option<bool>,
    /// Opening book: EPD, PGN, Polyglot or lines of moves (`e2e4 e7e5`), also as .gz or .zip
    /// [default: an embedded one]
    #[arg(long, value_name = "FILE")]
    pub book: Option<PathBuf>,
    /// Order in which openings are taken [default: random]
    #[arg(long, value_enum, value_name = "ORDER")]
    pub book_order: Option<Order>,
    /// Play no more than so many plies of each line of a book that has lines [default: all, of a
    /// Polyglot book 8]
    #[arg(long, value_name = "N")]
    pub book_plies: Option<u32>,
    /// Number of the first opening to take, from 1
    #[arg(long, value_name = "N")]
    pub book_start: Option<u64>,
    /// Seed of everything random [default: a new one, printed]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Games played at the same time [default: cores / threads]
    #[arg(long, value_name = "N", env = "WHETSTONE_CONCURRENCY")]
    pub concurrency: Option<usize>,
    /// Bind each game to a processor [default: auto, which does so where no clock runs]
    #[arg(long, value_enum, value_name = "WHEN")]
    pub affinity: Option<When>,
    /// Play on these processors only, such as 2,4-7, each game on its own where they suffice
    #[arg(long, value_name = "LIST")]
    pub processors: Option<ProcessorList>,
    #[command(flatten)]
    #[serde(flatten)]
    pub rules: RuleFlags,
    /// Adjudicate by the Syzygy tables in these folders, separated as in PATH
    #[arg(long, value_name = "DIR")]
    pub syzygy: Option<String>,
    /// Look up positions of at most so many pieces [default: all that the tables hold]
    #[arg(long, value_name = "N")]
    pub syzygy_pieces: Option<usize>,
    /// Count wins that take longer than the fifty-move rule allows
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub syzygy_ignore_50: Option<bool>,
    /// Which games the tables end [default: all]
    #[arg(long, value_enum, value_name = "WHICH")]
    pub syzygy_adjudicate: Option<Adjudicate>,
    #[arg(long, value_name = "NAME", help = format!(
        "Variant of chess, or another game: {} [default: {}]", variants::names(), variants::USUAL
    ))]
    pub variant: Option<String>,
    /// Milliseconds that a move may exceed its time [default: 10]
    #[arg(long, value_name = "MS")]
    pub time_margin: Option<u64>,
    /// Milliseconds to wait after each game [default: 0]
    #[arg(long, value_name = "MS")]
    pub wait: Option<u64>,
    /// Seconds to wait for an engine to start [default: 10]
    #[arg(long, value_name = "SECONDS")]
    pub startup_timeout: Option<u64>,
    /// Seconds to wait for a move where no clock runs, and for `readyok` [default: 60]
    #[arg(long, value_name = "SECONDS")]
    pub move_timeout: Option<u64>,
}

impl MatchFlags {
    /// The limit, if one is given.
    fn limit(&self) -> Result<Option<Limit>, Failure> {
        let limit = LimitFlags {
            tc: self.tc.as_deref(),
            nodes: self.nodes,
            depth: self.depth,
            movetime: self.movetime,
        };
        limit.resolve()
    }

    /// The settings that all engines of the match have in common.
    pub fn settings(&self) -> Result<EngineSettings, Failure> {
        self.settings_over(&EngineSettings {
            options: usual_options(),
            ..EngineSettings::default()
        })
    }

    /// The same, with the settings of another match where nothing else is given.
    pub fn settings_over(&self, other: &EngineSettings) -> Result<EngineSettings, Failure> {
        let or = |given: Vec<String>, other: &Vec<String>| {
            if given.is_empty() {
                other.clone()
            } else {
                given
            }
        };
        Ok(EngineSettings {
            options: self.options_over(&other.options)?,
            arguments: or(self.arg.clone(), &other.arguments),
            folder: match &self.dir {
                Some(folder) => Some(working_folder(folder)?),
                None => other.folder.clone(),
            },
            init: or(init_lines(&self.init)?, &other.init),
            restart: self.restart.unwrap_or(other.restart),
            ponder: self.ponder.unwrap_or(other.ponder),
            // Limit and margin are those of the match.
            limit: None,
            time_margin_ms: None,
        })
    }

    /// The options of both engines, Threads and Hash first, and last what the variant demands.
    pub fn options(&self) -> Result<Vec<(String, String)>, Failure> {
        self.options_over(&usual_options())
    }

    /// The options of both engines: those of another match where nothing else is given.
    pub(crate) fn options_over(
        &self,
        others: &[(String, String)],
    ) -> Result<Vec<(String, String)>, Failure> {
        let numbers = [("Threads", self.threads), ("Hash", self.hash)];
        let numbers = numbers
            .into_iter()
            .filter_map(|(name, value)| value.map(|value| (name.to_owned(), value.to_string())));
        let given = self
            .option
            .iter()
            .map(|text| parse_option(text))
            .collect::<Result<Vec<_>, _>>()?;
        // An unknown variant is refused by `resolve`.
        let demanded = game::variant(self.variant.as_deref().unwrap_or(variants::USUAL))
            .into_iter()
            .flat_map(demanded);
        let others = others.iter().cloned();
        Ok(with_last_values(
            others.chain(numbers).chain(given).chain(demanded),
        ))
    }

    /// Everything about playing that needs no engine.
    pub fn resolve(&self) -> Result<PlayPlan, Failure> {
        let variant = game::find(self.variant.as_deref().unwrap_or(variants::USUAL))?;
        let common = EngineSettings {
            options: self.options()?,
            ponder: self.ponder.unwrap_or_default(),
            ..EngineSettings::default()
        };
        let usual = PlayPlan {
            limit: Limit::usual(),
            own_processors: true,
            processors: None,
            variant: variant.name().to_owned(),
            adjudication: variant.adjudication(),
            syzygy: None,
            book: BookPlan {
                file: None,
                reading: Reading {
                    seed: new_seed(),
                    ..Reading::default()
                },
                sha256: String::new(),
                openings: 0,
                repeats: Vec::new(),
            },
            concurrency: (pool::cores() / cores::of_a_game(&[&common, &common])).max(1),
            time_margin_ms: 10,
            startup_timeout_s: 10,
            move_timeout_s: 60,
            options: ArenaOptions {
                draws_without_material: true,
                ..ArenaOptions::default()
            },
        };
        self.resolve_over(&usual, &common.options)
    }

    /// The same, with the conditions of another match where nothing else is given; `options` are
    /// those of the engines.
    pub fn resolve_over(
        &self,
        other: &PlayPlan,
        options: &[(String, String)],
    ) -> Result<PlayPlan, Failure> {
        let processors = self.processors.as_ref();
        processors.map_or(Ok(()), ProcessorList::check)?;
        let given = self.limit()?;
        let is_given = given.is_some();
        let limit = given.unwrap_or_else(|| other.limit.clone());
        let own_processors = match self.affinity.unwrap_or_default() {
            When::Auto if self.processors.is_some() => true,
            When::Auto => {
                threads(options) == 1 && limit.has_no_clock() && (is_given || other.own_processors)
            }
            When::Always => true,
            When::Never => false,
        };
        let seconds =
            |flag, given: Option<u64>, other| within(flag, given.unwrap_or(other), 1..=WEEK);
        let mut play = PlayPlan {
            limit,
            own_processors,
            processors: self.processors.clone().or(other.processors.clone()),
            variant: self.variant.clone().unwrap_or(other.variant.clone()),
            adjudication: self.rules.over(&other.adjudication)?,
            syzygy: self.syzygy_over(other.syzygy.as_ref()),
            book: self.book_over(&other.book),
            concurrency: within(
                "concurrency",
                self.concurrency.unwrap_or(other.concurrency) as u64,
                1..=4096,
            )? as usize,
            time_margin_ms: time_margin(self.time_margin.unwrap_or(other.time_margin_ms))?,
            startup_timeout_s: seconds(
                "startup-timeout",
                self.startup_timeout,
                other.startup_timeout_s,
            )?,
            move_timeout_s: seconds("move-timeout", self.move_timeout, other.move_timeout_s)?,
            options: ArenaOptions {
                wait_ms: within(
                    "wait",
                    self.wait.unwrap_or(other.options.wait_ms),
                    0..=1000 * WEEK,
                )?,
                ..other.options
            },
        };
        // That there are no tables is better found out now.
        drop(play.tablebase()?);
        let book = BookPlan::open(
            play.book.file.as_deref(),
            play.variant()?,
            play.book.reading,
        )?;
        if play.book.file.is_some() {
            let once = play.book.reading.openings_once(book.len());
            let mut positions = HashSet::new();
            for pair in 0..book.len().min(OPENINGS_CHECKED) {
                let game = play.variant()?.start(&book.opening(pair)?)?;
                if pair < once && !positions.insert(game.key()) {
                    play.book.repeats.push(pair);
                }
            }
        }
        if let Some(start) = self.book_start {
            within("book-start", start, 1..=book.len())?;
        }
        book.sha256().clone_into(&mut play.book.sha256);
        play.book.openings = book.len();
        Ok(play)
    }

    /// The tables that are given, or the other ones.
    fn syzygy_over(&self, other: Option<&SyzygyPlan>) -> Option<SyzygyPlan> {
        let folders = match &self.syzygy {
            // A run may be resumed from another folder.
            Some(folders) => std::env::split_paths(folders)
                .map(|folder| std::path::absolute(&folder).unwrap_or(folder))
                .collect(),
            None => other?.folders.clone(),
        };
        let other = other.map(|other| other.table_use).unwrap_or_default();
        Some(SyzygyPlan {
            folders,
            table_use: TableUse {
                pieces: self.syzygy_pieces.or(other.pieces),
                ignore_50: self.syzygy_ignore_50.unwrap_or(other.ignore_50),
                adjudicate: self.syzygy_adjudicate.unwrap_or(other.adjudicate),
            },
        })
    }

    /// The book that is given, or the other one; the same book is read in the same way.
    fn book_over(&self, other: &BookPlan) -> BookPlan {
        let usual = Reading {
            seed: other.reading.seed,
            ..Reading::default()
        };
        let (file, reading) = match &self.book {
            // A run may be resumed from another folder.
            Some(file) => {
                let file = std::path::absolute(file).unwrap_or_else(|_| file.clone());
                (Some(file), usual)
            }
            None => (other.file.clone(), other.reading),
        };
        BookPlan {
            file,
            reading: Reading {
                order: self.book_order.unwrap_or(reading.order),
                seed: self.seed.unwrap_or(reading.seed),
                start: self.book_start.unwrap_or(reading.start),
                plies: self.book_plies.or(reading.plies),
                used: reading.used,
                reserved: reading.reserved,
            },
            sha256: String::new(),
            openings: 0,
            repeats: Vec::new(),
        }
    }
}

impl PlayPlan {
    /// The flags that give the same match, without that of the limit.
    pub(crate) fn flags(&self) -> Vec<(&'static str, String)> {
        let mut flags = Vec::new();
        let BookPlan { file, reading, .. } = &self.book;
        if let Some(file) = file {
            flags.push(("book", file.display().to_string()));
        }
        if reading.order != Order::Random {
            flags.push(("book-order", value_name(&reading.order)));
        }
        if let Some(plies) = reading.plies {
            flags.push(("book-plies", plies.to_string()));
        }
        if reading.start != 1 {
            flags.push(("book-start", reading.start.to_string()));
        }
        let affinity = if self.own_processors {
            When::Always
        } else {
            When::Never
        };
        flags.extend([
            ("seed", reading.seed.to_string()),
            ("concurrency", self.concurrency.to_string()),
            ("affinity", value_name(&affinity)),
        ]);
        let processors = self.processors.iter();
        flags.extend(processors.map(|list| ("processors", list.to_string())));
        flags.extend(self.adjudication.flags());
        if let Some(syzygy) = &self.syzygy
            && let Ok(folders) = std::env::join_paths(&syzygy.folders)
        {
            flags.push(("syzygy", folders.to_string_lossy().into_owned()));
            let TableUse {
                pieces,
                ignore_50,
                adjudicate,
            } = syzygy.table_use;
            flags.extend(pieces.map(|most| ("syzygy-pieces", most.to_string())));
            if ignore_50 {
                flags.push(("syzygy-ignore-50", true.to_string()));
            }
            if adjudicate != Adjudicate::default() {
                flags.push(("syzygy-adjudicate", value_name(&adjudicate)));
            }
        }
        flags.extend([
            ("variant", self.variant.clone()),
            ("time-margin", self.time_margin_ms.to_string()),
            ("startup-timeout", self.startup_timeout_s.to_string()),
            ("move-timeout", self.move_timeout_s.to_string()),
        ]);
        if self.options.wait_ms > 0 {
            flags.push(("wait", self.options.wait_ms.to_string()));
        }
        flags
    }
}

/// A seed short enough to be typed again.
fn new_seed() -> u64 {
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    (now.as_nanos() % 1_000_000_000) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_value_of_an_option_counts_whatever_its_case() {
        let flags = MatchFlags {
            threads: Some(2),
            option: vec!["hash=64".into(), "Style=Solid".into(), "hash=8".into()],
            ..MatchFlags::default()
        };
        let options = flags.options().expect("options");
        let pairs: Vec<_> = options
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        assert_eq!(pairs, [("Threads", "2"), ("Hash", "8"), ("Style", "Solid")]);
    }

    #[test]
    fn a_limit_of_nothing_is_refused() {
        let flags = MatchFlags {
            nodes: Some(0),
            ..MatchFlags::default()
        };
        assert!(
            flags
                .limit()
                .expect_err("no nodes")
                .message()
                .contains("--nodes 0")
        );
    }

    #[test]
    fn a_wait_beyond_the_end_of_time_is_refused_and_does_not_panic() {
        let flags = MatchFlags {
            move_timeout: Some(i64::MAX as u64),
            ..MatchFlags::default()
        };
        let failure = flags.resolve().expect_err("longer than any match");
        assert!(failure.message().contains("--move-timeout"), "{failure}");
    }
}
