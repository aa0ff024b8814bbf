//! Windows of a player's own moves.

/// The moves of a window of so many, such as `1-10`; those of the last one that is counted, `111+`.
pub(crate) fn name(place: usize, moves: u32, is_last: bool) -> String {
    let first = place as u64 * u64::from(moves) + 1;
    if is_last {
        format!("{first}+")
    } else {
        format!("{first}-{}", first + u64::from(moves) - 1)
    }
}
