//! What a score is worth as a chance to win: lichess's fit to human games,
//! Win% = 50 + 50 (2 / (1 + e^(-0.00368208 cp)) - 1).

use engine_client::EngineScore;

/// Centipawns to the exponent of the logistic function.
const SLOPE: f64 = 0.003_682_08;

/// In percent, from the view of the side that the score is for.
pub(crate) fn win_percent(score: EngineScore) -> f64 {
    match score {
        EngineScore::Cp(centipawns) => 100.0 / (1.0 + (-SLOPE * f64::from(centipawns)).exp()),
        EngineScore::Mate(moves) if moves > 0 => 100.0,
        EngineScore::Mate(_) => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_worth_what_lichess_says() {
        let near = |score, percent: f64| (win_percent(score) - percent).abs() < 0.05;
        assert!(near(EngineScore::Cp(0), 50.0) && near(EngineScore::Cp(100), 59.1));
        assert!(near(EngineScore::Cp(-300), 24.9) && near(EngineScore::Cp(1000), 97.5));
        assert!(near(EngineScore::Mate(3), 100.0) && near(EngineScore::Mate(0), 0.0));
    }
}
