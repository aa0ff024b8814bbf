//! Lines that have the shape of a part of a block, but that no reader takes for one: a failed test
//! must not be hidden by one character from another script.

use std::sync::LazyLock;

use regex_lite::Regex;
use stats::block::find_blocks;

static SHAPES: LazyLock<[Regex; 4]> = LazyLock::new(|| {
    [
        // `2.91 (-2.25, 2.89) [0.00, 5.00]`, in whatever brackets.
        r"\d\s*[(\[<{]\s*[-+−–]?\s*\d[\d.]*\s*[,;]\s*[-+−–]?\s*\d[\d.]*\s*[)\]>}]\s*[(\[<{]\s*[-+−–]?\s*\d[\d.]*\s*[,;]\s*[-+−–]?\s*\d[\d.]*\s*[)\]>}]",
        // `N: 7482 W: 1780 L: 1645 D: 4057`, with or without the first letter.
        r"\d\s*[^\d\s:]\s*:\s*\d+\s*[^\d\s:]\s*:\s*\d+\s*[^\d\s:]\s*:\s*\d+",
        // `Penta | [28, 858, 1839, 983, 33]`, with or without the brackets.
        r"^[^|:]{1,20}[|:]\s*[(\[<{]?\s*\d+(\s*,\s*\d+){4}\s*[)\]>}]?\s*$",
        // The same counts wherever they stand, which in prose may be anything.
        r"\d+(\s*,\s*\d+){4}",
    ]
    .map(|shape| {
        Regex::new(shape).unwrap_or_else(|error| unreachable!("a built-in pattern: {error}"))
    })
});

/// How often a line has such a shape; `is_part` tells whether it is read as a part of a block. Digits
/// and spaces are those of any script.
fn shapes(line: &str, is_part: bool) -> usize {
    let plain = |c: char| match c {
        _ if c.is_numeric() => '0',
        _ if c.is_whitespace() => ' ',
        _ => c,
    };
    let line: String = line.chars().map(plain).collect();
    let [llr, games, counts_alone, counts] = &*SHAPES;
    let counts = if is_part { counts } else { counts_alone };
    let shapes = [llr, games, counts].into_iter();
    shapes.map(|shape| shape.find_iter(&line).count()).sum()
}

/// Whether a line has more such shapes than a reader takes: one may stand behind another, too.
fn is_unread(line: &str) -> bool {
    let Ok(blocks) = find_blocks(line) else {
        // That is told elsewhere.
        return false;
    };
    let read = blocks.iter().map(|block| {
        let parts = [
            block.llr.is_some(),
            block.games.is_some(),
            block.penta.is_some(),
        ];
        parts.into_iter().filter(|is_there| *is_there).count()
    });
    shapes(line, !blocks.is_empty()) > read.sum()
}

/// Why each such line of the message is rejected.
pub(super) fn reasons(message: &str) -> Vec<String> {
    message
        .lines()
        .zip(1..)
        .filter(|(line, _)| is_unread(line))
        .map(|(line, number)| {
            let line = line.trim();
            format!(
                "line {number} looks like a part of a block and cannot be read: `{line}`; what proves nothing stands behind `>`"
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_a_block_that_no_reader_takes_are_found() {
        for line in [
            "LLR: 2.95 (-2.94,2.94) <0.00,2.00>",
            "ＬＬＲ | 2.91 (-2.25, 2.89) [0.00, 5.00]",
            "L\u{200b}LR   | -2.91 (\u{2212}2.25, 2.89) [0.00, 5.00]",
            "Passed: LLR: 2.91 (-2.25, 2.89) [0.00, 5.00]",
            "LLR \u{ff5c} ٢.٩١ (-٢.٢٥, ٢.٨٩) [٠.٠٠, ٥.٠٠]",
            "Gаmes | N: 7482 W: 1780 L: 1645 D: 4057",
            "Реnta | [28, 858, 1839, 983, 33]",
            "Total: 7482 W: 1780 L: 1645 D: 4057",
            "LLR   | 2.91 (-2.25, 2.89) [0.00, 5.00] LLR | -2.91 (-2.25, 2.89) [0.00, 5.00]",
            "Elo   | 6.27 +- 4.15 (95%) LLR: -2.91 (-2.25, 2.89) [0.00, 5.00]",
            "Games | N: 7482 W: 1780 L: 1645 D: 4057 N: 7482 W: 1645 L: 1780 D: 4057",
            "Penta | [28, 858, 1839, 983, 33] [33, 983, 1839, 858, 28]",
        ] {
            assert_eq!(reasons(&format!("Gain\n\n{line}\n")).len(), 1, "{line}");
        }
    }

    #[test]
    fn prose_and_blocks_that_are_read_are_left_alone() {
        for line in [
            "LLR   | 2.91 (-2.25, 2.89) [0.00, 5.00]",
            "Games | N: 7482 W: 1780 L: 1645 D: 4057",
            "Ptnml(0-2): 28, 858, 1839, 983, 33",
            "Bounds [0.00, 5.00] and limits (-2.25, 2.89)",
            "Tried 1, 2, 3, 4, 5 as margins",
            "Depths 3, 4 and 5: 1.5 (10%), 2.5 (20%)",
            "At 12:30:05 it began",
            "Bench: 1234567",
        ] {
            assert_eq!(reasons(line), [""; 0], "{line}");
        }
    }
}
