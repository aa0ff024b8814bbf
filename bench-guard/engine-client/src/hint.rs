//! What is likely to be wrong with a line or a move that was not understood, and what to do about
//! it; shared by matches and the checks of an engine.
//!
//! Lines are passed as the bytes that were read, because most of these mistakes are in characters
//! that a terminal does not show.

use std::fmt::Write as _;

use crate::cut;

/// The most letters of a line that are shown.
const LONGEST: usize = 120;
/// How similar a word must be to the expected one to count as a misspelling.
const ALIKE: f64 = 0.85;

/// A line as it was read; letters that are not plain ASCII are escaped.
pub fn escaped(line: &[u8]) -> String {
    let mut text = String::new();
    for chunk in line.utf8_chunks() {
        for letter in chunk.valid().chars() {
            match letter {
                ' '..='~' => text.push(letter),
                _ => text.extend(letter.escape_default()),
            }
        }
        for byte in chunk.invalid() {
            // Writing to a `String` cannot fail.
            let _ = write!(text, "\\x{byte:02x}");
        }
    }
    cut(&text, LONGEST)
}

/// Describes a line that was printed instead of `expected`, with the likely cause if there is one.
/// `is_whole` tells whether it had a line end.
pub fn last_line(line: &[u8], is_whole: bool, expected: &str) -> String {
    let shown = escaped(line);
    match of_line(line, is_whole, expected) {
        Some(cause) => format!("its last line was `{shown}`: {cause}"),
        None => format!("its last line was `{shown}`"),
    }
}

/// Why a line was not taken for the answer that begins with `expected`.
pub fn of_line(line: &[u8], is_whole: bool, expected: &str) -> Option<String> {
    let nulls = memchr::memchr_iter(0, line).count();
    let alternates = nulls * 3 > line.len() && !line.windows(2).any(|two| two == [0, 0]);
    if line.starts_with(b"\xff\xfe") || line.starts_with(b"\xfe\xff") || alternates {
        return Some("this is UTF-16; print plain ASCII".to_owned());
    }
    if line.starts_with("\u{feff}".as_bytes()) {
        return Some("it begins with a byte order mark; print plain ASCII".to_owned());
    }
    if nulls > 0 {
        return Some("it holds a NUL byte; print the text without what follows it".to_owned());
    }
    let text = String::from_utf8_lossy(line);
    if text.trim_end_matches('\r').contains('\r') {
        return Some("it has carriage returns in it; end every line with a line feed".to_owned());
    }
    let text = text.trim();
    let first = text.split_whitespace().next()?;
    if let Some(letter) = first.chars().find(|letter| !letter.is_ascii()) {
        let shown = letter.escape_unicode();
        return Some(format!(
            "`{shown}` is not an ASCII letter; expected `{expected}`"
        ));
    }
    let word = first.trim_end_matches(|letter: char| !letter.is_ascii_alphanumeric());
    if word == expected && !is_whole {
        return Some("it has no line end; print a line feed and flush".to_owned());
    }
    if word != expected && word.eq_ignore_ascii_case(expected) {
        return Some(format!("UCI is in lower case; expected `{expected}`"));
    }
    if text.starts_with(expected) {
        return Some(match expected {
            "bestmove" => "expected `bestmove`, a blank and the move".to_owned(),
            _ => format!("expected `{expected}` alone on its line"),
        });
    }
    if (expected, first) == ("bestmove", "move") {
        return Some("this is how xboard engines answer; expected `bestmove`".to_owned());
    }
    (strsim::jaro_winkler(&word.to_lowercase(), expected) > ALIKE)
        .then(|| format!("expected `{expected}`"))
}

/// How castling is written as a move of the king, and as the king taking its own rook.
const CASTLING: [(&str, &str); 4] = [
    ("e1g1", "e1h1"),
    ("e1c1", "e1a1"),
    ("e8g8", "e8h8"),
    ("e8c8", "e8a8"),
];

/// Why a word is not a legal move in a position that has legal moves.
pub fn of_move(word: &str, is_legal: impl Fn(&str) -> bool) -> Option<String> {
    if matches!(word, "" | "(none)" | "0000" | "none" | "null" | "NULL") {
        return Some("it has legal moves, but the engine takes the game for over".to_owned());
    }
    for (of_king, takes_rook) in CASTLING {
        if word == takes_rook && is_legal(of_king) {
            return Some(format!(
                "castling is written `{of_king}`; as king takes rook only with UCI_Chess960"
            ));
        }
        if word == of_king && is_legal(takes_rook) {
            return Some(format!(
                "with UCI_Chess960, castling is written `{takes_rook}`"
            ));
        }
    }
    let lower = word.to_lowercase();
    if lower != word && is_legal(&lower) {
        return Some(format!("moves are written in lower case, `{lower}`"));
    }
    let with_queen = format!("{lower}q");
    if is_legal(&with_queen) {
        return Some(format!(
            "the piece of the promotion is missing, as in `{with_queen}`"
        ));
    }
    let plain: String = lower.chars().filter(char::is_ascii_alphanumeric).collect();
    if plain != lower && is_legal(&plain) {
        return Some(format!("moves are written without signs, `{plain}`"));
    }
    let is_algebraic = word.starts_with(['N', 'B', 'R', 'Q', 'K', 'O'])
        || (2..4).contains(&word.len()) && word.starts_with(|letter| matches!(letter, 'a'..='h'));
    is_algebraic.then(|| "this is algebraic notation; UCI writes from square to square".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_line_that_was_misread_is_shown_with_its_cause() {
        let utf_16: Vec<u8> = "bestmove"
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        for (line, expected, shown, cause) in [
            (
                &b"bestmove: e2e4"[..],
                "bestmove",
                "`bestmove: e2e4`",
                "a blank and the move",
            ),
            (
                b"bestmovee2e4",
                "bestmove",
                "`bestmovee2e4`",
                "a blank and the move",
            ),
            (
                b"BESTMOVE e2e4",
                "bestmove",
                "`BESTMOVE e2e4`",
                "lower case",
            ),
            (
                b"best-move e2e4",
                "bestmove",
                "`best-move e2e4`",
                "expected `bestmove`",
            ),
            (b"move e2e4", "bestmove", "`move e2e4`", "xboard"),
            (&utf_16, "bestmove", "`b\\u{0}e", "UTF-16"),
            (b"\xff\xfeb\0", "bestmove", "`\\xff\\xfeb", "UTF-16"),
            (
                b"\xef\xbb\xbfuciok",
                "uciok",
                "`\\u{feff}uciok`",
                "byte order mark",
            ),
            (
                b"uciok and more",
                "uciok",
                "`uciok and more`",
                "alone on its line",
            ),
            (b"UCIOK", "uciok", "`UCIOK`", "lower case"),
            (b"readyok\0", "readyok", "`readyok\\u{0}`", "NUL"),
            (
                "b\u{435}stmove e2e4".as_bytes(),
                "bestmove",
                "`b\\u{435}stmove",
                "not an ASCII letter",
            ),
            (
                b"info depth 1\rbestmove e2e4\r",
                "bestmove",
                "`info depth 1\\rbest",
                "carriage",
            ),
        ] {
            let hint = last_line(line, true, expected);
            assert!(hint.contains(shown) && hint.contains(cause), "{hint}");
        }
        let hint = last_line(b"bestmove e2e4", false, "bestmove");
        assert!(hint.contains("no line end"), "{hint}");
    }

    #[test]
    fn a_line_that_is_none_of_these_has_no_cause() {
        for line in [&b"info depth 1 score cp 3"[..], b"", b"readyok", b"   "] {
            assert_eq!(of_line(line, true, "bestmove"), None, "{line:?}");
        }
    }

    #[test]
    fn a_move_that_is_none_is_explained_by_the_legal_one() {
        let is_legal = |word: &str| ["e1g1", "e8a8", "a7a8q", "e2e4"].contains(&word);
        for (word, cause) in [
            ("e1h1", "castling is written `e1g1`"),
            ("e8c8", "castling is written `e8a8`"),
            ("a7a8", "`a7a8q`"),
            ("a7a8Q", "lower case, `a7a8q`"),
            ("E2E4", "lower case, `e2e4`"),
            ("e2-e4", "without signs, `e2e4`"),
            ("a7a8=Q", "without signs, `a7a8q`"),
            ("O-O", "algebraic"),
            ("Nf3", "algebraic"),
            ("e4", "algebraic"),
            ("(none)", "takes the game for over"),
        ] {
            let hint = of_move(word, is_legal).expect(word);
            assert!(hint.contains(cause), "{word}: {hint}");
        }
        assert_eq!(of_move("a1a1", is_legal), None);
    }

    proptest! {
        #[test]
        fn no_line_panics(line in prop::collection::vec(any::<u8>(), 0..300), whole in any::<bool>()) {
            let hint = last_line(&line, whole, "bestmove");
            prop_assert!(hint.bytes().all(|byte| byte.is_ascii_graphic() || byte == b' ') || hint.contains('…'));
            let _ = of_move(&String::from_utf8_lossy(&line), |_| false);
        }
    }
}
