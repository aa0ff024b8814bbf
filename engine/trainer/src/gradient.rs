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

/// Sums over a batch or a part of it.
#[derive(Clone)]
struct Sums {
    gradient: Vec<f32>,
    loss: f64,
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
            loss: 0.0,
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
        let shards = self.each_shard(batch, |positions, sums| {
            sums.gradient.fill(0.0);
            sums.loss = 0.0;
            add_gradient(model, objective, positions, sums);
        });
        let count = batch.len().max(1);
        let loss: f64 = shards.iter().map(|sums| sums.loss).sum();
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
        let shards = self.each_shard(positions, |positions, sums| {
            let outputs = hidden::outputs(model, positions);
            sums.loss = (positions.iter().zip(outputs))
                .map(|(position, output)| {
                    f64::from((sigmoid(output) - objective.target(position)).powi(2))
                })
                .sum();
        });
        shards.iter().map(|sums| sums.loss).sum()
    }

    /// Runs `work` on each shard of the batch, and returns their sums.
    fn each_shard(
        &mut self,
        batch: &[PackedPosition],
        work: impl Fn(&[PackedPosition], &mut Sums) + Sync,
    ) -> &mut [Sums] {
        let count = (batch.len() / SHARD).clamp(1, SHARDS);
        let size = batch.len().div_ceil(count).max(1);
        let shards = &mut self.shards[..count];
        (batch.par_chunks(size).zip(&mut *shards)).for_each(|(part, sums)| work(part, sums));
        shards
    }
}

/// Adds loss and gradient of each position.
fn add_gradient(
    model: &Model,
    objective: Objective,
    positions: &[PackedPosition],
    sums: &mut Sums,
) {
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
    for positions in positions.chunks(hidden::POSITIONS) {
        sums.hidden.forward(model, positions);
        let of_each = sums.hidden.sums.chunks_exact_mut(size);
        for ((position, &output), own) in
            (positions.iter().zip(&sums.hidden.inputs.outputs)).zip(of_each)
        {
            let expected = sigmoid(model.output(output, own, values));
            let error = expected - objective.target(position);
            sums.loss += f64::from(error * error);
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
}

/// Adds a multiple of the values.
fn add(sums: &mut [f32], factor: f32, values: &[f32]) {
    for (sum, value) in sums.iter_mut().zip(values) {
        *sum += factor * value;
    }
}
