//! The state of a run as every report shows it; reporters compute nothing of it themselves.

use std::path::Path;

use foundation::{Failure, counted};
use schemars::JsonSchema;
use serde::Serialize;

use crate::evidence::anchors::AnchorEstimate;
use crate::evidence::{Basis, Verdict, Worth};
use crate::run::interaction::InteractionResults;
use crate::run::printed::{Printed, ended_at_bound, interval, is_at_bound, shown, table, to_json};
use crate::run::session::Session;

/// The result of one parameter.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub(crate) struct ParameterResult {
    pub name: String,
    /// The texts that values are the indices of, where the option is a switch or a choice.
    pub choices: Vec<String>,
    pub start: f64,
    /// As the engine would be given it.
    pub value: f64,
    /// The current value before rounding.
    pub point: f64,
    /// From start to value, in c.
    pub moved: f64,
    /// None where there are levels.
    pub gradient: Option<f64>,
    pub gradient_sd: Option<f64>,
    pub curvature: Option<f64>,
    pub curvature_sd: Option<f64>,
    pub t: Option<f64>,
    /// What each level is worth over the start, where the parameter has few values.
    pub levels: Vec<Worth>,
    /// Of the sign test; an effect counts as seen beyond 16.
    pub chi2: f64,
    pub verdict: Verdict,
    pub at_bound: bool,
    /// It moved no further than the dummy, which no engine gets.
    pub below_noise: bool,
}

impl ParameterResult {
    /// Whether a person should look at its value before it is kept.
    pub(crate) fn is_doubtful(&self) -> bool {
        self.at_bound || self.is_mere_noise()
    }

    /// Where there are levels, the dummy's distance says nothing.
    fn is_mere_noise(&self) -> bool {
        (self.below_noise || !self.levels.is_empty()) && self.verdict != Verdict::Evident
    }

    pub(crate) fn has_moved(&self) -> bool {
        self.value != self.start
    }

    fn is_other_level(&self) -> bool {
        self.has_moved() && !self.levels.is_empty()
    }
}

/// The result of a run.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub(crate) struct RunResult {
    pub pairs: u64,
    pub planned_pairs: u64,
    pub void_pairs: u64,
    pub pentanomial: [u64; 5],
    pub variance: f64,
    /// The share of the run's move from the start that the values keep.
    pub kept: f64,
    /// Of the values over the start, by regression and anchor pairs.
    pub elo: f64,
    pub elo_sd: f64,
    /// The estimate of the regression alone, and that of the anchor pairs alone.
    pub regression_elo: f64,
    pub regression_sd: f64,
    pub anchors: Option<AnchorEstimate>,
    pub basis: Basis,
    /// The largest distance of the dummy from its start, in c.
    pub noise_floor: f64,
    /// None where they were not looked for.
    pub interactions: Option<InteractionResults>,
    pub parameters: Vec<ParameterResult>,
}

impl RunResult {
    pub(crate) fn new(session: &Session) -> Self {
        let summary = session.summary();
        let noise_floor = session
            .trajectory()
            .iter()
            .filter_map(|sample| sample.point.last())
            .fold(0.0, |most: f64, dummy| most.max(dummy.abs()));
        let parameters = session.tune().parameters.iter().enumerate();
        let parameters = parameters
            .map(|(index, parameter)| {
                let (value, found) = (summary.values[index], &summary.parameters[index]);
                let bends = |figure: f64| found.levels.is_empty().then_some(figure);
                ParameterResult {
                    name: parameter.name.clone(),
                    choices: parameter.choices.clone(),
                    start: parameter.value,
                    value,
                    point: session.point()[index],
                    moved: found.moved,
                    gradient: bends(found.gradient),
                    gradient_sd: bends(found.gradient_sd),
                    curvature: bends(found.curvature),
                    curvature_sd: bends(found.curvature_sd),
                    t: bends(found.gradient / found.gradient_sd),
                    levels: found.levels.clone(),
                    chi2: found.chi2,
                    verdict: found.verdict,
                    // All levels have been played, and none lies beyond.
                    at_bound: found.levels.is_empty()
                        && is_at_bound(
                            value,
                            parameter.value,
                            [parameter.min, parameter.max],
                            parameter.c_end,
                        ),
                    below_noise: found.levels.is_empty() && found.moved.abs() <= noise_floor,
                }
            })
            .collect();
        Self {
            pairs: session.taken_in(),
            planned_pairs: session.pairs(),
            void_pairs: session.given_up(),
            pentanomial: session.penta(),
            variance: summary.variance,
            kept: summary.kept,
            elo: summary.elo,
            elo_sd: summary.elo_sd,
            regression_elo: summary.regression_elo,
            regression_sd: summary.regression_sd,
            anchors: summary.anchors,
            basis: summary.basis,
            noise_floor,
            interactions: session
                .interactions()
                .map(|found| InteractionResults::new(&found, &session.tune().parameters)),
            parameters,
        }
    }

    /// One object, as `--json` prints it.
    pub(crate) fn to_json(&self, run: &Path) -> Result<String, Failure> {
        to_json(&Printed::new("tuner-result", run, self))
    }

    pub(crate) fn table(&self) -> String {
        let heads = [
            "parameter",
            "start",
            "value",
            "moved / c",
            "gradient",
            "t",
            "curvature",
            "evidence",
        ];
        let rows = self.parameters.iter().map(|found| {
            [
                found.name.clone(),
                found.shown(found.start),
                found.shown(found.value),
                found.moved_in_words(),
                found.gradient_in_words(),
                found.t_in_words(),
                found.curvature_in_words(),
                found.verdict.words(found.has_moved()).to_owned(),
            ]
        });
        let levels = self.parameters.iter().filter_map(|found| {
            let words = found.levels_in_words()?;
            Some(format!("{}, Elo over the start: {words}\n", found.name))
        });
        let levels: String = levels.collect();
        let interactions = self.interactions.as_ref();
        let interactions = interactions.and_then(InteractionResults::words);
        let interactions = interactions.map_or(String::new(), |words| format!("{words}\n"));
        format!(
            "{}\n{levels}{interactions}{}",
            table(heads, rows),
            self.sentence()
        )
    }

    pub(crate) fn sentence(&self) -> String {
        let kept = self.kept_in_words().map(|words| format!("; {words}"));
        let given_up = match self.void_pairs {
            0 => String::new(),
            pairs => format!(", {pairs} given up"),
        };
        format!(
            "{} of {}{given_up}; expected {} Elo over the start (every ± is 95%){}{}; a dummy \
             that no engine sees moved up to {:.2} c",
            self.pairs,
            counted(self.planned_pairs, "pair"),
            interval(self.elo, self.elo_sd, 1),
            self.anchors_in_words(),
            kept.unwrap_or_default(),
            self.noise_floor
        )
    }

    /// How the claim accounts for a model that contradicts the games against the start.
    fn misfit_in_words(&self) -> String {
        format!(
            "the model expects {}, which they contradict: it does not describe this engine, and the \
             claim leans on them and is wider",
            interval(self.regression_elo, self.regression_sd, 1)
        )
    }

    /// What the claim rests on, as a page puts it.
    pub(crate) fn basis_in_words(&self) -> String {
        let model = interval(self.regression_elo, self.regression_sd, 1);
        let anchors = self.anchors.map_or(String::new(), |own| {
            format!(
                "{} of these values against the start: {}",
                counted(own.pairs, "pair"),
                interval(own.elo, own.elo_sd, 1)
            )
        });
        match self.basis {
            Basis::Regression => format!("The claim rests on the model alone: {model}"),
            Basis::Both => format!("The claim rests on the model ({model}) and on {anchors}"),
            Basis::Anchors => format!("{anchors}; {}", self.misfit_in_words()),
        }
    }

    /// The estimate of the games against the start alone, and whether the claim rests on them.
    fn anchors_in_words(&self) -> String {
        let Some(anchors) = self.anchors else {
            return String::new();
        };
        let own = format!(
            "{} against the start: {}",
            counted(anchors.pairs, "pair"),
            interval(anchors.elo, anchors.elo_sd, 1)
        );
        match self.basis {
            Basis::Regression | Basis::Both => format!("; {own}"),
            Basis::Anchors => format!("; {own}; {}", self.misfit_in_words()),
        }
    }

    /// The share of the run's move that the values keep, as text, unless it is all of it.
    pub(crate) fn kept_in_words(&self) -> Option<String> {
        match (100.0 * self.kept).round() {
            100.0.. => None,
            0.0 if self.parameters.iter().any(ParameterResult::is_other_level) => Some(
                "only levels have moved, because the games do not support the other moves of the \
                 run"
                .to_owned(),
            ),
            0.0 if self.pentanomial.iter().all(|pairs| *pairs == 0) => {
                Some("the values are those of the start, because no pair counts yet".to_owned())
            }
            0.0 => Some(
                "the values are those of the start, because the games do not support the moves of \
                 the run"
                    .to_owned(),
            ),
            percent => Some(format!(
                "the values keep {percent}% of the moves of the run, because the games do not \
                 support more"
            )),
        }
    }

    /// What a user should know before keeping the values.
    pub(crate) fn warnings(&self) -> Vec<String> {
        let names = |which: fn(&ParameterResult) -> bool| -> Vec<&str> {
            let chosen = self.parameters.iter().filter(|parameter| which(parameter));
            chosen.map(|parameter| parameter.name.as_str()).collect()
        };
        let mut warnings = Vec::new();
        let at_bound = names(|parameter| parameter.at_bound);
        if let Some(ended) = ended_at_bound(at_bound.into_iter()) {
            warnings.push(format!(
                "{ended}; the optimum may lie beyond it, or the technique may want to be off"
            ));
        }
        let below = names(|parameter| parameter.is_mere_noise() && parameter.has_moved());
        if !below.is_empty() {
            warnings.push(format!(
                "moved, but no further than chance explains: {}",
                below.join(", ")
            ));
        }
        warnings
    }
}

/// Figures as text; a parameter with levels has none in c.
impl ParameterResult {
    pub(crate) fn shown(&self, value: f64) -> String {
        shown(&self.choices, value)
    }

    pub(crate) fn moved_in_words(&self) -> String {
        if self.levels.is_empty() {
            format!("{:+.2}", self.moved)
        } else {
            String::new()
        }
    }

    pub(crate) fn gradient_in_words(&self) -> String {
        in_words(self.gradient, self.gradient_sd)
    }

    pub(crate) fn curvature_in_words(&self) -> String {
        in_words(self.curvature, self.curvature_sd)
    }

    pub(crate) fn t_in_words(&self) -> String {
        self.t.map_or(String::new(), |t| format!("{t:+.1}"))
    }

    /// Each level but the start, and what it is worth.
    pub(crate) fn levels_in_words(&self) -> Option<String> {
        let others = self.levels.iter().filter(|level| level.value != self.start);
        let words: Vec<String> = others
            .map(|level| {
                let worth = interval(level.elo, level.elo_sd, 1);
                format!("{} {worth}", self.shown(level.value))
            })
            .collect();
        (!words.is_empty()).then(|| words.join(", "))
    }
}

fn in_words(mean: Option<f64>, sd: Option<f64>) -> String {
    mean.zip(sd)
        .map_or(String::new(), |(mean, sd)| interval(mean, sd, 2))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::algorithm::AlgorithmName;
    use crate::algorithm::schedule::Schedule;
    use crate::evidence::anchors::Anchors;
    use crate::parameter::Parameter;
    use crate::run::session::Outcome;
    use crate::run::tune::Tune;
    use crate::synthetic::study;

    /// Twenty pairs, each won by the side that has more of the second parameter.
    pub(crate) fn won_by_the_second(parameters: Vec<Parameter>) -> RunResult {
        let mut session = Session::new(Tune {
            parameters,
            schedule: Schedule {
                iterations: 20,
                pairs_per_iteration: 1,
                ..Schedule::default()
            },
            algorithm: AlgorithmName::Classic,
            seed: 1,
            window: 1,
            anchors: Anchors::NONE,
        });
        for pair in 0..20 {
            let perturbation = session.perturbation(pair).expect("it is under way");
            let wins = perturbation.plus[1] > perturbation.minus[1];
            session.answer(pair, Outcome::Played(if wins { 4 } else { 0 }));
        }
        RunResult::new(&session)
    }

    #[test]
    fn bounds_and_noise_are_named_before_anything_is_kept() {
        let mut parameters = study::parameters(3, 1);
        parameters[1].max = parameters[1].value + 0.1 * parameters[1].c_end + 1.0;
        parameters[1].r_end = Some(1.0);
        let result = won_by_the_second(parameters);
        assert!(result.parameters[1].at_bound, "{:?}", result.parameters[1]);
        assert!(result.warnings()[0].starts_with("ended at a bound: P1;"));
        assert!(result.table().contains("P2"));
        assert_eq!((result.pairs, result.kept), (20, 1.0));
        assert!(!result.sentence().contains("of the moves"));
        let sentence = |kept| {
            RunResult {
                kept,
                ..result.clone()
            }
            .sentence()
        };
        assert!(sentence(0.45).contains("keep 45% of the moves"));
        assert!(sentence(0.0).contains("the values are those of the start"));
    }

    /// A run of two parameters, of which the first has three levels.
    fn with_levels() -> RunResult {
        let mut parameters = study::parameters(2, 1);
        (parameters[0].min, parameters[0].max) = (999.0, 1001.0);
        RunResult::new(&Session::new(Tune {
            parameters,
            schedule: Schedule::default(),
            algorithm: AlgorithmName::Bayes,
            seed: 1,
            window: 1,
            anchors: Anchors::NONE,
        }))
    }

    #[test]
    fn what_has_an_effect_and_did_not_move_is_told_so() {
        let mut result = with_levels();
        result.parameters[0].verdict = Verdict::Evident;
        assert!(
            result.table().contains("has an effect"),
            "{}",
            result.table()
        );
        result.parameters[0].value += 1.0;
        assert!(result.table().contains("moved with evidence"));
    }

    #[test]
    fn levels_are_told_by_what_they_are_worth_and_not_in_c() {
        let result = with_levels();
        let few = &result.parameters[0];
        assert_eq!((few.gradient, few.levels.len()), (None, 3), "{few:?}");
        assert_eq!(few.moved_in_words() + &few.t_in_words(), "");
        let table = result.table();
        assert!(table.contains("P0, Elo over the start: 999 -"), "{table}");
        assert!(!table.contains("P1, Elo over the start"), "{table}");
    }

    #[test]
    fn levels_that_moved_are_not_those_of_the_start() {
        let mut result = with_levels();
        result.kept = 0.0;
        assert!(result.sentence().contains("those of the start"));
        result.parameters[0].value += 1.0;
        assert!(result.sentence().contains("only levels have moved"));
    }

    #[test]
    fn a_level_without_evidence_is_doubtful() {
        let mut result = with_levels();
        result.parameters[0].value += 1.0;
        assert!(result.parameters[0].is_doubtful());
        assert!(result.warnings()[0].ends_with(": P0"));
        result.parameters[0].verdict = Verdict::Evident;
        assert!(!result.parameters[0].is_doubtful());
        assert!(result.warnings().is_empty());
    }
}
