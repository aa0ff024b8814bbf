//! How a dialogue with an engine is cut short.

use std::fmt;
use std::time::Duration;

/// What an engine did that ended the conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The process ended or closed its output: how it ended, and the end of its stderr.
    Crashed(String),
    /// No answer within the time it was given.
    Silent(Silence),
}

/// How long an engine was waited for, and what it said instead of the answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Silence {
    pub waited: Duration,
    /// Its last line with the likely cause, as a part of a sentence; `None` where it said nothing.
    pub said: Option<String>,
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Crashed(how) => formatter.write_str(how),
            Self::Silent(Silence { waited, said }) => {
                write!(formatter, "no answer within {waited:.1?}")?;
                match said {
                    Some(said) => write!(formatter, "; {said}"),
                    None => Ok(()),
                }
            }
        }
    }
}
