//! Where games are played: jobs come in, finished games go out as data.
//!
//! ```text
//! source ── job ──▶ scheduler ──▶ slot (two engines, started once) ── game ── clock
//!    ▲                  │           │
//!    └── finished ──────┴── event ◀─┘
//! ```
//! Slots play on their own; the [`Scheduler`] hands out the jobs of a [`Source`] and gives back
//! what came of them, until the source has had enough. A listener may also hear each [`Event`] as
//! it happens. Nothing here writes, formats or counts: whoever wants a text or a figure makes it
//! from a [`FinishedGame`].

mod clock;
mod crew;
mod desk;
mod end;
pub mod event;
mod game;
mod processor;
mod pulse;
mod scheduler;
mod slot;
mod time;
mod topology;

pub use desk::InOrder;
pub use end::{EndKind, GameEnd, GameFault};
pub use event::Event;
pub use game::{FinishedGame, MatchRules, PlayedMove, Player};
pub use scheduler::{Finished, Flow, Job, Pace, Scheduler, Source, Wishes};
pub use slot::{FinishedPair, JobFault, MatchSetup};
