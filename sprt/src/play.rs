//! The page of `sprt play`: a person plays against an engine, or watches two.
//!
//! ```text
//! browser ── what is wanted ──▶ api ──▶ table (game, seats, clocks) ──▶ what the page shows
//!                                         ▲  │ side to move
//!                                         │  ▼
//!                                       engine_player
//! ```
//! The table is the only state; each change of it has a number, by which the page and the engines
//! know that something happened. Engines are those of the command line: no page can name a program.

mod api;
mod engine_player;
mod player;
mod seat;
mod table;
mod view;

pub(crate) use api::router;
pub(crate) use engine_player::play_engines;
pub(crate) use player::Player;
pub(crate) use table::{SharedTable, Table};
