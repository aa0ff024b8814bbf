//! Two parameters that interact, as reports show them: the coefficient, and Elo over both.

use schemars::JsonSchema;
use serde::Serialize;

use crate::evidence::interactions::{Interaction, Interactions};
use crate::parameter::Parameter;
use crate::run::printed::interval;

/// How many values of each parameter a surface has.
const VALUES: usize = 7;

/// Two parameters that interact, with Elo over the values that were played.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub(crate) struct InteractionResult {
    /// Their names.
    pub parameters: [String; 2],
    /// Their places in the list of parameters, from 0.
    pub indices: [usize; 2],
    /// The coefficient of the product of both distances from the start, Elo per c squared.
    pub elo: f64,
    /// Its standard deviation.
    pub elo_sd: f64,
    /// Values of the first parameter, and of the second.
    pub values: [Vec<f64>; 2],
    /// Elo over the start by the fitted quadratic: for each value of the second parameter, one for
    /// each value of the first.
    pub surface: Vec<Vec<f64>>,
}

/// Interactions between parameters.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub(crate) struct InteractionResults {
    /// Pairs of parameters that were tested.
    pub tested: usize,
    /// Those with evidence, at 5% for all tests together.
    pub found: Vec<InteractionResult>,
}

impl InteractionResult {
    fn new(found: &Interaction, parameters: &[Parameter]) -> Self {
        let own = found.parameters.map(|place| &parameters[place]);
        let values = [0, 1].map(|side| values(own[side], found.region[side]));
        let z = |side: usize, value: f64| (value - own[side].value) / own[side].c_end;
        let row = |second: &f64| {
            let elo = |first: &f64| found.slice.elo([z(0, *first), z(1, *second)]);
            values[0].iter().map(elo).collect()
        };
        Self {
            parameters: own.map(|parameter| parameter.name.clone()),
            indices: found.parameters,
            elo: found.elo,
            elo_sd: found.elo_sd,
            surface: values[1].iter().map(row).collect(),
            values,
        }
    }

    pub(crate) fn words(&self) -> String {
        let [first, second] = &self.parameters;
        format!(
            "{first} x {second} {} Elo per c²",
            interval(self.elo, self.elo_sd, 2)
        )
    }
}

/// Values over a region, in c from the start, as an engine would be given them.
fn values(parameter: &Parameter, [least, most]: [f64; 2]) -> Vec<f64> {
    let mut values: Vec<f64> = (0..VALUES)
        .map(|step| least + (most - least) * step as f64 / (VALUES - 1) as f64)
        .map(|z| parameter.settle(parameter.value + z * parameter.c_end))
        .collect();
    values.dedup();
    values
}

impl InteractionResults {
    pub(crate) fn new(interactions: &Interactions, parameters: &[Parameter]) -> Self {
        let found = interactions.found.iter();
        Self {
            tested: interactions.tested,
            found: found
                .map(|one| InteractionResult::new(one, parameters))
                .collect(),
        }
    }

    /// One line; none where there is nothing to test.
    pub(crate) fn words(&self) -> Option<String> {
        let found: Vec<String> = self.found.iter().map(InteractionResult::words).collect();
        match self.tested {
            0 => None,
            tested if found.is_empty() => {
                Some(format!("no evidence of interactions ({tested} tested)"))
            }
            tested => Some(format!(
                "interactions ({tested} tested): {}",
                found.join("; ")
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::interactions::Slice;
    use crate::synthetic::study;

    #[test]
    fn a_surface_is_over_the_values_that_were_played() {
        let mut parameters = study::parameters(3, 1);
        for parameter in &mut parameters {
            (parameter.c_end, parameter.min, parameter.max) = (1.0, 990.0, 1010.0);
        }
        let interactions = Interactions {
            tested: 3,
            found: vec![Interaction {
                parameters: [0, 2],
                elo: -2.0,
                elo_sd: 0.25,
                region: [[-1.0, 2.0], [0.0, 6.0]],
                slice: Slice {
                    gradients: [1.0, 0.0],
                    curvatures: [2.0, 0.0],
                    interaction: -2.0,
                },
            }],
        };
        let results = InteractionResults::new(&interactions, &parameters);
        let own = &results.found[0];
        assert_eq!(own.values[0], [999.0, 1000.0, 1001.0, 1002.0]);
        assert_eq!(own.values[1].len(), 7);
        // At 2 and 1: 2 - 4 - 2 * 2.
        assert_eq!(own.surface[1][3], -6.0);
        let words = results.words().expect("a line");
        assert_eq!(
            words,
            "interactions (3 tested): P0 x P2 -2.00 ± 0.49 Elo per c²"
        );
        let none = InteractionResults {
            tested: 1,
            found: Vec::new(),
        };
        let words = none.words().expect("a line");
        assert_eq!(words, "no evidence of interactions (1 tested)");
    }
}
