//! The positions that are searched.

/// The positions of a file: the first four to six fields of each line that has any; comments begin
/// with `#`.
pub(crate) fn positions(text: &str) -> Result<Vec<String>, String> {
    let lines = text.lines().map(str::trim).enumerate();
    lines
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        .map(|(index, line)| {
            position(line).ok_or_else(|| format!("line {} is not a position: `{line}`", index + 1))
        })
        .collect()
}

/// A FEN of six fields; EPD, which has four and then operations, gets clocks of 0 and 1.
fn position(line: &str) -> Option<String> {
    let fields: Vec<&str> = line.split_whitespace().collect();
    let [board, side, castling, en_passant, rest @ ..] = fields.as_slice() else {
        return None;
    };
    let whole = board.matches('/').count() == 7 && matches!(*side, "w" | "b");
    let clock = |index: usize| -> Option<u32> { rest.get(index)?.parse().ok() };
    let (half, full) = match (clock(0), clock(1)) {
        (Some(half), Some(full)) => (half, full),
        _ => (0, 1),
    };
    whole.then(|| format!("{board} {side} {castling} {en_passant} {half} {full}"))
}

/// The built-in positions: opening, middle game and endgame.
pub(crate) const POSITIONS: &str = include_str!("../../../data/positions.epd");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn built_in_positions_are_whole() {
        let positions = positions(POSITIONS).expect("valid");
        assert!(positions.len() >= 20);
        assert!(positions.iter().all(|fen| fen.split(' ').count() == 6));
    }

    #[test]
    fn epd_is_filled_up_and_broken_lines_are_named() {
        let epd = "8/8/8/8/8/8/8/Kk6 w - - bm a1a2; id \"x\";";
        assert_eq!(
            positions(epd),
            Ok(vec!["8/8/8/8/8/8/8/Kk6 w - - 0 1".to_owned()])
        );
        assert!(
            positions("# comment\n\nrubbish")
                .expect_err("refused")
                .contains("line 3")
        );
    }
}
