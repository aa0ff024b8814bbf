//! A line of EPD, taken apart: the words of the position, in chess four, perhaps two counters, and
//! operations.
//!
//! An operation is a word and its operands up to a semicolon; quotation marks hide semicolons. What
//! the words mean is the business of others.

const COUNTERS: usize = 2;

/// A line as its position and its operations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line<'a> {
    /// The words of the position, and the counters where there are any.
    pub fields: Vec<&'a str>,
    /// Word and operands.
    pub operations: Vec<(&'a str, &'a str)>,
}

impl<'a> Line<'a> {
    /// `words` is how many a position has.
    pub(super) fn parse(line: &'a str, words: usize) -> Self {
        let mut fields = Vec::new();
        let mut rest = line.trim_start_matches('\u{feff}').trim();
        while fields.len() < words + COUNTERS && !rest.is_empty() {
            let (field, after) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
            let is_counter = !field.is_empty() && field.bytes().all(|byte| byte.is_ascii_digit());
            if fields.len() >= words && !is_counter {
                break;
            }
            fields.push(field);
            rest = after.trim_start();
        }
        let operations = split(rest)
            .map(str::trim)
            .filter(|operation| !operation.is_empty())
            .map(|operation| {
                let (word, operands) = operation
                    .split_once(char::is_whitespace)
                    .unwrap_or((operation, ""));
                (word, operands.trim())
            })
            .collect();
        Self { fields, operations }
    }

    /// The operands of a word, without quotation marks around them; those of the first where it
    /// stands twice.
    pub(super) fn operands(&self, word: &str) -> Option<&'a str> {
        let found = self.operations.iter().find(|(name, _)| *name == word)?.1;
        let inner = found
            .strip_prefix('"')
            .and_then(|rest| rest.strip_suffix('"'));
        Some(inner.unwrap_or(found).trim())
    }
}

/// The parts between semicolons that stand outside quotation marks.
fn split(text: &str) -> impl Iterator<Item = &str> {
    let mut is_quoted = false;
    text.split(move |letter| {
        is_quoted ^= letter == '"';
        letter == ';' && !is_quoted
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn counters_and_operations_follow_the_four_fields() {
        let line = Line::parse("k7/8/K7/8/8/8/8/7R w - - 3 9 bm Rh8#; id \"a; b\";dm 1;", 4);
        assert_eq!(line.fields.len(), 6);
        assert_eq!(
            line.operations,
            [("bm", "Rh8#"), ("id", "\"a; b\""), ("dm", "1")]
        );
        assert_eq!(line.operands("id"), Some("a; b"));
        assert_eq!(line.operands("am"), None);
        let bare = Line::parse("k7/8/K7/8/8/8/8/7R w - - bm Rh8", 4);
        assert_eq!((bare.fields.len(), bare.operands("bm")), (4, Some("Rh8")));
    }

    proptest! {
        #[test]
        fn no_line_panics(line in "\\PC{0,80}|[a-z0-9 ;\"-]{0,80}") {
            let _ = Line::parse(&line, 4);
        }
    }
}
