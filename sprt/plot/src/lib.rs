//! Charts as SVG text, and the style of the tools' pages. Pure functions from numbers to text,
//! which compute nothing but positions in the drawing.
//!
//! A page with [`STYLE`] is light or dark according to the reader's system, and its charts are
//! scaled to their column.

#![warn(unreachable_pub)]

mod bars;
mod chart;
mod frame;
mod intervals;
mod page;
mod text;

pub use bars::{Bar, Bars, Group};
pub use chart::{Band, Chart, Level, Line};
pub use intervals::{Interval, Intervals};
pub use page::{
    BOARD_STYLE, PIECES, SCRIPTS, page, page_with_games, page_with_head, page_with_suite,
};
pub use text::{escape, short};

/// Style sheet of a page with charts.
pub const STYLE: &str = include_str!("style.css");
