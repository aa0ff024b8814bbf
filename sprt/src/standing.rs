//! How a run stands: its counts, and every figure that follows from them.

use std::cell::OnceCell;

use serde::Serialize;
use stats::{MatchCounts, Summary, Test, Verdict};

use crate::plan::Plan;

mod tally;

pub use tally::{Faults, Tally};

/// The state of a test. Its summary is only computed when somebody asks for it.
#[derive(Clone, Debug)]
pub struct Standing {
    test: Test,
    tally: Tally,
    summary: OnceCell<Option<Summary>>,
}

impl Standing {
    pub fn new(test: Test, tally: Tally) -> Self {
        Self {
            test,
            tally,
            summary: OnceCell::new(),
        }
    }

    pub fn test(&self) -> &Test {
        &self.test
    }

    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// Every figure that a report may print; `None` before the first pair.
    pub fn summary(&self) -> Option<&Summary> {
        let summary = self.summary.get_or_init(|| {
            // The tally counts pairs and games from the same results, so they never contradict each other.
            let counts = MatchCounts::new(self.tally.pentanomial, self.tally.wdl).ok()?;
            Some(Summary::of(&self.test, &counts))
        });
        summary.as_ref()
    }

    pub fn llr(&self) -> f64 {
        self.test.llr(&self.tally.pentanomial, &self.tally.wdl)
    }

    pub fn verdict(&self) -> Verdict {
        self.test.verdict(self.llr())
    }

    /// Whether there is nothing left to play: the test is decided, or all games of the plan are played.
    pub fn is_over(&self, plan: &Plan) -> bool {
        self.verdict() != Verdict::Undecided || plan.is_used_up(self.tally.pairs())
    }
}

/// The members of the result's JSON that change while a run is played.
#[derive(Serialize)]
struct Json<'a> {
    #[serde(flatten)]
    summary: Option<&'a Summary>,
    pairs: u64,
    faults: BothFaults<'a>,
}

#[derive(Serialize)]
struct BothFaults<'a> {
    base: &'a Faults,
    new: &'a Faults,
}

impl Serialize for Standing {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let json = Json {
            summary: self.summary(),
            pairs: self.tally.pairs(),
            faults: BothFaults {
                base: &self.tally.base_faults,
                new: &self.tally.new_faults,
            },
        };
        json.serialize(serializer)
    }
}
