//! Checks of an engine and its options that need no game.

pub(crate) mod budget;
pub(crate) mod complaint;
pub(crate) mod conformance;
pub(crate) mod liveness;
pub(crate) mod options;
pub(crate) mod pool;
pub(crate) mod printed_list;
pub(crate) mod prober;
pub(crate) mod screen;
