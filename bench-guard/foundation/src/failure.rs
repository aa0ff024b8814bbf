//! The one error type of the workspace.
//!
//! A failure says what failed, with what was found and what was expected, and what to do next. It
//! is made where the cause is known and travels unchanged to `main`, which prints it and exits with
//! its code; nobody in between matches on it, beyond asking whose fault it was.

use std::fmt;

use crate::Exit;

/// Why a command could not answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    exit: Exit,
    message: String,
    hint: Option<String>,
}

impl Failure {
    /// Usage, environment or network: the tool could not answer.
    pub fn unable(message: impl Into<String>) -> Self {
        Self {
            exit: Exit::Unable,
            message: message.into(),
            hint: None,
        }
    }

    /// An engine did what no engine may do, and the answer depends on it.
    pub fn engine(message: impl Into<String>) -> Self {
        Self {
            exit: Exit::EngineFault,
            message: message.into(),
            hint: None,
        }
    }

    /// A valid "no" that needs an explanation.
    pub fn no(message: impl Into<String>) -> Self {
        Self {
            exit: Exit::No,
            message: message.into(),
            hint: None,
        }
    }

    /// What the user can do next: a command, a flag, a place to look.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Puts what was being done in front of the message: `context: message`.
    #[must_use]
    pub fn context(mut self, context: impl fmt::Display) -> Self {
        self.message = format!("{context}: {}", self.message);
        self
    }

    pub fn exit(&self) -> Exit {
        self.exit
    }

    pub fn message(&self) -> &str {
        &self.message
    }

    pub fn next_step(&self) -> Option<&str> {
        self.hint.as_deref()
    }

    pub fn is_engine_fault(&self) -> bool {
        self.exit == Exit::EngineFault
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)?;
        match &self.hint {
            Some(hint) => write!(formatter, "\nhint: {hint}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Failure {}

/// Turns a foreign error into a [`Failure`] that says what was being done.
pub trait OrUnable<T> {
    /// `failed to WHAT: the error`, exit 2.
    fn or_unable(self, what: impl fmt::Display) -> Result<T, Failure>;
}

impl<T, E: fmt::Display> OrUnable<T> for Result<T, E> {
    fn or_unable(self, what: impl fmt::Display) -> Result<T, Failure> {
        self.map_err(|error| Failure::unable(format!("failed to {what}: {error}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_prints_message_then_hint() {
        let failure = Failure::unable("no such revision `xyz`").hint("see `git branch`");
        assert_eq!(
            failure.to_string(),
            "no such revision `xyz`\nhint: see `git branch`"
        );
        assert_eq!(failure.exit(), Exit::Unable);
    }

    #[test]
    fn context_goes_before_the_message_and_keeps_the_hint() {
        let failure = Failure::engine("no uciok")
            .hint("run it by hand")
            .context("base");
        assert_eq!(failure.to_string(), "base: no uciok\nhint: run it by hand");
        assert!(failure.is_engine_fault());
    }
}
