//! Counts in sentences.

use std::fmt::Display;

/// `1 game`, `2 games`.
pub fn counted<Count>(count: Count, noun: &str) -> String
where
    Count: Copy + Display + PartialEq + From<u8>,
{
    let ending = match noun.strip_suffix('y') {
        _ if count == Count::from(1) => return format!("{count} {noun}"),
        Some(stem) => return format!("{count} {stem}ies"),
        None if noun.ends_with("ch") => "es",
        None => "s",
    };
    format!("{count} {noun}{ending}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_no_plural() {
        assert_eq!(counted(1, "search"), "1 search");
        assert_eq!(counted(0, "game"), "0 games");
        assert_eq!(counted(2_u64, "search"), "2 searches");
        assert_eq!(counted(3_usize, "ply"), "3 plies");
    }
}
