//! Conversion of the floating-point model to the network of the engine, and back.

use engine::network::{HIDDEN_UNIT, MAX_HIDDEN_WEIGHT, NetworkFile, OUTPUT_UNIT};

use crate::model::{Model, Shape};

/// The network file of a model without second values, given the centipawns of an output of 1.
pub fn quantise(model: &Model, scale: i32) -> NetworkFile {
    let round = |weights: &[f32], unit: i32, limit: i16| -> Vec<i16> {
        let limit = f32::from(limit);
        weights
            .iter()
            .map(|weight| (weight * unit as f32).round().clamp(-limit, limit) as i16)
            .collect()
    };
    let [hidden_weights, hidden_biases, weights, biases, ..] = model.shape.split(&model.parameters);
    NetworkFile {
        hidden: model.shape.hidden,
        king_buckets: model.shape.king_buckets,
        scale,
        hidden_weights: round(hidden_weights, HIDDEN_UNIT, MAX_HIDDEN_WEIGHT),
        hidden_biases: round(hidden_biases, HIDDEN_UNIT, MAX_HIDDEN_WEIGHT),
        output_weights: round(weights, OUTPUT_UNIT, i16::MAX),
        output_biases: (biases.iter())
            .map(|bias| (bias * (HIDDEN_UNIT * OUTPUT_UNIT) as f32).round() as i32)
            .collect(),
    }
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
