//! What is still to come of a run, for people to read. The figures are those of the summary and of
//! the plan.

use crate::standing::Standing;
use foundation::counted;

/// After fewer pairs the spread of results is hardly known, and no forecast is printed.
const FEWEST_PAIRS: u64 = 10;
/// Chances below this one are not printed.
const SMALL: f64 = 0.005;

/// What is still to come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outlook {
    /// Games that are expected to be played, and how long that takes where the speed is known.
    pub games: f64,
    pub seconds: Option<f64>,
    /// Games that may be played at most, and how long that takes.
    pub most_games: Option<f64>,
    pub most_seconds: Option<f64>,
    pub chance_of_h1: Option<f64>,
    pub chance_undecided: Option<f64>,
}

impl Outlook {
    /// `None` where nothing is left to play, or nothing is known.
    pub fn of(standing: &Standing, games_per_second: Option<f64>) -> Option<Self> {
        let summary = standing.summary()?;
        let is_early = standing.tally().pairs_played() < FEWEST_PAIRS;
        if is_early && standing.test().is_some() {
            return None;
        }
        let most_games = standing.games_left().map(|games| games as f64);
        let expected = summary.expected_pairs_left.map(|pairs| 2.0 * pairs);
        let games = expected
            .or(most_games.filter(|_| standing.test().is_none()))
            .filter(|games| *games > 0.0)?;
        let time = |games: f64| {
            games_per_second
                .filter(|speed| *speed > 0.0)
                .map(|speed| games / speed)
        };
        Some(Self {
            games,
            seconds: time(games),
            most_games,
            most_seconds: most_games.and_then(time),
            chance_of_h1: summary.chance_of_h1,
            chance_undecided: summary.chance_undecided,
        })
    }

    /// `~3 min to go`, or how many games where the speed is not known.
    pub fn expected(&self) -> String {
        match self.seconds {
            Some(seconds) => format!("~{} to go", duration(seconds)),
            None => format!("~{:.0} games to go", self.games),
        }
    }

    /// `5 min at most`; `None` where nothing limits the run, or the limit is what is expected.
    pub fn at_most(&self) -> Option<String> {
        let most = self.most_games.filter(|most| *most > 1.05 * self.games)?;
        Some(match self.most_seconds {
            Some(seconds) => format!("{} at most", duration(seconds)),
            None => format!("{most:.0} at most"),
        })
    }

    /// `no decision 95%`, where that is possible.
    pub(crate) fn no_decision(&self) -> Option<String> {
        let chance = self.chance_undecided.filter(|chance| *chance > SMALL)?;
        Some(format!("no decision {}", percent(chance)))
    }

    /// `H1 4%, H0 1%, no decision 95%`.
    pub fn chances(&self) -> Option<String> {
        let h1 = self.chance_of_h1?;
        let undecided = self.chance_undecided.unwrap_or(0.0);
        let h0 = (1.0 - h1 - undecided).max(0.0);
        let mut words = format!("H1 {}, H0 {}", percent(h1), percent(h0));
        if let Some(more) = self.no_decision() {
            words.push_str(", ");
            words.push_str(&more);
        }
        Some(words)
    }
}

/// Never 0% or 100%: nothing is certain before the end.
fn percent(chance: f64) -> String {
    match chance {
        small if small < SMALL => "<1%".to_owned(),
        large if large > 1.0 - SMALL => ">99%".to_owned(),
        chance => format!("{:.0}%", 100.0 * chance),
    }
}

/// `142/400 games`, or `142 games` of a run without a limit.
pub fn games(standing: &Standing) -> String {
    let games = standing.tally().wdl.games();
    match standing.max_games() {
        Some(most) => format!("{games}/{most} games"),
        None => counted(games, "game"),
    }
}

/// A time to wait, as coarse as it is uncertain.
pub fn duration(seconds: f64) -> String {
    let minutes = seconds / 60.0;
    if minutes < 1.0 {
        "1 min".to_owned()
    } else if minutes < 90.0 {
        format!("{minutes:.0} min")
    } else if minutes < 2880.0 {
        format!("{:.1} h", minutes / 60.0)
    } else {
        format!("{:.1} d", minutes / 1440.0)
    }
}

/// A time that was measured.
pub fn taken(seconds: f64) -> String {
    if seconds < 90.0 {
        format!("{seconds:.0} s")
    } else {
        duration(seconds)
    }
}

pub fn speed(games_per_second: f64) -> String {
    if games_per_second >= 1.0 {
        format!("{games_per_second:.1} games/s")
    } else {
        format!("{:.1} games/min", games_per_second * 60.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standing(pairs: [u64; 5], max_pairs: Option<u64>) -> Standing {
        let mut plan = crate::plan::tests::plan();
        plan.max_pairs = max_pairs;
        Standing::new(&plan, &crate::standing::tests::tally(pairs))
    }

    #[test]
    fn the_time_left_is_bounded_by_the_limit_of_games() {
        let standing = standing([24, 10, 25, 5, 7], Some(200));
        assert_eq!(games(&standing), "142/400 games");
        let outlook = Outlook::of(&standing, Some(50.0 / 60.0)).expect("an outlook");
        assert_eq!(outlook.expected(), "~5 min to go");
        assert_eq!(outlook.at_most(), None);
        let words = outlook.no_decision().expect("it is likely");
        assert!(
            words.starts_with("no decision 9") || words == "no decision >99%",
            "{words}"
        );
        assert!(outlook.chances().expect("chances").ends_with(&words));
    }

    #[test]
    fn one_pair_says_nothing_of_what_is_to_come() {
        assert_eq!(
            Outlook::of(&standing([0, 0, 1, 0, 0], None), Some(1.0)),
            None
        );
    }

    #[test]
    fn a_test_without_a_ratio_has_no_time_to_go() {
        for max_pairs in [None, Some(2000)] {
            let mut plan = crate::plan::tests::plan();
            plan.max_pairs = max_pairs;
            plan.test.model = stats::Model::Bayesian;
            let outlook = |pairs| {
                let tally = crate::standing::tests::tally(pairs);
                Outlook::of(&Standing::new(&plan, &tally), Some(1.0))
            };
            assert_eq!(outlook([0, 0, 20, 10, 10]), None, "no game is lost");
            assert!(outlook([1, 0, 20, 10, 10]).is_some());
        }
    }

    #[test]
    fn a_run_without_a_limit_has_no_most() {
        let standing = standing([24, 10, 25, 5, 7], None);
        let outlook = Outlook::of(&standing, None).expect("an outlook");
        assert_eq!((outlook.at_most(), outlook.no_decision()), (None, None));
        assert!(outlook.expected().ends_with("games to go"));
    }

    #[test]
    fn times_to_wait_are_coarse() {
        assert_eq!(
            [20.0, 500.0, 5400.0, 400_000.0].map(duration),
            ["1 min", "8 min", "1.5 h", "4.6 d"]
        );
        assert_eq!([27.5, 500.0].map(taken), ["28 s", "8 min"]);
    }
}
