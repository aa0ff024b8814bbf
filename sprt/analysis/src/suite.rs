//! Test suites: positions whose solutions are known, and engines that look for them.
//!
//! [`file`](mod@file) reads EPD into [`Position`]s, each with its [`goal`]. A [`plan`] says who
//! searches what and how long, [`session`] does it, one [`answer`] a search. [`figures`] adds
//! answers up; of two engines a [`gate`] asks one question, which a [`comparison`] answers.
//! [`report`] prints all of it.

pub mod answer;
mod budget;
pub mod comparison;
mod epd;
pub mod figures;
pub mod file;
pub mod folder;
pub mod gate;
mod goal;
pub mod overview;
pub mod plan;
mod position;
pub mod report;
pub mod session;

pub use position::Position;
