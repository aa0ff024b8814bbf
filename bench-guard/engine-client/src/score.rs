//! What an engine thinks of a position.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A score from the mover's point of view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EngineScore {
    /// Centipawns.
    Cp(i32),
    /// Moves to mate; negative: the mover is mated.
    Mate(i32),
}

impl EngineScore {
    /// Whether the mover expects to lose by this many centipawns or more.
    pub fn is_lost(self, centipawns: i32) -> bool {
        match self {
            Self::Cp(score) => i64::from(score) <= -i64::from(centipawns),
            // `mate 0` means that the mover has been mated.
            Self::Mate(moves) => moves <= 0,
        }
    }

    /// Whether the mover expects to win by this many centipawns or more.
    pub fn is_won(self, centipawns: i32) -> bool {
        match self {
            Self::Cp(score) => score >= centipawns,
            Self::Mate(moves) => moves > 0,
        }
    }

    /// Whether neither side is ahead by more than this many centipawns.
    pub fn is_level(self, centipawns: i32) -> bool {
        matches!(self, Self::Cp(score) if score.unsigned_abs() <= centipawns.unsigned_abs())
    }
}

/// As match runners write it in PGN: pawns with two decimals, or the plies to mate (`+M11`,
/// `-M10`).
impl fmt::Display for EngineScore {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Cp(0) => formatter.write_str("0.00"),
            Self::Cp(score) => {
                let sign = if score < 0 { '-' } else { '+' };
                let size = score.unsigned_abs();
                write!(formatter, "{sign}{}.{:02}", size / 100, size % 100)
            }
            Self::Mate(moves) if moves > 0 => write!(formatter, "+M{}", 2 * i64::from(moves) - 1),
            Self::Mate(moves) => write!(formatter, "-M{}", -2 * i64::from(moves)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_written_as_match_runners_write_them() {
        for (score, text) in [
            (EngineScore::Cp(130), "+1.30"),
            (EngineScore::Cp(-23), "-0.23"),
            (EngineScore::Cp(0), "0.00"),
            (EngineScore::Cp(i32::MIN), "-21474836.48"),
            (EngineScore::Mate(6), "+M11"),
            (EngineScore::Mate(1), "+M1"),
            (EngineScore::Mate(-5), "-M10"),
            (EngineScore::Mate(0), "-M0"),
            (EngineScore::Mate(i32::MIN), "-M4294967296"),
        ] {
            assert_eq!(score.to_string(), text);
        }
    }

    #[test]
    fn limits_belong_to_what_they_limit() {
        assert!(EngineScore::Cp(-400).is_lost(400) && !EngineScore::Cp(-399).is_lost(400));
        assert!(EngineScore::Cp(400).is_won(400) && !EngineScore::Cp(399).is_won(400));
        assert!(EngineScore::Cp(-10).is_level(10) && !EngineScore::Cp(11).is_level(10));
        assert!(EngineScore::Mate(-1).is_lost(400) && EngineScore::Mate(0).is_lost(400));
        assert!(EngineScore::Mate(1).is_won(400) && !EngineScore::Mate(1).is_level(i32::MAX));
    }
}
