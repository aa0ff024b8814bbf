//! Puzzles for a test suite, made of the mistakes in games.
//!
//! A [`plan`] names a judge and says what makes a puzzle. [`session`] first has the blunders of the
//! games counted ([`crate::blunders`]). Each leaves two [`candidate`]s: the position in which the
//! better move was missed, and the one in which the mistake can be punished. The judge then searches
//! the candidates for their two best moves at two limits; what it says is kept in a [`folder`]. A
//! [`puzzle`] has one clearly best move at both; its [`theme`] says what kind of move that is.
//! [`report`] writes puzzles as EPD.

pub mod candidate;
pub mod folder;
pub mod plan;
pub mod puzzle;
pub mod report;
pub mod session;
pub mod theme;
mod verification;
