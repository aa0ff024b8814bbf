//! Records of games (PGN) as text, whatever the game.

/// Where each game begins: at the first tag after something that is no tag. A text without tags is
/// one game.
pub fn game_starts(text: &[u8]) -> Vec<u32> {
    let mut starts = Vec::new();
    let mut among_tags = false;
    let mut offset = 0;
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        if line.starts_with(b"%") {
            // A line for other programs.
        } else if is_tag(line) {
            if !among_tags {
                starts.push(offset as u32);
            }
            among_tags = true;
        } else if !line.trim_ascii().is_empty() {
            if starts.is_empty() {
                starts.push(offset as u32);
            }
            among_tags = false;
        }
        offset += line.len();
    }
    starts
}

/// `[Event "x"]`; a comment may put a bracket at the beginning of a line too, as in `[%eval 0.3]`.
pub fn is_tag(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    line.len() > 3
        && line[0] == b'['
        && line[1].is_ascii_alphabetic()
        && line.contains(&b'"')
        && line.ends_with(b"]")
}
