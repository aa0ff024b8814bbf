//! The training target: the expected result, as a blend of score and result.

use cozy_chess::Color;
use engine::packed::{Outcome, PackedPosition};

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Objective {
    /// Centipawns of an output of 1.
    pub scale: f32,
    /// Weight of the result in the target; the score has the rest.
    pub result_share: f32,
}

impl Objective {
    /// The expected result for the side to move, from 0 to 1.
    pub fn target(self, position: &PackedPosition) -> f32 {
        let result = match position.outcome() {
            Outcome::BlackWins => 0.0,
            Outcome::Draw => 0.5,
            Outcome::WhiteWins => 1.0,
        };
        let score = sigmoid(position.score() as f32 / self.scale);
        let white = self.result_share * result + (1.0 - self.result_share) * score;
        match position.side() {
            Color::White => white,
            Color::Black => 1.0 - white,
        }
    }
}

/// Expected result of an output.
pub fn sigmoid(output: f32) -> f32 {
    1.0 / (1.0 + (-output).exp())
}
