//! Tables of endings, as adjudication asks them.

use std::fmt;

use engine_client::Color;

/// Tables of the results of endings.
pub trait Tablebase: fmt::Debug + Send + Sync {
    /// The result of perfect play from a position, as [`Game::current`](crate::game::Game::current)
    /// has it, after a move that cannot be taken back: the winner, or a draw (`Some(None)`). `None`
    /// where the tables do not know.
    fn winner(&self, position: &str) -> Option<Option<Color>>;

    /// Its name in results.
    fn name(&self) -> &'static str;
}
