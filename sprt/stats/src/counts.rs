//! Counts of single games and pairs, from the new engine's point of view.

use foundation::Failure;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The largest accepted count: sums of games cannot overflow, and every count is exact as an `f64`.
const MAX_COUNT: u64 = 1_000_000_000_000;

/// How one game ended for the new engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GameResult {
    Loss,
    Draw,
    Win,
}

impl GameResult {
    /// The same game seen by the opponent.
    #[must_use]
    pub fn reversed(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }
}

/// Pairs by their sum of points: two losses, loss and draw, two draws or win and loss, draw and
/// win, two wins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Pentanomial(pub [u64; 5]);

impl Pentanomial {
    pub fn add(&mut self, pair: [GameResult; 2]) {
        self.0[pair[0] as usize + pair[1] as usize] += 1;
    }

    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    pub fn games(&self) -> u64 {
        2 * self.pairs()
    }

    /// The same pairs seen by the opponent.
    #[must_use]
    pub fn reversed(self) -> Self {
        let [ll, ld, middle, dw, ww] = self.0;
        Self([ww, dw, middle, ld, ll])
    }

    /// Wins minus losses, which the pairs determine although they do not determine wins and losses.
    pub fn surplus(&self) -> i128 {
        let [ll, ld, _, dw, ww] = self.0.map(i128::from);
        2 * ww + dw - ld - 2 * ll
    }

    /// The single games, if the pairs determine them: the middle class, which mixes two draws with
    /// a win and a loss, must be empty.
    pub fn single_games(&self) -> Option<Wdl> {
        (self.0[2] == 0).then(|| self.with_decisive(0))
    }

    /// The single games if `decisive` pairs of the middle class were a win and a loss, the rest two
    /// draws.
    fn with_decisive(self, decisive: u64) -> Wdl {
        let [ll, ld, middle, dw, ww] = self.0;
        Wdl {
            wins: dw + 2 * ww + decisive,
            losses: ld + 2 * ll + decisive,
            draws: ld + dw + 2 * (middle - decisive),
        }
    }

    /// Whether `games` can be the single games of these pairs.
    pub fn allows(&self, games: &Wdl) -> bool {
        let fewest = self.with_decisive(0);
        match games.wins.checked_sub(fewest.wins) {
            Some(decisive) if decisive <= self.0[2] => *games == self.with_decisive(decisive),
            _ => false,
        }
    }
}

/// Single games by result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wdl {
    pub wins: u64,
    pub losses: u64,
    pub draws: u64,
}

impl Wdl {
    pub fn add(&mut self, game: GameResult) {
        match game {
            GameResult::Loss => self.losses += 1,
            GameResult::Draw => self.draws += 1,
            GameResult::Win => self.wins += 1,
        }
    }

    pub fn games(&self) -> u64 {
        self.wins + self.losses + self.draws
    }

    /// The same games seen by the opponent.
    #[must_use]
    pub fn reversed(self) -> Self {
        Self {
            wins: self.losses,
            losses: self.wins,
            draws: self.draws,
        }
    }

    /// From worst to best, as every function of this module takes counts.
    pub fn worst_to_best(&self) -> [u64; 3] {
        [self.losses, self.draws, self.wins]
    }
}

/// The counts of a match: its pairs, its single games, or both, which are then consistent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchCounts {
    pentanomial: Option<Pentanomial>,
    wdl: Option<Wdl>,
}

impl MatchCounts {
    /// Pairs and single games of one match; fails if they are inconsistent.
    pub fn new(pentanomial: Pentanomial, wdl: Wdl) -> Result<Self, Failure> {
        let score = Self::of_pairs(pentanomial)?;
        Self::of_games(wdl)?;
        if !pentanomial.allows(&wdl) {
            return Err(Failure::unable(format!(
                "wins {}, losses {}, draws {} cannot be the games of the pairs {:?}",
                wdl.wins, wdl.losses, wdl.draws, pentanomial.0
            ))
            .hint("both count the new engine's games; leave one of them out if unsure"));
        }
        Ok(Self {
            wdl: Some(wdl),
            ..score
        })
    }

    /// Pairs alone: wins, losses and draws are known only where no pair is in the middle class.
    pub fn of_pairs(pentanomial: Pentanomial) -> Result<Self, Failure> {
        within_limit(&pentanomial.0)?;
        Ok(Self {
            pentanomial: Some(pentanomial),
            wdl: pentanomial.single_games(),
        })
    }

    /// Single games alone, as of a match whose games were not paired.
    pub fn of_games(wdl: Wdl) -> Result<Self, Failure> {
        within_limit(&wdl.worst_to_best())?;
        Ok(Self {
            pentanomial: None,
            wdl: Some(wdl),
        })
    }

    pub fn pentanomial(&self) -> Option<&Pentanomial> {
        self.pentanomial.as_ref()
    }

    pub fn wdl(&self) -> Option<&Wdl> {
        self.wdl.as_ref()
    }

    pub fn games(&self) -> u64 {
        match (self.pentanomial, self.wdl) {
            (Some(pentanomial), _) => pentanomial.games(),
            (None, Some(wdl)) => wdl.games(),
            (None, None) => 0,
        }
    }
}

/// # Errors
/// A count is larger than any match.
pub(crate) fn within_limit(counts: &[u64]) -> Result<(), Failure> {
    match counts.iter().find(|&&count| count > MAX_COUNT) {
        Some(count) => Err(Failure::unable(format!(
            "a count of {count} is more than {MAX_COUNT}, the most that is handled"
        ))),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_counted_by_their_points() {
        use GameResult::{Draw, Loss, Win};
        let mut pairs = Pentanomial::default();
        for pair in [
            [Loss, Loss],
            [Loss, Draw],
            [Win, Loss],
            [Draw, Draw],
            [Draw, Win],
            [Win, Win],
        ] {
            pairs.add(pair);
        }
        assert_eq!(pairs, Pentanomial([1, 1, 2, 1, 1]));
        assert_eq!(pairs.games(), 12);
    }

    #[test]
    fn the_middle_class_decides_which_single_games_are_possible() {
        let pairs = Pentanomial([28, 858, 1839, 983, 33]);
        let games = Wdl {
            wins: 1780,
            losses: 1645,
            draws: 4057,
        };
        assert!(pairs.allows(&games));
        assert_eq!(pairs.surplus(), 135);
        assert_eq!(pairs.single_games(), None);
        assert!(!pairs.allows(&Wdl {
            wins: 1781,
            losses: 1644,
            draws: 4057
        }));
        assert!(!pairs.allows(&Wdl {
            wins: 1781,
            losses: 1646,
            draws: 4057
        }));
        assert!(!pairs.allows(&Wdl {
            wins: 1048,
            losses: 913,
            draws: 5521
        }));
        assert!(!pairs.allows(&Wdl {
            wins: 2889,
            losses: 2754,
            draws: 1839
        }));
    }

    #[test]
    fn counts_that_would_overflow_are_refused() {
        let failure = MatchCounts::of_pairs(Pentanomial([0, 0, u64::MAX, 0, 0])).unwrap_err();
        assert!(
            failure.message().contains("18446744073709551615"),
            "{failure}"
        );
    }
}
