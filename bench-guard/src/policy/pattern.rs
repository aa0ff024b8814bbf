//! Patterns for paths and names: `*` any run of characters but `/`, `**` any run, `?` one character but `/`.
//!
//! `**/x` matches `x` at any depth, the top included. In names, which have no `/`, `*` and `**` are the same.

/// Whether the whole of `text` matches.
pub fn matches(pattern: &str, text: &str) -> bool {
    matches_bytes(pattern.as_bytes(), text.as_bytes())
}

/// Backtracking is bounded by what a person writes into a settings file; each star tries every end once, so the time is
/// at most the product of the lengths for each star.
fn matches_bytes(pattern: &[u8], text: &[u8]) -> bool {
    match pattern {
        [] => text.is_empty(),
        [b'*', b'*', b'/', rest @ ..] => {
            matches_bytes(rest, text)
                || (0..text.len())
                    .any(|at| text[at] == b'/' && matches_bytes(rest, &text[at + 1..]))
        }
        [b'*', b'*', rest @ ..] => (0..=text.len()).any(|at| matches_bytes(rest, &text[at..])),
        [b'*', rest @ ..] => {
            let end = text.iter().position(|b| *b == b'/').unwrap_or(text.len());
            (0..=end).any(|at| matches_bytes(rest, &text[at..]))
        }
        [b'?', rest @ ..] => text
            .split_first()
            .is_some_and(|(b, text)| *b != b'/' && matches_bytes(rest, text)),
        [wanted, rest @ ..] => text
            .split_first()
            .is_some_and(|(b, text)| b == wanted && matches_bytes(rest, text)),
    }
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn stars_stop_at_slashes_unless_doubled() {
        for (pattern, text, expected) in [
            ("**", "src/search.rs", true),
            ("*.md", "README.md", true),
            ("*.md", "docs/a.md", false),
            ("**/*.md", "README.md", true),
            ("**/*.md", "docs/deep/a.md", true),
            ("src/**", "src/a/b.c", true),
            ("src/**", "srcs/a", false),
            ("src/*.c", "src/a/b.c", false),
            ("**/.git*", ".gitignore", true),
            ("*[bot]*", "dependabot[bot] <a@b>", true),
            ("a?c", "abc", true),
            ("a?c", "a/c", false),
            ("", "", true),
            ("", "a", false),
        ] {
            assert_eq!(matches(pattern, text), expected, "{pattern} on {text}");
        }
    }
}
