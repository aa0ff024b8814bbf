//! The referee: plays games between two engines, and says how each ended.
//!
//! It takes [`arena::Job`]s (an opening, who has which colour, the engines and their limits), and
//! gives back [`arena::FinishedPair`]s and, to whoever asks, each [`arena::Event`] as it happens. A
//! [`game::Variant`] knows the rules; [`adjudication`] cuts games short; [`openings`] are read from
//! books or made. It never counts results, writes a file or decides when a match is over.

#![warn(unreachable_pub)]

pub mod adjudication;
pub mod arena;
pub mod game;
pub mod openings;
mod shuffle;
pub mod tablebase;
pub mod tasks;
pub mod trial;
