//! What an engine does wrong, found from outside: by what it answers, and by what its options do to fixed searches.
//!
//! Each check is a mistake that real engines have shipped: a node limit that is not kept; a bench that does not see the
//! parameters; a parameter that the search no longer reads; two copies of a default that disagree; a range that is
//! printed and not enforced; a name that must be written in the right case; a fraction that is cut off; tables derived
//! once and never renewed; a text that crashes the parser; a switch without effect.
//!
//! An engine that crashes or hangs does not end the inspection: that is a complaint, and a new process takes over.

mod bench;
mod defaults;
pub mod dialogue;
mod inspection;
mod subject;
mod switch;
mod team;
mod untuned;

use std::sync::Arc;
use std::time::{Duration, Instant};

use foundation::Failure;
use sprt::engine::{OptionKind, UciOption};
use sprt::limit::Limit;

use crate::checks::complaint::{Complaint, ENGINE};
use crate::checks::prober::{Prober, Questions, Trace};
use crate::parameter::Parameter;

use inspection::Inspection;

/// What is inspected.
pub struct Wiring<'a> {
    pub questions: &'a Questions,
    pub parameters: &'a [Parameter],
    pub options: &'a [UciOption],
    /// How the tune's games will be played.
    pub limit: Limit,
    /// Engines at a time.
    pub jobs: usize,
}

/// What a search with the usual values is, which others are compared with.
struct Reference {
    questions: Questions,
    trace: Trace,
    /// In words: `go depth 9` from so many positions.
    searches: String,
    /// How long they took.
    took: Duration,
    /// Behind which parameters may have no effect.
    gates: Vec<Gate>,
}

/// A switch that is off.
struct Gate {
    name: String,
    /// The line that turns it on.
    on: String,
}

/// A search that takes longer than this, and than [`FAR_LONGER`] searches of all positions, is not waited for.
const LONG: Duration = Duration::from_secs(10);
const FAR_LONGER: u32 = 10;

impl Wiring<'_> {
    /// Complaints about the engine, its switches and the parameters' options; `progress` gets what is done, of how
    /// many.
    pub async fn inspect(
        &self,
        progress: impl Fn(usize, usize),
    ) -> Result<Vec<Complaint>, Failure> {
        let (mut complaints, goes_on) = dialogue::inspect(self.questions, self.limit).await?;
        if !goes_on {
            return Ok(complaints);
        }
        let reference = match self.reference().await? {
            Ok(reference) => Arc::new(reference),
            Err(complaint) => {
                complaints.push(complaint);
                return Ok(complaints);
            }
        };
        if reference.trace.iter().all(|answer| answer.nodes.is_none()) {
            complaints.push(Complaint::new(
                ENGINE,
                "reports no nodes: only what changes a move or a score is seen",
            ));
        }
        let wired = self.wired();
        let (wrong_defaults, defaults_agree) = defaults::inspect(&reference, &wired).await?;
        complaints.extend(wrong_defaults);
        complaints.extend(untuned::inspect(&reference, self.options, &wired).await?);

        let switches = self.options.iter().filter_map(switch::values);
        let switches: Vec<(String, Vec<String>)> = switches.collect();
        let steps = wired.len() + switches.len();
        let inspections = wired.into_iter().map(|option| {
            let inspection = Inspection::new(Arc::clone(&reference), option, defaults_agree);
            inspection.findings()
        });
        let findings = team::all(inspections, self.jobs, |done| progress(done, steps)).await?;
        let parameters = findings.len();
        let switches = switches
            .into_iter()
            .map(|(name, values)| switch::inspect(Arc::clone(&reference), name, values));
        let idle = team::all(switches, self.jobs, |done| {
            progress(parameters + done, steps);
        })
        .await?;

        let stirring: Vec<(String, String)> = findings
            .iter()
            .filter_map(|found| found.stirring.clone())
            .collect();
        complaints.extend(findings.into_iter().flat_map(|found| found.complaints));
        complaints.extend(idle.into_iter().flatten());
        complaints.extend(bench::inspect(self.questions, stirring, self.jobs).await?);
        Ok(complaints)
    }

    /// The parameters whose options can be set back to what they were.
    fn wired(&self) -> Vec<Wired> {
        self.parameters
            .iter()
            .filter_map(|parameter| {
                let same = |option: &&UciOption| option.name.eq_ignore_ascii_case(&parameter.name);
                let option = self.options.iter().find(same)?;
                Some(Wired {
                    parameter: parameter.clone(),
                    option: option.clone(),
                    default: printed_default(option)?,
                })
            })
            .collect()
    }

    /// A search with the usual values, or why there is none that others could be compared with.
    async fn reference(&self) -> Result<Result<Reference, Complaint>, Failure> {
        let go = dialogue::go(self.questions.limit());
        let mut traces = Vec::new();
        let mut longest = Duration::ZERO;
        let mut prober = Prober::start(self.questions).await?;
        for round in 0..3 {
            if round == 2 {
                prober = Prober::start(self.questions).await?;
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
        if let Some(best) = self.questions.first_illegal(&traces[0]) {
            let complaint = Complaint::new(ENGINE, "plays illegal moves").detail(&best);
            return Ok(Err(complaint.fatal_if(true)));
        }
        let positions = self.questions.positions().len();
        Ok(Ok(Reference {
            questions: self.questions.within(LONG.max(longest * FAR_LONGER)),
            trace: traces.swap_remove(0),
            searches: format!("`{go}` from {positions} positions"),
            took: longest,
            gates: self.options.iter().filter_map(switch::gate).collect(),
        }))
    }
}

/// A parameter and the engine's option for it.
#[derive(Clone)]
struct Wired {
    parameter: Parameter,
    option: UciOption,
    /// As the engine prints it.
    default: String,
}

fn printed_default(option: &UciOption) -> Option<String> {
    match &option.kind {
        OptionKind::Spin { default, .. } => Some(default.to_string()),
        OptionKind::String { default } if default.trim().parse::<f64>().is_ok() => {
            Some(default.trim().to_owned())
        }
        _ => None,
    }
}
