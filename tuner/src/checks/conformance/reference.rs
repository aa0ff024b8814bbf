//! The search with the usual values, which searches with other values are compared with.

use std::time::{Duration, Instant};

use foundation::{Failure, counted};

use super::dialogue;
use crate::checks::complaint::{Complaint, ENGINE};
use crate::checks::prober::{Prober, Questions, Trace};

/// A search is given up once it has taken longer than this and longer than [`FAR_LONGER`] searches
/// of all positions.
const LONG: Duration = Duration::from_secs(10);
const FAR_LONGER: u32 = 10;

/// What a search with the usual values is, which others are compared with.
pub(super) struct Reference {
    pub questions: Questions,
    pub trace: Trace,
    /// In words: `go depth 9` from so many positions.
    pub searches: String,
    /// How long they took.
    pub took: Duration,
    /// Switches that are off, behind which parameters may have no effect.
    pub gates: Vec<Gate>,
}

/// A switch that is off.
pub(super) struct Gate {
    pub name: String,
    /// The line that turns it on.
    pub on: String,
}

impl Reference {
    /// A search with the usual values, or why there is none that others could be compared with.
    pub(super) async fn search(
        questions: &Questions,
        gates: Vec<Gate>,
    ) -> Result<Result<Self, Complaint>, Failure> {
        let go = dialogue::go(questions.limit());
        let mut traces = Vec::new();
        let mut longest = Duration::ZERO;
        let mut prober = Prober::start(questions).await?;
        for round in 0..3 {
            if round == 2 {
                prober = Prober::start(questions).await?;
            }
            let started = Instant::now();
            match prober.try_trace().await {
                Ok(trace) => traces.push(trace),
                Err((fault, command)) => {
                    let text = format!("fails at `{}`", command.trim_end().replace('\n', "; "));
                    let complaint = Complaint::new(ENGINE, text).detail(&fault.to_string());
                    return Ok(Err(complaint.fatal_if(true)));
                }
            }
            longest = longest.max(started.elapsed());
        }
        prober.quit().await;
        if traces[0] != traces[2] {
            let text = format!(
                "two new processes answer `{go}` differently: it is not deterministic (with more \
                 than one thread none is), and no option can be judged by what it does to a search"
            );
            return Ok(Err(Complaint::new(ENGINE, text).fatal_if(true)));
        }
        if traces[0] != traces[1] {
            let text = format!(
                "the second `{go}` of a process differs from the first: `ucinewgame` does not \
                 forget all, and no option can be judged by what it does to a search"
            );
            return Ok(Err(Complaint::new(ENGINE, text).fatal_if(true)));
        }
        if let Some(best) = questions.first_illegal(&traces[0]) {
            let complaint = Complaint::new(ENGINE, "plays illegal moves").detail(&best);
            return Ok(Err(complaint.fatal_if(true)));
        }
        let positions = questions.positions().len();
        Ok(Ok(Self {
            questions: questions.within(LONG.max(longest * FAR_LONGER)),
            trace: traces.swap_remove(0),
            searches: format!("`{go}` from {}", counted(positions, "position")),
            took: longest,
            gates,
        }))
    }
}
