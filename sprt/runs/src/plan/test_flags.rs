//! The question of a match, its test or its length: flags and keys of a project file.

use clap::Args;
use foundation::Failure;
use foundation::command_line::count;
use serde::{Deserialize, Serialize};
use stats::{Model, Test, parse_bounds};

use super::colors::Colors;
use super::on_fault::OnFault;
use super::range::within;
use super::value_name::value_name;

/// The flags of a test.
#[derive(Args, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
#[command(next_help_heading = "Test")]
pub struct TestFlags {
    /// Elo of H0 and H1, in the unit of the model [default: 0,5]
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    pub bounds: Option<String>,
    /// Probability of accepting H1 although H0 is true [default: 0.05]
    #[arg(long, value_name = "P")]
    pub alpha: Option<f64>,
    /// Probability of accepting H0 although H1 is true [default: 0.05]
    #[arg(long, value_name = "P")]
    pub beta: Option<f64>,
    /// What the bounds mean [default: normalized]
    #[arg(long, value_enum, value_name = "MODEL")]
    pub model: Option<Model>,
    /// What happens to a pair in which an engine crashes, stalls, is late or makes an illegal move
    /// [default: forfeit]
    #[arg(long, value_enum, value_name = "POLICY")]
    pub on_fault: Option<OnFault>,
    /// Move the bounds inwards by how far the ratio steps over them, as fishtest does: a shorter
    /// test
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub correct_overshoot: Option<bool>,
    /// Give up undecided after so many games, an even number
    #[arg(long, value_name = "N", value_parser = count::<u64>)]
    pub max_games: Option<u64>,
    /// Play so many games, without a test and a verdict
    #[arg(long, value_name = "N", value_parser = count::<u64>, conflicts_with_all = ["max_games", "bounds", "alpha", "beta", "model"])]
    pub games: Option<u64>,
    /// Games of each opening: in a match without a test 1, with alternating colours, or an even
    /// number [default: 2]
    #[arg(long, value_name = "N")]
    pub games_per_opening: Option<u64>,
    /// Who has White; a test needs both colours [default: new-first]
    #[arg(long, value_enum, value_name = "WHO")]
    pub colors: Option<Colors>,
}

/// The same, resolved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Question {
    pub test: Test,
    pub no_test: bool,
    pub games_per_opening: u64,
    pub colors: Colors,
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
        let colors = self.colors.unwrap_or_default();
        if !colors.swap() && self.games.is_none() {
            return Err(Failure::unable(format!(
                "--colors {}: a test counts pairs of games with colours swapped",
                value_name(&colors)
            ))
            .hint("give --games N for a match of fixed length without a test"));
        }
        Ok(Question {
            colors,
            test: Test::new(elo0, elo1, alpha, beta, model)?
                .with_overshoot_correction(self.correct_overshoot.unwrap_or_default()),
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

impl Question {
    /// The flags that give the same test.
    pub(super) fn flags(&self) -> Vec<(&'static str, String)> {
        let games = self
            .max_pairs
            .map(|pairs| pairs * self.games_per_opening.min(2));
        let test = &self.test;
        let mut flags = Vec::new();
        if self.no_test {
            flags.push(("games-per-opening", self.games_per_opening.to_string()));
            flags.extend(games.map(|games| ("games", games.to_string())));
        } else {
            flags.extend([
                ("bounds", format!("{},{}", test.elo0, test.elo1)),
                ("alpha", test.alpha.to_string()),
                ("beta", test.beta.to_string()),
                ("model", test.model.name().to_owned()),
            ]);
            flags.extend(games.map(|games| ("max-games", games.to_string())));
            if test.overshoot_correction {
                flags.push(("correct-overshoot", true.to_string()));
            }
        }
        if self.colors != Colors::default() {
            flags.push(("colors", value_name(&self.colors)));
        }
        if self.on_fault != OnFault::default() {
            flags.push(("on-fault", value_name(&self.on_fault)));
        }
        flags
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
