//! Two engines compared: is NEW worse than BASE, and by less than what matters?
//!
//! The searches of a position are one cluster. A loss is shown by an exact sign-flip permutation
//! test over positions; that it is smaller than the margin, by a score test ([`stats::paired`]).
//! Comparisons by theme are descriptive only.

use foundation::Exit;
use schemars::JsonSchema;
use serde::Serialize;
use stats::paired::{Differences, SignFlip, holm};

use super::figures::in_order;
use super::folder::SuiteRun;
use super::gate::{Gate, Measure};

/// What the gate says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum GateVerdict {
    /// A loss is shown to be smaller than the margin.
    Passed,
    /// A loss is shown.
    Loss,
    /// Neither.
    Undecided,
}

/// NEW less BASE in some positions.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Change {
    pub positions: usize,
    /// Positions at which NEW did better, and worse.
    pub better: usize,
    pub worse: usize,
    /// The mean difference, as a share of 1; null where there is no position.
    pub difference: Option<f64>,
    /// The interval that belongs to the test of the margin, two-sided at twice its error rate.
    pub low: Option<f64>,
    pub high: Option<f64>,
    /// Probability of a loss as large or larger if the engines are equal, one-sided.
    pub p_loss: f64,
    /// Probability of a difference as large or larger, two-sided; between themes after Holm's
    /// correction.
    pub p: f64,
}

/// The whole comparison.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Comparison {
    pub measure: Measure,
    pub margin: f64,
    pub alpha: f64,
    pub verdict: GateVerdict,
    /// Probability of so small a loss or a smaller one if it is as large as the margin.
    pub p_margin: Option<f64>,
    pub all: Change,
    pub themes: Vec<ThemeChange>,
}

#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ThemeChange {
    pub theme: String,
    #[serde(flatten)]
    pub change: Change,
}

impl GateVerdict {
    pub fn exit(self) -> Exit {
        match self {
            Self::Passed => Exit::Yes,
            Self::Loss => Exit::No,
            Self::Undecided => Exit::Undecided,
        }
    }
}

impl Comparison {
    /// The comparison of the two engines of a run in positions that both have finished.
    pub fn of(gate: &Gate, run: &SuiteRun) -> Self {
        let clusters = clusters(run, gate.measure);
        let change = |clusters: &[&Cluster]| Change::of(clusters, gate.alpha);
        let everything: Vec<&Cluster> = clusters.iter().collect();
        let all = change(&everything);
        let p_margin = differences(&everything).exceeds(-gate.margin);
        let mut names: Vec<&str> = clusters
            .iter()
            .map(|cluster| cluster.theme.as_str())
            .collect();
        names.sort_unstable();
        names.dedup();
        let mut themes: Vec<ThemeChange> = names
            .into_iter()
            .map(|theme| {
                let of_it: Vec<&Cluster> = clusters.iter().filter(|it| it.theme == theme).collect();
                ThemeChange {
                    theme: theme.to_owned(),
                    change: change(&of_it),
                }
            })
            .collect();
        let corrected = holm(
            &themes
                .iter()
                .map(|theme| theme.change.p)
                .collect::<Vec<_>>(),
        );
        for (theme, p) in themes.iter_mut().zip(corrected) {
            theme.change.p = p;
        }
        Self {
            measure: gate.measure,
            margin: gate.margin,
            alpha: gate.alpha,
            verdict: if p_margin.is_some_and(|p| p <= gate.alpha) {
                GateVerdict::Passed
            } else if all.p_loss <= gate.alpha {
                GateVerdict::Loss
            } else {
                GateVerdict::Undecided
            },
            p_margin,
            all,
            themes,
        }
    }
}

impl Change {
    fn of(clusters: &[&Cluster], alpha: f64) -> Self {
        let shares: Vec<_> = clusters.iter().map(|it| (it.sum, it.most)).collect();
        let flip = SignFlip::of_shares(&shares);
        let differences = differences(clusters);
        let interval = differences.interval(1.0 - 2.0 * alpha);
        Self {
            positions: clusters.len(),
            better: clusters.iter().filter(|it| it.sum > 0).count(),
            worse: clusters.iter().filter(|it| it.sum < 0).count(),
            difference: differences.mean(),
            low: interval.map(|[low, _]| low),
            high: interval.map(|[_, high]| high),
            p_loss: flip.worse,
            p: flip.two_sided(),
        }
    }
}

fn differences(clusters: &[&Cluster]) -> Differences {
    Differences::new(
        clusters
            .iter()
            .map(|cluster| cluster.sum as f64 / cluster.most as f64),
    )
}

/// The searches of one position.
struct Cluster {
    theme: String,
    /// NEW less BASE, in solutions or points.
    sum: i64,
    /// As large as the sum can be.
    most: u64,
}

/// Positions at which both engines made all their searches. A fault is a search without solution.
fn clusters(run: &SuiteRun, measure: Measure) -> Vec<Cluster> {
    let searches = run.plan.budgets as usize * 2;
    let answers = in_order(run);
    let by_position = answers.chunk_by(|a, b| a.position == b.position);
    by_position
        .filter(|answers| answers.len() == searches)
        .filter_map(|answers| {
            let position = &run.positions[answers[0].position];
            let most = match measure {
                Measure::Solved => 1,
                Measure::Points => position.goal.most_points(),
            };
            let sum = answers.iter().map(|answer| {
                let worth = match measure {
                    Measure::Solved => i64::from(answer.solved),
                    Measure::Points => i64::from(answer.points),
                };
                if answer.engine == 0 { -worth } else { worth }
            });
            (most > 0).then(|| Cluster {
                theme: position.theme.clone(),
                sum: sum.sum(),
                most: u64::from(most) * u64::from(run.plan.budgets),
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use referee::game;
    use runs::plan::Contender;

    use super::super::answer::Answer;
    use super::super::plan::{SuiteFile, SuitePlan};
    use super::super::{Position, file};
    use super::*;
    use engine_client::Limit;

    fn engine(name: &str) -> Contender {
        let text = format!(
            r#"{{"source": "{name}", "name": "{name}", "command": "{name}", "sha256": "", "commit": null,
                "subject": null, "bench": null, "engine_name": "", "engine_author": ""}}"#
        );
        serde_json::from_str(&text).expect("an engine")
    }

    /// Positions of two themes with 10 and 100 points for e2e4, and both engines' answers to each
    /// search.
    fn run(solved: &[[&[bool]; 2]]) -> SuiteRun {
        let line = |number: usize| {
            let (theme, points) = [("first", 10), ("second", 100)][number % 2];
            format!(
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - {number} 90 c0 \"e4={points}\"; id \"{theme}.{number}\";\n"
            )
        };
        let text: String = (0..solved.len()).map(line).collect();
        let positions: Vec<Position> =
            file::parse(&text, "test", game::variant("standard").expect("chess")).positions;
        let suites = vec![SuiteFile {
            file: "test".to_owned(),
            positions: positions.len(),
        }];
        let engines = vec![engine("base"), engine("new")];
        let mut plan = SuitePlan::new(engines, suites, Limit::nodes(5));
        plan.budgets = solved[0][0].len() as u32;
        let mut answers = Vec::new();
        for (position, engines) in solved.iter().enumerate() {
            let points = positions[position].goal.most_points();
            for (engine, searches) in engines.iter().enumerate() {
                for (search, &solved) in searches.iter().enumerate() {
                    answers.push(Answer {
                        position,
                        engine,
                        search: search as u32,
                        solved,
                        points: if solved { points } else { 0 },
                        ..Answer::default()
                    });
                }
            }
        }
        SuiteRun {
            plan,
            positions,
            answers,
        }
    }

    fn gate(measure: Measure) -> Gate {
        Gate {
            measure,
            margin: 0.05,
            alpha: 0.05,
        }
    }

    #[test]
    fn searches_of_one_position_are_one_case() {
        let lost: [&[bool]; 2] = [&[true; 5], &[false; 5]];
        let four = run(&[lost; 4]);
        for measure in [Measure::Solved, Measure::Points] {
            let compared = Comparison::of(&gate(measure), &four);
            // 1/16: four coins, not twenty.
            assert!((compared.all.p_loss - 0.0625).abs() < 1e-12, "{compared:?}");
            assert_eq!(compared.all.difference, Some(-1.0));
            assert_eq!(compared.verdict, GateVerdict::Undecided);
        }
        assert_eq!(
            Comparison::of(&gate(Measure::Solved), &run(&[lost; 5])).verdict,
            GateVerdict::Loss
        );
    }

    #[test]
    fn equal_engines_pass_where_there_are_positions_enough() {
        let both: [&[bool]; 2] = [&[true], &[true]];
        assert_eq!(
            Comparison::of(&gate(Measure::Solved), &run(&[both; 20])).verdict,
            GateVerdict::Undecided
        );
        assert_eq!(
            Comparison::of(&gate(Measure::Solved), &run(&[both; 90])).verdict,
            GateVerdict::Passed
        );
    }

    #[test]
    fn themes_are_corrected_for_their_number() {
        let (lost, held): ([&[bool]; 2], [&[bool]; 2]) = ([&[true], &[false]], [&[true], &[true]]);
        let compared = Comparison::of(&gate(Measure::Solved), &run(&[lost, held].repeat(6)));
        let [first, second] = &compared.themes[..] else {
            panic!("{compared:?}");
        };
        assert_eq!((first.theme.as_str(), first.change.worse), ("first", 6));
        assert!(
            (first.change.p - 4.0 / 64.0).abs() < 1e-12 && second.change.p == 1.0,
            "{compared:?}"
        );
    }

    #[test]
    fn positions_count_alike_whatever_points_they_have() {
        let (lost, won): ([&[bool]; 2], [&[bool]; 2]) = ([&[true], &[false]], [&[false], &[true]]);
        let compared = Comparison::of(&gate(Measure::Points), &run(&[won, lost].repeat(6)));
        assert_eq!(compared.all.difference, Some(0.0));
        // Half of all signs, and half of those with six of each.
        let equal = 0.5 + 924.0 / 4096.0 / 2.0;
        assert!((compared.all.p_loss - equal).abs() < 1e-12, "{compared:?}");
        assert_eq!(compared.verdict, GateVerdict::Undecided);
    }

    #[test]
    fn a_position_that_one_engine_has_not_done_with_is_left_out() {
        let lost: [&[bool]; 2] = [&[true; 2], &[false; 2]];
        let mut run = run(&[lost; 3]);
        run.answers.pop();
        assert_eq!(
            Comparison::of(&gate(Measure::Solved), &run).all.positions,
            2
        );
    }
}
