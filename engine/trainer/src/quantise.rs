//! From the model in floating point to the network of the engine.

use engine::network::{HIDDEN_UNIT, INPUTS, MAX_HIDDEN_WEIGHT, NetworkFile, OUTPUT_UNIT};

use crate::model::Model;

/// The network file of a model whose output of 1 stands for `scale` centipawns.
pub fn quantise(model: &Model, scale: i32) -> NetworkFile {
    let hidden = model.hidden;
    let round = |weights: &[f32], unit: i32, limit: i16| -> Vec<i16> {
        let limit = f32::from(limit);
        weights
            .iter()
            .map(|weight| (weight * unit as f32).round().clamp(-limit, limit) as i16)
            .collect()
    };
    NetworkFile {
        hidden,
        scale,
        hidden_weights: round(
            &model.parameters[..INPUTS * hidden],
            HIDDEN_UNIT,
            MAX_HIDDEN_WEIGHT,
        ),
        hidden_biases: round(model.hidden_biases(), HIDDEN_UNIT, MAX_HIDDEN_WEIGHT),
        output_weights: round(model.all_output_weights(), OUTPUT_UNIT, i16::MAX),
        output_biases: (model.output_biases().iter())
            .map(|bias| (bias * (HIDDEN_UNIT * OUTPUT_UNIT) as f32).round() as i32)
            .collect(),
    }
}
