//! Tunes the parameters of a chess engine by SPSA over game pairs, and says how sure it is.

pub mod cli;
pub mod convert;
pub mod formats;
pub mod parameter;
pub mod params_file;
pub mod position;
pub mod schedule;
