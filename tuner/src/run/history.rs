//! The tunes of one parameter file, in the order in which they were begun: what was tried, what
//! moved, and what of it was kept.
//!
//! Whether a value was kept is read from what came later: the start of the next tune of the same
//! parameter, or else the value that the file has now.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Serialize;

use crate::evidence::Verdict;
use crate::parameter::Parameter;
use crate::run::journal::Replayed;
use crate::run::result::RunResult;

/// What became of a tuned value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Outcome {
    /// The tune ended where it began.
    Unmoved,
    Kept,
    /// The start value came back.
    Dropped,
    /// Some other value took its place.
    Replaced,
    /// The file has no such parameter any more, or not one place for it.
    Gone,
}

impl Outcome {
    /// Texts of values are compared, since the order of choices may have changed.
    fn new(tried: &Tried, later: Option<&str>) -> Self {
        let is = |value: f64, later: &str| text(&tried.choices, value) == later;
        match later {
            _ if tried.value == tried.start => Self::Unmoved,
            None => Self::Gone,
            Some(later) if is(tried.value, later) => Self::Kept,
            Some(later) if is(tried.start, later) => Self::Dropped,
            Some(_) => Self::Replaced,
        }
    }

    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Unmoved => "unmoved",
            Self::Kept => "kept",
            Self::Dropped => "dropped",
            Self::Replaced => "replaced",
            Self::Gone => "not known",
        }
    }
}

/// A value with all its digits, or of a choice its text.
fn text(choices: &[String], value: f64) -> String {
    let choice = choices.get(value as usize).cloned();
    // No -0, which a file has as 0.
    choice.unwrap_or_else(|| (value + 0.0).to_string())
}

/// One parameter of one tune.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Tried {
    pub name: String,
    /// The texts that values are the indices of, where the option is a switch or a choice.
    pub choices: Vec<String>,
    pub start: f64,
    pub value: f64,
    pub verdict: Verdict,
    pub outcome: Outcome,
}

/// One tune.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub(crate) struct PastTune {
    pub run: PathBuf,
    /// When it was begun, in UTC.
    pub begun: String,
    /// The engine that was tuned: a commit, where it was built from one.
    pub engine: String,
    /// The limit of its games.
    pub limit: String,
    pub pairs: u64,
    pub planned_pairs: u64,
    /// Of the tune's values over its start.
    pub elo: f64,
    pub elo_sd: f64,
    pub parameters: Vec<Tried>,
}

impl PastTune {
    /// What became of its values is not known yet.
    pub(crate) fn new(run: PathBuf, begun: jiff::Timestamp, replayed: &Replayed) -> Self {
        let result = RunResult::new(&replayed.session);
        let engine = &replayed.plan.engine;
        let parameters = result.parameters.into_iter().map(|found| Tried {
            outcome: Outcome::Gone,
            name: found.name,
            choices: found.choices,
            start: found.start,
            value: found.value,
            verdict: found.verdict,
        });
        Self {
            run,
            begun: begun.strftime("%Y-%m-%d %H:%M").to_string(),
            engine: engine.commit.as_ref().map_or_else(
                || engine.name.clone(),
                |commit| commit.chars().take(8).collect(),
            ),
            limit: replayed.plan.play.limit.to_string(),
            pairs: result.pairs,
            planned_pairs: result.planned_pairs,
            elo: result.elo,
            elo_sd: result.elo_sd,
            parameters: parameters.collect(),
        }
    }
}

/// Says of each tune what became of its values. `tunes` are in the order in which they were begun;
/// `present` is what the file has now.
pub(crate) fn judge(tunes: &mut [PastTune], present: &[Parameter]) {
    for index in 0..tunes.len() {
        let (until, later) = tunes.split_at_mut(index + 1);
        for tried in &mut until[index].parameters {
            let next_start = later
                .iter()
                .flat_map(|tune| &tune.parameters)
                .find(|next| next.name == tried.name)
                .map(|next| text(&next.choices, next.start));
            let found = present.iter().find(|now| now.name == tried.name);
            let later = next_start.or_else(|| found.map(|now| text(&now.choices, now.value)));
            tried.outcome = Outcome::new(tried, later.as_deref());
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::parameter::tests::margin;

    /// A tune of which only this matters.
    pub(crate) fn tune_of(tried: Tried) -> PastTune {
        PastTune {
            run: PathBuf::from("run"),
            begun: String::new(),
            engine: String::new(),
            limit: String::new(),
            pairs: 1,
            planned_pairs: 1,
            elo: 0.0,
            elo_sd: 1.0,
            parameters: vec![tried],
        }
    }

    fn tune(start: f64, value: f64) -> PastTune {
        tune_of(Tried {
            name: "Margin".into(),
            choices: Vec::new(),
            start,
            value,
            verdict: Verdict::Undecided,
            outcome: Outcome::Unmoved,
        })
    }

    fn outcomes(mut tunes: Vec<PastTune>, present: Option<f64>) -> Vec<Outcome> {
        let present = present.map(|value| Parameter { value, ..margin() });
        judge(&mut tunes, present.as_slice());
        let outcome = |tune: &PastTune| tune.parameters[0].outcome;
        tunes.iter().map(outcome).collect()
    }

    #[test]
    fn the_next_start_or_the_file_tells_what_became_of_a_value() {
        let tunes = vec![
            tune(10.0, 12.0),
            tune(12.0, 15.0),
            tune(12.0, 12.0),
            tune(20.0, 21.0),
        ];
        let expected = [Outcome::Kept, Outcome::Dropped, Outcome::Unmoved];
        for (present, last) in [
            (Some(21.0), Outcome::Kept),
            (Some(20.0), Outcome::Dropped),
            (Some(7.0), Outcome::Replaced),
            (None, Outcome::Gone),
        ] {
            let found = outcomes(tunes.clone(), present);
            assert_eq!(found, [&expected[..], &[last]].concat());
        }
    }

    #[test]
    fn texts_are_compared_where_the_order_of_choices_changes() {
        let texts = |list: &[&str]| list.iter().map(|&text| text.to_owned()).collect::<Vec<_>>();
        let of = |list: &[&str], start, value| {
            let mut tune = tune(start, value);
            tune.parameters[0].choices = texts(list);
            tune
        };
        let now =
            |list: &[&str], value: usize| Parameter::choice("Margin".into(), texts(list), value);
        let turned = of(&["mad", "bold", "calm"], 1.0, 2.0);
        for (first, present, expected) in [
            (
                of(&["calm", "bold"], 0.0, 1.0),
                now(&["calm", "bold"], 0),
                [Outcome::Kept; 2],
            ),
            (
                of(&["calm", "mad", "bold"], 2.0, 1.0),
                now(&["calm", "bold"], 1),
                [Outcome::Dropped; 2],
            ),
            (
                of(&["calm", "mad"], 0.0, 1.0),
                now(&["mad", "bold", "wild"], 2),
                [Outcome::Replaced; 2],
            ),
        ] {
            let mut tunes = vec![first, turned.clone()];
            judge(&mut tunes, &[present]);
            let found = [0, 1].map(|index: usize| tunes[index].parameters[0].outcome);
            assert_eq!(found, expected);
        }
    }
}
