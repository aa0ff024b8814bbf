//! What is tuned and how, before the first pair.

use serde::{Deserialize, Serialize};

use crate::algorithm::AlgorithmName;
use crate::algorithm::schedule::{Schedule, suggested_r_end};
use crate::evidence::anchors::Anchors;
use crate::parameter::{Kind, Parameter};

/// All that determines a trajectory, given the results.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Tune {
    pub parameters: Vec<Parameter>,
    pub schedule: Schedule,
    pub algorithm: AlgorithmName,
    pub seed: u64,
    /// How many pairs may be under way or waiting to be taken in.
    pub window: u64,
    pub anchors: Anchors,
}

impl Tune {
    /// The tuned parameters, and one that no engine sees: how far it wanders and how much evidence
    /// it gathers is noise.
    ///
    /// It learns as fast as the others do on average; a floor of another speed would be no floor.
    pub fn with_dummy(&self) -> Vec<Parameter> {
        let rates = self.parameters.iter().filter_map(|known| known.r_end);
        let given: Vec<f64> = rates.collect();
        let ruled = (self.parameters.len() - given.len()) as f64
            * suggested_r_end(self.schedule.pairs(), self.parameters.len());
        let mean = (given.iter().sum::<f64>() + ruled) / self.parameters.len().max(1) as f64;
        let mut list = self.parameters.clone();
        list.push(Parameter {
            name: "(dummy)".to_owned(),
            kind: Kind::Float,
            value: 0.0,
            min: -1e6,
            max: 1e6,
            c_end: 1.0,
            r_end: (!given.is_empty()).then_some(mean),
            doc: None,
            choices: Vec::new(),
        });
        list
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::synthetic::study;

    #[test]
    fn the_dummy_learns_as_fast_as_the_others() {
        let mut tune = Tune {
            parameters: study::parameters(4, 1),
            schedule: Schedule::default(),
            algorithm: AlgorithmName::Classic,
            seed: 3,
            window: 1,
            anchors: Anchors::NONE,
        };
        assert_eq!(tune.with_dummy()[4].r_end, None);
        for parameter in &mut tune.parameters {
            parameter.r_end = Some(0.002);
        }
        assert_eq!(tune.with_dummy()[4].r_end, Some(0.002));
    }
}
