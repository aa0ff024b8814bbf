//! The games of a run, for pages: a list of them, and each with its positions.
//!
//! ```text
//! journal + games.pgn ──▶ list (an entry a game) ──▶ pages: filters, opening tree
//!                    └──▶ replay (a game, move by move) ──▶ pages: board, graphs
//!                                    └──▶ packed (some of both, for a page that stands alone)
//! ```

mod entry;
mod frame;
mod packed;
mod reader;
mod replay;

pub use entry::GameEntry;
pub use frame::Frame;
pub use packed::{MOST_BYTES, Packed, pack};
pub use reader::GamesReader;
pub use replay::{Mistakes, Replay, ReplayMove};
