//! What an engine said, made fit for messages.

/// What an engine said, fit to be shown: control characters, of which some command terminals,
/// become blanks.
pub fn printable(text: &str) -> String {
    text.chars()
        .map(|letter| {
            if letter.is_control() && letter != '\n' {
                ' '
            } else {
                letter
            }
        })
        .collect()
}

/// Text of which no more is kept than a name or a message needs, fit to be shown on one line.
pub fn cut(text: &str, letters: usize) -> String {
    // As nearly all moves are.
    if text.len() <= letters && text.bytes().all(|byte| byte.is_ascii_graphic()) {
        return text.to_owned();
    }
    let text = printable(text).replace('\n', " ");
    match text.char_indices().nth(letters) {
        None => text,
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}
