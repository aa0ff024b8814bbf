//! Statistics of match results: pure functions on counts.
//!
//! Games are counted from the new engine's point of view, as pairs (one opening played with both
//! colours, [`Pentanomial`]) and singly ([`Wdl`]). A [`Test`] turns counts into a log-likelihood
//! ratio and a [`Verdict`]; a [`Summary`] collects every figure that is printed. Outcomes are
//! always ordered from worst to best and scored evenly from 0 to 1.
//!
//! Two programs define the figures that authors compare: OpenBench (`OpenBench/stats.py`) and
//! fishtest (`server/fishtest/stats`). Each function says whose figure it computes; where theirs
//! raises an error or never finishes, it returns the mathematical value or `None`. The papers
//! behind both are Michel Van den Bergh's, at <https://www.cantate.be/Fishtest/>; they are cited by
//! their file names.

#![warn(unreachable_pub)]

mod bayes_elo;
pub mod block;
mod brownian;
mod counts;
mod distribution;
mod elo;
mod forecast;
pub mod independent;
mod likelihood;
mod median;
mod normal;
mod operating;
mod outcomes;
mod overshoot;
pub mod paired;
pub mod ratings;
mod repeated;
mod simulation;
mod sprt;
pub mod spsa;
mod summary;
mod unbiased;
pub mod verify;
mod walk;

pub use bayes_elo::{bayes_elo_llr, openbench_trinomial_llr};
pub use counts::{GameResult, MatchCounts, Pentanomial, Wdl};
pub use elo::{
    Interval, LogisticElo, NormalizedElo, logistic_elo, normalized_elo, openbench_elo,
    openbench_elo_of_2023, openbench_elo_of_2024,
};
pub use forecast::Forecast;
pub use likelihood::{closed_form_llr, logistic_llr, normalized_llr};
pub use median::median;
pub use normal::student_975;
pub use operating::Prospect;
pub use outcomes::Outcomes;
pub use overshoot::Overshoot;
pub use repeated::design_effect;
pub use sprt::{Model, Test, Verdict, parse_bounds, wald_bounds};
pub use summary::{EloFigures, Summary};
pub use unbiased::{UnbiasedElo, unbiased_elo};
