//! Answers added up, by engine and by theme.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::answer::Answer;
use super::folder::SuiteRun;

/// What an engine found in some positions.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Found {
    /// Positions with an answer.
    pub positions: usize,
    pub searches: usize,
    /// Searches that ended with a solution.
    pub solved: usize,
    pub points: u64,
    /// Points that all these searches could have earned.
    pub most_points: u64,
    /// Mates for the right side that were reported at the end, as matetrack counts them.
    pub mates: usize,
    /// Those that are no longer than the known one.
    pub best_mates: usize,
    /// Those that the engine's line, played out, ends in.
    pub proved_mates: usize,
    /// Searches of positions whose mate is known.
    pub mates_asked: usize,
    /// Of the last line of each search.
    pub nodes: u64,
    pub ms: u64,
    /// The median over solved searches, from where the solution was held to the end; null where
    /// there is none.
    pub nodes_to_solution: Option<u64>,
    /// Milliseconds.
    pub ms_to_solution: Option<u64>,
    /// Searches without an answer: the engine failed twice, or its move was illegal.
    pub faults: usize,
    #[serde(skip)]
    since: Vec<(Option<u64>, u64)>,
    #[serde(skip)]
    last_position: Option<usize>,
}

impl Found {
    /// The share of searches that ended with a solution.
    pub fn share_solved(&self) -> Option<f64> {
        share(self.solved as u64, self.searches as u64)
    }

    /// The share of the points that could be earned.
    pub fn share_of_points(&self) -> Option<f64> {
        share(self.points, self.most_points)
    }

    /// Answers come by position.
    fn add(&mut self, run: &SuiteRun, answer: &Answer) {
        let goal = &run.positions[answer.position].goal;
        if self.last_position != Some(answer.position) {
            self.positions += 1;
            self.last_position = Some(answer.position);
        }
        self.searches += 1;
        self.solved += usize::from(answer.solved);
        self.points += u64::from(answer.points);
        self.most_points += u64::from(goal.most_points());
        self.mates += usize::from(answer.mate.is_some());
        self.best_mates += usize::from(answer.mate.is_some_and(|mate| mate.best));
        self.proved_mates += usize::from(answer.mate.is_some_and(|mate| mate.proved));
        self.mates_asked += usize::from(goal.mate.is_some());
        self.nodes += answer.nodes.unwrap_or(0);
        self.ms += answer.ms;
        self.faults += usize::from(answer.fault.is_some());
        self.since
            .extend(answer.since.map(|since| (since.nodes, since.ms)));
    }

    fn finish(&mut self) {
        self.nodes_to_solution = median(self.since.iter().filter_map(|(nodes, _)| *nodes));
        self.ms_to_solution = median(self.since.iter().map(|(_, ms)| *ms));
    }
}

/// The figures of each engine, in the order of the plan.
#[derive(Clone, Debug, PartialEq)]
pub struct Figures {
    pub engines: Vec<Found>,
    /// Every theme, in the order of the alphabet, with what each engine found.
    pub themes: BTreeMap<String, Vec<Found>>,
}

impl Figures {
    pub fn of(run: &SuiteRun) -> Self {
        let none = vec![Found::default(); run.plan.engines.len()];
        let mut engines = none.clone();
        let mut themes: BTreeMap<String, Vec<Found>> = BTreeMap::new();
        for answer in in_order(run) {
            let theme = &run.positions[answer.position].theme;
            engines[answer.engine].add(run, answer);
            themes.entry(theme.clone()).or_insert_with(|| none.clone())[answer.engine]
                .add(run, answer);
        }
        for found in engines.iter_mut().chain(themes.values_mut().flatten()) {
            found.finish();
        }
        Self { engines, themes }
    }
}

/// The answers by position, engine and search.
pub(super) fn in_order(run: &SuiteRun) -> Vec<&Answer> {
    let mut answers: Vec<&Answer> = run.answers.iter().collect();
    answers.sort_by_key(|answer| (answer.position, answer.engine, answer.search));
    answers
}

fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// As a whole number.
fn median(values: impl Iterator<Item = u64>) -> Option<u64> {
    let median = stats::median(values.map(|value| (value as f64, 1)))?;
    Some(median.round() as u64)
}
