//! Test suites for engines, and statistics and mistakes of players from their games.
//!
//! A [`suite`] is read from EPD files; [`search`] asks one engine about one position and keeps how
//! it came to its answer. [`suite::session`] has all engines of a [`suite::plan`] answer all
//! positions and keeps each answer in the journal of a run folder, from which the run goes on after
//! any end. [`suite::figures`] and [`suite::comparison`] are functions of plan and answers alone.
//! [`games`] are read from PGN and counted, and [`blunders`] in them judged by an engine; of those,
//! [`puzzles`] are made for a suite.
//!
//! Engines are those of `runs`, positions and moves those of `referee`, tests those of `stats`.

#![warn(unreachable_pub)]

pub mod blunders;
pub mod games;
mod journal;
mod kind;
mod open_run;
mod p_value;
pub mod puzzles;
mod search;
pub mod suite;
mod table;
mod win;
mod window;
mod worker_pool;

pub use kind::Kind;
