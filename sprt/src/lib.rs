//! Plays two engines against each other, in pairs of games with colours swapped, until a sequential probability ratio
//! test decides.

pub mod adjudication;
pub mod engine;
pub mod limit;
pub mod openings;
pub mod report;
pub mod rules;
pub mod score;
pub mod stats;
pub mod verify;
