//! How many games and openings of a PGN file are copies, and what that leaves of the evidence.
//!
//! An OpenBench server moves its place in the book on by half of what it gives to a worker, so that
//! every second opening is played again, by the same worker or by another. At fixed nodes such
//! pairs are the same games again, and the server counts them all.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{BufReader, Read};
use std::mem;
use std::ops::ControlFlow::{self, Continue};
use std::path::Path;

use foundation::game_texts::GameTexts;
use foundation::move_words::{mark_words, unknown_word};
use foundation::{Failure, counted, failure::OrUnable};
use pgn_reader::{KnownOutcome, Outcome, RawComment, RawTag, Reader, SanPlus, Skip, Visitor};
use schemars::JsonSchema;
use serde::Serialize;
use stats::{MatchCounts, Pentanomial, Test, Verdict, Wdl, design_effect};

/// The end of the new engine's name, as OpenBench's workers call it.
const DEV: &str = "-dev";

/// What is repeated in a file of games.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Repetition {
    pub games: u64,
    /// Games without a result, and torn ones, which are left out of all other figures.
    pub left_out: u64,
    /// Games with the opening, the moves and the result of an earlier one.
    pub repeated_games: u64,
    /// Pairs, or games where each opening was played with one colour.
    pub unit: Unit,
    pub count: u64,
    pub openings: u64,
    /// Units that contain no new game.
    pub copies: u64,
    /// How many of the units that are no copies carry as much evidence as one independent unit.
    pub design_effect: f64,
    /// The number of independent units with the same evidence.
    pub effective: f64,
    /// Counts of the units that are no copies, from the worst to the best for the new engine.
    #[serde(skip)]
    distinct: Vec<u64>,
    /// Their single games.
    #[serde(skip)]
    distinct_games: Wdl,
    /// Whether the new engine has more points than the base, the copies counted.
    #[serde(skip)]
    ahead: Ordering,
}

/// What the counts of a test are of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    Pairs,
    Games,
}

/// A unit: the opening, the games, the new engine's score, and its losses, draws and wins.
struct Played {
    opening: u64,
    games: u64,
    score: usize,
    results: [u64; 3],
}

impl Repetition {
    /// Reads a file of games. Games without a result and torn ones are left out.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        let what = format!("read games from `{}`", path.display());
        Self::of(File::open(path).or_unable(&what)?).map_err(|failure| failure.context(what))
    }

    /// Reads games, one after another.
    pub fn of(games: impl Read) -> Result<Self, Failure> {
        let mut collected = Collected::default();
        for game in GameTexts::new(BufReader::new(games)) {
            let game = game.or_unable("read a game")?;
            if game.problem.is_some() {
                collected.left_out += 1;
                continue;
            }
            let marked = mark_words(&game.text);
            let mut reader = Reader::build(marked.as_slice())
                .set_supported_tag_line_length(marked.len())
                .set_supported_comment_length(marked.len())
                .finish();
            match reader.read_game(&mut Games).or_unable("read a game")? {
                Some(Some(game)) => collected.add(game),
                Some(None) => collected.left_out += 1,
                None => {}
            }
        }
        Ok(collected.repetition())
    }

    /// From the side of the engine with these wins and losses. The names do not always say which one is
    /// new.
    #[must_use]
    pub fn seen_from(mut self, wins: u64, losses: u64) -> Self {
        if self.ahead != Ordering::Equal && self.ahead == losses.cmp(&wins) {
            self.ahead = self.ahead.reverse();
            self.distinct.reverse();
            let Wdl { wins, losses, .. } = &mut self.distinct_games;
            mem::swap(wins, losses);
        }
        self
    }

    pub fn is_any(&self) -> bool {
        self.copies > 0 || self.openings < self.count
    }

    /// The log-likelihood ratio of the effective units.
    pub fn llr(&self, test: &Test) -> f64 {
        let counts = match *self.distinct.as_slice() {
            [a, b, c, d, e] => MatchCounts::new(Pentanomial([a, b, c, d, e]), self.distinct_games),
            _ => MatchCounts::of_games(self.distinct_games),
        };
        let llr = counts.ok().and_then(|counts| test.known_llr(&counts));
        llr.unwrap_or_default() / self.design_effect
    }

    /// Whether a verdict is another one without the copies; `counted` is the LLR with them.
    pub fn is_deciding(&self, test: &Test, counted: f64) -> bool {
        let verdict = test.verdict(counted);
        let is_decided = verdict != Verdict::Undecided;
        self.is_any() && is_decided && test.verdict(self.llr(test)) != verdict
    }

    /// The result in one sentence; `test` is the one that the games were played for, `counted` its
    /// LLR.
    pub fn sentence(&self, test: Option<(&Test, f64)>) -> String {
        let unit = match self.unit {
            Unit::Pairs => "pairs",
            Unit::Games => "games",
        };
        let Self {
            count,
            openings,
            copies,
            effective,
            ..
        } = self;
        let left_out = match self.left_out {
            0 => String::new(),
            left_out => format!(
                "; left out: {} without a result or torn",
                counted(left_out, "game")
            ),
        };
        if !self.is_any() {
            return format!("{count} {unit} from as many openings: none is repeated{left_out}");
        }
        let mut text = format!(
            "{count} {unit} from {openings} openings, {copies} of them copies of others move by move: \
             {effective:.0} effective {unit}"
        );
        if let Some((test, counted)) = test {
            let llr = self.llr(test);
            let _ = write!(text, ", which give LLR {llr:.2} instead of {counted:.2}");
            if self.is_deciding(test, counted) {
                text += ": the test is decided by copies";
            }
        }
        text + &left_out
    }
}

/// The parts of a game that matter here.
struct Game {
    round: u64,
    players: [String; 2],
    opening: u64,
    moves: u64,
    /// White's: 0 lost, 1 drawn, 2 won.
    score: usize,
}

#[derive(Default)]
struct Collected {
    new: Option<String>,
    games: Vec<Played>,
    left_out: u64,
    pairs: Vec<Played>,
    /// First games of pairs.
    waiting: HashMap<(u64, u64), Game>,
}

impl Collected {
    fn add(&mut self, game: Game) {
        let [white, black] = &game.players;
        let is_dev = |name: &&String| name.ends_with(DEV);
        let new = self.new.get_or_insert_with(|| {
            let named = [white, black].into_iter().find(is_dev);
            named.unwrap_or(white).clone()
        });
        let new_is_white = white == new;
        let score = if new_is_white {
            game.score
        } else {
            2 - game.score
        };
        let mut results = [0; 3];
        results[score] += 1;
        self.games.push(Played {
            opening: game.opening,
            games: hash(&(game.opening, game.moves, game.score, new_is_white)),
            score,
            results,
        });
        let key = (game.round, game.opening);
        match self.waiting.remove(&key) {
            Some(first) if first.players[0] == game.players[1] => {
                let first_score = if new_is_white {
                    2 - first.score
                } else {
                    first.score
                };
                // In the order of colours: workers report games as they end.
                let mut both = [(first.moves, first.score), (game.moves, game.score)];
                if new_is_white {
                    both.swap(0, 1);
                }
                results[first_score] += 1;
                self.pairs.push(Played {
                    opening: game.opening,
                    games: hash(&(game.opening, both)),
                    score: first_score + score,
                    results,
                });
            }
            _ => {
                self.waiting.insert(key, game);
            }
        }
    }

    fn repetition(self) -> Repetition {
        let games = self.games.len() as u64;
        let points: u64 = self.games.iter().map(|game| game.score as u64).sum();
        let different: HashSet<u64> = self.games.iter().map(|game| game.games).collect();
        let repeated_games = games - different.len() as u64;
        // A file of single games may by chance hold some with swapped colours.
        let is_paired = 4 * self.pairs.len() as u64 > games;
        let (unit, units) = if is_paired {
            (Unit::Pairs, &self.pairs)
        } else {
            (Unit::Games, &self.games)
        };
        let mut seen = HashSet::new();
        let mut openings: HashMap<u64, [u64; 5]> = HashMap::new();
        let mut distinct = [0; 5];
        let mut results = [0; 3];
        for played in units {
            let counts = openings.entry(played.opening).or_default();
            if seen.insert(played.games) {
                counts[played.score] += 1;
                distinct[played.score] += 1;
                for (sum, more) in results.iter_mut().zip(played.results) {
                    *sum += more;
                }
            }
        }
        let number = openings.len() as u64;
        let groups: Vec<[u64; 5]> = openings.into_values().collect();
        let design_effect = design_effect(&groups);
        let outcomes = if is_paired { 5 } else { 3 };
        let mut distinct = distinct.to_vec();
        distinct.truncate(outcomes);
        let [losses, draws, wins] = results;
        Repetition {
            games,
            left_out: self.left_out,
            repeated_games,
            unit,
            count: units.len() as u64,
            openings: number,
            copies: (units.len() - seen.len()) as u64,
            design_effect,
            effective: seen.len() as f64 / design_effect,
            distinct,
            distinct_games: Wdl {
                wins,
                losses,
                draws,
            },
            ahead: points.cmp(&games),
        }
    }
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

struct Games;

#[derive(Default)]
struct Tags {
    round: u64,
    players: [String; 2],
    start: DefaultHasher,
    result: Option<usize>,
}

struct Unfinished {
    tags: Tags,
    opening: DefaultHasher,
    moves: DefaultHasher,
    /// The hash of the last move.
    last: Option<u64>,
}

impl Unfinished {
    fn add(&mut self, made: u64) {
        made.hash(&mut self.moves);
        self.last = Some(made);
    }
}

/// White's score.
fn score(outcome: Outcome) -> Option<usize> {
    let Outcome::Known(outcome) = outcome else {
        return None;
    };
    Some(match outcome {
        KnownOutcome::Draw => 1,
        KnownOutcome::Decisive { winner } => 2 * usize::from(winner.is_white()),
    })
}

impl Visitor for Games {
    type Tags = Tags;
    type Movetext = Unfinished;
    type Output = Option<Game>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Tags> {
        Continue(Tags::default())
    }

    fn tag(
        &mut self,
        tags: &mut Tags,
        name: &[u8],
        value: RawTag<'_>,
    ) -> ControlFlow<Self::Output> {
        match name {
            b"Round" => tags.round = hash(&value.as_bytes()),
            b"White" => tags.players[0] = value.decode_utf8_lossy().into_owned(),
            b"Black" => tags.players[1] = value.decode_utf8_lossy().into_owned(),
            b"FEN" => value.as_bytes().hash(&mut tags.start),
            b"Result" => tags.result = Outcome::from_ascii(value.as_bytes()).ok().and_then(score),
            _ => {}
        }
        Continue(())
    }

    fn begin_movetext(&mut self, tags: Tags) -> ControlFlow<Self::Output, Unfinished> {
        Continue(Unfinished {
            opening: tags.start.clone(),
            moves: DefaultHasher::new(),
            last: None,
            tags,
        })
    }

    fn begin_variation(&mut self, _: &mut Unfinished) -> ControlFlow<Self::Output, Skip> {
        Continue(Skip(true))
    }

    fn san(&mut self, game: &mut Unfinished, san: SanPlus) -> ControlFlow<Self::Output> {
        game.add(hash(&san));
        Continue(())
    }

    fn comment(
        &mut self,
        game: &mut Unfinished,
        comment: RawComment<'_>,
    ) -> ControlFlow<Self::Output> {
        if let Some(word) = unknown_word(comment.as_bytes()) {
            game.add(hash(&word));
        } else if let Some(made) = game.last.take()
            && comment.as_bytes().trim_ascii() == b"book"
        {
            made.hash(&mut game.opening);
        }
        Continue(())
    }

    fn outcome(&mut self, game: &mut Unfinished, outcome: Outcome) -> ControlFlow<Self::Output> {
        game.tags.result = score(outcome).or(game.tags.result);
        Continue(())
    }

    fn end_game(&mut self, game: Unfinished) -> Self::Output {
        Some(Game {
            score: game.tags.result?,
            round: game.tags.round,
            players: game.tags.players,
            opening: game.opening.finish(),
            moves: game.moves.finish(),
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use stats::Model;

    use super::*;

    fn game(round: u32, dev_is_white: bool, opening: &str, moves: &str, result: &str) -> String {
        let [white, black] = if dev_is_white {
            ["A-dev", "A-base"]
        } else {
            ["A-base", "A-dev"]
        };
        format!(
            "[Event \"x\"]\n[Round \"{round}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\
             [FEN \"{opening}\"]\n[SetUp \"1\"]\n\n1. {moves} {result}\n\n"
        )
    }

    const FIRST: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    const SECOND: &str = "4k3/8/8/8/8/8/3P4/4K3 w - - 0 1";

    fn repetition(games: &[String]) -> Repetition {
        Repetition::of(games.concat().as_bytes()).expect("games")
    }

    #[test]
    fn copies_of_a_pair_are_distinguished_from_other_games_of_its_opening() {
        let won = [
            game(1, true, FIRST, "e4 {+0.1/3 0.1s}", "1-0"),
            game(1, false, FIRST, "e3 {+0.1/3 0.1s}", "1/2-1/2"),
        ]
        .concat();
        // Times differ, moves do not; and the pair's games may end in any order.
        let copy = [
            game(4, false, FIRST, "e3 {+0.1/3 0.9s}", "1/2-1/2"),
            game(4, true, FIRST, "e4 {+0.1/3 0.9s}", "1-0"),
        ]
        .concat();
        let other = [
            game(5, true, FIRST, "e4", "0-1"),
            game(5, false, FIRST, "e4", "1/2-1/2"),
        ]
        .concat();
        let fresh = [
            game(2, true, SECOND, "d4", "0-1"),
            game(2, false, SECOND, "d4", "1-0"),
        ]
        .concat();
        let found = repetition(&[won.clone(), fresh.clone(), copy, other]);
        assert_eq!((found.games, found.repeated_games), (8, 2));
        assert_eq!(
            (found.unit, found.count, found.openings, found.copies),
            (Unit::Pairs, 4, 2, 1)
        );
        assert_eq!(found.distinct, [1, 1, 0, 1, 0]);
        let alone = repetition(&[won, fresh]);
        assert!(!alone.is_any(), "{alone:?}");
        assert_eq!((alone.copies, alone.effective), (0, 2.0));
    }

    #[test]
    fn moves_in_long_notation_tell_games_apart() {
        let long = |round, moves| game(round, true, FIRST, moves, "1-0");
        let found = repetition(&[long(1, "e2-e4 Ke8-d7"), long(2, "e2-e4 Ke8-e7")]);
        assert_eq!((found.games, found.repeated_games), (2, 0));
    }

    #[test]
    fn a_game_without_a_result_is_said_to_be_left_out() {
        let whole = game(1, true, FIRST, "e4", "1-0");
        let torn = game(2, true, SECOND, "d4", "1-0").replace("1-0", "*");
        let found = repetition(&[whole, torn]);
        assert_eq!((found.games, found.left_out), (1, 1));
        let text = found.sentence(None);
        assert!(
            text.ends_with("; left out: 1 game without a result or torn"),
            "{text}"
        );
    }

    #[test]
    fn games_are_seen_from_the_side_whose_results_are_given() {
        let games = [
            game(1, true, FIRST, "e4", "0-1"),
            game(1, false, FIRST, "e4", "1-0"),
        ];
        let lost = repetition(&games);
        assert_eq!(lost.distinct, [1, 0, 0, 0, 0]);
        assert_eq!(lost.clone().seen_from(0, 2), lost);
        let won = lost.seen_from(2, 0);
        assert_eq!(won.distinct, [0, 0, 0, 0, 1]);
        assert_eq!((won.distinct_games.wins, won.distinct_games.losses), (2, 0));
    }

    #[test]
    fn a_match_of_copies_proves_no_more_than_its_half() {
        let mut games = Vec::new();
        for round in 0..40u32 {
            // Each opening in two rounds.
            let opening = format!("4k3/8/8/8/8/8/4P3/4K3 w - - 0 {}", 1 + round / 2);
            let result = if round % 4 < 2 { "1-0" } else { "1/2-1/2" };
            games.push(game(round, true, &opening, "e4", result));
            games.push(game(round, false, &opening, "e3", "1/2-1/2"));
        }
        let found = repetition(&games);
        assert_eq!((found.count, found.copies, found.effective), (40, 20, 20.0));
        let test = Test::new(0.0, 5.0, 0.05, 0.05, Model::Normalized).expect("a test");
        let counted = test.llr(&Pentanomial([0, 0, 20, 20, 0]), &Wdl::default());
        // Not exactly: outcomes that were not seen are counted as a thousandth each.
        assert!((2.0 * found.llr(&test) / counted - 1.0).abs() < 1e-3);
        assert!(found.is_deciding(&test, test.upper() + 0.01));
        assert!(!found.is_deciding(&test, 0.0), "there is no verdict");
        let text = found.sentence(Some((&test, counted)));
        assert!(
            text.starts_with("40 pairs from 20 openings, 20 of them copies"),
            "{text}"
        );
    }

    #[test]
    fn a_repeated_opening_leaves_a_test_of_any_model_its_ratio() {
        let tests = [Model::Normalized, Model::Logistic, Model::Bayesian]
            .map(|model| Test::new(0.0, 50.0, 0.05, 0.05, model).expect("a test"));
        let results = ["1-0", "1-0", "1/2-1/2", "0-1"];
        let opening = |number: usize| format!("4k3/8/8/8/8/8/4P3/4K3 w - - 0 {number}");
        let white = |number: usize| {
            let round = number as u32;
            let result = results[number % 4];
            game(round, true, &opening(number), "e4", result)
        };
        let black = |number: usize| {
            let (round, opening) = (number as u32, opening(number));
            game(round, false, &opening, "e3", "1/2-1/2")
        };
        // Wins, draws and losses of 2 to 1 to 1 in the single games.
        let mut games: Vec<String> = (1..=200).map(white).collect();
        let single = Wdl {
            wins: 100,
            draws: 50,
            losses: 50,
        };
        games.push(white(1).replace("\"1\"", "\"201\""));
        let found = repetition(&games);
        assert_eq!((found.unit, found.copies), (Unit::Games, 1));
        assert_eq!(found.distinct_games, single);
        let counts = MatchCounts::of_games(single).expect("counts");
        let is_near = |found: &Repetition, test: &Test, counts| {
            let counted = test.known_llr(&counts).expect("a ratio");
            let effective = found.llr(test) * found.design_effect;
            assert!((effective - counted).abs() < 1e-9, "{test:?}: {effective}");
            assert!(counted > test.upper(), "{test:?}: {counted}");
            assert!(!found.is_deciding(test, counted), "{test:?}: {effective}");
        };
        for test in &tests {
            is_near(&found, test, counts);
        }

        // The same with a draw by black in each opening.
        games.truncate(200);
        games.extend((1..=200).map(black));
        games.extend([white(1), black(1)].map(|game| game.replace("\"1\"", "\"201\"")));
        let found = repetition(&games);
        assert_eq!((found.unit, found.copies), (Unit::Pairs, 1));
        let single = Wdl {
            draws: 250,
            ..single
        };
        assert_eq!(found.distinct_games, single);
        let pairs = Pentanomial([0, 50, 50, 100, 0]);
        let counts = MatchCounts::new(pairs, single).expect("counts");
        for test in &tests {
            is_near(&found, test, counts);
        }
    }

    #[test]
    fn openings_of_moves_are_distinguished_by_them() {
        let line = |round, book: &str| {
            let text = game(
                round,
                true,
                FIRST,
                &format!("{book} {{book}} Kd7 {{+0.1/3 0.1s}}"),
                "1-0",
            );
            text.replace(&format!("[FEN \"{FIRST}\"]\n[SetUp \"1\"]\n"), "")
        };
        let found = repetition(&[line(1, "e4"), line(2, "d4"), line(3, "e4")]);
        assert_eq!(
            (found.unit, found.count, found.openings, found.copies),
            (Unit::Games, 3, 2, 1)
        );
        assert_eq!(found.distinct, [0, 0, 2]);
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "(\\[White \"x\"\\]\n\n)?[a-hKQRBNO0-9x+#=. {}();*\n-]{0,200}") {
            let _ = Repetition::of(text.as_bytes());
        }
    }
}
