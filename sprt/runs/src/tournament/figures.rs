//! Every figure of a tournament that a view shows, gathered once: views draw it and compute
//! nothing.

use schemars::JsonSchema;
use serde::Serialize;
use stats::Wdl;
use stats::ratings::{BayesRating, ranking};

use super::{Bracket, Kind, Spoiled, TournamentPlan, TournamentStanding};
use crate::standing::Faults;

/// How a tournament stands. Ratings that the results do not determine are null.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Figures {
    /// Whether all pairs are played, or none of the rest will be.
    pub is_over: bool,
    pub pairs: u64,
    /// Pairs that do not count because an engine spoiled a game.
    pub void_pairs: u64,
    /// Games that count.
    pub games: u64,
    /// The best first.
    pub engines: Vec<Row>,
    /// What the first move is worth in BayesElo's model, and half the width of its band of draws.
    pub advantage: Option<f64>,
    pub draw_elo: Option<f64>,
    /// What the first move is worth in Ordo's, and the share of games that equal engines draw.
    pub ordo_advantage: Option<f64>,
    pub ordo_draw_rate: Option<f64>,
    /// The places of a Swiss tournament, by points, then by those of the opponents.
    pub places: Vec<Place>,
    /// The stages of a knock-out, the present one last.
    pub stages: Vec<StageFigures>,
    /// Who won the final of a knock-out.
    pub winner: Option<String>,
    /// The engines whose faults leave them without a rating.
    pub spoiled: Vec<SpoiledBy>,
}

/// An engine's figures.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Row {
    pub name: String,
    /// As BayesElo has it, with half the width of the 95% interval.
    pub elo: Option<f64>,
    pub error: Option<f64>,
    /// The average Elo of its opponents.
    pub opposition: Option<f64>,
    /// As Ordo has it, around 0, on Ordo's scale: 76% at 202 points, 0.9% wider than Elo's 400/ln 10.
    pub ordo: Option<f64>,
    pub games: u64,
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
    pub points: f64,
    /// Share of the points, and of the games that were drawn.
    pub score: Option<f64>,
    pub draw_share: Option<f64>,
    pub faults: Faults,
    /// Against each engine, in the order of the rows; null where they have not met.
    pub against: Vec<Option<Against>>,
    /// The probability of being stronger than each engine, also where they have not met.
    #[serde(skip)]
    pub superiority: Vec<Option<f64>>,
}

impl Row {
    /// Why Ordo rates the others and not this one.
    pub(crate) fn why_no_ordo(&self) -> Option<&'static str> {
        if self.ordo.is_some() || self.games == 0 {
            None
        } else if self.wins == self.games {
            Some("won every game")
        } else if self.losses == self.games {
            Some("lost every game")
        } else if self.elo.is_some() {
            Some("the results determine no ratings")
        } else {
            Some("no results that compare it with the others")
        }
    }
}

/// Games of two engines, from the first one's point of view.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Against {
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
    pub points: f64,
    /// The probability of being the stronger one.
    pub superiority: Option<f64>,
}

/// An engine's place in a Swiss tournament.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Place {
    /// From 1; engines that are level share one.
    pub place: usize,
    pub name: String,
    /// With those of a bye.
    pub points: f64,
    /// The points of all opponents so far (Buchholz).
    pub opponents: f64,
}

#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct StageFigures {
    pub name: String,
    pub matches: Vec<MatchFigures>,
}

#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct MatchFigures {
    /// The second is null where the first goes on without an opponent.
    pub first: String,
    pub second: Option<String>,
    pub points: [f64; 2],
    /// Pairs that were played to break a tie.
    pub tie_breaks: u64,
    pub winner: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SpoiledBy {
    pub engine: String,
    pub why: Spoiled,
}

impl Figures {
    pub fn of(plan: &TournamentPlan, standing: &TournamentStanding) -> Self {
        let (table, ratings, ordo) = (standing.table(), standing.ratings(), standing.ordo());
        let name = |engine: usize| plan.name(engine).to_owned();
        let order = ranking(table, ratings);
        let engines = order.iter().map(|&engine| {
            let rating = ratings.and_then(|all| all.ratings[engine]);
            let results = table.of(engine);
            let share = |count: f64| (results.games() > 0).then(|| count / results.games() as f64);
            let superiority = |opponent: usize| ratings?.superiority[engine][opponent];
            let against = order.iter().map(|&opponent| {
                let games = table.between(engine, opponent);
                (games.games() > 0).then(|| Against {
                    wins: games.wins,
                    draws: games.draws,
                    losses: games.losses,
                    points: points(games),
                    superiority: superiority(opponent),
                })
            });
            Row {
                name: name(engine),
                elo: rating.map(|it| it.elo),
                error: rating.as_ref().map(BayesRating::error),
                opposition: rating.map(|it| it.opposition),
                ordo: ordo.and_then(|all| all.ratings[engine]),
                games: results.games(),
                wins: results.wins,
                draws: results.draws,
                losses: results.losses,
                points: points(results),
                score: share(points(results)),
                draw_share: share(results.draws as f64),
                faults: *standing.faults(engine),
                against: against.collect(),
                superiority: order
                    .iter()
                    .map(|&opponent| superiority(opponent))
                    .collect(),
            }
        });
        let bracket = standing.schedule().bracket();
        let stages = bracket.iter().flat_map(|bracket| bracket.stages());
        let stages = stages.map(|matches| StageFigures {
            name: Bracket::stage_name(matches.len()),
            matches: matches
                .iter()
                .map(|played| MatchFigures {
                    first: name(played.players.0),
                    second: played.players.1.map(name),
                    points: played.points.map(|half| half as f64 / 2.0),
                    tie_breaks: played.tie_breaks,
                    winner: played.winner.map(name),
                })
                .collect(),
        });
        let scores = standing.schedule().swiss_scores().unwrap_or_default();
        let mut scores: Vec<(usize, [u64; 2])> = scores.into_iter().enumerate().collect();
        scores.sort_by_key(|(_, scores)| std::cmp::Reverse(*scores));
        let places = scores.iter().map(|(engine, own)| {
            let [points, opponents] = own.map(|half| half as f64 / 2.0);
            let ahead = scores.iter().take_while(|(_, scores)| scores > own);
            Place {
                place: ahead.count() + 1,
                name: name(*engine),
                points,
                opponents,
            }
        });
        Self {
            places: places.collect(),
            is_over: standing.is_over(),
            pairs: standing.pairs(),
            void_pairs: standing.void_pairs(),
            games: table.games(),
            engines: engines.collect(),
            advantage: ratings.map(|all| all.advantage),
            draw_elo: ratings.map(|all| all.draw_elo),
            ordo_advantage: ordo.map(|all| all.advantage),
            ordo_draw_rate: ordo.map(|all| all.draw_rate),
            stages: stages.collect(),
            winner: bracket.and_then(Bracket::winner).map(name),
            spoiled: standing
                .spoiled()
                .into_iter()
                .map(|(engine, why)| SpoiledBy {
                    engine: name(engine),
                    why,
                })
                .collect(),
        }
    }
}

impl Figures {
    /// The engine that won a knock-out, or is alone in the first place of a Swiss tournament that is
    /// over. Nobody where faults spoiled it.
    pub fn decided(&self) -> Option<&str> {
        if !self.spoiled.is_empty() {
            return None;
        }
        let mut first = self
            .places
            .iter()
            .filter(|it| self.is_over && it.place == 1);
        let alone = first.next().filter(|_| first.next().is_none());
        self.winner
            .as_deref()
            .or(alone.map(|place| place.name.as_str()))
    }

    /// The engine that leads by its rating: by so much that whole numbers show it. `None` where the
    /// first ones are level, or nothing is known yet.
    pub fn leader(&self) -> Option<&Row> {
        let elo = |place: usize| self.engines.get(place)?.elo;
        let is_ahead = elo(0)?.round() > elo(1).map_or(f64::NEG_INFINITY, f64::round);
        self.engines.first().filter(|_| is_ahead)
    }
}

fn points(results: Wdl) -> f64 {
    results.wins as f64 + results.draws as f64 / 2.0
}

impl Kind {
    /// In words: `round robin`.
    pub fn words(self) -> &'static str {
        match self {
            Self::RoundRobin => "round robin",
            Self::Gauntlet => "gauntlet",
            Self::KnockOut => "knock-out",
            Self::Swiss => "Swiss tournament",
        }
    }
}

impl Spoiled {
    pub fn words(self) -> &'static str {
        match self {
            Self::Fault => "spoiled a game, and --on-fault stop was given",
            Self::FaultsInARow => "spoiled a game in each of its last five pairs",
            Self::ManyFaults => "spoiled more than a tenth of its games",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run_folder::tests::game;
    use crate::tournament::Format;
    use crate::tournament::plan::tests::plan;
    use engine_client::Color;
    use referee::arena::EndKind;

    #[test]
    fn an_engine_leads_only_when_it_is_ahead_of_its_rivals() {
        let format = Format {
            rounds: 9,
            ..Format::default()
        };
        let plan = plan(&["a", "b"], format).expect("a plan");
        let mut standing = TournamentStanding::new(&plan);
        let leader = |standing: &TournamentStanding| {
            let figures = Figures::of(&plan, standing);
            figures.leader().map(|row| row.name.clone())
        };
        assert_eq!(leader(&standing), None, "nothing is known");
        let mut add = |winners: [Option<Color>; 2]| {
            let games = [Color::White, Color::Black].into_iter().zip(winners);
            let games = games.map(|(new, winner)| game(new, winner, EndKind::Rules));
            standing.add(&games.collect::<Vec<_>>());
            standing.clone()
        };
        // White wins both, and each has won once.
        let level = add([Some(Color::White), Some(Color::White)]);
        assert_eq!(leader(&level), None);
        let ahead = add([None, Some(Color::White)]);
        assert_eq!(leader(&ahead).as_deref(), Some("b"));
    }

    #[test]
    fn who_has_no_rating_of_ordo_s_is_told_why() {
        let format = Format {
            rounds: 9,
            ..Format::default()
        };
        let plan = plan(&["a", "b"], format).expect("a plan");
        let mut standing = TournamentStanding::new(&plan);
        let won = [Color::White, Color::Black].map(|new| game(new, Some(new), EndKind::Rules));
        standing.add(&won);
        let rows = Figures::of(&plan, &standing).engines;
        let mut why: Vec<_> = rows.iter().map(Row::why_no_ordo).collect();
        why.sort_unstable();
        assert_eq!(why, [Some("lost every game"), Some("won every game")]);
        // White wins every game: no advantage of the first move is too large.
        let mut standing = TournamentStanding::new(&plan);
        let won =
            [Color::White, Color::Black].map(|new| game(new, Some(Color::White), EndKind::Rules));
        standing.add(&won);
        standing.add(&won);
        let rows = Figures::of(&plan, &standing).engines;
        let why = rows.iter().map(Row::why_no_ordo);
        let none = Some("the results determine no ratings");
        assert_eq!(why.collect::<Vec<_>>(), [none, none]);
    }
}
