//! Parts of a command line of fastchess that are ignored.

use std::fmt::Display;

/// A sentence for each word.
#[derive(Debug, Default)]
pub(crate) struct Warnings(Vec<String>);

impl Warnings {
    pub(super) fn push(&mut self, text: String) {
        self.0.push(text);
    }

    pub(super) fn unknown(&mut self, word: impl Display, option: &str) {
        self.push(format!(
            "`{word}` after {option} is not known here and is left out"
        ));
    }

    pub(super) fn first(&self) -> Option<&str> {
        self.0.first().map(String::as_str)
    }

    pub(crate) fn all(self) -> Vec<String> {
        self.0
    }
}
