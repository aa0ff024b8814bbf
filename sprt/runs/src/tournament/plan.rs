//! A tournament, resolved: everything that decides what is played.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use clap::ValueEnum;
use foundation::{Failure, is_default};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::batch::Players;
use super::openings::{BookPolicy, Openings};
use super::schedule::{Schedule, pairings};
use super::swiss::{most_turns, usual_turns};
use crate::plan::{Contender, OnFault, PlayPlan, RecordStyle, RunPlan, check_header};
use crate::run_folder::schema_of;
use engine_client::{Limit, LogTarget};
use referee::arena::MatchSetup;
use referee::openings::Order;
use referee::tablebase::Tablebase;

const SCHEMA: &str = "sprt-tournament-plan";
const VERSION: u32 = 1;

/// Who plays whom.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Every engine plays every other one
    #[default]
    RoundRobin,
    /// The first engines play all others, which do not play each other
    Gauntlet,
    /// The winner of each match goes on, until one is left
    KnockOut,
    /// Engines with as many points meet, and nobody meets twice
    Swiss,
}

/// The commands that BayesElo is given before it prints its table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RatingMethod {
    /// `mm 1 1` and `covariance`: first move and draws are fitted
    #[default]
    Fitted,
    /// `drawelo 10`, `mm` and `exactdist`, as the course on Leiserchess does
    Course,
}

/// An engine of a tournament.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entrant {
    #[serde(flatten)]
    pub contender: Contender,
    /// Engines of one family do not play each other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub family: Option<String>,
}

/// The format of a tournament.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Format {
    pub title: String,
    pub kind: Kind,
    /// In a gauntlet, how many of the first engines play all others.
    pub seeds: usize,
    /// Pairs of games that each pairing plays; in a knock-out, before ties are broken.
    pub rounds: u64,
    /// In a Swiss tournament, how often everybody is paired.
    #[serde(default, skip_serializing_if = "is_default")]
    pub turns: u64,
    /// Pairs of games of all pairings together, where that is what was asked for; `rounds` follows.
    #[serde(default, skip_serializing_if = "is_default")]
    pub most_pairs: Option<u64>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub openings: Openings,
    pub on_fault: OnFault,
    #[serde(default, skip_serializing_if = "is_default")]
    pub ratings: RatingMethod,
}

/// A tournament.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TournamentPlan {
    schema: String,
    version: u32,
    #[serde(flatten)]
    pub format: Format,
    /// The best first, where that matters.
    pub engines: Vec<Entrant>,
    /// How the games are written.
    #[serde(default, skip_serializing_if = "is_default")]
    pub pgn: RecordStyle,
    #[serde(flatten)]
    pub play: PlayPlan,
}

impl RunPlan for TournamentPlan {
    const OF: &str = "tournament";

    fn check(&self) -> Result<(), Failure> {
        check_header((&self.schema, self.version), (SCHEMA, VERSION))?;
        let engines = self.engines.len();
        if engines < 2 {
            return Err(Failure::unable(format!(
                "a tournament needs at least two engines, got {engines}"
            ))
            .hint("give each with --engine, or list them in a configuration file"));
        }
        let is_gauntlet = self.format.kind == Kind::Gauntlet;
        if is_gauntlet && !(1..engines).contains(&self.format.seeds) {
            return Err(Failure::unable(format!(
                "--seeds {}: expected 1 to {} of the {engines} engines",
                self.format.seeds,
                engines - 1
            )));
        }
        let is_fixed = matches!(self.format.kind, Kind::RoundRobin | Kind::Gauntlet);
        if !is_fixed && self.format.most_pairs.is_some() {
            return Err(Failure::unable(format!(
                "--games: who meets whom in a {} follows from the results",
                self.format.kind.words()
            ))
            .hint("--rounds N sets the pairs of games of each match"));
        }
        if is_fixed && self.pairings().is_empty() {
            return Err(Failure::unable(
                "nobody would play: all engines are of one family",
            ));
        }
        let (turns, most) = (self.format.turns, most_turns(engines));
        if self.format.kind == Kind::Swiss && !(1..=most).contains(&turns) {
            return Err(Failure::unable(format!(
                "--turns {turns}: expected 1 to {most}, for {engines} engines would meet again"
            ))
            .hint("--kind round-robin lets everybody meet everybody"));
        }
        Ok(())
    }
}

impl TournamentPlan {
    /// How its games are written: its title is the event, unless another was given.
    pub(crate) fn record_style(&self) -> RecordStyle {
        let mut style = self.pgn.clone();
        if style.event == RecordStyle::default().event {
            style.event.clone_from(&self.format.title);
        }
        style
    }

    /// Engines of the same name get names of their own, for the sake of their logs also where the names
    /// differ in case.
    ///
    /// # Errors
    /// Nobody would play.
    pub fn new(format: Format, mut engines: Vec<Entrant>, play: PlayPlan) -> Result<Self, Failure> {
        for place in 1..engines.len() {
            let (before, rest) = engines.split_at_mut(place);
            let name = &mut rest[0].contender.name;
            let is_taken = |name: &str| {
                let mut others = before.iter().map(|other| &other.contender.name);
                others.any(|other| other.to_lowercase() == name.to_lowercase())
            };
            if is_taken(name) {
                let numbered = (2..).map(|number| format!("{name}-{number}"));
                *name = numbered
                    .into_iter()
                    .find(|name| !is_taken(name))
                    .unwrap_or_default();
            }
        }
        let pairs_by_results = matches!(format.kind, Kind::KnockOut | Kind::Swiss);
        if pairs_by_results && engines.iter().any(|engine| engine.family.is_some()) {
            return Err(Failure::unable(format!(
                "family: who meets whom in a {} follows from the results",
                format.kind.words()
            ))
            .hint("leave it out, or take --kind round-robin or gauntlet"));
        }
        let mut plan = Self {
            schema: SCHEMA.to_owned(),
            version: VERSION,
            format,
            engines,
            pgn: RecordStyle::default(),
            play,
        };
        if plan.format.kind == Kind::Swiss && plan.format.turns == 0 {
            plan.format.turns = usual_turns(plan.engines.len());
        }
        plan.check()?;
        if let Some(most) = plan.format.most_pairs {
            plan.format.rounds = most.div_ceil(plan.pairings().len() as u64);
        }
        Ok(plan)
    }

    pub fn name(&self, engine: usize) -> &str {
        self.engines
            .get(engine)
            .map_or("", |entrant| &entrant.contender.name)
    }

    pub fn names(&self) -> Vec<&str> {
        (0..self.engines.len())
            .map(|engine| self.name(engine))
            .collect()
    }

    /// The limits of all engines in OpenBench's words, in one where they have the same.
    pub(crate) fn limit_in_words(&self) -> String {
        self.limits(Limit::openbench)
    }

    /// The limits of all engines for people to read.
    pub fn limit_in_prose(&self) -> String {
        self.limits(ToString::to_string)
    }

    /// The limits of the engines, in their order.
    fn limits(&self, words: impl Fn(&Limit) -> String) -> String {
        let engines = self.engines.iter();
        let limits: Vec<String> = engines
            .map(|entrant| words(entrant.contender.limit(&self.play.limit)))
            .collect();
        match limits.first() {
            Some(first) if limits.iter().all(|limit| limit == first) => first.clone(),
            _ => {
                let named = self.names().into_iter().zip(&limits);
                let named: Vec<_> = named
                    .map(|(name, limit)| format!("{name}: {limit}"))
                    .collect();
                named.join(", ")
            }
        }
    }

    /// What a book that is too short for its rounds means for it.
    pub(crate) fn warning_of_copies(&self) -> Option<String> {
        let engines = self.engines.iter().map(|entrant| &entrant.contender);
        let once = self.play.openings_once(engines)?;
        let (rounds, openings) = (self.format.rounds, self.format.openings);
        let (book, at_a_time) = (&self.play.book, self.pairings_at_a_time());
        let is_cycle = book.reading.order == Order::Sequential && book.repeats.is_empty();
        let (own, up_to) = match openings.policy {
            BookPolicy::Round => (once, ""),
            BookPolicy::Encounter if is_cycle => (once / gcd(once, at_a_time), ""),
            // Any pairing may get any of the openings that come again, but its first is no copy.
            BookPolicy::Encounter => ((once / at_a_time).max(1), "up to "),
        };
        let copies = rounds - own.min(rounds.div_ceil(openings.pairs_each.max(1)));
        let consequence =
            format!("{up_to}{copies} of {rounds} rounds are copies, which ratings count");
        (copies > 0).then(|| self.play.book.warning(&self.limit_in_prose(), &consequence))
    }

    pub fn schedule(&self) -> Schedule {
        let Format {
            rounds,
            turns,
            most_pairs,
            openings,
            ..
        } = self.format;
        match self.format.kind {
            Kind::KnockOut => Schedule::knock_out(self.engines.len(), rounds, openings),
            Kind::Swiss => Schedule::swiss(self.engines.len(), turns, rounds, openings),
            Kind::RoundRobin | Kind::Gauntlet => {
                Schedule::of_pairings(self.pairings(), rounds, most_pairs, openings)
            }
        }
    }

    /// Pairings of a round, at least one.
    fn pairings_at_a_time(&self) -> u64 {
        let pairings = match self.format.kind {
            Kind::KnockOut | Kind::Swiss => self.engines.len() / 2,
            Kind::RoundRobin | Kind::Gauntlet => self.pairings().len(),
        };
        pairings.max(1) as u64
    }

    /// The pairings of a round robin or a gauntlet.
    fn pairings(&self) -> Vec<Players> {
        let is_relative = |first: usize, second: usize| {
            let family = &self.engines[first].family;
            family.is_some() && *family == self.engines[second].family
        };
        pairings(self.engines.len(), |first, second| {
            let meet = match self.format.kind {
                Kind::Gauntlet => first < self.format.seeds && second >= self.format.seeds,
                Kind::RoundRobin | Kind::KnockOut | Kind::Swiss => true,
            };
            meet && !is_relative(first, second)
        })
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// What slots need to play each pairing, made when it is first asked for.
pub(crate) struct Setups {
    of_pairings: HashMap<Players, Arc<MatchSetup>>,
    tablebase: Option<Arc<dyn Tablebase>>,
    log: Option<LogTarget>,
}

impl Setups {
    pub(crate) fn new(plan: &TournamentPlan, log: Option<LogTarget>) -> Result<Self, Failure> {
        Ok(Self {
            of_pairings: HashMap::new(),
            tablebase: plan.play.tablebase()?,
            log,
        })
    }

    /// The first of the players is the one that is called new: it has White in the first game.
    pub(crate) fn get(
        &mut self,
        plan: &TournamentPlan,
        players: Players,
    ) -> Result<Arc<MatchSetup>, Failure> {
        if let Some(setup) = self.of_pairings.get(&players) {
            return Ok(Arc::clone(setup));
        }
        // The tables are opened once for all.
        let without_tables = PlayPlan {
            syzygy: None,
            ..plan.play.clone()
        };
        let [first, second] = players.map(|engine| &plan.engines[engine].contender);
        let mut setup = without_tables.setup(second, first)?;
        plan.pgn.keep_lines(&mut setup);
        setup.rules.tablebase.clone_from(&self.tablebase);
        setup.base.log.clone_from(&self.log);
        setup.new.log.clone_from(&self.log);
        let setup = Arc::new(setup);
        self.of_pairings.insert(players, Arc::clone(&setup));
        Ok(setup)
    }
}

/// Whether the run in a folder is a tournament.
///
/// # Errors
/// It has no plan that can be read.
pub fn is_tournament(run: &Path) -> Result<bool, Failure> {
    Ok(schema_of(run)? == SCHEMA)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A plan of engines that do not exist.
    pub(crate) fn plan(names: &[&str], format: Format) -> Result<TournamentPlan, Failure> {
        let usual = crate::plan::tests::plan();
        let engines = names.iter().map(|name| Entrant {
            contender: Contender {
                name: (*name).to_owned(),
                ..usual.base.clone()
            },
            family: None,
        });
        TournamentPlan::new(format, engines.collect(), usual.play.clone())
    }

    #[test]
    fn engines_of_the_same_name_are_distinguished() {
        let plan = plan(&["a", "b", "a", "A"], Format::default()).expect("a plan");
        assert_eq!(plan.names(), ["a", "b", "a-2", "A-3"]);
    }

    #[test]
    fn families_and_gauntlets_leave_pairings_out() {
        let format = |kind, seeds| Format {
            kind,
            seeds,
            rounds: 1,
            ..Format::default()
        };
        let mut robin = plan(&["a", "b", "c"], format(Kind::RoundRobin, 1)).expect("a plan");
        robin.engines[0].family = Some("mine".to_owned());
        robin.engines[2].family = Some("mine".to_owned());
        assert_eq!(robin.pairings(), [[0, 1], [1, 2]]);
        let gauntlet = plan(&["a", "b", "c", "d"], format(Kind::Gauntlet, 2)).expect("a plan");
        assert_eq!(gauntlet.pairings(), [[0, 3], [1, 2], [1, 3], [0, 2]]);
        robin.format.kind = Kind::Swiss;
        let refused = TournamentPlan::new(robin.format, robin.engines, robin.play);
        let refused = refused.expect_err("families are not kept apart");
        assert!(refused.message().starts_with("family: "), "{refused}");
        let refused = plan(&["a", "b"], format(Kind::Gauntlet, 2)).expect_err("no others");
        assert!(refused.message().contains("--seeds 2"), "{refused}");
        assert!(plan(&["a"], format(Kind::RoundRobin, 1)).is_err());
    }

    #[test]
    fn games_in_all_make_as_many_rounds_as_they_take() {
        let format = |kind| Format {
            kind,
            most_pairs: Some(7),
            ..Format::default()
        };
        let robin = plan(&["a", "b", "c"], format(Kind::RoundRobin)).expect("a plan");
        assert_eq!(robin.format.rounds, 3);
        let refused = plan(&["a", "b"], format(Kind::KnockOut)).expect_err("no such thing");
        assert!(refused.message().contains("--games"), "{refused}");
    }

    #[test]
    fn a_swiss_tournament_has_no_more_turns_than_new_opponents() {
        let swiss = |turns| {
            let format = Format {
                kind: Kind::Swiss,
                turns,
                rounds: 1,
                ..Format::default()
            };
            plan(&["a", "b", "c", "d", "e"], format)
        };
        assert_eq!(swiss(0).expect("a plan").format.turns, 3);
        assert_eq!(swiss(2).expect("a plan").format.turns, 2);
        let failure = swiss(4).expect_err("too many");
        assert!(
            failure.message().contains("--turns 4: expected 1 to 3"),
            "{failure}"
        );
    }

    #[test]
    fn rounds_beyond_a_short_book_are_copies_at_fixed_nodes() {
        let format = Format {
            rounds: 9,
            ..Format::default()
        };
        let mut plan = plan(&["a", "b"], format).expect("a plan");
        plan.play.book.openings = 4;
        assert_eq!(plan.warning_of_copies(), None);
        plan.play.limit = Limit::nodes(50);
        let warning = plan.warning_of_copies().expect("a warning");
        assert!(warning.contains("5 of 9 rounds are copies"), "{warning}");
        // Three pairings take three openings a round.
        plan.engines.push(plan.engines[0].clone());
        plan.format.openings.policy = BookPolicy::Encounter;
        plan.play.book.openings = 12;
        for (order, words) in [
            (Order::Sequential, ": 5 of 9 rounds are copies"),
            (Order::Random, "up to 5 of 9 rounds are copies"),
        ] {
            plan.play.book.reading.order = order;
            let warning = plan.warning_of_copies().expect("a warning");
            assert!(warning.contains(words), "{warning}");
        }
        plan.play.book.openings = 13;
        plan.play.book.reading.order = Order::Sequential;
        assert_eq!(plan.warning_of_copies(), None);
        // Where one is left out in the first pass only, they come again at no regular distance.
        plan.play.book.repeats = vec![7];
        let warning = plan.warning_of_copies().expect("a warning");
        assert!(warning.contains("up to 5 of 9 rounds"), "{warning}");
        plan.play.book.openings = 2;
        plan.format.rounds = 1;
        assert_eq!(plan.warning_of_copies(), None);
    }

    #[test]
    fn a_plan_is_read_back() {
        let plan = plan(&["a", "b"], Format::default()).expect("a plan");
        let json = plan.to_json().expect("JSON");
        assert_eq!(TournamentPlan::from_json(&json), Ok(plan));
        let failure = TournamentPlan::from_json("{}").expect_err("no plan");
        assert!(failure.message().contains("tournament"), "{failure}");
    }
}
