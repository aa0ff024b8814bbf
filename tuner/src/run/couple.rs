//! Two parameters that interact, as reports show them: what they gain together, and a slice.

use schemars::JsonSchema;
use serde::Serialize;

use crate::evidence::interactions::{Interaction, Interactions};
use crate::parameter::Parameter;
use crate::run::printed::interval;

/// How many values of each parameter a slice has.
const VALUES: usize = 7;

/// A couple, with Elo over the values that were played.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Couple {
    pub names: [String; 2],
    /// Their places in the list of parameters.
    pub places: [usize; 2],
    /// Elo that both gain together, a c of each.
    pub elo: f64,
    pub elo_sd: f64,
    /// Values of each.
    pub values: [Vec<f64>; 2],
    /// Elo over the start by the fitted quadratic: for each value of the second parameter, one for
    /// each value of the first.
    pub slice: Vec<Vec<f64>>,
}

/// The couples with evidence among those that were tried.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Couples {
    pub tried: usize,
    pub found: Vec<Couple>,
}

impl Couple {
    fn new(found: &Interaction, parameters: &[Parameter]) -> Self {
        let own = found.parameters.map(|place| &parameters[place]);
        let values = [0, 1].map(|side| values(own[side], found.region[side]));
        let z = |side: usize, value: f64| (value - own[side].value) / own[side].c_end;
        let row = |second: &f64| {
            let elo = |first: &f64| found.slice.elo([z(0, *first), z(1, *second)]);
            values[0].iter().map(elo).collect()
        };
        Self {
            names: own.map(|parameter| parameter.name.clone()),
            places: found.parameters,
            elo: found.elo,
            elo_sd: found.elo_sd,
            slice: values[1].iter().map(row).collect(),
            values,
        }
    }

    pub(crate) fn words(&self) -> String {
        let [first, second] = &self.names;
        format!(
            "{first} and {second} {} Elo per c of both",
            interval(self.elo, self.elo_sd, 2)
        )
    }
}

/// Values over a region, in c from the start, as an engine would be given them.
fn values(parameter: &Parameter, [least, most]: [f64; 2]) -> Vec<f64> {
    let mut values: Vec<f64> = (0..VALUES)
        .map(|step| least + (most - least) * step as f64 / (VALUES - 1) as f64)
        .map(|z| parameter.clip(parameter.settle(parameter.value + z * parameter.c_end)))
        .collect();
    values.dedup();
    values
}

impl Couples {
    pub(crate) fn new(interactions: &Interactions, parameters: &[Parameter]) -> Self {
        let found = interactions.found.iter();
        Self {
            tried: interactions.tried,
            found: found.map(|one| Couple::new(one, parameters)).collect(),
        }
    }

    /// One line; none where there is nothing to try.
    pub(crate) fn words(&self) -> Option<String> {
        let couples = match self.tried {
            0 => return None,
            1 => "the one couple".to_owned(),
            tried => format!("{tried} couples"),
        };
        let found: Vec<String> = self.found.iter().map(Couple::words).collect();
        Some(if found.is_empty() {
            format!("no evidence that parameters interact ({couples} tried)")
        } else {
            format!("interactions ({couples} tried): {}", found.join("; "))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::interactions::Slice;
    use crate::synthetic::study;

    #[test]
    fn a_slice_is_over_the_values_that_were_played() {
        let mut parameters = study::parameters(3, 1);
        for parameter in &mut parameters {
            (parameter.c_end, parameter.min, parameter.max) = (1.0, 990.0, 1010.0);
        }
        let interactions = Interactions {
            tried: 3,
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
        let couples = Couples::new(&interactions, &parameters);
        let own = &couples.found[0];
        assert_eq!(own.values[0], [999.0, 1000.0, 1001.0, 1002.0]);
        assert_eq!(own.values[1].len(), 7);
        // At 2 and 1: 2 - 4 - 2 * 2.
        assert_eq!(own.slice[1][3], -6.0);
        let words = couples.words().expect("a line");
        assert_eq!(
            words,
            "interactions (3 couples tried): P0 and P2 -2.00 ± 0.49 Elo per c of both"
        );
        let none = Couples {
            tried: 1,
            found: Vec::new(),
        };
        let words = none.words().expect("a line");
        assert_eq!(
            words,
            "no evidence that parameters interact (the one couple tried)"
        );
    }
}
