//! The parameters, declared in `params.toml`: the chess engine's table and accessors, with the
//! entries of this engine.

#[path = "../../src/params.rs"]
mod table;

pub(crate) use table::{Params, SPECS, Spec, spsa_lines};
