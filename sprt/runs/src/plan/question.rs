//! What a match is to answer: its test, or its length.

use foundation::Failure;
use stats::{Model, Test, parse_bounds};

use super::flags::TestFlags;
use super::on_fault::OnFault;
use super::range::within;

/// What is asked of a match.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Question {
    pub test: Test,
    pub no_test: bool,
    pub games_per_opening: u64,
    pub on_fault: OnFault,
    /// Pairs at most.
    pub max_pairs: Option<u64>,
}

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
