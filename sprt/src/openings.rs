//! Where games start: books of openings, from files or built in.
//!
//! [`Book`] answers which opening a pair of games gets; [`epd`], [`pgn`] and [`packed`] read its formats, [`order`] says
//! which opening comes when; [`command`] makes and checks books.

pub mod book;
pub mod command;
pub mod epd;
pub mod file;
pub mod fischer;
pub mod generator;
pub mod judge;
pub mod order;
pub mod packed;
pub mod pgn;
pub mod shuffle;

pub use book::{Book, Reading};
pub use order::{Order, Used};

/// A start position and the moves from it that are played before the engines take over.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Opening {
    /// A FEN; `None` is the variant's usual start position.
    pub start: Option<String>,
    /// Moves in the engines' notation.
    pub moves: Vec<String>,
}
