//! The training target: the expected result, as a blend of score and result.

use cozy_chess::Color;
use engine::packed::{Outcome, PackedPosition};
use engine::score::Score;

/// The least expected result that a score can stand for.
const SURE: f32 = 1e-6;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Objective {
    /// Centipawns of an output of 1.
    pub scale: f32,
    /// Weight of the result in the target; the score has the rest.
    pub result_share: f32,
    /// Weight of what comes later in the game in what stands for a score.
    pub lambda: f32,
}

impl Objective {
    /// The same for positions with their own scores.
    pub fn without_lambda(self) -> Self {
        Self {
            lambda: 0.0,
            ..self
        }
    }

    /// The scores that stand for the lambda-returns of the positions of a game, in centipawns for
    /// White: as expected results, `1 - lambda` of the own score and `lambda` of the next return;
    /// behind the last position comes the result (R. Sutton, Learning to predict by the methods of
    /// temporal differences, 1988).
    pub fn returns(self, game: &[PackedPosition]) -> Vec<Score> {
        let mut scores: Vec<Score> = game.iter().map(PackedPosition::score).collect();
        if self.lambda == 0.0 {
            return scores;
        }
        let mut next = game.last().map_or(0.5, |last| result(last.outcome()));
        for score in scores.iter_mut().rev() {
            next = (1.0 - self.lambda) * self.expected(*score) + self.lambda * next;
            *score = self.score(next);
        }
        scores
    }

    /// The expected result that a score stands for.
    pub fn expected(self, score: Score) -> f32 {
        sigmoid(score as f32 / self.scale)
    }

    /// The score that stands for an expected result.
    pub fn score(self, expected: f32) -> Score {
        let expected = expected.clamp(SURE, 1.0 - SURE);
        (self.scale * (expected / (1.0 - expected)).ln()).round() as Score
    }

    /// The expected result for the side to move, from 0 to 1.
    pub fn target(self, position: &PackedPosition) -> f32 {
        let score = self.expected(position.score());
        let white =
            self.result_share * result(position.outcome()) + (1.0 - self.result_share) * score;
        match position.side() {
            Color::White => white,
            Color::Black => 1.0 - white,
        }
    }
}

/// The result for White, from 0 to 1.
fn result(outcome: Outcome) -> f32 {
    match outcome {
        Outcome::BlackWins => 0.0,
        Outcome::Draw => 0.5,
        Outcome::WhiteWins => 1.0,
    }
}

/// Expected result of an output.
pub fn sigmoid(output: f32) -> f32 {
    1.0 / (1.0 + (-output).exp())
}

#[cfg(test)]
mod tests {
    use engine::packed::PackedPosition;
    use engine::position::Position;

    use super::*;

    /// A won game whose positions have these scores.
    fn game(scores: &[Score]) -> Vec<PackedPosition> {
        let start = Position::from_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        let start = start.expect("legal");
        let best = start.moves()[0];
        let packed = |(ply, &score)| PackedPosition::new(&start, ply, score, best);
        let game = scores.iter().enumerate().map(packed);
        game.map(|position| position.with_outcome(Outcome::WhiteWins))
            .collect()
    }

    fn returns(lambda: f32, scores: &[Score]) -> Vec<Score> {
        let objective = Objective {
            scale: 200.0,
            result_share: 0.0,
            lambda,
        };
        objective.returns(&game(scores))
    }

    #[test]
    fn returns_lie_between_the_own_score_and_what_comes_later() {
        assert_eq!(returns(0.0, &[-30, 250, 7]), [-30, 250, 7]);
        // Half of 0.5 and half of 0.75, half of 0.5 and half of the win.
        assert_eq!(returns(0.5, &[0, 0]), [102, 220]);
        let all_of_the_win = returns(1.0, &[0, -500]);
        assert!(all_of_the_win.iter().all(|&score| score > 2_000));
        assert!(returns(0.5, &[]).is_empty());
    }
}
