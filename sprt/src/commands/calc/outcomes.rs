//! Pairs in the order of their play, and what a test with overshoot correction makes of them.

use std::io::{self, Read};

use foundation::Failure;
use foundation::failure::OrUnable;
use schemars::JsonSchema;
use serde::Serialize;

use super::row::{Row, row};
use stats::{Overshoot, Pentanomial, Test, Verdict, Wdl};

/// Each pair by its points: 0 (two losses) to 4 (two wins).
pub(super) struct Outcomes(Vec<usize>);

/// How the test went, pair after pair.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Course {
    /// Wald's bounds moved inwards by the overshoot seen so far, at the last pair.
    corrected_lower: f64,
    corrected_upper: f64,
    /// The first pair after which the test was over by the plain bounds.
    decided_at: Option<u64>,
    verdict: Verdict,
    /// The same by the corrected bounds of that moment.
    corrected_decided_at: Option<u64>,
    corrected_verdict: Verdict,
}

impl Outcomes {
    /// From digits, white space between them ignored; `-` reads standard input.
    pub(super) fn read(text: &str) -> Result<Self, Failure> {
        let mut input = String::new();
        let digits = if text == "-" {
            io::stdin()
                .lock()
                .read_to_string(&mut input)
                .or_unable("read outcomes from standard input")?;
            &input
        } else {
            text
        };
        let outcome = |sign: char| {
            match sign.to_digit(5) {
            Some(points) => Ok(points as usize),
            None => Err(Failure::unable(format!(
                "--outcomes has `{sign}` where a digit from 0 (two losses) to 4 (two wins) is expected"
            ))
            .hint("give one digit a pair, in the order of play")),
        }
        };
        let signs = digits.chars().filter(|sign| !sign.is_whitespace());
        signs.map(outcome).collect::<Result<_, _>>().map(Self)
    }

    pub(super) fn pairs(&self) -> Pentanomial {
        let mut pairs = Pentanomial::default();
        for &points in &self.0 {
            pairs.0[points] += 1;
        }
        pairs
    }

    pub(super) fn course(&self, test: &Test) -> Course {
        let (lower, upper) = (test.lower(), test.upper());
        let mut course = Course {
            corrected_lower: lower,
            corrected_upper: upper,
            decided_at: None,
            verdict: Verdict::Undecided,
            corrected_decided_at: None,
            corrected_verdict: Verdict::Undecided,
        };
        let mut overshoot = Overshoot::default();
        let mut pairs = Pentanomial::default();
        for (&points, played) in self.0.iter().zip(1..) {
            pairs.0[points] += 1;
            // The single games, for the Bayesian model, are refused before where the pairs do not
            // tell them.
            let llr = test.llr(&pairs, &pairs.single_games().unwrap_or_else(Wdl::default));
            overshoot.update(llr);
            (course.corrected_lower, course.corrected_upper) = overshoot.corrected(lower, upper);
            if course.decided_at.is_none() && test.verdict(llr) != Verdict::Undecided {
                course.decided_at = Some(played);
                course.verdict = test.verdict(llr);
            }
            let corrected = if llr > course.corrected_upper {
                Verdict::H1
            } else if llr < course.corrected_lower {
                Verdict::H0
            } else {
                Verdict::Undecided
            };
            if course.corrected_decided_at.is_none() && corrected != Verdict::Undecided {
                course.corrected_decided_at = Some(played);
                course.corrected_verdict = corrected;
            }
        }
        course
    }
}

impl Course {
    pub(super) fn rows(&self) -> [Row; 3] {
        let end = |pair: Option<u64>, verdict: Verdict| match pair {
            Some(pair) => format!("{} after pair {pair}", verdict.words()),
            None => "undecided".to_owned(),
        };
        let (lower, upper) = (self.corrected_lower, self.corrected_upper);
        [
            row("Test by its bounds", end(self.decided_at, self.verdict)),
            row(
                "Test by corrected bounds",
                end(self.corrected_decided_at, self.corrected_verdict),
            ),
            row("Corrected bounds", format!("({lower:.2}, {upper:.2})")),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats::Model;

    #[test]
    fn the_corrected_test_ends_no_later() {
        let test = Test::new(0.0, 10.0, 0.05, 0.05, Model::Logistic).unwrap();
        let outcomes = Outcomes::read(&"3 2 3 2 4 ".repeat(60)).unwrap();
        assert_eq!(outcomes.pairs(), Pentanomial([0, 0, 120, 120, 60]));
        let course = outcomes.course(&test);
        assert_eq!(course.corrected_verdict, Verdict::H1);
        assert!(course.corrected_decided_at <= course.decided_at);
        assert!(course.corrected_upper < test.upper());
    }

    #[test]
    fn a_wrong_digit_is_named() {
        let failure = Outcomes::read("0125").err().unwrap();
        assert!(failure.message().contains("`5`"), "{failure}");
    }
}
