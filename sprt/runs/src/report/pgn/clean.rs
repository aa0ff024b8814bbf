//! What engines said, made fit for tags and comments, so that none ends before its time.

/// A tag's value: one line, quotes and backslashes escaped.
pub(super) fn escaped(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    for character in one_line(value) {
        if matches!(character, '"' | '\\') {
            text.push('\\');
        }
        text.push(character);
    }
    text
}

/// What may stand inside a comment, in which a line may begin at any word: braces begin and end
/// comments, at the beginning of a line a bracket looks like a tag, and `%` makes the line an
/// escape. A result is written with an underscore, because some readers take the first result in
/// the moves, comments or not, for that of the game.
pub(crate) fn comment_words(value: &str) -> String {
    let text: String = one_line(value)
        .map(|character| match character {
            '{' | '[' => '(',
            '}' | ']' => ')',
            '%' => ' ',
            '*' => 'x',
            other => other,
        })
        .collect();
    text.replace("1/2-1/2", "1/2_1/2")
        .replace("1-0", "1_0")
        .replace("0-1", "0_1")
}

fn one_line(value: &str) -> impl Iterator<Item = char> {
    value.chars().map(|character| {
        if character.is_control() {
            ' '
        } else {
            character
        }
    })
}
