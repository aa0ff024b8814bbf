//! Source without what only looks like code: comments, and the content of literals.

/// The same text, byte for byte as long, with blanks for comments and for the content of literals. A
/// word between double quotes stays, since it may be the name of a parameter.
pub(super) fn blanked(name: &str, text: &str) -> String {
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    let mut code = String::with_capacity(text.len());
    while code.len() < text.len() {
        let rest = &text[code.len()..];
        match skipped(rest, ending, code.chars().next_back()) {
            Some((length, true)) => code.push_str(&rest[..length]),
            Some((length, false)) => code.extend(rest.bytes().take(length).map(blank)),
            None => code.extend(rest.chars().next()),
        }
    }
    code
}

/// Quotes stay, so that a literal is not taken for nothing.
fn blank(byte: u8) -> char {
    match byte {
        b'\n' | b'"' => byte.into(),
        _ => ' ',
    }
}

/// The length of the comment or literal that a text begins with, after this letter, and whether it
/// stays.
fn skipped(rest: &str, ending: &str, before: Option<char>) -> Option<(usize, bool)> {
    let until = |from: usize, end: &str| {
        let found = rest.get(from..).and_then(|inner| inner.find(end));
        found.map_or(rest.len(), |at| from + at + end.len())
    };
    let is_script = ["py", "nim"].contains(&ending);
    if is_script && rest.starts_with('#') || !is_script && rest.starts_with("//") {
        return Some((rest.find('\n').unwrap_or(rest.len()), false));
    }
    if rest.starts_with("/*") {
        return Some((until(2, "*/"), false));
    }
    for fence in ["\"\"\"", "'''"] {
        if rest.starts_with(fence) {
            return Some((until(3, fence), false));
        }
    }
    let is_in_word = before.is_some_and(super::syntax::is_of_word);
    if let Some((length, end)) = raw(rest).filter(|_| !is_in_word) {
        return Some((until(length, &end), false));
    }
    if rest.starts_with('`') {
        return Some((until(1, "`"), false));
    }
    if rest.starts_with('"') {
        let length = quoted(rest, '"');
        let inner = rest[1..length].strip_suffix('"').unwrap_or_default();
        let is_word = !inner.is_empty() && inner.chars().all(super::syntax::is_of_word);
        return Some((length, is_word));
    }
    // Neither a separator of digits nor a lifetime.
    let is_digit = before.is_some_and(|letter| letter.is_ascii_digit());
    let mut letters = rest.strip_prefix('\'').filter(|_| !is_digit)?.chars();
    let is_literal = ["py", "js"].contains(&ending)
        || letters.next() == Some('\\')
        || letters.next() == Some('\'');
    is_literal.then(|| (quoted(rest, '\''), false))
}

/// The length of what opens the raw literal that a text begins with, and what closes it.
fn raw(rest: &str) -> Option<(usize, String)> {
    if let Some(inner) = rest.strip_prefix("R\"") {
        let fence = &inner[..inner.find('(')?];
        return Some((fence.len() + 3, format!("){fence}\"")));
    }
    let inner = rest.strip_prefix('r')?;
    let fence = &inner[..inner.find(|letter| letter != '#')?];
    inner[fence.len()..]
        .starts_with('"')
        .then(|| (fence.len() + 2, format!("\"{fence}")))
}

/// The length of the literal that a text begins with, up to the quote that no backslash escapes.
fn quoted(rest: &str, quote: char) -> usize {
    let mut is_escaped = false;
    let end = rest[1..].find(|letter| {
        let is_end = letter == quote && !is_escaped;
        is_escaped = letter == '\\' && !is_escaped;
        is_end
    });
    end.map_or(rest.len(), |end| 1 + end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_literals_are_blank_and_names_stay() {
        for (name, text, expected) in [
            ("a.c", "a /* b */ c // d\ne", "a         c     \ne"),
            (
                "a.c",
                r#"f("Margin", "a \" b")"#,
                r#"f("Margin", "   "  ")"#,
            ),
            ("a.cpp", "R\"x(a = 1)x\" b", " \"         \" b"),
            ("a.rs", "r#\"a\"# b", "  \" \"  b"),
            (
                "a.rs",
                "f(&'a x, '\"', '\\'', b'y')",
                "f(&'a x,  \" ,     , b   )",
            ),
            ("a.cpp", "1'000'000", "1'000'000"),
            (
                "a.py",
                "a = 1 # b\n\'\'\'c\'\'\'\n'd e'",
                "a = 1    \n       \n     ",
            ),
            ("a.go", "`a = 1`", "       "),
        ] {
            let code = blanked(name, text);
            assert_eq!(code, expected, "{text}");
        }
    }
}
