//! What the languages that `apply` writes have in common: letters of words, operators, numbers,
//! expressions, and what is no type.

use super::wanted::SWITCH;

/// Words that may stand before a name without being its type.
pub(super) const NO_TYPES: [&str; 7] = ["return", "else", "case", "goto", "in", "if", "while"];

pub(super) const OPERATORS: [char; 13] = [
    '+', '-', '*', '/', '%', '<', '>', '=', '&', '|', '^', '?', '.',
];

pub(super) fn is_of_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// Whether what follows this begins an element of a list, or a statement.
pub(super) fn is_begun(before: &str) -> bool {
    let before = before.trim_end();
    before.is_empty() || before.ends_with(['{', '(', '[', ',', ';', '}'])
}

/// The expression that a text begins with.
pub(super) fn expression(text: &str) -> &str {
    let mut depth = 0_usize;
    let end = text.char_indices().find(|(at, letter)| {
        let is_end = match letter {
            ',' | ';' | ')' | ']' | '}' => depth == 0,
            // A line that begins with an operator goes on with the one before.
            '\n' => depth == 0 && !text[*at..].trim_start().starts_with(OPERATORS),
            _ => false,
        };
        match letter {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        is_end
    });
    text[..end.map_or(text.len(), |(at, _)| at)].trim_end()
}

/// The length of the true or false that an expression is.
pub(super) fn switch_length(text: &str) -> Option<usize> {
    SWITCH.contains(&text).then_some(text.len())
}

/// The length of the number that an expression is, without a suffix such as `f` or `_i32`.
pub(super) fn number_length(text: &str) -> Option<usize> {
    // `1_000` and `1'000`.
    let digits = |text: &str| {
        let mut letters = text.char_indices().peekable();
        let mut length = 0;
        while let Some((at, letter)) = letters.next() {
            let next = letters.peek().map(|(_, next)| next.is_ascii_digit());
            let is_between = at > 0 && ['_', '\''].contains(&letter) && next == Some(true);
            if !letter.is_ascii_digit() && !is_between {
                break;
            }
            length = at + 1;
        }
        length
    };
    let sign = usize::from(text.starts_with('-'));
    let whole = digits(&text[sign..]);
    let mut length = sign + whole;
    if let Some(rest) = text[length..].strip_prefix('.') {
        let fraction = digits(rest);
        if whole + fraction > 0 {
            length += 1 + fraction;
        }
    }
    // Of a type, not an exponent or another base.
    let suffix = text[length..].trim_start_matches('_');
    let is_type = suffix.starts_with(['f', 'F', 'd', 'D', 'u', 'U', 'l', 'L', 'i']);
    let is_number = suffix.is_empty() || is_type && suffix.chars().all(is_of_word);
    (length > sign && is_number).then_some(length)
}
