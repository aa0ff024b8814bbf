//! What a running instance lacks: [`outside`] looks as a stranger does, [`inside`] as a user,
//! [`folder`] on the machine where it runs.

pub mod folder;
pub mod inside;
pub mod outside;

use serde::Serialize;

/// The state of one thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    Good,
    Bad,
    /// It cannot be told from here.
    Unknown,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    pub subject: &'static str,
    pub state: State,
    pub text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remedy: Option<&'static str>,
}

impl Finding {
    pub(crate) fn good(subject: &'static str, text: impl Into<String>) -> Self {
        Self {
            subject,
            state: State::Good,
            text: text.into(),
            remedy: None,
        }
    }

    pub(crate) fn bad(
        subject: &'static str,
        text: impl Into<String>,
        remedy: &'static str,
    ) -> Self {
        Self {
            subject,
            state: State::Bad,
            text: text.into(),
            remedy: Some(remedy),
        }
    }

    pub(crate) fn unknown(subject: &'static str, text: impl Into<String>) -> Self {
        Self {
            subject,
            state: State::Unknown,
            text: text.into(),
            remedy: None,
        }
    }

    /// A line, and one with the remedy.
    pub fn line(&self) -> String {
        let mark = match self.state {
            State::Good => "ok",
            State::Bad => "BAD",
            State::Unknown => "?",
        };
        let remedy = self
            .remedy
            .map_or_else(String::new, |remedy| format!("\n{:>19}{remedy}", ""));
        format!("{mark:<4} {:<13} {}{remedy}", self.subject, self.text)
    }
}
