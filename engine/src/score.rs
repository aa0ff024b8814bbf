//! Scores: centipawns for the side to move, with mates at the ends of the scale.

pub type Score = i32;

/// Longest line that can be searched, in plies.
pub(crate) const MAX_PLY: usize = 128;
pub const DRAW: Score = 0;
pub const MATE: Score = 32_000;
/// Above every score that can occur.
pub(crate) const INFINITE: Score = 32_001;
/// Marks a missing score.
pub(crate) const NONE: Score = 32_002;
/// Plies to the furthest mate or table position: a score in the table may be as far from its node as the line is
/// long, and so may the node be from the root.
const FURTHEST: Score = 2 * MAX_PLY as Score;
/// Smallest score that means a forced mate.
const LONGEST_MATE: Score = MATE - FURTHEST;

/// A position that is won by the tables, less the plies to it. Evaluations are smaller.
const TABLE_WIN: Score = 30_000;
const SMALLEST_TABLE_WIN: Score = TABLE_WIN - FURTHEST;

/// The score of a result in the tables: 1, 0 or -1.
pub(crate) const fn of_table_result(result: i32, ply: usize) -> Score {
    result * (TABLE_WIN - ply as Score)
}

pub const fn mate_in(plies: usize) -> Score {
    MATE - plies as Score
}

pub(crate) const fn mated_in(plies: usize) -> Score {
    plies as Score - MATE
}

/// A forced mate for either side.
pub const fn is_mate(score: Score) -> bool {
    score >= LONGEST_MATE || score <= -LONGEST_MATE
}

/// The side to move loses by a forced mate or by the tables.
pub(crate) const fn is_lost(score: Score) -> bool {
    score <= -SMALLEST_TABLE_WIN
}

/// The side to move wins by a forced mate or by the tables.
pub const fn is_won(score: Score) -> bool {
    score >= SMALLEST_TABLE_WIN
}

/// A mate or a result of the tables, not an evaluation: margins of centipawns do not apply to it.
pub(crate) const fn is_decisive(score: Score) -> bool {
    is_won(score) || is_lost(score)
}

/// Clamps an evaluation to the range outside the scores of mates and tables.
pub(crate) fn clamp_eval(eval: i32) -> Score {
    eval.clamp(1 - SMALLEST_TABLE_WIN, SMALLEST_TABLE_WIN - 1)
}

/// Converts scores of mates and tables from plies-to-root (search) to plies-to-node (table).
pub(crate) fn to_table(score: Score, ply: usize) -> Score {
    if score >= SMALLEST_TABLE_WIN {
        score + ply as Score
    } else if score <= -SMALLEST_TABLE_WIN {
        score - ply as Score
    } else {
        score
    }
}

pub(crate) fn from_table(score: Score, ply: usize) -> Score {
    if score >= SMALLEST_TABLE_WIN {
        score - ply as Score
    } else if score <= -SMALLEST_TABLE_WIN {
        score + ply as Score
    } else {
        score
    }
}

/// `cp 12` or `mate -3`, as UCI prints it.
pub fn uci(score: Score) -> String {
    if !is_mate(score) {
        format!("cp {score}")
    } else if score > 0 {
        format!("mate {}", (MATE - score + 1) / 2)
    } else {
        format!("mate {}", -(MATE + score) / 2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_printed_in_moves() {
        assert_eq!(uci(mate_in(1)), "mate 1");
        assert_eq!(uci(mate_in(3)), "mate 2");
        assert_eq!(uci(mated_in(2)), "mate -1");
        assert_eq!(uci(mated_in(4)), "mate -2");
        assert_eq!(uci(mated_in(0)), "mate 0");
        assert_eq!(uci(-12), "cp -12");
    }

    #[test]
    fn evaluations_never_look_like_mates() {
        assert!(!is_decisive(clamp_eval(1_000_000)));
        assert!(!is_decisive(clamp_eval(-1_000_000)));
        assert!(clamp_eval(1_000_000) < of_table_result(1, MAX_PLY));
        assert!(!is_mate(of_table_result(1, 0)) && of_table_result(-1, 3) == 3 - TABLE_WIN);
    }

    #[test]
    fn decisive_scores_are_so_at_any_distance_from_the_root() {
        let furthest = [mate_in(MAX_PLY), of_table_result(1, MAX_PLY)];
        for score in furthest.into_iter().flat_map(|score| [score, -score]) {
            for (stored, read) in [(0, MAX_PLY), (MAX_PLY, 0), (MAX_PLY, MAX_PLY)] {
                let moved = from_table(to_table(score, stored), read);
                assert_eq!(is_won(moved), score > 0, "{moved}");
                assert_eq!(is_lost(moved), score < 0, "{moved}");
                assert_eq!(is_mate(moved), is_mate(score), "{moved}");
                assert_eq!(to_table(moved, read), to_table(score, stored));
            }
        }
        assert_eq!(uci(mate_in(2 * MAX_PLY)), "mate 128");
    }

    #[test]
    fn results_of_the_tables_are_decisive_at_any_ply() {
        for ply in 0..=MAX_PLY {
            assert!(is_won(of_table_result(1, ply)) && is_lost(of_table_result(-1, ply)));
        }
        assert!(!is_decisive(of_table_result(0, 4)));
    }
}
