//! Mistakes in games, judged by an engine.
//!
//! A [`plan`] names games and a judge. [`session`] has the judge search every position once, and
//! keeps what it said in a [`folder`]. What each move lost follows from two such judgements
//! ([`judgement`]); [`figures`] adds up by player, [`report`] prints.

pub mod figures;
pub mod folder;
pub mod judgement;
pub mod plan;
mod player;
pub mod report;
pub mod session;
