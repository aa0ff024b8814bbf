//! An engine as the runner sees it: a process that may do anything at any time.
//!
//! Layers: [`process`] starts it under a [`guard`], reads and writes with a deadline on every wait
//! and never lets it outlive the runner; a [`dialect`] knows the wording ([`uci`], with [`option`]
//! and [`info`]); [`client`] holds the dialogue; [`supervisor`] starts it again where it fails.
//! Whatever goes wrong is a [`Fault`], which says what happened in words fit for a user.

pub(crate) mod alarm;
pub mod client;
pub mod dialect;
pub mod guard;
pub mod info;
mod kept_lines;
pub mod log;
pub mod node_limit;
pub mod option;
pub mod process;
pub(crate) mod scheduling;
pub mod score;
pub mod supervisor;
pub mod trial;
pub mod uci;

use std::fmt;
use std::time::Duration;

pub use client::{Answer, Engine, LAST_CHANCE, Launch, Timeouts};
pub use dialect::{Dialect, Search};
pub use info::Info;
pub use log::LogTarget;
pub use option::{OptionKind, UciOption};
pub use score::EngineScore;
pub use supervisor::{Restart, Supervisor};
pub use uci::UCI;

/// What an engine did that ended the conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The process ended or closed its output; how, and the last it said on stderr.
    Crashed(String),
    /// No answer within the time it was given.
    Silent(Duration),
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Crashed(how) => formatter.write_str(how),
            Self::Silent(waited) => write!(formatter, "no answer within {waited:.1?}"),
        }
    }
}

/// What an engine said, fit to be shown: control characters, of which some command terminals,
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

/// Text of which no more is kept than a name or a message needs, fit to be shown on one line.
pub fn cut(text: &str, letters: usize) -> String {
    // As nearly all moves are.
    if text.len() <= letters && text.bytes().all(|byte| byte.is_ascii_graphic()) {
        return text.to_owned();
    }
    let text = printable(text).replace('\n', " ");
    match text.char_indices().nth(letters) {
        None => text,
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}
