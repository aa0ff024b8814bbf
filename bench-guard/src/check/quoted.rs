//! What a message quotes from elsewhere: it is about another commit, so it proves nothing about
//! this one.

/// The message without its quotes: lines behind `>`, and fenced code. Lines keep their numbers.
pub(super) fn without_quotes(message: &str) -> String {
    let mut fence: Option<&str> = None;
    let mut text = String::with_capacity(message.len());
    for line in message.lines() {
        let start = start_of(line);
        match (fence, fence_of(start)) {
            (None, Some(opened)) => fence = Some(opened),
            (None, None) if !is_quoted(line) => text.push_str(line),
            (Some(opened), Some(found)) if found.starts_with(opened) && start == found => {
                fence = None;
            }
            _ => {}
        }
        text.push('\n');
    }
    text
}

/// Whether a line stands behind `>`.
pub(super) fn is_quoted(line: &str) -> bool {
    start_of(line).starts_with('>')
}

/// A line without what may stand before a line of a block.
fn start_of(line: &str) -> &str {
    line.trim_start_matches(|sign: char| sign.is_whitespace() || "\u{feff}#*-".contains(sign))
}

/// The signs that open or close fenced code, where a line begins with some.
fn fence_of(line: &str) -> Option<&str> {
    let line = line.trim_end();
    ['`', '~'].into_iter().find_map(|sign| {
        let length = line.len() - line.trim_start_matches(sign).len();
        (length >= 3).then(|| &line[..length])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(message: &str) -> String {
        let text = without_quotes(message);
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn quotes_are_left_out_and_lines_keep_their_numbers() {
        assert_eq!(without_quotes("a\n> b\n  >c\nd"), "a\n\n\nd\n");
        assert_eq!(without_quotes("a\n```text\nb\n```\nc"), "a\n\n\n\nc\n");
    }

    #[test]
    fn a_fence_ends_with_its_own_signs() {
        assert_eq!(kept("````\n```\na\n````\nb"), "b");
        assert_eq!(kept("~~~\n```\na\n~~~\nb"), "b");
        assert_eq!(kept("```\na\n``` no end\nb"), "");
        assert_eq!(kept("- ```\n  a\n  ```\nb"), "b");
        assert_eq!(kept("`a`\n``b``"), "`a` ``b``");
    }

    proptest::proptest! {
        #[test]
        fn what_is_kept_was_there(message in "(>|`{1,4}|~{3}|\\PC|\n| ){0,60}") {
            let text = without_quotes(&message);
            for (kept, line) in text.lines().zip(message.lines()) {
                proptest::prop_assert!(kept.is_empty() || kept == line);
            }
            proptest::prop_assert_eq!(text.lines().count(), message.lines().count());
        }
    }
}
