//! What each technique of an engine is worth: settings that differ from the usual in one thing, and
//! what they do to the search, to test suites, to games and to the mistakes in them.
//!
//! [`setting`] finds what can be switched. [`stages`] measure, each in a folder of its own, from
//! which an ablation goes on; [`figures`] are what they found, [`cuts`] what the engine counts itself,
//! [`report`] writes all of it down.

pub(crate) mod cuts;
pub(crate) mod figures;
pub(crate) mod report;
pub(crate) mod setting;
pub(crate) mod stages;
