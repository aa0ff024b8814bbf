//! Tournaments of any number of engines: round robin, gauntlet, knock-out.

mod bracket;
mod schedule;

pub use bracket::Bracket;
pub use schedule::Schedule;
