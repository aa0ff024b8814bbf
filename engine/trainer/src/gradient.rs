//! Loss and gradient of a batch.

use engine::packed::PackedPosition;
use rayon::prelude::*;

use crate::hidden::{self, Hidden};
use crate::model::{Model, PIECE, Shape, Values, square};
use crate::objective::{Objective, sigmoid};

/// Parts of a batch at most, each summed separately. Their number does not depend on the number of
/// threads, so that rounding does not either.
pub const SHARDS: usize = 8;
/// Positions of a part at least, unless a batch has fewer.
pub const SHARD: usize = 2_048;

/// The gradient of a part of a batch, and buffers.
#[derive(Clone)]
struct Sums {
    gradient: Vec<f32>,
    hidden: Hidden,
    values: Values,
}

/// Computes gradients; its buffers are reused for every batch.
pub struct Worker {
    shards: Vec<Sums>,
}

impl Worker {
    /// For models with this many parameters.
    pub fn new(parameters: usize) -> Self {
        let sums = Sums {
            gradient: vec![0.0; parameters],
            hidden: Hidden::default(),
            values: Values::default(),
        };
        Self {
            shards: vec![sums; SHARDS],
        }
    }

    /// The mean loss of the batch and its gradient.
    pub fn gradient(
        &mut self,
        model: &Model,
        objective: Objective,
        batch: &[PackedPosition],
    ) -> (f64, &[f32]) {
        let (loss, shards) = self.each_shard(batch, |positions, sums| {
            sums.gradient.fill(0.0);
            add_gradient(model, objective, positions, sums)
        });
        let count = batch.len().max(1);
        let (first, others) = shards.split_at_mut(1);
        let sum = &mut first[0].gradient;
        (sum.par_chunks_mut(PIECE).enumerate()).for_each(|(index, sum)| {
            for other in &*others {
                add(sum, 1.0, &other.gradient[index * PIECE..][..sum.len()]);
            }
            for value in sum {
                *value /= count as f32;
            }
        });
        (loss / count as f64, sum)
    }

    /// The sum of the losses of the positions.
    pub fn loss(
        &mut self,
        model: &Model,
        objective: Objective,
        positions: &[PackedPosition],
    ) -> f64 {
        let (loss, _) = self.each_shard(positions, |positions, _| {
            let outputs = hidden::outputs(model, positions);
            (positions.iter().zip(outputs))
                .map(|(position, output)| {
                    f64::from((sigmoid(output) - objective.target(position)).powi(2))
                })
                .sum()
        });
        loss
    }

    /// Runs `work`, which returns a loss, on each shard of the batch. Returns the sum of the losses.
    fn each_shard(
        &mut self,
        batch: &[PackedPosition],
        work: impl Fn(&[PackedPosition], &mut Sums) -> f64 + Sync,
    ) -> (f64, &mut [Sums]) {
        let count = (batch.len() / SHARD).clamp(1, SHARDS);
        let size = batch.len().div_ceil(count).max(1);
        let shards = &mut self.shards[..count];
        let losses: Vec<f64> = (batch.par_chunks(size).zip(&mut *shards))
            .map(|(part, sums)| work(part, sums))
            .collect();
        (losses.iter().sum(), shards)
    }
}

/// Adds the gradient of each position, and returns the sum of their losses.
fn add_gradient(
    model: &Model,
    objective: Objective,
    positions: &[PackedPosition],
    sums: &mut Sums,
) -> f64 {
    let Shape { hidden, second, .. } = model.shape;
    let size = 2 * hidden;
    let [
        rows,
        row_biases,
        outputs,
        biases,
        second_weights,
        second_biases,
        second_outputs,
    ] = model.shape.split_mut(&mut sums.gradient);
    let values = &mut sums.values;
    let mut loss = 0.0;
    for positions in positions.chunks(hidden::POSITIONS) {
        sums.hidden.forward(model, positions);
        let of_each = sums.hidden.sums.chunks_exact_mut(size);
        for ((position, &output), own) in
            (positions.iter().zip(&sums.hidden.inputs.outputs)).zip(of_each)
        {
            let expected = sigmoid(model.output(output, own, values));
            let error = expected - objective.target(position);
            loss += f64::from(error * error);
            let slope = 2.0 * error * expected * (1.0 - expected);
            let (weights, of_second) = model.of_output(output);
            biases[output] += slope;
            add(
                &mut outputs[output * size..][..size],
                slope,
                &values.squares,
            );
            values.slopes.clear();
            values
                .slopes
                .extend(weights.iter().map(|weight| slope * weight));
            let of_each = (output * second..).zip(&values.second).zip(of_second);
            for ((index, sum), (weights, weight)) in of_each {
                let (square, inner) = square(*sum);
                second_outputs[index] += slope * square;
                let slope = slope * weight * inner;
                second_biases[index] += slope;
                add(
                    &mut second_weights[index * size..][..size],
                    slope,
                    &values.squares,
                );
                add(&mut values.slopes, slope, weights);
            }
            for (value, slope) in own.iter_mut().zip(&values.slopes) {
                *value = slope * square(*value).1;
            }
        }
        sums.hidden.backward(hidden, rows, row_biases);
    }
    loss
}

/// Adds a multiple of the values.
fn add(sums: &mut [f32], factor: f32, values: &[f32]) {
    for (sum, value) in sums.iter_mut().zip(values) {
        *sum += factor * value;
    }
}
