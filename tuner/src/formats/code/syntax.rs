//! What the languages that `apply` writes have in common: letters of words, operators, and what is no
//! type.

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
