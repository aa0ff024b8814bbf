//! What an engine said, made fit for messages.

/// An engine's output, made fit to be shown: control characters, some of which command terminals,
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

/// Text fit to be shown on one line, cut to the length that a name or a message needs.
pub fn cut(text: &str, letters: usize) -> String {
    // The usual case of a move.
    if text.len() <= letters && text.bytes().all(|byte| byte.is_ascii_graphic()) {
        return text.to_owned();
    }
    let text = printable(text).replace('\n', " ");
    match text.char_indices().nth(letters) {
        None => text,
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}
