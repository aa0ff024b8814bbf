//! Scores in centipawns, and the plies to the end of the game.

/// Greater than every score.
pub(crate) const INFINITY: i32 = 32_500;
/// A win at once; a win in `n` plies is `n` less.
pub(crate) const WIN: i32 = 32_000;
/// The deepest ply of a search.
pub(crate) const MAX_PLY: usize = 128;
/// Scores beyond this are wins or losses in a known number of plies.
pub(crate) const DECIDED: i32 = WIN - 1_000;

/// The score of a loss, by plies from the root.
pub(crate) fn lost_in(plies: usize) -> i32 {
    plies as i32 - WIN
}

/// The score of a win, by plies from the root.
pub(crate) fn won_in(plies: usize) -> i32 {
    WIN - plies as i32
}

/// A score as the table stores it, with plies counted from the node.
pub(crate) fn to_table(score: i32, ply: usize) -> i32 {
    if score > DECIDED {
        score + ply as i32
    } else if score < -DECIDED {
        score - ply as i32
    } else {
        score
    }
}

/// A score from the table, with plies counted from the root.
pub(crate) fn from_table(score: i32, ply: usize) -> i32 {
    if score > DECIDED {
        score - ply as i32
    } else if score < -DECIDED {
        score + ply as i32
    } else {
        score
    }
}

/// The score in UCI's notation.
pub(crate) fn uci(score: i32) -> String {
    if score > DECIDED {
        format!("mate {}", (WIN - score + 1) / 2)
    } else if score < -DECIDED {
        format!("mate -{}", (WIN + score + 1) / 2)
    } else {
        format!("cp {score}")
    }
}
