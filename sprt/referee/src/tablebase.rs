//! Tables of endings, as adjudication asks them.

use std::fmt;

use engine_client::Color;

/// Tables of the results of endings.
pub trait Tablebase: fmt::Debug + Send + Sync {
    /// What perfect play makes of a position, as [`Game::current`](crate::game::Game::current) has it, after a move that cannot
    /// be taken back: the winner, or a draw (`Some(None)`). `None` where the tables do not know.
    fn winner(&self, position: &str) -> Option<Option<Color>>;

    /// What results call it.
    fn name(&self) -> &'static str;
}
