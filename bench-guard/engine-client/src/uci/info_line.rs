//! An `info` line of UCI, judged without being read: which line counts, and where its moves stand.

use std::sync::LazyLock;

use memchr::memmem::Finder;

use crate::ScoreQuality;

/// Judges a line of UCI without reading it whole: this is done for every line of an engine.
pub(super) fn score_quality(line: &[u8]) -> ScoreQuality {
    static SCORE: LazyLock<Finder> = LazyLock::new(|| Finder::new(b" score "));
    static RANK: LazyLock<Finder> = LazyLock::new(|| Finder::new(b" multipv "));
    static STRING: LazyLock<Finder> = LazyLock::new(|| Finder::new(b" string "));
    if !line.starts_with(b"info ") {
        return ScoreQuality::Missing;
    }
    // A remark, which may hold any word, is the last field.
    let line = &line[..STRING.find(line).unwrap_or(line.len())];
    let Some(score) = SCORE.find(line) else {
        return ScoreQuality::Missing;
    };
    // Kind, value, possibly the chances to win, draw and lose, and the word that makes it a bound.
    let mut after_number = line[score + b" score ".len()..]
        .split(|&byte| byte == b' ')
        .skip(2);
    let word = match after_number.next() {
        Some(b"wdl") => after_number.nth(3),
        word => word,
    };
    let is_bound = matches!(word, Some(b"lowerbound" | b"upperbound"));
    let is_other_move = RANK.find(line).is_some_and(|rank| {
        let after = &line[rank + b" multipv ".len()..];
        after.split(|&byte| byte == b' ').next() != Some(b"1")
    });
    if is_bound || is_other_move {
        ScoreQuality::Secondary
    } else {
        ScoreQuality::Exact
    }
}

/// The moves after `pv`, up to the next field.
pub(super) fn line_of(line: &[u8]) -> Option<&[u8]> {
    static PV: LazyLock<Finder> = LazyLock::new(|| Finder::new(b" pv "));
    let place = PV.find(line)?;
    let moves = &line[place + b" pv ".len()..];
    let mut end = 0;
    for word in moves.split(|&byte| byte == b' ') {
        if FIELDS.contains(&word) {
            break;
        }
        end += word.len() + 1;
    }
    Some(moves[..end.min(moves.len())].trim_ascii())
}

/// What ends a line of moves.
const FIELDS: [&[u8]; 17] = [
    b"depth",
    b"seldepth",
    b"time",
    b"nodes",
    b"multipv",
    b"score",
    b"wdl",
    b"currmove",
    b"currmovenumber",
    b"hashfull",
    b"nps",
    b"tbhits",
    b"sbhits",
    b"cpuload",
    b"string",
    b"refutation",
    b"currline",
];

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn bounds_second_lines_and_strings_are_distinguished() {
        for (line, expected) in [
            (
                "info depth 3 score cp 5 lowerbound nodes 3",
                ScoreQuality::Secondary,
            ),
            (
                "info depth 3 score cp 5 upperbound",
                ScoreQuality::Secondary,
            ),
            (
                "info depth 3 score cp -900 wdl 1 9 990 upperbound nodes 3",
                ScoreQuality::Secondary,
            ),
            (
                "info depth 3 score cp -900 wdl 1 9 990 nodes 3",
                ScoreQuality::Exact,
            ),
            (
                "info depth 3 multipv 2 score cp 5 nodes 3",
                ScoreQuality::Secondary,
            ),
            (
                "info depth 3 multipv 12 score cp 5 nodes 3",
                ScoreQuality::Secondary,
            ),
            (
                "info depth 3 multipv 1 score cp 5 nodes 3",
                ScoreQuality::Exact,
            ),
            (
                "info depth 9 score cp -900 multipv 2 pv a2a3",
                ScoreQuality::Secondary,
            ),
            (
                "info depth 9 score cp -900 pv a2a3 multipv 2",
                ScoreQuality::Secondary,
            ),
            ("info depth 9 score cp 5 multipv 1", ScoreQuality::Exact),
            (
                "info depth 9 score cp 5 string with multipv 2 it is less",
                ScoreQuality::Exact,
            ),
            ("info depth 9 string a score of 5", ScoreQuality::Missing),
            ("info score mate -3", ScoreQuality::Exact),
            ("info string a score of 5", ScoreQuality::Missing),
            ("info depth 3 currmove e2e4", ScoreQuality::Missing),
            ("bestmove e2e4 score ", ScoreQuality::Missing),
        ] {
            assert_eq!(score_quality(line.as_bytes()), expected, "{line}");
        }
    }

    #[test]
    fn the_moves_of_a_line_stand_after_pv() {
        for line in [
            "info depth 12 multipv 1 score cp -31 nodes 48213 pv e2e4  e7e5",
            "info depth 12 pv e2e4  e7e5 score cp -31 nodes 48213",
            "info depth 12 score cp -31 pv e2e4  e7e5 string e2e4",
        ] {
            assert_eq!(score_quality(line.as_bytes()), ScoreQuality::Exact);
            assert_eq!(line_of(line.as_bytes()), Some(&b"e2e4  e7e5"[..]), "{line}");
        }
        assert_eq!(line_of(b"info depth 1 pv score cp 1"), Some(&b""[..]));
        assert_eq!(line_of(b"info depth 1 score cp 1"), None);
    }

    proptest! {
        #[test]
        fn no_line_panics(line in proptest::collection::vec(any::<u8>(), 0..60)) {
            let _ = (score_quality(&line), line_of(&line));
        }
    }
}
