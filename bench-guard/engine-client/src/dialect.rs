//! What the lines of a dialogue with an engine look like.
//!
//! A [`Dialect`] is wording and nothing else: it turns what the runner wants into lines, and lines
//! into what they mean. When to send what, and how long to wait, is up to the client. UCI is the
//! first dialect; a game whose engines use another protocol brings its own.

use std::fmt;

use crate::{Clocks, Color, Info, Limit, UciOption};

/// A question for an engine: which move, and how long it may take.
#[derive(Clone, Copy, Debug)]
pub struct Search<'a> {
    /// The game so far, in the dialect's wording.
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
    /// The engine does not know the command.
    Refused,
    Other,
}

/// How to recognise an engine that speaks another protocol.
#[derive(Clone, Copy, Debug)]
pub struct OtherProtocol {
    /// With an article `an` before it.
    pub name: &'static str,
    pub question: &'static str,
    /// How a line of the answer begins.
    pub answer: &'static str,
}

/// What the score on a line says about the move that will be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ScoreQuality {
    /// There is none.
    Missing,
    /// A bound, or the score of another move than the best.
    Secondary,
    Exact,
}

/// The wording of a dialogue. Everything that is to be sent includes its line ends.
pub trait Dialect: fmt::Debug + Send + Sync {
    /// For messages: `UCI`.
    fn name(&self) -> &'static str;

    /// What opens the dialogue.
    fn hello(&self) -> &'static str;

    /// The word that ends the engine's introduction, for messages: `uciok`.
    fn welcome(&self) -> &'static str;

    fn introduction(&self, line: &str) -> Introduction;

    /// The protocol that an engine may speak instead if it does not introduce itself.
    fn other_protocol(&self) -> Option<OtherProtocol> {
        None
    }

    /// Appends the command that sets `option`.
    fn set_option(&self, option: &UciOption, value: &str, lines: &mut String);

    /// What is sent before every game; empty if engines need nothing.
    fn new_game(&self) -> &'static str;

    /// A question that is answered once everything sent before it is done, and at once during a
    /// search.
    fn ping(&self) -> &'static str;

    /// The answer to the ping.
    fn pong(&self) -> &'static str;

    /// Appends the command that makes an engine search.
    fn search(&self, search: &Search<'_>, lines: &mut String);

    /// Appends the command that makes an engine ponder on the position of the search, in which the
    /// expected reply has been made, until a ponder hit or a stop.
    fn ponder(&self, _search: &Search<'_>, _lines: &mut String) {}

    /// The command for a ponder hit, from which on the engine's time runs; `None` if engines of
    /// this dialect do not ponder.
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

    /// The word for the move, whatever it is, on the line that ends a search; empty if there is
    /// none. Called for every line of a search, so it must not parse more of it than it needs.
    fn best_move<'a>(&self, line: &'a [u8]) -> Option<&'a [u8]>;

    /// Judges the score on any other line of a search. Called for many lines.
    fn score_quality(&self, line: &[u8]) -> ScoreQuality;

    /// Whether a line without a score tells depth and nodes of the scored line that comes right after
    /// it. The two are then read as one.
    fn is_head(&self, _line: &[u8]) -> bool {
        false
    }

    /// Parses a line that counts: scores in centipawns from the mover's point of view, and whatever
    /// else it has.
    fn info(&self, line: &[u8], mover: Color) -> Info;

    /// The principal variation of such a line, separated by blanks, where it has one.
    fn line_of<'a>(&self, _line: &'a [u8]) -> Option<&'a [u8]> {
        None
    }
}
