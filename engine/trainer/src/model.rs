//! The network in floating point: its parameters in one vector, and its output.

use engine::network::{INPUTS, KingBuckets, OUTPUTS};
use rand::RngExt as _;
use rand::rngs::ChaCha8Rng;

/// The size of the hidden layer is a multiple of this.
pub const LANES: usize = 32;

/// Largest absolute value of a weight: what the quantised network can hold.
pub const MAX_WEIGHT: f32 = 1.98;
/// Parameters that a thread takes at a time.
pub const PIECE: usize = 1 << 14;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shape {
    /// Size of the hidden layer.
    pub hidden: usize,
    pub king_buckets: KingBuckets,
    /// Values of a second hidden layer, for each output. An engine has none: such a network teaches.
    pub second: usize,
}

impl Shape {
    /// Number of parameters.
    pub fn parameters(&self) -> usize {
        self.lengths().iter().sum()
    }

    /// Numbers of the parameters of each kind, in their order: hidden weights (by king bucket, one row
    /// of hidden values an input), hidden biases; output weights (by output: side to move, other side),
    /// output biases; weights of the second values (by output and value: side to move, other side),
    /// their biases, and their weights in the output.
    fn lengths(&self) -> [usize; 7] {
        let Self { hidden, second, .. } = *self;
        [
            self.king_buckets.count() * INPUTS * hidden,
            hidden,
            OUTPUTS * 2 * hidden,
            OUTPUTS,
            OUTPUTS * second * 2 * hidden,
            OUTPUTS * second,
            OUTPUTS * second,
        ]
    }

    /// The parameters of each kind.
    pub fn split<'a>(&self, mut parameters: &'a [f32]) -> [&'a [f32]; 7] {
        self.lengths().map(|length| {
            let (part, rest) = parameters.split_at(length);
            parameters = rest;
            part
        })
    }

    /// The same to change them.
    pub fn split_mut<'a>(&self, mut parameters: &'a mut [f32]) -> [&'a mut [f32]; 7] {
        self.lengths().map(|length| {
            let (part, rest) = std::mem::take(&mut parameters).split_at_mut(length);
            parameters = rest;
            part
        })
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    pub shape: Shape,
    pub parameters: Vec<f32>,
}

/// What an output is computed from, and its slopes; buffers, which are reused.
#[derive(Clone, Default)]
pub struct Values {
    /// The hidden values, clipped and squared.
    pub squares: Vec<f32>,
    /// The sums of the second hidden layer.
    pub second: Vec<f32>,
    /// By hidden value: of the output by the square.
    pub slopes: Vec<f32>,
}

impl Model {
    /// Small random weights, the same for all king buckets.
    pub fn random(shape: Shape, random: &mut ChaCha8Rng) -> Self {
        let mut parameters = vec![0.0; shape.parameters()];
        let [weights, _, outputs, _, second, second_biases, _] = shape.split_mut(&mut parameters);
        let bucket = INPUTS * shape.hidden;
        // About 20 inputs are active, so hidden values are spread over the range from 0 to 1.
        fill(&mut weights[..bucket], 0.1, random);
        for index in 1..shape.king_buckets.count() {
            weights.copy_within(..bucket, index * bucket);
        }
        let size = 2 * shape.hidden;
        let bound = (1.0 / size as f32).sqrt();
        // All outputs start with the same weights; the positions they get make them differ.
        fill(&mut outputs[..size], bound, random);
        for index in 1..OUTPUTS {
            outputs.copy_within(..size, index * size);
        }
        // The second values are in the middle of their range, and count for nothing at first.
        fill(second, bound, random);
        second_biases.fill(0.5);
        Self { shape, parameters }
    }

    /// A model that is as large or larger, with the same outputs: several king buckets instead of one, a
    /// wider hidden layer, second values where there are none. Hidden values and second values that are
    /// new have small random weights, and count for nothing.
    pub fn grow(&self, shape: Shape, random: &mut ChaCha8Rng) -> Self {
        let mut grown = Self::random(shape, random);
        let (own, size) = (self.shape, shape.hidden);
        let [weights, biases, outputs, output_biases, second, others @ ..] =
            shape.split_mut(&mut grown.parameters);
        let [
            own_weights,
            own_biases,
            own_outputs,
            own_output_biases,
            own_second,
            own_others @ ..,
        ] = own.split(&self.parameters);
        let copy = |to: &mut [f32], from: &[f32]| {
            for (to, from) in to.chunks_mut(size).zip(from.chunks(own.hidden).cycle()) {
                to[..own.hidden].copy_from_slice(from);
            }
        };
        copy(weights, own_weights);
        copy(biases, own_biases);
        outputs.fill(0.0);
        copy(outputs, own_outputs);
        output_biases.copy_from_slice(own_output_biases);
        if own.second == shape.second {
            second.fill(0.0);
            copy(second, own_second);
            for (to, from) in others.into_iter().zip(own_others) {
                to.copy_from_slice(from);
            }
        }
        grown
    }

    pub fn hidden_weights(&self) -> &[f32] {
        self.shape.split(&self.parameters)[0]
    }

    pub fn hidden_biases(&self) -> &[f32] {
        self.shape.split(&self.parameters)[1]
    }

    /// The parameters of one output: its weights, and for each of its second values the weights and the
    /// weight in the output.
    pub fn of_output(&self, output: usize) -> (&[f32], impl Iterator<Item = (&[f32], f32)>) {
        let Shape { hidden, second, .. } = self.shape;
        let [_, _, weights, _, second_weights, _, second_outputs] =
            self.shape.split(&self.parameters);
        let size = 2 * hidden;
        let second_weights = &second_weights[output * second * size..][..second * size];
        let second_outputs = second_outputs[output * second..][..second].iter();
        (
            &weights[output * size..][..size],
            second_weights
                .chunks(size.max(1))
                .zip(second_outputs.copied()),
        )
    }

    /// An output, in units of the scale, from the sums of both sides.
    pub fn output(&self, output: usize, sums: &[f32], values: &mut Values) -> f32 {
        let second = self.shape.second;
        let [_, _, _, biases, _, second_biases, _] = self.shape.split(&self.parameters);
        let (weights, second_weights) = self.of_output(output);
        values.squares.clear();
        values.squares.extend(sums.iter().map(|&sum| square(sum).0));
        values.second.clear();
        let mut result = biases[output] + dot(&values.squares, weights);
        let second_biases = &second_biases[output * second..][..second];
        for ((weights, weight), bias) in second_weights.zip(second_biases) {
            let sum = bias + dot(&values.squares, weights);
            values.second.push(sum);
            result += weight * square(sum).0;
        }
        result
    }
}

/// The square of a sum clipped to the range from 0 to 1, and its slope by the sum: 0 outside the range.
pub fn square(sum: f32) -> (f32, f32) {
    let clipped = sum.clamp(0.0, 1.0);
    let slope = if clipped == sum { 2.0 * clipped } else { 0.0 };
    (clipped * clipped, slope)
}

fn dot(values: &[f32], weights: &[f32]) -> f32 {
    let mut lanes = [0.0; LANES];
    let blocks = values.as_chunks::<LANES>().0.iter();
    for (values, weights) in blocks.zip(weights.as_chunks::<LANES>().0) {
        for lane in 0..LANES {
            lanes[lane] += values[lane] * weights[lane];
        }
    }
    lanes.iter().sum()
}

fn fill(weights: &mut [f32], bound: f32, random: &mut ChaCha8Rng) {
    for weight in weights {
        *weight = random.random_range(-bound..bound);
    }
}
