//! Scores in centipawns, and the plies to the end of the game.

/// Above all scores.
pub(crate) const INFINITY: i32 = 32_500;
/// A win now. A win in so many plies is as much less.
pub(crate) const WIN: i32 = 32_000;
/// Searches are no deeper.
pub(crate) const MAX_PLY: usize = 128;
/// Scores beyond this are of games that are decided.
pub(crate) const DECIDED: i32 = WIN - 1_000;

/// Lost in so many plies from the root.
pub(crate) fn lost_in(plies: usize) -> i32 {
    plies as i32 - WIN
}

/// Won in so many plies from the root.
pub(crate) fn won_in(plies: usize) -> i32 {
    WIN - plies as i32
}

/// As the table keeps it: plies count from the node.
pub(crate) fn to_table(score: i32, ply: usize) -> i32 {
    if score > DECIDED {
        score + ply as i32
    } else if score < -DECIDED {
        score - ply as i32
    } else {
        score
    }
}

/// From the table: plies count from the root.
pub(crate) fn from_table(score: i32, ply: usize) -> i32 {
    if score > DECIDED {
        score - ply as i32
    } else if score < -DECIDED {
        score + ply as i32
    } else {
        score
    }
}

/// As UCI writes it.
pub(crate) fn uci(score: i32) -> String {
    if score > DECIDED {
        format!("mate {}", (WIN - score + 1) / 2)
    } else if score < -DECIDED {
        format!("mate -{}", (WIN + score + 1) / 2)
    } else {
        format!("cp {score}")
    }
}
