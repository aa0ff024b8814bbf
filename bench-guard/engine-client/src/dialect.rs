//! What the lines of a dialogue with an engine look like.
//!
//! A [`Dialect`] is wording and nothing else: it turns what the runner wants into lines and lines
//! into what they mean. When to say what, and how long to wait, is the client's business. UCI is
//! the first; a game whose engines speak otherwise brings its own.

use std::fmt;

use crate::{Clocks, Color, Info, Limit, UciOption};

/// A question for an engine: which move, and how long it may take.
#[derive(Clone, Copy, Debug)]
pub struct Search<'a> {
    /// The game so far, in the words of its dialect.
    pub position: &'a str,
    pub mover: Color,
    pub limit: &'a Limit,
    pub clocks: Clocks,
}

/// What a line says while an engine introduces itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Introduction {
    Name(String),
    Author(String),
    Option(UciOption),
    /// The last line of it.
    Done,
    /// It does not know what was asked.
    Refused,
    Other,
}

/// How to find out that an engine speaks something else.
#[derive(Clone, Copy, Debug)]
pub struct OtherProtocol {
    /// With an article `an` before it.
    pub name: &'static str,
    pub question: &'static str,
    /// How a line of the answer begins.
    pub answer: &'static str,
}

/// Whether a line counts as the last word on a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Worth {
    /// It holds no score.
    Nothing,
    /// Its score is a bound, or not that of the best move.
    SecondRate,
    Full,
}

/// The wording of a dialogue. All that is to be sent comes with its line ends.
pub trait Dialect: fmt::Debug + Send + Sync {
    /// For messages: `UCI`.
    fn name(&self) -> &'static str;

    /// What opens the dialogue.
    fn hello(&self) -> &'static str;

    /// The word that ends the engine's introduction, for messages: `uciok`.
    fn welcome(&self) -> &'static str;

    fn introduction(&self, line: &str) -> Introduction;

    /// What an engine may speak instead that does not introduce itself.
    fn other_protocol(&self) -> Option<OtherProtocol> {
        None
    }

    /// Appends what sets `option`.
    fn set_option(&self, option: &UciOption, value: &str, lines: &mut String);

    /// What is said before every game; empty where engines need not be told.
    fn new_game(&self) -> &'static str;

    /// A question that is answered at once, also during a search, after all that was said before is
    /// done.
    fn ping(&self) -> &'static str;

    /// The answer to it.
    fn pong(&self) -> &'static str;

    /// Appends what makes an engine search.
    fn search(&self, search: &Search<'_>, lines: &mut String);

    /// Appends what makes an engine ponder: think ahead, with the reply that it expects made in the
    /// position of the search, until it is told that it was made or to stop.
    fn ponder(&self, _search: &Search<'_>, _lines: &mut String) {}

    /// What tells a pondering engine that the reply was made, and that its time runs; `None` where
    /// engines do not ponder.
    fn ponder_hit(&self) -> Option<&'static str> {
        None
    }

    /// The reply that an engine expects to its move, on the line with the move.
    fn expected_reply<'a>(&self, _line: &'a [u8]) -> Option<&'a [u8]> {
        None
    }

    /// What makes a searching engine move at once.
    fn stop(&self) -> &'static str;

    fn quit(&self) -> &'static str;

    /// The word for the move, whatever it is, on the line that ends a search; empty where there is
    /// none. Called for every line of a search, so it must not read more of it than it needs.
    fn best_move<'a>(&self, line: &'a [u8]) -> Option<&'a [u8]>;

    /// What any other line of a search is worth. Called for many of them.
    fn worth(&self, line: &[u8]) -> Worth;

    /// Whether a line without a score tells depth and nodes of the scored line that comes right after
    /// it. The two are then read as one.
    fn is_head(&self, _line: &[u8]) -> bool {
        false
    }

    /// Reads a line that is worth something: scores in centipawns from the mover's
    /// point of view, and whatever else it can.
    fn info(&self, line: &[u8], mover: Color) -> Info;

    /// The principal variation of such a line, separated by blanks, where it has one.
    fn line_of<'a>(&self, _line: &'a [u8]) -> Option<&'a [u8]> {
        None
    }
}
