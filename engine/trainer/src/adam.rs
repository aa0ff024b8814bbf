//! Adam, the optimiser of Kingma and Ba (2014).

use crate::model::{MAX_WEIGHT, Model};

const MOMENTUM: f32 = 0.9;
const SECOND_MOMENTUM: f32 = 0.999;
const EPSILON: f32 = 1e-8;

/// The moments of the gradient.
#[derive(Clone, Debug, PartialEq)]
pub struct Adam {
    pub first: Vec<f32>,
    pub second: Vec<f32>,
    /// Steps taken.
    pub steps: u64,
}

impl Adam {
    pub fn new(size: usize) -> Self {
        Self {
            first: vec![0.0; size],
            second: vec![0.0; size],
            steps: 0,
        }
    }

    /// One step against the gradient. Parameters stay within what the quantised network can hold.
    pub fn step(&mut self, model: &mut Model, gradient: &[f32], rate: f32) {
        self.steps += 1;
        let steps = self.steps.min(i32::MAX as u64) as i32;
        let first_unbiased = 1.0 / (1.0 - MOMENTUM.powi(steps));
        let second_unbiased = 1.0 / (1.0 - SECOND_MOMENTUM.powi(steps));
        let moments = self.first.iter_mut().zip(&mut self.second);
        for ((parameter, slope), (first, second)) in
            model.parameters.iter_mut().zip(gradient).zip(moments)
        {
            *first = MOMENTUM * *first + (1.0 - MOMENTUM) * slope;
            *second = SECOND_MOMENTUM * *second + (1.0 - SECOND_MOMENTUM) * slope * slope;
            let step = *first * first_unbiased / ((*second * second_unbiased).sqrt() + EPSILON);
            *parameter = (*parameter - rate * step).clamp(-MAX_WEIGHT, MAX_WEIGHT);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_minimum_of_a_bowl_is_found() {
        let mut model = Model {
            hidden: 0,
            parameters: vec![1.5, -1.0],
        };
        let mut adam = Adam::new(2);
        for _ in 0..2_000 {
            let gradient: Vec<f32> = [(0, 0.25), (1, 0.5)]
                .map(|(index, minimum)| 2.0 * (model.parameters[index] - minimum))
                .to_vec();
            adam.step(&mut model, &gradient, 0.01);
        }
        assert!((model.parameters[0] - 0.25).abs() < 0.01, "{model:?}");
        assert!((model.parameters[1] - 0.5).abs() < 0.01, "{model:?}");
    }

    #[test]
    fn parameters_stay_within_what_can_be_quantised() {
        let mut model = Model {
            hidden: 0,
            parameters: vec![1.9],
        };
        let mut adam = Adam::new(1);
        for _ in 0..100 {
            adam.step(&mut model, &[-1.0], 0.1);
        }
        assert_eq!(model.parameters, [MAX_WEIGHT]);
    }
}
