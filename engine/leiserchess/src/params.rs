//! The parameters declared in `params.toml`: table and accessors as in the chess engine, with this
//! engine's entries.

#[path = "../../src/params.rs"]
mod table;

pub(crate) use table::{Params, SPECS, Spec, spsa_lines};
