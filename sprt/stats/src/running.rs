//! A test while it runs: pairs come in, in the order of their play, until it is decided.

use crate::counts::{GameResult, Pentanomial, Wdl};
use crate::overshoot::Overshoot;
use crate::sprt::{Test, Verdict};

/// Counts and what a test with corrected bounds must remember of their order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RunningTest {
    pub test: Test,
    pub pairs: Pentanomial,
    pub games: Wdl,
    llr: f64,
    overshoot: Overshoot,
}

impl RunningTest {
    pub fn new(test: Test) -> Self {
        Self {
            test,
            pairs: Pentanomial::default(),
            games: Wdl::default(),
            llr: 0.0,
            overshoot: Overshoot::default(),
        }
    }

    /// Takes in the next pair.
    pub fn add(&mut self, pair: [GameResult; 2]) {
        self.pairs.add(pair);
        for game in pair {
            self.games.add(game);
        }
        self.llr = self.test.llr(&self.pairs, &self.games);
        self.overshoot.update(self.llr);
    }

    pub fn llr(&self) -> f64 {
        self.llr
    }

    /// The bounds that decide now.
    pub fn bounds(&self) -> (f64, f64) {
        let (lower, upper) = (self.test.lower(), self.test.upper());
        if self.test.overshoot_correction {
            self.overshoot.corrected(lower, upper)
        } else {
            (lower, upper)
        }
    }

    pub fn verdict(&self) -> Verdict {
        let (lower, upper) = self.bounds();
        if self.llr > upper {
            Verdict::H1
        } else if self.llr < lower {
            Verdict::H0
        } else {
            Verdict::Undecided
        }
    }
}
