//! Ends games that are decided in the opinion of the engines that play them.
//!
//! [`rules`] come from the command line and stay in the plan; an [`Adjudicator`] applies them to a
//! game and gives a verdict after each ply from the mover's score. It knows nothing of the game but
//! move numbers and whether a move was irreversible. Games that the rules of the game have ended
//! are none of its business.

mod adjudicator;
mod rules;

pub use adjudicator::{Adjudication, Adjudicator};
pub use rules::{DrawRule, ResignRule, Rules};
