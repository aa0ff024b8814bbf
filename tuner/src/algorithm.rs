//! How a run learns: what each pair plays, and what its result teaches.

pub mod bayes;
pub mod classic;
pub mod forecast;
pub mod perturbation;
pub mod regression;
pub mod schedule;
