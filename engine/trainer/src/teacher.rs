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
    /// What the positions are worth to it: expected results of the sides to move.
    pub fn opinions(&self, positions: &[PackedPosition]) -> Vec<f32> {
        let outputs = hidden::outputs(&self.model, positions).into_iter();
        outputs.map(sigmoid).collect()
    }

    /// The target of a position that was worth `target` before, given its opinion.
    pub fn blend(&self, opinion: f32, target: f32) -> f32 {
        self.share * opinion + (1.0 - self.share) * target
    }
}
