//! From command-line arguments to a plan: defaults are filled in, engines built and started once,
//! the book opened.
//!
//! Nothing is written before all of this has succeeded, so a mistake leaves no half-made run
//! behind.

use std::ops::RangeInclusive;
use std::time::{SystemTime, UNIX_EPOCH};

use foundation::Failure;
use foundation::printer::When;

use crate::plan::contender::parse_option;
use crate::plan::flags::{MatchFlags, TestFlags};
use crate::plan::limit_flags::LimitFlags;
use crate::plan::settings::{EngineSettings, init_lines, working_folder};
use crate::plan::{BookPlan, PlayPlan, Question, SyzygyPlan, cores};
use engine_client::Limit;
use referee::adjudication::{DrawRule, ResignRule, Rules};
use referee::game::{self, variants};
use referee::openings::Reading;
use stats::{Model, Test, parse_bounds};

/// Seconds that any wait may last at most, so that no sum of times overflows.
pub(super) const WEEK: u64 = 7 * 24 * 60 * 60;

/// Openings of a file that are read before the first game, for a run cannot get past a broken one:
/// as many as take a fraction of a second.
const OPENINGS_CHECKED: u64 = 20_000;

impl TestFlags {
    /// The test, with the usual hypotheses and error rates where nothing else was said.
    pub fn resolve(&self) -> Result<Question, Failure> {
        let bounds = self.bounds.as_deref().unwrap_or("0,5");
        let (elo0, elo1) = parse_bounds(bounds).map_err(|why| {
            Failure::unable(format!("--bounds {bounds}: {why}"))
                .hint("such as 0,5 for a gain or -5,0 for a simplification")
        })?;
        let (alpha, beta) = (self.alpha.unwrap_or(0.05), self.beta.unwrap_or(0.05));
        let model = self.model.unwrap_or(Model::Normalized);
        let games_per_opening = self.games_per_opening.unwrap_or(2);
        if games_per_opening != 1 && (games_per_opening == 0 || games_per_opening % 2 == 1) {
            return Err(Failure::unable(format!(
                "--games-per-opening {games_per_opening}: expected 1, or an even number for both colours"
            )));
        }
        if games_per_opening != 2 && self.games.is_none() {
            return Err(Failure::unable(format!(
                "--games-per-opening {games_per_opening}: a test counts pairs of games, each with an opening of its own"
            ))
            .hint("give --games N for a match of fixed length without a test"));
        }
        Ok(Question {
            test: Test::new(elo0, elo1, alpha, beta, model)?
                .with_overshoot_correction(self.correct_overshoot),
            on_fault: self.on_fault.unwrap_or_default(),
            no_test: self.games.is_some(),
            games_per_opening,
            max_pairs: match (self.games, self.max_games) {
                (Some(games), _) => Some(pairs_of("games", games, games_per_opening)?),
                (None, Some(games)) => Some(pairs_of("max-games", games, 2)?),
                (None, None) => None,
            },
        })
    }
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
    pub fn options_over(
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
            .map_or(&[][..], |variant| variant.engine_options())
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
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
            },
            concurrency: (cores::of_the_machine() / cores::of_a_game(&[&common, &common])).max(1),
            time_margin_ms: 10,
            wait_ms: 0,
            startup_timeout_s: 10,
            move_timeout_s: 60,
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
        let given = self.limit()?;
        let is_given = given.is_some();
        let limit = given.unwrap_or_else(|| other.limit.clone());
        let own_processors = match self.affinity.unwrap_or_default() {
            When::Auto => {
                threads(options) == 1 && limit.has_no_clock() && (is_given || other.own_processors)
            }
            When::Always => true,
            When::Never => false,
        };
        let (draw, resign) = (&self.draw_adj, &self.resign_adj);
        let adjudication = Rules {
            draw: match draw {
                Some(rule) => DrawRule::parse(rule)?,
                None => other.adjudication.draw,
            },
            resign: match resign {
                Some(rule) => ResignRule::parse(rule)?,
                None => other.adjudication.resign,
            },
            max_moves: self.max_moves.or(other.adjudication.max_moves),
        };
        let seconds =
            |flag, given: Option<u64>, other| within(flag, given.unwrap_or(other), 1..=WEEK);
        let mut play = PlayPlan {
            limit,
            own_processors,
            variant: self.variant.clone().unwrap_or(other.variant.clone()),
            adjudication,
            syzygy: self.syzygy_over(other.syzygy.as_ref()),
            book: self.book_over(&other.book),
            concurrency: within(
                "concurrency",
                self.concurrency.unwrap_or(other.concurrency) as u64,
                1..=4096,
            )? as usize,
            time_margin_ms: time_margin(self.time_margin.unwrap_or(other.time_margin_ms))?,
            wait_ms: within("wait", self.wait.unwrap_or(other.wait_ms), 0..=1000 * WEEK)?,
            startup_timeout_s: seconds(
                "startup-timeout",
                self.startup_timeout,
                other.startup_timeout_s,
            )?,
            move_timeout_s: seconds("move-timeout", self.move_timeout, other.move_timeout_s)?,
        };
        // That there are no tables is better found out now.
        drop(play.tablebase()?);
        let book = BookPlan::open(
            play.book.file.as_deref(),
            play.variant()?,
            play.book.reading,
        )?;
        if play.book.file.is_some() {
            for index in 0..book.len().min(OPENINGS_CHECKED) {
                book.read(index)?;
            }
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
        Some(SyzygyPlan {
            folders,
            pieces: self
                .syzygy_pieces
                .or_else(|| other.and_then(|other| other.pieces)),
        })
    }

    /// The book that is given, or the other one; read as the other is read where it is the same.
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
            },
            sha256: String::new(),
            openings: 0,
        }
    }
}

/// The options of engines of which nothing is said.
fn usual_options() -> Vec<(String, String)> {
    let options = [("Threads", "1"), ("Hash", "16")];
    options
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .to_vec()
}

pub(super) fn time_margin(ms: u64) -> Result<u64, Failure> {
    within("time-margin", ms, 0..=1000 * WEEK)
}

/// The pairs of so many games, all from whole openings; of openings that are played once, each game
/// stands for a pair.
pub(super) fn pairs_of(flag: &str, games: u64, games_each: u64) -> Result<u64, Failure> {
    if games > 0 && games.is_multiple_of(games_each) {
        return Ok(games / games_each.min(2));
    }
    let expected = match games_each {
        1 => return within(flag, games, 1..=u64::MAX),
        2 => "an even number, for games are played in pairs with colours swapped".to_owned(),
        each => format!("a multiple of {each}, for each opening is played as often"),
    };
    let failure = Failure::unable(format!("--{flag} {games}: expected {expected}"));
    let below = games - games % games_each;
    Err(failure.hint(if below > 0 {
        let above = below.saturating_add(games_each);
        format!("such as {below} or {above}")
    } else {
        format!("at least {games_each}")
    }))
}

/// The threads of each engine.
fn threads(options: &[(String, String)]) -> usize {
    let option = options
        .iter()
        .find(|(name, _)| name.eq_ignore_ascii_case("Threads"));
    let threads = option.and_then(|(_, threads)| threads.parse().ok());
    threads.unwrap_or(1).max(1)
}

/// The value of a flag, if it lies in the range of what makes sense.
pub(super) fn within(flag: &str, value: u64, range: RangeInclusive<u64>) -> Result<u64, Failure> {
    if range.contains(&value) {
        return Ok(value);
    }
    let (least, most) = range.into_inner();
    let expected = if value < least {
        format!("at least {least}")
    } else {
        format!("at most {most}")
    };
    Err(Failure::unable(format!(
        "--{flag} {value}: expected {expected}"
    )))
}

/// One value an option, the last that was given, at the place of the first.
pub fn with_last_values(options: impl Iterator<Item = (String, String)>) -> Vec<(String, String)> {
    let mut kept: Vec<(String, String)> = Vec::new();
    for (name, value) in options {
        match kept
            .iter_mut()
            .find(|(earlier, _)| earlier.eq_ignore_ascii_case(&name))
        {
            Some(earlier) => earlier.1 = value,
            None => kept.push((name, value)),
        }
    }
    kept
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
