//! What an engine does wrong, found from outside: by what it answers, and by what its options do to
//! fixed searches.
//!
//! Each check is a mistake that real engines have shipped: a node limit that is not kept; a bench
//! that does not see the parameters; a parameter that the search no longer reads; two copies of a
//! default that disagree; a range that is printed and not enforced; a name that must be written in
//! the right case; a fraction that is cut off; tables derived once and never renewed; a text that
//! crashes the parser; a switch without effect.
//!
//! An engine that crashes or hangs does not end the inspection: that is a complaint, and a new
//! process takes over.

mod bench;
mod defaults;
pub(crate) mod dialogue;
mod inspection;
mod reference;
mod report;
mod subject;
pub(crate) mod switch;
mod tuned_option;
mod untuned;

use std::sync::Arc;

use engine_client::{Limit, UciOption};
use foundation::Failure;
use referee::tasks;
use tokio_util::sync::CancellationToken;

use crate::checks::complaint::{Complaint, ENGINE};
use crate::checks::liveness;
use crate::checks::prober::Questions;
use crate::parameter::Parameter;

use inspection::Inspection;
use reference::Reference;
use tuned_option::TunedOption;

pub(crate) use report::{Listener, Report};

/// What is inspected.
pub(crate) struct Conformance<'a> {
    pub questions: &'a Questions,
    pub parameters: &'a [Parameter],
    pub options: &'a [UciOption],
    /// Those of them that are examined although no parameter is among them.
    pub untuned: &'a [UciOption],
    /// How the tune's games will be played.
    pub limit: Limit,
    /// Engines at a time.
    pub jobs: usize,
    /// Ends the first look at all options, which is to find what is examined first.
    pub end_of_look: &'a CancellationToken,
}

impl Conformance<'_> {
    /// Complaints about the engine, its switches and the parameters' options, as far as they are
    /// found before `stop`.
    pub(crate) async fn inspect(
        &self,
        stop: &CancellationToken,
        listener: &mut dyn Listener,
    ) -> Result<Report, Failure> {
        let mut report = Report {
            complaints: Vec::new(),
            unexamined: self
                .tuned()
                .into_iter()
                .map(|own| own.option.name)
                .collect(),
            is_complete: false,
        };
        let Some(found) = stop
            .run_until_cancelled(dialogue::inspect(self.questions, &self.limit))
            .await
        else {
            return Ok(report);
        };
        let (found, goes_on) = found?;
        report.add(found, listener);
        if !goes_on {
            report.unexamined.clear();
            report.is_complete = true;
            return Ok(report);
        }
        let gates = self.options.iter().filter_map(switch::gate).collect();
        let reference = Reference::search(self.questions, gates);
        let reference = match stop.run_until_cancelled(reference).await {
            None => return Ok(report),
            Some(reference) => match reference? {
                Ok(reference) => Arc::new(reference),
                Err(complaint) => {
                    report.add(vec![complaint], listener);
                    report.unexamined.clear();
                    report.is_complete = true;
                    return Ok(report);
                }
            },
        };
        if reference.trace.iter().all(|answer| answer.nodes.is_none()) {
            let text = "reports no nodes: only what changes a move or a score is seen";
            report.add(vec![Complaint::new(ENGINE, text)], listener);
        }
        let effective = self
            .options(&reference, &mut report, stop, listener)
            .await?;
        if stop.is_cancelled() {
            return Ok(report);
        }
        let benches = bench::inspect(
            self.questions,
            self.jobs,
            effective,
            &mut report,
            stop,
            listener,
        );
        let benched = stop.run_until_cancelled(benches).await;
        if let Some(benched) = benched {
            benched?;
            report.is_complete = !stop.is_cancelled();
        }
        Ok(report)
    }

    /// Examines all options; which of them, at which value, change a search.
    async fn options(
        &self,
        reference: &Arc<Reference>,
        report: &mut Report,
        stop: &CancellationToken,
        listener: &mut dyn Listener,
    ) -> Result<Vec<(String, String)>, Failure> {
        let tuned = self.tuned();
        let Some(found) = stop
            .run_until_cancelled(defaults::inspect(reference, &tuned))
            .await
        else {
            return Ok(Vec::new());
        };
        let (wrong_defaults, defaults_agree) = found?;
        report.add(wrong_defaults, listener);
        let found = untuned::inspect(reference, self.untuned, &tuned);
        let Some(found) = stop.run_until_cancelled(found).await else {
            return Ok(Vec::new());
        };
        report.add(found?, listener);

        let switches = self.untuned.iter().filter_map(switch::values);
        let switches: Vec<(String, Vec<String>)> = switches.collect();
        let steps = tuned.len() + switches.len();
        let inspection = |option: &TunedOption| {
            Inspection::new(Arc::clone(reference), option.clone(), defaults_agree)
        };
        let tuned = self.suspicious_first(tuned, &inspection, listener).await?;
        let inspections = tuned.iter().map(|option| inspection(option).findings());
        let findings = tasks::run_all(inspections, self.jobs, stop, |done, found| {
            listener.found(&found.complaints);
            listener.examined(done, steps);
        })
        .await?;
        let examined = findings.len();
        let is_examined = |name: &String| findings.iter().any(|found| found.name == *name);
        report.unexamined.retain(|name| !is_examined(name));
        let switches = switches
            .into_iter()
            .map(|(name, values)| switch::inspect(Arc::clone(reference), name, values));
        let idle = tasks::run_all(switches, self.jobs, stop, |done, found: &Vec<Complaint>| {
            listener.found(found);
            listener.examined(examined + done, steps);
        })
        .await?;
        let effective = findings.iter().filter_map(|found| found.effective.clone());
        let effective = effective.collect();
        let is_suspect = |option: &TunedOption| {
            let name = &option.option.name;
            findings
                .iter()
                .any(|found| found.name == *name && found.is_suspect)
        };
        let suspects = (0..tuned.len())
            .filter(|&index| is_suspect(&tuned[index]))
            .collect();
        let dead = self
            .settle(reference, &tuned, suspects, stop, listener)
            .await?;
        // The listener has these already.
        let of_options = findings.into_iter().flat_map(|found| found.complaints);
        report.complaints.extend(of_options);
        report.complaints.extend(idle.into_iter().flatten());
        report.add(dead, listener);
        Ok(effective)
    }

    /// The options, with those first that a short look finds something wrong with: the budget may end
    /// before all are examined.
    async fn suspicious_first(
        &self,
        tuned: Vec<TunedOption>,
        inspection: &impl Fn(&TunedOption) -> Inspection,
        listener: &mut dyn Listener,
    ) -> Result<Vec<TunedOption>, Failure> {
        if tuned.len() <= self.jobs {
            return Ok(tuned);
        }
        let looks = tuned.iter().enumerate().map(|(index, option)| {
            let look = inspection(option).looks_wrong();
            async move { Ok(look.await?.then_some(index)) }
        });
        let count = tuned.len();
        let progress = |done: usize, _: &Option<usize>| listener.looked(done, count);
        let wrong = tasks::run_all(looks, self.jobs, self.end_of_look, progress).await?;
        let (first, others): (Vec<_>, Vec<_>) = tuned
            .into_iter()
            .enumerate()
            .partition(|(index, _)| wrong.contains(&Some(*index)));
        let in_order = first.into_iter().chain(others);
        Ok(in_order.map(|(_, option)| option).collect())
    }

    fn tuned(&self) -> Vec<TunedOption> {
        TunedOption::all(self.parameters, self.options)
    }

    /// Which of the options that changed no search are dead, by deeper ones.
    async fn settle(
        &self,
        reference: &Reference,
        tuned: &[TunedOption],
        suspects: Vec<usize>,
        stop: &CancellationToken,
        listener: &mut dyn Listener,
    ) -> Result<Vec<Complaint>, Failure> {
        if suspects.is_empty() {
            return Ok(Vec::new());
        }
        let name = |index: usize| tuned[index].option.name.as_str();
        listener.suspected(
            &suspects
                .iter()
                .map(|&index| name(index))
                .collect::<Vec<_>>(),
        );
        let parameters: Vec<Parameter> = tuned.iter().map(|own| own.parameter.clone()).collect();
        let questions = &reference.questions;
        let found = liveness::settle(questions, &parameters, suspects, self.jobs, stop).await?;
        let searches = &reference.searches;
        let depth = liveness::deepest(questions.limit().depth.unwrap_or_default());
        let dead = found.dead.into_iter().map(|index| {
            let text = format!(
                "dead: neither minimum nor maximum changes {searches}, nor deeper ones up to {depth}; a \
                 clock might"
            );
            Complaint::new(name(index), text)
        });
        let unsettled = found.unsettled.into_iter().map(|index| {
            let text = format!(
                "perhaps dead: neither minimum nor maximum changes {searches}, and there was no time \
                 for all deeper ones up to {depth}"
            );
            Complaint::new(name(index), text).into_note()
        });
        Ok(dead.chain(unsettled).collect())
    }
}
