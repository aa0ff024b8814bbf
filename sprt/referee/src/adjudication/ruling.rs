//! What a rule of adjudication sees of a game, and what it rules.

use engine_client::{Color, EngineScore};

/// A move that was played, as far as rules care.
pub(crate) struct Ply<'a> {
    pub(crate) mover: Color,
    /// The mover's score; `None` where it gave none.
    pub(crate) score: Option<EngineScore>,
    /// Full moves played with this one, by the position's own counter.
    pub(crate) full_moves: u32,
    /// Whether it was a capture, a pawn move or the like.
    pub(crate) irreversible: bool,
    /// The position after it, in the variant's own form; it takes time to write.
    pub(crate) position: &'a dyn Fn() -> String,
}

/// What was ruled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Adjudication {
    /// `None` is a draw.
    pub(crate) winner: Option<Color>,
    /// In the words match runners use.
    pub(crate) text: String,
    /// The name of the rule that ended the game.
    pub(crate) rule: &'static str,
}

impl Adjudication {
    pub(super) fn new(winner: Option<Color>, rule: &'static str) -> Self {
        let text = match winner {
            None => "Draw by adjudication",
            Some(Color::White) => "White wins by adjudication",
            Some(Color::Black) => "Black wins by adjudication",
        };
        Self {
            winner,
            text: text.to_owned(),
            rule,
        }
    }
}

/// A rule and what it has seen of one game.
pub(super) trait Rule: Send {
    /// Takes in a ply and says whether it ends the game.
    fn after_ply(&mut self, ply: &Ply<'_>) -> Option<Adjudication>;
}
