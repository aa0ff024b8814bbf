//! What was found on a command line of fastchess and is left out.

use std::fmt::Display;

/// A sentence for each word.
#[derive(Debug, Default)]
pub struct Warnings(Vec<String>);

impl Warnings {
    pub fn say(&mut self, text: String) {
        self.0.push(text);
    }

    pub fn unknown(&mut self, word: impl Display, option: &str) {
        self.say(format!(
            "`{word}` after {option} is not known here and is left out"
        ));
    }

    pub fn all(self) -> Vec<String> {
        self.0
    }
}
