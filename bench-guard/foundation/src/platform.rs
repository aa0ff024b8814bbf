//! What only Linux has, each with what other Unixes do instead.

pub mod affinity;
mod alarm;
pub mod kinship;
mod scheduling;
pub mod tables;

pub use alarm::Alarm;
pub use scheduling::{BatchPolicy, prepare_for_engine};
