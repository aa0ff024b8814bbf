//! Principal variation search with iterative deepening.
//!

pub(crate) mod history;
pub(crate) mod limits;
mod picker;
pub(crate) mod settings;
