//! Tournaments of any number of engines: round robin, gauntlet, knock-out, Swiss.
//!
//! ```text
//! command line, configuration ─▶ TournamentPlan ─▶ session
//!                                                   │  fixtures (schedule, bracket, swiss)
//!                                                   ▼
//!                              arena ─▶ finished pairs ─▶ TournamentStanding ─▶ reporters
//! ```
//! A pair of games is the unit, as in a match, and each pair is journaled in the order of the
//! [`schedule`]; so the state of a tournament is a function of plan and journal, and one that was
//! killed is resumed. The tables that are shown come from the [`standing`] and are statistics of
//! [`stats::ratings`].

mod autotester;
mod batch;
mod bracket;
pub mod configuration;
mod figures;
mod openings;
pub mod plan;
pub mod request;
mod schedule;
pub mod standing;
mod swiss;

pub use bracket::Bracket;
pub use figures::{Against, Figures, Place, Row, SpoiledBy, StageFigures};
pub use plan::{Entrant, Format, Kind, TournamentPlan, is_tournament};
pub use standing::{Spoiled, TournamentStanding};
