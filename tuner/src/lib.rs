//! Tunes the parameters of a chess engine by SPSA over game pairs, and says how sure it is.

pub mod bayes;
pub mod cli;
pub mod convert;
pub mod evidence;
pub mod formats;
pub mod linear;
pub mod oracle;
pub mod parameter;
pub mod params_file;
pub mod perturbation;
pub mod position;
pub mod regression;
pub mod schedule;
pub mod session;
pub mod simulate;
pub mod spsa;
