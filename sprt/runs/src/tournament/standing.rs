//! What a tournament has brought so far: a pure function of its plan and its pairs, in the order of
//! their scheduling.

use std::path::Path;

use std::cell::OnceCell;

use foundation::{Exit, Failure};
use schemars::JsonSchema;
use serde::Serialize;
use stats::GameResult;
use stats::ratings::{BayesElo, CrossTable, Ordo, bayes_elo, bayes_elo_exact, ordo};

use super::batch::Fixture;
use super::plan::{RatingMethod, TournamentPlan};
use super::schedule::{HalfPoints, Schedule};
use crate::pair_record::{GameRecord, PairLine};
use crate::plan::OnFault;
use crate::run_folder::MatchFolder;
use crate::standing::{Faults, MOST_FAULTY, MOST_FAULTY_IN_A_ROW};
use engine_client::Color;

/// Elo of the first move and of the draw, with which the course has its games rated.
const COURSE_TERMS: [f64; 2] = [32.8, 10.0];

/// The state of a tournament. Ratings are only computed when somebody asks for them.
#[derive(Clone, Debug)]
pub struct TournamentStanding {
    on_fault: OnFault,
    method: RatingMethod,
    schedule: Schedule,
    table: CrossTable,
    engines: Vec<Record>,
    pairs: u64,
    void_pairs: u64,
    ratings: OnceCell<Option<BayesElo>>,
    ordo: OnceCell<Option<Ordo>>,
}

/// What is known of one engine besides its results.
#[derive(Clone, Copy, Debug, Default)]
struct Record {
    faults: Faults,
    /// Games with and without faults, whether they count or not.
    games: u64,
    /// Pairs that it spoiled since its last sound one.
    faulty_pairs_in_a_row: u64,
}

/// Why a tournament says nothing about the strength of an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Spoiled {
    /// `--on-fault stop`, and it spoiled a game.
    Fault,
    /// It spoiled too many pairs in a row.
    FaultsInARow,
    /// It spoiled too large a share of its games.
    ManyFaults,
}

impl TournamentStanding {
    /// The plan of a tournament, and how it stands.
    ///
    /// # Errors
    /// The folder holds no tournament that can be read.
    pub fn read(run: &Path) -> Result<(TournamentPlan, Self), Failure> {
        let (plan, lines) = MatchFolder::read::<TournamentPlan>(run)?;
        let standing = Self::after(&plan, &lines)?;
        Ok((plan, standing))
    }

    pub fn new(plan: &TournamentPlan) -> Self {
        Self {
            on_fault: plan.format.on_fault,
            method: plan.format.ratings,
            schedule: plan.schedule(),
            table: CrossTable::new(plan.engines.len()),
            engines: vec![Record::default(); plan.engines.len()],
            pairs: 0,
            void_pairs: 0,
            ratings: OnceCell::new(),
            ordo: OnceCell::new(),
        }
    }

    /// How a tournament stands after the pairs of its journal.
    ///
    /// # Errors
    /// A line names other players than the schedule.
    pub fn after(plan: &TournamentPlan, lines: &[PairLine]) -> Result<Self, Failure> {
        let mut standing = Self::new(plan);
        for line in lines {
            let expected = standing.awaited().map(|next| next.players);
            let expected = expected.map(|players| players.map(|engine| plan.name(engine)));
            let names = line
                .players
                .as_ref()
                .map(|both| both.each_ref().map(String::as_str));
            if names.is_some() && names != expected {
                let words = |both: Option<[&str; 2]>| {
                    both.map_or("nobody".to_owned(), |both| both.join(" against "))
                };
                return Err(Failure::unable(format!(
                    "the journal does not belong to the plan: pair {} is {}, expected {}",
                    line.pair + 1,
                    words(names),
                    words(expected)
                ))
                .hint("restore both from a copy, or start a new run"));
            }
            standing.add(&line.games);
        }
        Ok(standing)
    }

    /// The next pair to play; `None` where there is none now.
    pub(crate) fn hand_out(&mut self) -> Option<Fixture> {
        self.schedule.hand_out()
    }

    /// The pair whose result comes next.
    pub(crate) fn awaited(&self) -> Option<Fixture> {
        self.schedule.awaited()
    }

    pub fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// Counts the awaited pair; the new engine is the first of its players.
    pub fn add(&mut self, games: &[GameRecord]) {
        let Some(Fixture { players, .. }) = self.awaited() else {
            return;
        };
        self.pairs += 1;
        let is_sound = !games.iter().any(|game| game.end.is_fault());
        let counts = is_sound || self.on_fault != OnFault::Void;
        let mut half_points = [0; 2];
        let mut spoiled = [false; 2];
        for game in games {
            let white = usize::from(game.new == Color::Black);
            let result = match game.winner {
                None => GameResult::Draw,
                Some(Color::White) => GameResult::Win,
                Some(Color::Black) => GameResult::Loss,
            };
            half_points[white] += result as u64;
            half_points[1 - white] += result.reversed() as u64;
            if counts {
                self.table.add(players[white], players[1 - white], result);
            }
            if let Some(color) = game.spoiled_by() {
                let spoiler = usize::from(color != game.new);
                spoiled[spoiler] = true;
                self.engines[players[spoiler]].faults.add(game.end);
            }
        }
        for (player, spoiled) in players.into_iter().zip(spoiled) {
            let record = &mut self.engines[player];
            record.games += games.len() as u64;
            record.faulty_pairs_in_a_row = if spoiled {
                record.faulty_pairs_in_a_row + 1
            } else {
                0
            };
        }
        if !counts {
            self.void_pairs += 1;
        }
        self.schedule
            .take_in(HalfPoints::from(counts.then_some(half_points)));
        self.ratings = OnceCell::new();
        self.ordo = OnceCell::new();
    }

    pub fn table(&self) -> &CrossTable {
        &self.table
    }

    /// Pairs that were played, whether they count or not.
    pub fn pairs(&self) -> u64 {
        self.pairs
    }

    pub fn void_pairs(&self) -> u64 {
        self.void_pairs
    }

    pub fn faults(&self, engine: usize) -> &Faults {
        &self.engines[engine].faults
    }

    /// Ratings as BayesElo has them; `None` while results do not connect all engines. Games of
    /// engines that [spoiled](Self::spoiled) them rate nobody.
    pub fn ratings(&self) -> Option<&BayesElo> {
        let rate = || match self.method {
            RatingMethod::Fitted => bayes_elo(&self.rated_games()),
            RatingMethod::Course => {
                let [advantage, draw_elo] = COURSE_TERMS;
                bayes_elo_exact(&self.rated_games(), advantage, draw_elo)
            }
        };
        self.ratings.get_or_init(rate).as_ref()
    }

    /// Ratings as Ordo has them, around 0, from the same games.
    pub fn ordo(&self) -> Option<&Ordo> {
        let rate = || ordo(&self.rated_games(), 0.0);
        self.ordo.get_or_init(rate).as_ref()
    }

    fn rated_games(&self) -> CrossTable {
        let spoiled: Vec<usize> = self.spoiled().iter().map(|(engine, _)| *engine).collect();
        self.table.clone().without(&spoiled)
    }

    /// The engines whose faults leave them without a rating, and why; empty while engines play as
    /// they should.
    pub fn spoiled(&self) -> Vec<(usize, Spoiled)> {
        let is_over = self.is_over();
        let engines = self.engines.iter().enumerate();
        let spoiled = engines.filter_map(|(engine, record)| {
            let why = self.stopped_by(record).or_else(|| {
                let faults = record.faults.sum() as f64;
                let are_many = faults > MOST_FAULTY * record.games as f64;
                (is_over && are_many).then_some(Spoiled::ManyFaults)
            });
            why.map(|why| (engine, why))
        });
        spoiled.collect()
    }

    /// Why an engine ends the tournament before its time.
    fn stopped_by(&self, record: &Record) -> Option<Spoiled> {
        if record.faults.sum() == 0 {
            None
        } else if self.on_fault == OnFault::Stop {
            Some(Spoiled::Fault)
        } else if record.faulty_pairs_in_a_row >= MOST_FAULTY_IN_A_ROW {
            Some(Spoiled::FaultsInARow)
        } else {
            None
        }
    }

    /// Whether nothing is left to play.
    pub fn is_over(&self) -> bool {
        let mut engines = self.engines.iter();
        self.schedule.is_over() || engines.any(|record| self.stopped_by(record).is_some())
    }

    pub fn exit(&self) -> Exit {
        if !self.spoiled().is_empty() {
            Exit::EngineFault
        } else if self.is_over() {
            Exit::Yes
        } else {
            Exit::Undecided
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::plan::{Format, Kind, tests::plan};
    use super::*;
    use crate::run_folder::tests::game;
    use referee::arena::EndKind;

    /// The first player wins both games, by the faults of the other where `end` is one.
    fn won(end: EndKind) -> [GameRecord; 2] {
        [Color::White, Color::Black].map(|new| game(new, Some(new), end))
    }

    fn standing(kind: Kind, on_fault: OnFault, names: &[&str]) -> TournamentStanding {
        let format = Format {
            kind,
            on_fault,
            seeds: 1,
            rounds: 4,
            ..Format::default()
        };
        TournamentStanding::new(&plan(names, format).expect("a plan"))
    }

    #[test]
    fn games_are_counted_for_the_players_of_the_schedule() {
        let mut standing = standing(Kind::RoundRobin, OnFault::Forfeit, &["a", "b", "c"]);
        assert_eq!(standing.awaited().map(|next| next.players), Some([0, 1]));
        standing.add(&[
            game(Color::White, Some(Color::White), EndKind::Rules),
            game(Color::Black, None, EndKind::Adjudication),
        ]);
        let games = standing.table().between(0, 1);
        assert_eq!((games.wins, games.draws, games.losses), (1, 1, 0));
        assert_eq!(standing.table().moving_first(1, 0).draws, 1);
        assert_eq!(standing.exit(), Exit::Undecided);
        while !standing.is_over() {
            standing.add(&won(EndKind::Rules));
        }
        assert_eq!((standing.pairs(), standing.exit()), (12, Exit::Yes));
        assert!(standing.ratings().is_some());
    }

    #[test]
    fn faults_are_charged_to_the_loser_and_end_a_tournament_in_the_end() {
        let mut standing = standing(Kind::Gauntlet, OnFault::Forfeit, &["a", "b"]);
        standing.add(&won(EndKind::Crash));
        assert_eq!(standing.faults(1).words(), "2 crashes");
        assert!(!standing.is_over());
        for _ in 0..3 {
            standing.add(&won(EndKind::Rules));
        }
        assert_eq!(standing.spoiled(), [(1, Spoiled::ManyFaults)]);
        assert_eq!(standing.exit(), Exit::EngineFault);
    }

    #[test]
    fn games_of_an_engine_that_spoiled_them_rate_nobody() {
        let mut standing = standing(Kind::RoundRobin, OnFault::Forfeit, &["a", "b", "c"]);
        while let Some(next) = standing.awaited() {
            let [first, second] = next.players;
            let end = if second == 2 || first == 2 {
                EndKind::Crash
            } else {
                EndKind::Rules
            };
            // The third engine crashes in every other game; the others win one game each.
            let games = [Color::White, Color::Black].map(|new| match (first, second) {
                (2, _) => game(new, Some(new.opponent()), end),
                (_, 2) => game(new, Some(new), end),
                _ => game(new, Some(Color::White), end),
            });
            standing.engines[2].faulty_pairs_in_a_row = 0;
            standing.add(&games);
            standing.engines[2].faulty_pairs_in_a_row = 0;
        }
        assert_eq!(standing.spoiled(), [(2, Spoiled::ManyFaults)]);
        assert_eq!(standing.exit(), Exit::EngineFault);
        let ratings = &standing.ratings().expect("ratings of the others").ratings;
        assert!(ratings[0].is_some() && ratings[1].is_some());
        assert!(ratings[2].is_none());
    }

    #[test]
    fn void_pairs_count_for_nobody() {
        let mut standing = standing(Kind::KnockOut, OnFault::Void, &["a", "b"]);
        standing.add(&won(EndKind::Stall));
        assert_eq!((standing.void_pairs(), standing.table().games()), (1, 0));
        let bracket = standing.schedule().bracket().expect("a bracket");
        assert_eq!(bracket.stages().next().expect("a stage")[0].points, [0, 0]);
    }

    #[test]
    fn five_spoiled_pairs_of_one_engine_in_a_row_end_the_tournament() {
        let mut standing = standing(Kind::KnockOut, OnFault::Forfeit, &["a", "b", "c"]);
        // The first advances without an opponent.
        for _ in 0..4 {
            standing.add(&won(EndKind::Crash));
        }
        assert!(!standing.is_over());
        let reversed = won(EndKind::TimeLoss).map(|game| GameRecord {
            winner: game.winner.map(Color::opponent),
            ..game
        });
        for _ in 0..4 {
            standing.add(&reversed);
        }
        assert_eq!(standing.faults(0).sum(), 8);
        assert!(standing.schedule().is_over());
    }
}
