//! Ends games that are decided in the opinion of the engines that play them.
//!
//! [`Rules`] come from the command line and stay in the plan; an [`Adjudicator`] applies them to a
//! game and gives a verdict after each ply from the mover's score. It knows nothing of the game but
//! move numbers, whether a move was irreversible, and the position as text. It never sees games that the rules of the game
//! have ended. A new rule is a file here, and a line in each part of `rules`.

mod adjudicator;
mod draw;
mod fields;
mod move_limit;
mod resign;
mod rules;
mod ruling;
mod tables;

pub use adjudicator::Adjudicator;
pub use draw::DrawRule;
pub use resign::ResignRule;
pub use rules::{RuleFlags, Rules};
pub(crate) use ruling::Ply;
