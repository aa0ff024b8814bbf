//! A network whose opinion is part of what another one learns. It may be too large or too slow to play.

use engine::packed::PackedPosition;

use crate::hidden;
use crate::model::Model;
use crate::objective::sigmoid;

pub struct Teacher {
    pub model: Model,
    /// Weight of its opinion in the target, from 0 to 1.
    pub share: f32,
}

impl Teacher {
    /// Blends what the positions are worth to it into their targets: expected results of the sides to move.
    pub fn blend(&self, positions: &[PackedPosition], targets: &mut [f32]) {
        let outputs = hidden::outputs(&self.model, positions);
        for (target, output) in targets.iter_mut().zip(outputs) {
            *target = self.share * sigmoid(output) + (1.0 - self.share) * *target;
        }
    }
}
