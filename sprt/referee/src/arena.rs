//! Where games are played: jobs come in, finished games go out as data.
//!
//! ```text
//! source ── job ──▶ scheduler ── queue ──▶ slot (two engines, started once) ── game ── clock
//!    ▲                  │                    │
//!    └── finished ──────┴──── event ◀────────┘
//! ```
//! Slots play on their own. The [`Scheduler`] dispatches the jobs of a [`Source`] and gives back the
//! results until the source has had enough. A source may also ask for each [`Event`] as it happens.
//! Nothing here writes, formats or counts: texts and figures are made elsewhere, from a
//! [`FinishedGame`].

mod clock;
mod end;
pub mod event;
mod event_buffer;
mod game;
mod in_order;
mod job;
mod job_queue;
mod options;
mod placement;
mod processor;
mod scheduler;
mod setup;
mod slot;
mod slot_pool;
mod source;
mod suspension;
mod time;
mod topology;

pub use clock::{Clock, Overrun};
pub use end::{EndKind, GameEnd, GameFault};
pub use event::Event;
pub use game::{FinishedGame, MatchRules, PlayedMove, Player};
pub use in_order::InOrder;
pub use job::{FinishedJob, FinishedPair, Job, JobFault};
pub use options::ArenaOptions;
pub use placement::{Placement, ProcessorList};
pub use scheduler::Scheduler;
pub use setup::MatchSetup;
pub use source::{Control, Flow, SchedulerState, Source};
