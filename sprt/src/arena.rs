//! Where games are played: from a plan to a stream of finished pairs in the order of their scheduling.
//!
//! ```text
//! dispatcher ── next pair ──▶ slot (two engines, started once) ── game ── clock
//!     ▲                                   │
//!     └────────── finished pair ──────────┘
//! ```
//! Slots play on their own; the dispatcher hands out pair numbers, puts the finished pairs back in order, and stops all
//! when it is told that the question is answered. A pair of games with one opening and colours swapped is the unit
//! throughout: half a pair never leaves a slot.

pub mod clock;
pub mod dispatcher;
pub mod game;
pub mod processor;
pub mod slot;

pub use dispatcher::{Dispatcher, Stop};
pub use game::{End, Finished, Terms};
pub use slot::{Contest, FinishedPair, GameRecord, Slot};
