//! What an engine thinks of a position.

use std::fmt;

/// A score from the mover's point of view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// Centipawns.
    Cp(i32),
    /// Moves to mate; negative: the mover is mated.
    Mate(i32),
}

impl Score {
    /// Whether the mover thinks that it loses by this many centipawns or more.
    pub fn is_lost(self, centipawns: i32) -> bool {
        match self {
            Self::Cp(score) => i64::from(score) <= -i64::from(centipawns),
            // `mate 0` is said by the side that has been mated.
            Self::Mate(moves) => moves <= 0,
        }
    }

    /// Whether the mover thinks that it wins by this many centipawns or more.
    pub fn is_won(self, centipawns: i32) -> bool {
        match self {
            Self::Cp(score) => score >= centipawns,
            Self::Mate(moves) => moves > 0,
        }
    }

    /// Whether the mover thinks that neither side is ahead by more than this many centipawns.
    pub fn is_level(self, centipawns: i32) -> bool {
        matches!(self, Self::Cp(score) if score.unsigned_abs() <= centipawns.unsigned_abs())
    }
}

/// As match runners write it in PGN: pawns with two decimals, or the plies to mate (`+M11`, `-M10`).
impl fmt::Display for Score {
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
            (Score::Cp(130), "+1.30"),
            (Score::Cp(-23), "-0.23"),
            (Score::Cp(0), "0.00"),
            (Score::Cp(i32::MIN), "-21474836.48"),
            (Score::Mate(6), "+M11"),
            (Score::Mate(1), "+M1"),
            (Score::Mate(-5), "-M10"),
            (Score::Mate(0), "-M0"),
            (Score::Mate(i32::MIN), "-M4294967296"),
        ] {
            assert_eq!(score.to_string(), text);
        }
    }

    #[test]
    fn limits_belong_to_what_they_limit() {
        assert!(Score::Cp(-400).is_lost(400) && !Score::Cp(-399).is_lost(400));
        assert!(Score::Cp(400).is_won(400) && !Score::Cp(399).is_won(400));
        assert!(Score::Cp(-10).is_level(10) && !Score::Cp(11).is_level(10));
        assert!(Score::Mate(-1).is_lost(400) && Score::Mate(0).is_lost(400));
        assert!(Score::Mate(1).is_won(400) && !Score::Mate(1).is_level(i32::MAX));
    }
}
