//! Where in a text something stands, so that a complaint can name line and column.

use std::fmt;

use foundation::Failure;

const BYTE_ORDER_MARK: char = '\u{feff}';

/// A text and the name it is known by to the user.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Source<'a> {
    pub name: &'a str,
    pub text: &'a str,
}

impl Source<'_> {
    /// Without the byte order mark that some editors put before a text.
    pub(crate) fn without_bom(self) -> Self {
        Source {
            text: self.text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(self.text),
            ..self
        }
    }

    /// The number of the line of byte `offset`, from 1.
    pub(crate) fn line(self, offset: usize) -> usize {
        let before = self.text.bytes().take(offset);
        before.filter(|byte| *byte == b'\n').count() + 1
    }

    /// A complaint about what stands at byte `offset`: `name:line:column: message`.
    pub(crate) fn fault(self, offset: usize, message: impl fmt::Display) -> Failure {
        let before: String = self
            .text
            .char_indices()
            .take_while(|(index, _)| *index < offset)
            .map(|(_, letter)| letter)
            .collect();
        let line = self.line(offset);
        let column = before
            .chars()
            .rev()
            .take_while(|&letter| letter != '\n')
            .count()
            + 1;
        Failure::unable(format!("{}:{line}:{column}: {message}", self.name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_count_characters_from_one() {
        let source = Source {
            name: "f",
            text: "a\nböc\n",
        };
        assert_eq!(source.fault(0, "x").message(), "f:1:1: x");
        assert_eq!(source.fault(5, "x").message(), "f:2:3: x");
        assert_eq!(source.fault(99, "x").message(), "f:3:1: x");
    }
}
