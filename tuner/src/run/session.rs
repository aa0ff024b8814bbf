//! A run as a state machine: which pairs to play next, and the state after their results.
//!
//! Pairs are numbered. Pair n is sent out when the results of all pairs up to n - window have been
//! processed, and results are processed by number, in whatever order they arrive. So the trajectory
//! depends only on the plan and the results, not on the speed of any pair, and replaying a journal
//! gives the same state as the run that wrote it.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use crate::algorithm::problem::{Algorithm, Problem};
use crate::evidence::anchors::AnchorEstimate;
use crate::evidence::interactions::Interactions;
use crate::evidence::{Evidence, Summary};
use crate::perturbation::Perturbation;
use crate::run::tune::Tune;

/// The result of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// Index in the pentanomial, 0 (the plus side lost both games) to 4.
    Played(u8),
    /// Given up after faults; the algorithm ignores it.
    GivenUp,
}

/// Points of the trajectory that are kept for reports.
const SAMPLES: u64 = 400;
/// Claims during the run that are recorded, if any are.
const CLAIMS: u64 = 20;

/// The state of a run.
#[derive(Debug)]
pub struct Session {
    tune: Tune,
    algorithm: Box<dyn Algorithm>,
    evidence: Evidence,
    waiting: VecDeque<(Perturbation, Option<Outcome>)>,
    taken_in: u64,
    penta: [u64; 5],
    given_up: u64,
    /// The values of all anchors, once the first of them has been sent out.
    final_values: Option<FinalValues>,
    trajectory: Vec<Sample>,
    /// The claims during the run; `None` unless requested, since each takes time.
    claims: Option<Vec<Claim>>,
}

/// The values that a run ends with, unless the anchors contradict them.
#[derive(Debug, Clone)]
struct FinalValues {
    values: Vec<f64>,
    /// Their share of the algorithm's move from the start.
    kept: f64,
}

/// The claim of the games about the values at some moment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Claim {
    pub pairs: u64,
    pub elo: f64,
    pub elo_sd: f64,
    pub anchors: Option<AnchorEstimate>,
}

/// The values after some pairs; the dummy comes last.
#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    pub pairs: u64,
    pub point: Vec<f64>,
}

impl Session {
    pub fn new(tune: Tune) -> Self {
        let tuned = tune.with_dummy();
        let mut session = Self {
            algorithm: tune.algorithm.start(Problem {
                parameters: &tuned,
                tuned: tune.parameters.len(),
                schedule: tune.schedule,
            }),
            evidence: Evidence::new(&tuned, tune.algorithm.terms(&tuned)),
            waiting: VecDeque::new(),
            taken_in: 0,
            penta: [0; 5],
            given_up: 0,
            final_values: None,
            trajectory: Vec::new(),
            claims: None,
            tune,
        };
        session.sample();
        session.send_out();
        session
    }

    /// Records claims from now on.
    #[must_use]
    pub fn keeping_claims(mut self) -> Self {
        self.claims = Some(Vec::new());
        self
    }

    /// Keeps pairs from now on, so that interactions can be looked for; each takes 8 bytes a parameter.
    #[must_use]
    pub fn keeping_pairs(mut self) -> Self {
        self.evidence.keep_pairs();
        self
    }

    pub fn claims(&self) -> &[Claim] {
        self.claims.as_deref().unwrap_or_default()
    }

    pub fn tune(&self) -> &Tune {
        &self.tune
    }

    /// Pairs that are to be played: sent out, and not answered. The dummy's value comes last in
    /// each.
    pub fn open(&self) -> impl Iterator<Item = (u64, &Perturbation)> {
        (self.taken_in..)
            .zip(&self.waiting)
            .filter(|(_, (_, outcome))| outcome.is_none())
            .map(|(pair, (perturbation, _))| (pair, perturbation))
    }

    /// The values of a pair that was sent out and not yet processed.
    pub fn perturbation(&self, pair: u64) -> Option<&Perturbation> {
        let index = usize::try_from(pair.checked_sub(self.taken_in)?).ok()?;
        self.waiting
            .get(index)
            .map(|(perturbation, _)| perturbation)
    }

    /// Processes the outcome of a pair; does nothing and returns `false` if the pair is not open.
    pub fn answer(&mut self, pair: u64, outcome: Outcome) -> bool {
        let slot = pair
            .checked_sub(self.taken_in)
            .and_then(|index| self.waiting.get_mut(usize::try_from(index).ok()?));
        let Some((_, answer @ None)) = slot else {
            return false;
        };
        *answer = Some(outcome);
        self.given_up += u64::from(outcome == Outcome::GivenUp);
        while let Some((_, Some(outcome))) = self.waiting.front() {
            let outcome = *outcome;
            if let Some((perturbation, _)) = self.waiting.pop_front() {
                self.take_in(&perturbation, outcome);
            }
            self.send_out();
        }
        true
    }

    fn take_in(&mut self, perturbation: &Perturbation, outcome: Outcome) {
        self.taken_in += 1;
        match outcome {
            Outcome::Played(index) => {
                let index = index.min(4);
                let result = i32::from(index) - 2;
                self.penta[usize::from(index)] += 1;
                self.evidence.observe(perturbation, result);
                let variance = self.evidence.variance();
                self.algorithm.learn(perturbation, result, variance);
            }
            Outcome::GivenUp => {}
        }
        let interval = (self.pairs() / SAMPLES).max(1);
        if self.taken_in.is_multiple_of(interval) || self.is_finished() {
            self.sample();
        }
        let interval = (self.pairs() / CLAIMS).max(1);
        if self.claims.is_some() && self.taken_in.is_multiple_of(interval) {
            let summary = self.summary();
            let claim = Claim {
                pairs: self.taken_in,
                elo: summary.elo,
                elo_sd: summary.elo_sd,
                anchors: summary.anchors,
            };
            self.claims.get_or_insert_default().push(claim);
        }
    }

    fn sample(&mut self) {
        self.trajectory.push(Sample {
            pairs: self.taken_in,
            point: self.algorithm.point().to_vec(),
        });
    }

    fn send_out(&mut self) {
        loop {
            let next = self.sent_out();
            if self.waiting.len() as u64 >= self.tune.window.max(1) || next >= self.pairs() {
                return;
            }
            let perturbation = if self.tune.anchors.include(next, self.pairs()) {
                self.anchor(next)
            } else {
                self.algorithm.perturb(self.tune.seed, next)
            };
            self.waiting.push_back((perturbation, None));
        }
    }

    /// A pair of the algorithm's current values against the start.
    fn anchor(&mut self, pair: u64) -> Perturbation {
        let anchors = self.tune.anchors;
        let is_last = anchors.are_last(pair, self.pairs());
        if is_last && self.final_values.is_none() {
            let summary = self.algorithm.summary(&self.evidence, &self.end());
            self.final_values = Some(FinalValues {
                values: summary.values,
                kept: summary.kept,
            });
        }
        let start = self.tune.parameters.iter();
        let mut start: Vec<f64> = start
            .map(|parameter| parameter.settle(parameter.value))
            .collect();
        start.push(0.0);
        Perturbation::anchor(self.end(), start, is_last || anchors.last.is_none())
    }

    /// Pairs under way that play the end of the run no longer count for its strength: before an extension,
    /// which leads to another end.
    pub fn discount_anchors(&mut self) {
        let has_end = self.final_values.is_some();
        for (perturbation, _) in &mut self.waiting {
            perturbation.counts &= !has_end;
        }
    }

    /// Changes the length of the run, which cannot end before the pairs already sent out.
    pub fn extend(&mut self, iterations: u64) {
        let least = self
            .sent_out()
            .div_ceil(self.tune.schedule.pairs_per_iteration.max(1));
        self.tune.schedule.iterations = iterations.max(least);
        // The values of the anchors are no longer those of the end of the run.
        if self.final_values.take().is_some() {
            self.evidence.clear_anchors();
        }
        self.algorithm.reschedule(self.tune.schedule);
        self.send_out();
    }

    /// All pairs of the run.
    pub fn pairs(&self) -> u64 {
        self.tune.schedule.pairs()
    }

    pub fn taken_in(&self) -> u64 {
        self.taken_in
    }

    /// Pairs whose values are fixed: processed or being played.
    pub fn sent_out(&self) -> u64 {
        self.taken_in + self.waiting.len() as u64
    }

    pub fn is_finished(&self) -> bool {
        self.taken_in >= self.pairs()
    }

    /// Results of all pairs, from two losses of the plus side to two wins.
    pub fn penta(&self) -> [u64; 5] {
        self.penta
    }

    /// Pairs given up, including those not yet processed.
    pub fn given_up(&self) -> u64 {
        self.given_up
    }

    pub fn trajectory(&self) -> &[Sample] {
        &self.trajectory
    }

    /// The current point of the run.
    pub fn point(&self) -> &[f64] {
        &self.algorithm.point()[..self.tune.parameters.len()]
    }

    /// The current values of the algorithm, as the engine would be given them. The dummy is
    /// left out: no engine sees it.
    pub(crate) fn end(&self) -> Vec<f64> {
        if let Some(final_values) = &self.final_values {
            return final_values.values.clone();
        }
        let proposal = self.algorithm.proposal();
        let settled = self.tune.parameters.iter().zip(proposal);
        settled
            .map(|(parameter, value)| parameter.settle(value))
            .chain([0.0])
            .collect()
    }

    /// The values to export, as the engine would be given them.
    pub fn proposal(&self) -> Vec<f64> {
        let mut values = self.summary().values;
        values.truncate(self.tune.parameters.len());
        values
    }

    /// Which parameters interact, where pairs are kept.
    pub(crate) fn interactions(&self) -> Option<Interactions> {
        self.evidence.interactions(self.tune.parameters.len())
    }

    /// What the games show, and which values to export; the dummy is the last of the parameters.
    pub fn summary(&self) -> Summary {
        let Some(final_values) = &self.final_values else {
            return self.algorithm.summary(&self.evidence, &self.end());
        };
        let (values, evidence) = (&final_values.values, &self.evidence);
        let mut summary = evidence.final_summary(values);
        summary.kept *= final_values.kept;
        summary
    }
}

#[cfg(test)]
mod tests {

    use proptest::prelude::*;

    use super::*;
    use crate::algorithm::AlgorithmName;
    use crate::algorithm::schedule::Schedule;
    use crate::evidence::anchors::Anchors;
    use crate::synthetic::study;

    fn tune(algorithm: AlgorithmName, window: u64) -> Tune {
        Tune {
            parameters: study::parameters(4, 1),
            schedule: Schedule {
                iterations: 10,
                pairs_per_iteration: 4,
                ..Schedule::default()
            },
            algorithm,
            seed: 3,
            window,
            anchors: Anchors::NONE,
        }
    }

    /// A deterministic result of a pair, as in a match at fixed nodes.
    fn outcome(pair: u64) -> Outcome {
        if pair % 11 == 7 {
            Outcome::GivenUp
        } else {
            Outcome::Played((pair * 7 % 5) as u8)
        }
    }

    fn play(mut session: Session, choose: impl Fn(u64, usize) -> usize) -> Session {
        for step in 0.. {
            let open: Vec<u64> = session.open().map(|(pair, _)| pair).collect();
            if open.is_empty() {
                break;
            }
            let pair = open[choose(step, open.len())];
            assert!(session.answer(pair, outcome(pair)));
        }
        session
    }

    proptest! {
        #[test]
        fn the_order_of_arrival_does_not_matter(salt: u64, window in 1..20_u64, is_bayes: bool) {
            let algorithm = if is_bayes { AlgorithmName::Bayes } else { AlgorithmName::Classic };
            let in_order = play(Session::new(tune(algorithm, window)), |_, _| 0);
            let shuffled = play(Session::new(tune(algorithm, window)), |step, open| {
                (step ^ salt).wrapping_mul(0x9E37_79B9_7F4A_7C15) as usize % open
            });
            prop_assert_eq!(in_order.trajectory(), shuffled.trajectory());
            prop_assert_eq!(in_order.summary(), shuffled.summary());
            prop_assert!(in_order.is_finished());
        }
    }

    #[test]
    fn a_pair_is_answered_once_and_only_while_open() {
        let mut session = Session::new(tune(AlgorithmName::Classic, 3));
        assert!(!session.answer(3, Outcome::GivenUp));
        assert!(session.answer(1, Outcome::GivenUp));
        assert!(!session.answer(1, Outcome::GivenUp));
        assert_eq!(
            session.open().map(|(pair, _)| pair).collect::<Vec<_>>(),
            [0, 2]
        );
        assert!(session.answer(0, Outcome::Played(4)));
        assert_eq!(session.taken_in(), 2);
        assert!(!session.answer(0, Outcome::GivenUp));
        assert_eq!(
            session.open().map(|(pair, _)| pair).collect::<Vec<_>>(),
            [2, 3, 4]
        );
    }

    #[test]
    fn a_horizon_is_never_put_before_pairs_under_way() {
        let mut session = Session::new(tune(AlgorithmName::Classic, 7));
        session.extend(1);
        assert_eq!(session.pairs(), 8);
        let session = play(session, |_, open| open - 1);
        assert_eq!((session.taken_in(), session.is_finished()), (8, true));
    }

    #[test]
    fn an_extension_keeps_what_was_learned_and_continues() {
        let mut session = play(Session::new(tune(AlgorithmName::Classic, 3)), |_, _| 0);
        let before = session.point().to_vec();
        session.extend(20);
        assert!(!session.is_finished());
        assert_eq!(session.point(), before);
        let session = play(session, |_, _| 0);
        assert_eq!(session.taken_in(), 80);
        assert_eq!(session.penta().iter().sum::<u64>() + session.given_up(), 80);
    }

    #[test]
    fn anchors_of_the_former_end_do_not_count_after_an_extension() {
        let mut tune = tune(AlgorithmName::Bayes, 40);
        tune.schedule.iterations = 100;
        tune.anchors = Anchors::of_run(tune.schedule.pairs());
        let mut session = Session::new(tune);
        while session.final_values.is_none() {
            let (pair, _) = session.open().next().expect("an open pair");
            assert!(session.answer(pair, Outcome::Played(2)));
        }
        session.discount_anchors();
        session.extend(1000);
        let under_way: Vec<u64> = session.open().map(|(pair, _)| pair).collect();
        for pair in under_way {
            assert!(session.answer(pair, Outcome::Played(4)));
        }
        assert_eq!(session.summary().anchors, None);
    }

    #[test]
    fn a_run_without_results_ends_with_values() {
        let mut tune = tune(AlgorithmName::Bayes, 4);
        tune.parameters = study::parameters(300, 1);
        tune.anchors = Anchors::of_run(tune.schedule.pairs());
        let mut session = Session::new(tune);
        for pair in 0..session.pairs() {
            assert!(session.answer(pair, Outcome::GivenUp));
        }
        assert!(session.final_values.is_some());
        assert_eq!(session.summary().pairs, 0);
    }

    #[test]
    fn pairs_are_kept_and_interactions_found_only_where_wanted() {
        let plain = play(Session::new(tune(AlgorithmName::Bayes, 3)), |_, _| 0);
        assert!(plain.interactions().is_none());
        let keeping = Session::new(tune(AlgorithmName::Bayes, 3)).keeping_pairs();
        let found = play(keeping, |_, _| 0).interactions();
        assert_eq!(found.expect("pairs").tested, 6);
    }
}
