//! Conversion of the floating-point model to the network of the engine, and back.

use engine::network::{HIDDEN_UNIT, MAX_HIDDEN_WEIGHT, MAX_OUTPUT_SUM, NetworkFile, OUTPUT_UNIT};

use crate::model::{Model, Shape};

/// The network file of a model without second values, given the centipawns of an output of 1. Outputs
/// that could overflow the engine's sums are made smaller, and the centipawns of an output of 1 more.
pub fn quantise(model: &Model, scale: i32) -> NetworkFile {
    let round = |weights: &[f32], unit: f32, limit: i16| -> Vec<i16> {
        let limit = f32::from(limit);
        weights
            .iter()
            .map(|weight| (weight * unit).round().clamp(-limit, limit) as i16)
            .collect()
    };
    let [hidden_weights, hidden_biases, weights, biases, ..] = model.shape.split(&model.parameters);
    let factor = output_factor(weights, model.shape.hidden);
    let hidden_unit = HIDDEN_UNIT as f32;
    let output_unit = factor * OUTPUT_UNIT as f32;
    NetworkFile {
        hidden: model.shape.hidden,
        king_buckets: model.shape.king_buckets,
        scale: (scale as f32 / factor).round() as i32,
        hidden_weights: round(hidden_weights, hidden_unit, MAX_HIDDEN_WEIGHT),
        hidden_biases: round(hidden_biases, hidden_unit, MAX_HIDDEN_WEIGHT),
        output_weights: round(weights, output_unit, i16::MAX),
        output_biases: (biases.iter())
            .map(|bias| (bias * hidden_unit * output_unit).round() as i32)
            .collect(),
    }
}

/// By what outputs must be multiplied so that the rounded weights of a side sum to what they may.
fn output_factor(weights: &[f32], hidden: usize) -> f32 {
    let sums = weights
        .chunks(hidden)
        .map(|side| side.iter().map(|weight| weight.abs()).sum());
    let largest: f32 = sums.fold(0.0, f32::max);
    let most = MAX_OUTPUT_SUM as f32 - hidden as f32 / 2.0 - 1.0;
    (most / (largest * OUTPUT_UNIT as f32)).min(1.0)
}

/// The model of a network file. Rounding is not undone.
pub fn dequantise(network: &NetworkFile) -> Model {
    let hidden = network.hidden_weights.iter().chain(&network.hidden_biases);
    let hidden = hidden.map(|&weight| f32::from(weight) / HIDDEN_UNIT as f32);
    let output = network.output_weights.iter();
    let output = output.map(|&weight| f32::from(weight) / OUTPUT_UNIT as f32);
    let biases = network.output_biases.iter();
    let biases = biases.map(|&bias| bias as f32 / (HIDDEN_UNIT * OUTPUT_UNIT) as f32);
    Model {
        shape: Shape {
            hidden: network.hidden,
            king_buckets: network.king_buckets,
            second: 0,
        },
        parameters: hidden.chain(output).chain(biases).collect(),
    }
}

#[cfg(test)]
mod tests {
    use engine::network::KingBuckets;

    use super::*;
    use crate::model::MAX_WEIGHT;

    #[test]
    fn large_outputs_are_made_smaller_and_mean_the_same() {
        let shape = Shape {
            hidden: 1_024,
            king_buckets: KingBuckets::ONE,
            second: 0,
        };
        let model = Model {
            shape,
            parameters: vec![MAX_WEIGHT; shape.parameters()],
        };
        let network = quantise(&model, 400);
        assert_eq!(network.check(), Ok(()));
        let weight = f32::from(network.output_weights[0]) / OUTPUT_UNIT as f32;
        let centipawns = weight * network.scale as f32;
        assert!(
            (centipawns / (MAX_WEIGHT * 400.0) - 1.0).abs() < 0.01,
            "{centipawns}"
        );
        let bias = network.output_biases[0] as f32 / (HIDDEN_UNIT * OUTPUT_UNIT) as f32;
        assert!((bias / weight - 1.0).abs() < 0.01, "{bias} {weight}");
    }
}
