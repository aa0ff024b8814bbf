//! Adam, the optimiser of Kingma and Ba (2014), with the decoupled weight decay of Loshchilov and
//! Hutter (2017).
//!
//! Training is factorised over the king buckets. Each weight is the sum of a part of its own and a
//! part shared with the same input of all other buckets, whose gradient is the sum of theirs. Only
//! the sum is stored, and the steps of both parts are applied to it. So a bucket with few positions
//! learns from the others, too.

use engine::network::INPUTS;
use rayon::prelude::*;

use crate::model::{MAX_WEIGHT, Model, PIECE, Shape};

const MOMENTUM: f32 = 0.9;
const SECOND_MOMENTUM: f32 = 0.999;
const EPSILON: f32 = 1e-8;

/// The moments of the gradient, for all parameters, then for the shared parts of the weights.
#[derive(Clone, Debug, PartialEq)]
pub struct Adam {
    pub first: Vec<f32>,
    pub second: Vec<f32>,
    /// Steps taken.
    pub steps: u64,
}

impl Adam {
    pub fn new(shape: &Shape) -> Self {
        let size = Self::size(shape);
        Self {
            first: vec![0.0; size],
            second: vec![0.0; size],
            steps: 0,
        }
    }

    /// Number of moments of each order.
    pub fn size(shape: &Shape) -> usize {
        shape.parameters() + shared(shape)
    }

    /// Makes one step. Parameters are clamped to what the quantised network can represent.
    pub fn step(&mut self, model: &mut Model, gradient: &[f32], rate: f32, decay: f32) {
        self.steps += 1;
        let rates = Rates::new(rate, decay, self.steps);
        let (first, shared_first) = self.first.split_at_mut(gradient.len());
        let (second, shared_second) = self.second.split_at_mut(gradient.len());
        let moments = (first.par_chunks_mut(PIECE)).zip(second.par_chunks_mut(PIECE));
        (model.parameters.par_chunks_mut(PIECE))
            .zip(gradient.par_chunks(PIECE))
            .zip(moments)
            .for_each(|((parameters, gradient), (first, second))| {
                rates.apply(parameters, gradient, first, second);
            });
        let shared = shared(&model.shape);
        if shared > 0 {
            let buckets = model.hidden_weights().len();
            let mut sums = vec![0.0; shared];
            for bucket in gradient[..buckets].chunks(shared) {
                for (sum, slope) in sums.iter_mut().zip(bucket) {
                    *sum += slope;
                }
            }
            for ((sum, first), second) in sums.iter_mut().zip(shared_first).zip(shared_second) {
                *sum = rates.step(*sum, first, second);
            }
            for bucket in model.parameters[..buckets].chunks_mut(shared) {
                for (parameter, step) in bucket.iter_mut().zip(&sums) {
                    *parameter = (*parameter - step).clamp(-MAX_WEIGHT, MAX_WEIGHT);
                }
            }
        }
    }
}

/// The factors of a step.
#[derive(Clone, Copy)]
struct Rates {
    rate: f32,
    /// What is left of each parameter.
    rest: f32,
    first_unbiased: f32,
    second_unbiased: f32,
}

impl Rates {
    fn new(rate: f32, decay: f32, steps: u64) -> Self {
        let steps = steps.min(i32::MAX as u64) as i32;
        Self {
            rate,
            rest: 1.0 - rate * decay,
            first_unbiased: 1.0 / (1.0 - MOMENTUM.powi(steps)),
            second_unbiased: 1.0 / (1.0 - SECOND_MOMENTUM.powi(steps)),
        }
    }

    /// Makes the own step of parameters.
    fn apply(
        self,
        parameters: &mut [f32],
        gradient: &[f32],
        first: &mut [f32],
        second: &mut [f32],
    ) {
        let moments = first.iter_mut().zip(second);
        for ((parameter, &slope), (first, second)) in
            parameters.iter_mut().zip(gradient).zip(moments)
        {
            let step = self.step(slope, first, second);
            *parameter = (self.rest * *parameter - step).clamp(-MAX_WEIGHT, MAX_WEIGHT);
        }
    }

    /// Moves the moments of a slope, and returns the step that they make.
    fn step(self, slope: f32, first: &mut f32, second: &mut f32) -> f32 {
        *first = MOMENTUM * *first + (1.0 - MOMENTUM) * slope;
        *second = SECOND_MOMENTUM * *second + (1.0 - SECOND_MOMENTUM) * slope * slope;
        let deviation = (*second * self.second_unbiased).sqrt() + EPSILON;
        self.rate * *first * self.first_unbiased / deviation
    }
}

/// Number of weights with a part shared by several king buckets.
fn shared(shape: &Shape) -> usize {
    if shape.king_buckets.count() > 1 {
        INPUTS * shape.hidden
    } else {
        0
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
mod tests {
    use engine::network::KingBuckets;

    use super::*;

    const SHAPE: Shape = Shape {
        hidden: 0,
        king_buckets: KingBuckets::ONE,
        second: 0,
    };

    /// A model without a hidden layer, of as many output biases as there are outputs at most.
    fn model(parameters: Vec<f32>) -> Model {
        Model {
            shape: SHAPE,
            parameters,
        }
    }

    #[test]
    fn buckets_without_positions_learn_from_the_others() {
        let layout: KingBuckets = "0000/1111/2222/2222/2222/2222/2222/2222".parse().unwrap();
        let shape = Shape {
            hidden: 1,
            king_buckets: layout,
            second: 0,
        };
        let mut model = Model {
            shape,
            parameters: vec![0.5; shape.parameters()],
        };
        let mut adam = Adam::new(&shape);
        let mut gradient = vec![0.0; model.parameters.len()];
        gradient[5] = 1.0;
        gradient[INPUTS + 5] = 1.0;
        for _ in 0..10 {
            adam.step(&mut model, &gradient, 0.01, 0.0);
        }
        let rows: Vec<&[f32]> = model.hidden_weights().chunks(INPUTS).collect();
        // A step for the own part and one for the shared part, or the latter only.
        assert!((rows[0][5] - 0.3).abs() < 1e-4, "{}", rows[0][5]);
        assert!((rows[1][5] - 0.3).abs() < 1e-4, "{}", rows[1][5]);
        assert!((rows[2][5] - 0.4).abs() < 1e-4, "{}", rows[2][5]);
        let moved = model.parameters.iter().filter(|&&weight| weight != 0.5);
        assert_eq!(moved.count(), 3);
    }

    #[test]
    fn the_minimum_of_a_bowl_is_found() {
        let mut model = model(vec![1.5, -1.0]);
        let mut adam = Adam::new(&SHAPE);
        for _ in 0..2_000 {
            let gradient: Vec<f32> = [(0, 0.25), (1, 0.5)]
                .map(|(index, minimum)| 2.0 * (model.parameters[index] - minimum))
                .to_vec();
            adam.step(&mut model, &gradient, 0.01, 0.0);
        }
        assert!((model.parameters[0] - 0.25).abs() < 0.01, "{model:?}");
        assert!((model.parameters[1] - 0.5).abs() < 0.01, "{model:?}");
    }

    #[test]
    fn what_has_no_slope_decays_by_the_rate() {
        let mut model = model(vec![1.0, -0.5]);
        Adam::new(&SHAPE).step(&mut model, &[0.0, 0.0], 0.1, 2.0);
        assert_eq!(model.parameters, [0.8, -0.4]);
    }

    #[test]
    fn parameters_stay_within_what_can_be_quantised() {
        let mut model = model(vec![1.9]);
        let mut adam = Adam::new(&SHAPE);
        for _ in 0..100 {
            adam.step(&mut model, &[-1.0], 0.1, 0.0);
        }
        assert_eq!(model.parameters, [MAX_WEIGHT]);
    }
}
