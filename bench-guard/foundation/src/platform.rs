//! What only Linux has, each with what other Unixes do instead. A test, `platform`, keeps it out of all other sources of the
//! tools. `docs/platforms.md` says what users miss elsewhere.

pub mod affinity;
mod alarm;
pub mod kinship;
mod pipe;
mod processor;
mod scheduling;
mod screen;
pub mod tables;

pub use alarm::Alarm;
pub use pipe::enlarge;
pub use processor::features;
pub use scheduling::{BatchPolicy, prepare_for_engine};
pub use screen::open_page;
