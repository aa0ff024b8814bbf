//! From what was typed to a plan: defaults are filled in, engines built and started once, the book opened.
//!
//! Nothing is written before all of this has succeeded, so a mistake leaves no half-made run behind.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use clap::Args;
use foundation::printer::When;
use foundation::{Failure, Printer};

use crate::adjudication::{DrawRule, ResignRule, Rules};
use crate::contender::{self, Contender, parse_option};
use crate::flags::{MatchFlags, TestFlags, is_known, overlay, project_section};
use crate::limit::Limit;
use crate::openings::Reading;
use crate::plan::{BookPlan, Plan, PlayPlan};
use crate::rules;
use stats::{Model, Test, parse_bounds};

/// Seconds that any wait may last at most, so that no sum of times overflows.
const WEEK: u64 = 7 * 24 * 60 * 60;

/// Openings of a file that are read before the first game, for a run cannot get past a broken one: as many as take a
/// fraction of a second.
const OPENINGS_CHECKED: u64 = 20_000;

/// Two engines and what to ask of them.
#[derive(Args, Clone, Debug)]
pub struct RunArgs {
    /// The engine that NEW must beat: a program, a git revision, or a folder with a Makefile (`.`)
    pub base: String,
    /// The engine under test, named in the same way
    pub new: String,
    #[command(flatten)]
    pub test: TestFlags,
    #[command(flatten)]
    pub play: MatchFlags,
    /// Option for BASE; may be repeated
    #[arg(long, value_name = "NAME=VALUE", help_heading = "Match")]
    pub base_option: Vec<String>,
    /// Option for NEW; may be repeated
    #[arg(long, value_name = "NAME=VALUE", help_heading = "Match")]
    pub new_option: Vec<String>,
    /// Folder of the run [default: a new one under the state folder]
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub out: Option<PathBuf>,
    /// Copy the games to this file at the end
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub pgn: Option<PathBuf>,
    /// Print the plan as JSON and play nothing
    #[arg(long, help_heading = "Output")]
    pub dry_run: bool,
    /// Print the result as JSON
    #[arg(long, help_heading = "Output")]
    pub json: bool,
}

impl RunArgs {
    /// Resolves everything that a run needs.
    pub async fn plan(&self, printer: Printer) -> Result<Plan, Failure> {
        let section = project_section("sprt", "sprt run --help", |key| {
            is_known::<MatchFlags>(key) || is_known::<TestFlags>(key)
        })?;
        let test = overlay(&self.test, &section)?;
        let mut flags: MatchFlags = overlay(&self.play, &section)?;
        if self.play.book_used.is_some() {
            // Whoever knows what another run took from a book means that book, also where it is the embedded one.
            flags.book.clone_from(&self.play.book);
            flags.book_start = self.play.book_start;
        }

        let max_pairs = test.max_games.map(|games| (games / 2).max(1));
        let test = test.resolve()?;
        let play = flags.resolve()?;
        let common = flags.options()?;
        let side = |own: &[String]| -> Result<Vec<(String, String)>, Failure> {
            let own = own
                .iter()
                .map(|text| parse_option(text))
                .collect::<Result<Vec<_>, _>>()?;
            Ok(with_last_values(common.iter().cloned().chain(own)))
        };
        let (base_options, new_options) = (side(&self.base_option)?, side(&self.new_option)?);

        let patience = play.patience();
        // A word that means nothing is found out before BASE is built.
        contender::look_up(&self.new)?;
        let mut base = Contender::resolve(&self.base, base_options, patience, printer).await?;
        let mut new = Contender::resolve(&self.new, new_options, patience, printer).await?;
        if base.sha256 == new.sha256 && base.options == new.options {
            printer.warn("both engines are the same program with the same options; no test can tell them apart");
        }
        if base.name == new.name {
            base.name.push_str("-base");
            new.name.push_str("-new");
        }
        Ok(Plan::new(base, new, test, max_pairs, play))
    }
}

impl TestFlags {
    fn resolve(&self) -> Result<Test, Failure> {
        let bounds = self.bounds.as_deref().unwrap_or("0,5");
        let (elo0, elo1) = parse_bounds(bounds).map_err(|why| {
            Failure::unable(format!("--bounds {bounds}: {why}"))
                .hint("such as 0,5 for a gain or -5,0 for a simplification")
        })?;
        let (alpha, beta) = (self.alpha.unwrap_or(0.05), self.beta.unwrap_or(0.05));
        Test::new(
            elo0,
            elo1,
            alpha,
            beta,
            self.model.unwrap_or(Model::Normalized),
        )
    }
}

impl MatchFlags {
    /// The limit, 8+0.08 where none was given.
    pub fn limit(&self) -> Result<Limit, Failure> {
        match (&self.tc, self.nodes, self.depth, self.movetime) {
            (Some(tc), ..) => Ok(Limit::Clock(tc.parse()?)),
            (_, Some(nodes), ..) => within("nodes", nodes, 1..=u64::MAX).map(Limit::Nodes),
            (_, _, Some(depth), _) => {
                within("depth", depth.into(), 1..=u64::MAX).map(|_| Limit::Depth(depth))
            }
            (.., Some(ms)) => within("movetime", ms, 1..=1000 * WEEK).map(Limit::Movetime),
            _ => Ok(Limit::Clock("8+0.08".parse()?)),
        }
    }

    /// The options of both engines, Threads and Hash first, and last what the variant demands.
    pub fn options(&self) -> Result<Vec<(String, String)>, Failure> {
        let given = self
            .option
            .iter()
            .map(|text| parse_option(text))
            .collect::<Result<Vec<_>, _>>()?;
        let defaults = [
            ("Threads".to_owned(), self.threads.unwrap_or(1).to_string()),
            ("Hash".to_owned(), self.hash.unwrap_or(16).to_string()),
        ];
        // An unknown variant is refused by `resolve`.
        let demanded = rules::variant(self.variant_name())
            .map_or(&[][..], |variant| variant.engine_options())
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        Ok(with_last_values(
            defaults.into_iter().chain(given).chain(demanded),
        ))
    }

    fn variant_name(&self) -> &str {
        self.variant.as_deref().unwrap_or("standard")
    }

    fn adjudication(&self) -> Result<Rules, Failure> {
        let usual = Rules::default();
        Ok(Rules {
            draw: self
                .draw_adj
                .as_deref()
                .map_or(Ok(usual.draw), DrawRule::parse)?,
            resign: self
                .resign_adj
                .as_deref()
                .map_or(Ok(usual.resign), ResignRule::parse)?,
            max_moves: self.max_moves,
        })
    }

    /// Everything about playing that needs no engine.
    pub fn resolve(&self) -> Result<PlayPlan, Failure> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let options = self.options()?;
        let threads = options
            .iter()
            .find(|(name, _)| name.eq_ignore_ascii_case("Threads"));
        let threads = threads
            .and_then(|(_, threads)| threads.parse().ok())
            .unwrap_or(1)
            .max(1);
        let limit = self.limit()?;
        let own_processors = match self.affinity.unwrap_or_default() {
            When::Auto => threads == 1 && matches!(limit, Limit::Nodes(_) | Limit::Depth(_)),
            When::Always => true,
            When::Never => false,
        };
        let mut play = PlayPlan {
            limit,
            own_processors,
            variant: self.variant_name().to_owned(),
            adjudication: self.adjudication()?,
            book: BookPlan {
                file: self.book.clone(),
                reading: Reading {
                    order: self.book_order.unwrap_or_default(),
                    seed: self.seed.unwrap_or_else(new_seed),
                    start: self.book_start.unwrap_or(1),
                    plies: self.book_plies,
                    used: self.book_used,
                },
                sha256: String::new(),
                openings: 0,
            },
            concurrency: self.concurrency.unwrap_or(cores / threads).max(1),
            time_margin_ms: within(
                "time-margin",
                self.time_margin.unwrap_or(10),
                0..=1000 * WEEK,
            )?,
            startup_timeout_s: within(
                "startup-timeout",
                self.startup_timeout.unwrap_or(10),
                1..=WEEK,
            )?,
            move_timeout_s: within("move-timeout", self.move_timeout.unwrap_or(60), 1..=WEEK)?,
        };
        if let Some(file) = &mut play.book.file {
            // A run may be resumed from another folder.
            *file = std::path::absolute(&*file).unwrap_or_else(|_| file.clone());
        }
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
}

/// The value of a flag, if it lies in the range of what makes sense.
fn within(flag: &str, value: u64, range: RangeInclusive<u64>) -> Result<u64, Failure> {
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
fn with_last_values(options: impl Iterator<Item = (String, String)>) -> Vec<(String, String)> {
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
