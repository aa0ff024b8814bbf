//! Windows of a player's own moves.

/// Windows of so many moves, each with their names, such as `1-10`; the last of the `most` that are
/// counted holds all later moves, `111+`.
pub(crate) fn named<T>(
    windows: &[T],
    moves: u32,
    most: usize,
) -> impl Iterator<Item = (String, &T)> {
    (0..).zip(windows).map(move |(place, window)| {
        let first = place * u64::from(moves) + 1;
        let name = if place + 1 == most as u64 {
            format!("{first}+")
        } else {
            format!("{first}-{}", first + u64::from(moves) - 1)
        };
        (name, window)
    })
}
