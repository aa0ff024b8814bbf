//! Searches that are told on two lines: depth and nodes first, then the score. See
//! [`Dialect::is_head`].

use std::borrow::Cow;
use std::mem;

use crate::dialect::{Dialect, ScoreQuality};

/// Makes one line of such two, line by line as an engine prints them.
#[derive(Debug, Default)]
pub struct Heads {
    head: String,
}

impl Heads {
    /// The line, with its head before it if it has one; `None` where it is the head of the next.
    pub fn join<'a>(&mut self, dialect: &dyn Dialect, line: &'a str) -> Option<Cow<'a, str>> {
        let head = mem::take(&mut self.head);
        if dialect.is_head(line.as_bytes()) {
            line.clone_into(&mut self.head);
            None
        } else if head.is_empty() || dialect.score_quality(line.as_bytes()) == ScoreQuality::Missing
        {
            Some(line.into())
        } else {
            Some(format!("{head} {line}").into())
        }
    }
}
