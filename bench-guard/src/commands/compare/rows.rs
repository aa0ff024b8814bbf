//! Nodes of two engines for the same positions at the same depth, side by side. Pure.

/// One position.
#[derive(Debug, Clone, PartialEq, serde::Serialize, schemars::JsonSchema)]
pub(crate) struct Row {
    pub(crate) fen: String,
    pub(crate) a: u64,
    pub(crate) b: u64,
    /// b / a; null where a counted none.
    pub(crate) ratio: Option<f64>,
}

impl Row {
    pub(crate) fn new(fen: &str, a: u64, b: u64) -> Self {
        let ratio = (a > 0).then(|| b as f64 / a as f64);
        Self {
            fen: fen.to_owned(),
            a,
            b,
            ratio,
        }
    }

    /// How far from equal, however it leans: |ln(b / a)|, with one node added to each so that none
    /// is no trouble.
    fn distance(&self) -> f64 {
        ((self.b as f64 + 1.0) / (self.a as f64 + 1.0)).ln().abs()
    }
}

/// Puts the largest differences first; equal ones stay in the order of the positions.
pub(crate) fn sort(rows: &mut [Row]) {
    rows.sort_by(|x, y| y.distance().total_cmp(&x.distance()));
}

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
    fn the_largest_difference_comes_first_whichever_way_it_leans() {
        let mut rows = [
            Row::new("x", 100, 110),
            Row::new("y", 100, 20),
            Row::new("z", 0, 0),
        ];
        sort(&mut rows);
        assert_eq!(rows.each_ref().map(|row| row.fen.as_str()), ["y", "x", "z"]);
        assert_eq!(rows[2].ratio, None);
    }

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
