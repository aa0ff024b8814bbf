//! The network in floating point: its parameters in one vector, and its output.

use engine::network::{INPUTS, KingBuckets, OUTPUTS};
use rand::RngExt as _;
use rand::rngs::ChaCha8Rng;

/// The size of the hidden layer is a multiple of this.
pub const LANES: usize = 32;

/// Largest absolute value of a weight: what the quantised network can hold.
pub const MAX_WEIGHT: f32 = 1.98;

/// Hidden weights (by king bucket, one row of hidden values an input), hidden biases, output weights
/// (by output: side to move, other side), output biases.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    pub hidden: usize,
    pub king_buckets: KingBuckets,
    pub parameters: Vec<f32>,
}

impl Model {
    /// Number of parameters.
    pub fn size(hidden: usize, king_buckets: &KingBuckets) -> usize {
        king_buckets.count() * INPUTS * hidden + hidden + OUTPUTS * (2 * hidden + 1)
    }

    /// Small random weights, the same for all king buckets.
    pub fn random(hidden: usize, king_buckets: KingBuckets, random: &mut ChaCha8Rng) -> Self {
        let one = KingBuckets::ONE;
        let mut parameters = vec![0.0; Self::size(hidden, &one)];
        let (input, rest) = parameters.split_at_mut(INPUTS * hidden);
        let (_, output) = rest.split_at_mut(hidden);
        // About 20 inputs are active, so hidden values are spread over the range from 0 to 1.
        fill(input, 0.1, random);
        let bound = (1.0 / (2 * hidden) as f32).sqrt();
        // All outputs start with the same weights; the positions they get make them differ.
        fill(&mut output[..2 * hidden], bound, random);
        for index in 1..OUTPUTS {
            output.copy_within(..2 * hidden, index * 2 * hidden);
        }
        let model = Self {
            hidden,
            king_buckets: one,
            parameters,
        };
        model.spread(king_buckets)
    }

    /// Copies the weights of a model with one king bucket to several.
    pub fn spread(&self, king_buckets: KingBuckets) -> Self {
        let (weights, others) = self.parameters.split_at(self.hidden_weights().len());
        Self {
            hidden: self.hidden,
            king_buckets,
            parameters: [&weights.repeat(king_buckets.count()), others].concat(),
        }
    }

    /// A model of a wider hidden layer with the same outputs: the further hidden values have small
    /// random weights, and no weight in the outputs.
    pub fn widen(&self, hidden: usize, random: &mut ChaCha8Rng) -> Self {
        let mut wide = Self::random(hidden, self.king_buckets, random);
        let copy = |to: &mut [f32], from: &[f32]| {
            for (to, from) in to.chunks_mut(hidden).zip(from.chunks(self.hidden)) {
                to[..self.hidden].copy_from_slice(from);
            }
        };
        let count = wide.hidden_weights().len();
        let (weights, others) = wide.parameters.split_at_mut(count);
        let (hidden_biases, outputs) = others.split_at_mut(hidden);
        let (output_weights, output_biases) = outputs.split_at_mut(OUTPUTS * 2 * hidden);
        copy(weights, self.hidden_weights());
        copy(hidden_biases, self.hidden_biases());
        output_weights.fill(0.0);
        copy(output_weights, self.all_output_weights());
        output_biases.copy_from_slice(self.output_biases());
        wide
    }

    pub fn hidden_weights(&self) -> &[f32] {
        &self.parameters[..self.king_buckets.count() * INPUTS * self.hidden]
    }

    /// The parameters after the hidden weights.
    fn others(&self) -> &[f32] {
        &self.parameters[self.hidden_weights().len()..]
    }

    pub fn hidden_biases(&self) -> &[f32] {
        &self.others()[..self.hidden]
    }

    /// Weights of all outputs: for the side to move, then for the other side.
    pub fn all_output_weights(&self) -> &[f32] {
        &self.others()[self.hidden..][..OUTPUTS * 2 * self.hidden]
    }

    /// Weights of one output: for the side to move, then for the other side.
    pub fn output_weights(&self, output: usize) -> &[f32] {
        &self.all_output_weights()[output * 2 * self.hidden..][..2 * self.hidden]
    }

    pub fn output_biases(&self) -> &[f32] {
        &self.others()[(1 + OUTPUTS * 2) * self.hidden..]
    }

    /// An output, in units of the scale, from the sums of both sides.
    pub fn output(&self, output: usize, sums: &[f32]) -> f32 {
        let weights = self.output_weights(output).as_chunks::<LANES>().0;
        let mut lanes = [0.0; LANES];
        for (sums, weights) in sums.as_chunks::<LANES>().0.iter().zip(weights) {
            for lane in 0..LANES {
                let value = sums[lane].clamp(0.0, 1.0);
                lanes[lane] += value * value * weights[lane];
            }
        }
        lanes.iter().sum::<f32>() + self.output_biases()[output]
    }
}

fn fill(weights: &mut [f32], bound: f32, random: &mut ChaCha8Rng) {
    for weight in weights {
        *weight = random.random_range(-bound..bound);
    }
}
