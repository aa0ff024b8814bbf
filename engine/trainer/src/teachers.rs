//! Networks whose opinion is part of what another one learns. They may be too large or too slow to play.

use cozy_chess::Color;
use engine::packed::PackedPosition;

use crate::hidden;
use crate::model::Model;
use crate::objective::{Objective, sigmoid};

pub struct Teachers {
    pub models: Vec<Model>,
    /// Weight of their mean opinion in what stands for a score, from 0 to 1.
    pub share: f32,
}

impl Teachers {
    /// Blends what the positions are worth to them into the scores.
    pub fn teach(&self, positions: &mut [PackedPosition], objective: Objective) {
        let mut opinions = vec![0.0; positions.len()];
        for model in &self.models {
            for (opinion, output) in opinions.iter_mut().zip(hidden::outputs(model, positions)) {
                *opinion += sigmoid(output) / self.models.len() as f32;
            }
        }
        for (position, opinion) in positions.iter_mut().zip(opinions) {
            let white = match position.side() {
                Color::White => opinion,
                Color::Black => 1.0 - opinion,
            };
            let own = objective.expected(position.score());
            let blend = self.share * white + (1.0 - self.share) * own;
            *position = position.with_score(objective.score(blend));
        }
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
    fn the_mean_of_the_teachers_has_its_share_in_the_scores_of_both_sides() {
        let model = |seed| {
            let mut random = ChaCha8Rng::seed_from_u64(seed);
            Model::random(
                Shape {
                    hidden: 64,
                    king_buckets: KingBuckets::ONE,
                    second: 2,
                },
                &mut random,
            )
        };
        let objective = Objective {
            scale: 200.0,
            result_share: 0.0,
            lambda: 0.0,
        };
        let positions: Vec<_> = ["w", "b"]
            .iter()
            .map(|side| {
                let fen = format!("r3k2r/8/8/3pP3/8/8/8/R2QK2R {side} KQkq - 0 1");
                let position = Position::from_fen(&fen).expect("legal");
                PackedPosition::new(&position, 0, 150, position.moves()[0])
            })
            .collect();
        let taught = |seeds: &[u64], share| {
            let mut taught = positions.clone();
            let models = seeds.iter().map(|&seed| model(seed)).collect();
            Teachers { models, share }.teach(&mut taught, objective);
            taught
                .iter()
                .map(|position| objective.expected(position.score()))
                .collect::<Vec<_>>()
        };
        let of_each = [1, 2].map(|seed| hidden::outputs(&model(seed), &positions));
        let own = taught(&[1], 0.0);
        let shared = taught(&[1, 2], 0.25);
        for index in 0..2 {
            let mean = of_each
                .iter()
                .map(|outputs| sigmoid(outputs[index]) / 2.0)
                .sum::<f32>();
            let white = [mean, 1.0 - mean][index];
            let expected = 0.25 * white + 0.75 * own[index];
            assert!(
                (shared[index] - expected).abs() < 0.002,
                "{shared:?} {expected}"
            );
        }
    }
}
