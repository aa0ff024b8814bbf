//! Loss and gradient of a batch.

use std::thread;

use engine::network::OUTPUTS;
use engine::packed::PackedPosition;

use crate::hidden::{self, Hidden};
use crate::model::Model;
use crate::objective::{Objective, sigmoid};

/// Parts of a batch, each summed separately. Their number does not depend on the number of threads,
/// so that rounding does not either.
const SHARDS: usize = 8;

/// Sums over a batch or a part of it.
#[derive(Clone)]
struct Sums {
    gradient: Vec<f32>,
    loss: f64,
    hidden: Hidden,
}

/// Computes gradients; its buffers are reused for every batch.
pub struct Worker {
    shards: Vec<Sums>,
    threads: usize,
}

impl Worker {
    /// For models with this many parameters.
    pub fn new(parameters: usize, threads: usize) -> Self {
        let sums = Sums {
            gradient: vec![0.0; parameters],
            loss: 0.0,
            hidden: Hidden::default(),
        };
        Self {
            shards: vec![sums; SHARDS],
            threads: threads.clamp(1, SHARDS),
        }
    }

    /// The mean loss of the batch and its gradient.
    pub fn gradient(
        &mut self,
        model: &Model,
        objective: Objective,
        batch: &[PackedPosition],
    ) -> (f64, &[f32]) {
        self.each_shard(batch, |positions, sums| {
            sums.gradient.fill(0.0);
            sums.loss = 0.0;
            add_gradient(model, objective, positions, sums);
        });
        let (first, others) = self.shards.split_at_mut(1);
        let sum = &mut first[0];
        for other in others {
            sum.loss += other.loss;
            for (sum, value) in sum.gradient.iter_mut().zip(&other.gradient) {
                *sum += value;
            }
        }
        let count = batch.len().max(1);
        for value in &mut sum.gradient {
            *value /= count as f32;
        }
        (sum.loss / count as f64, &sum.gradient)
    }

    /// The sum of the losses of the positions.
    pub fn loss(
        &mut self,
        model: &Model,
        objective: Objective,
        positions: &[PackedPosition],
    ) -> f64 {
        self.each_shard(positions, |positions, sums| {
            let outputs = hidden::outputs(model, positions);
            sums.loss = (positions.iter().zip(outputs))
                .map(|(position, output)| {
                    f64::from((sigmoid(output) - objective.target(position)).powi(2))
                })
                .sum();
        });
        self.shards.iter().map(|sums| sums.loss).sum()
    }

    /// Runs `work` on each shard of the batch.
    fn each_shard(
        &mut self,
        batch: &[PackedPosition],
        work: impl Fn(&[PackedPosition], &mut Sums) + Sync,
    ) {
        let size = batch.len().div_ceil(SHARDS).max(1);
        let mut parts: Vec<&[PackedPosition]> = batch.chunks(size).collect();
        parts.resize(SHARDS, &[]);
        let per_thread = SHARDS.div_ceil(self.threads);
        let run = |parts: &[&[PackedPosition]], shards: &mut [Sums]| {
            for (part, sums) in parts.iter().zip(shards) {
                work(part, sums);
            }
        };
        thread::scope(|scope| {
            let mut groups = parts
                .chunks(per_thread)
                .zip(self.shards.chunks_mut(per_thread));
            let own = groups.next();
            for (parts, shards) in groups {
                scope.spawn(move || run(parts, shards));
            }
            if let Some((parts, shards)) = own {
                run(parts, shards);
            }
        });
    }
}

/// Adds loss and gradient of each position.
fn add_gradient(
    model: &Model,
    objective: Objective,
    positions: &[PackedPosition],
    sums: &mut Sums,
) {
    let size = model.hidden;
    let hidden = &mut sums.hidden;
    let hidden_layer = model.hidden_weights().len() + size;
    let (hidden_layer, output_layer) = sums.gradient.split_at_mut(hidden_layer);
    let (outputs, biases) = output_layer.split_at_mut(OUTPUTS * 2 * size);
    for positions in positions.chunks(hidden::POSITIONS) {
        hidden.forward(model, positions);
        let values = hidden.sums.chunks_exact_mut(2 * size);
        for ((position, &output), values) in
            positions.iter().zip(&hidden.inputs.outputs).zip(values)
        {
            let expected = sigmoid(model.output(output, values));
            let error = expected - objective.target(position);
            sums.loss += f64::from(error * error);
            let slope = 2.0 * error * expected * (1.0 - expected);
            biases[output] += slope;
            let outputs = &mut outputs[output * 2 * size..][..2 * size];
            let weights = model.output_weights(output);
            for ((value, weight), output) in values.iter_mut().zip(weights).zip(outputs) {
                let clipped = value.clamp(0.0, 1.0);
                *output += slope * clipped * clipped;
                // Outside the range the clipped value is constant, so its slope is 0.
                let inner = if clipped == *value { clipped } else { 0.0 };
                *value = slope * weight * 2.0 * inner;
            }
        }
        hidden.backward(size, hidden_layer);
    }
}
