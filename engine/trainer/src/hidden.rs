//! The hidden layer of many positions, forward and backward.
//!
//! The sums of a position are those of the one before and what has changed.

use engine::packed::PackedPosition;

use crate::inputs::Inputs;
use crate::model::{Model, Values};

/// Positions at a time: their sums should stay in a processor's cache.
pub const POSITIONS: usize = 1 << 7;

/// Buffers, which are reused.
#[derive(Clone, Default)]
pub struct Hidden {
    pub inputs: Inputs,
    /// By position: the sums of the side to move, then of the other side.
    pub sums: Vec<f32>,
}

impl Hidden {
    /// Computes the sums of the positions.
    pub fn forward(&mut self, model: &Model, positions: &[PackedPosition]) {
        let size = model.shape.hidden;
        self.inputs.set(positions, &model.shape.king_buckets);
        self.sums.resize(positions.len() * 2 * size, 0.0);
        let rows = model.hidden_weights();
        let row = |row: u16| &rows[usize::from(row) * size..][..size];
        let mut views = [vec![0.0; size], vec![0.0; size]];
        for (number, step) in self.inputs.steps.iter().enumerate() {
            let values = &mut views[number % 2];
            if step.is_fresh {
                values.copy_from_slice(model.hidden_biases());
            } else {
                for &removed in self.inputs.removed(step) {
                    subtract(values, row(removed));
                }
            }
            for &added in self.inputs.added(step) {
                add(values, row(added));
            }
            // Behind the last position is none.
            if let Some(sums) = self
                .sums
                .get_mut(step.place * size..(step.place + 1) * size)
            {
                sums.copy_from_slice(values);
            }
        }
    }

    /// Adds to the gradients of the weights and of the biases. The sums have been replaced by slopes.
    ///
    /// The gradient of a row is the sum of the slopes from where its input is added to where it is
    /// removed: the sum of all slopes up to the latter, less that up to the former.
    pub fn backward(&self, size: usize, rows: &mut [f32], biases: &mut [f32]) {
        let mut views = [vec![0.0; size], vec![0.0; size]];
        for (number, step) in self.inputs.steps.iter().enumerate() {
            let sum = &mut views[number % 2];
            for &row in self.inputs.removed(step) {
                add(&mut rows[usize::from(row) * size..][..size], sum);
            }
            if step.is_fresh {
                add(biases, sum);
                sum.fill(0.0);
            } else {
                for &row in self.inputs.added(step) {
                    subtract(&mut rows[usize::from(row) * size..][..size], sum);
                }
            }
            if let Some(slopes) = self.sums.get(step.place * size..(step.place + 1) * size) {
                add(sum, slopes);
            }
        }
    }
}

/// The outputs for positions, in units of the scale.
pub fn outputs(model: &Model, positions: &[PackedPosition]) -> Vec<f32> {
    let mut hidden = Hidden::default();
    let mut values = Values::default();
    let mut outputs = Vec::with_capacity(positions.len());
    for positions in positions.chunks(POSITIONS) {
        hidden.forward(model, positions);
        let sums = hidden.sums.chunks_exact(2 * model.shape.hidden);
        let of_each = hidden.inputs.outputs.iter().zip(sums);
        outputs.extend(of_each.map(|(&output, sums)| model.output(output, sums, &mut values)));
    }
    outputs
}

fn add(sums: &mut [f32], values: &[f32]) {
    for (sum, value) in sums.iter_mut().zip(values) {
        *sum += value;
    }
}

fn subtract(sums: &mut [f32], values: &[f32]) {
    for (sum, value) in sums.iter_mut().zip(values) {
        *sum -= value;
    }
}

#[cfg(test)]
mod tests {
    use engine::network::KingBuckets;
    use engine::position::Position;
    use rand::SeedableRng as _;
    use rand::rngs::ChaCha8Rng;

    use super::*;
    use crate::model::Shape;

    #[test]
    fn outputs_do_not_depend_on_the_positions_before() {
        let buckets: KingBuckets = "0011/2222/2222/2222/2222/2222/2222/2222"
            .parse()
            .expect("a layout");
        let model = Model::random(
            Shape {
                hidden: 64,
                king_buckets: buckets,
                second: 3,
            },
            &mut ChaCha8Rng::seed_from_u64(1),
        );
        // A few plies, with captures, castling, promotion and kings that change their bucket and side,
        // then other positions.
        let positions = [
            "r3k2r/1P6/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1",
            "r3k2r/1P6/3P4/8/8/8/8/R3K2R b KQkq - 0 1",
            "r4rk1/1P6/3P4/8/8/8/8/R3K2R w KQ - 1 2",
            "Q4rk1/8/3P4/8/8/8/8/R3K2R b KQ - 0 2",
            "Q4r2/6k1/3P4/8/8/8/8/R3K2R w KQ - 1 3",
            "Q4r2/6k1/3P4/8/8/8/8/2KR3R b - - 2 3",
            "Q4r2/6k1/3P4/8/8/8/8/2KR3R b - - 2 3",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "8/8/8/8/8/5k2/8/5K2 b - - 0 90",
        ]
        .map(|fen| {
            let position = Position::from_fen(fen).expect("legal");
            PackedPosition::new(&position, 0, 0, position.moves()[0])
        });
        let together = outputs(&model, &positions);
        for (index, (position, output)) in positions.into_iter().zip(&together).enumerate() {
            let alone = outputs(&model, &[position]);
            assert!(
                (alone[0] - output).abs() < 1e-5,
                "{index}: {alone:?} {output}"
            );
        }
        assert!(
            together
                .iter()
                .any(|output| (output - together[0]).abs() > 0.01)
        );
        assert!(outputs(&model, &[]).is_empty());
    }
}
