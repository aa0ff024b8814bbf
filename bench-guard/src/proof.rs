//! A proof that is bound to its commit: the trailer of a test that was played, which names the
//! sources of both engines by digest.
//!
//! A block of results is text, and anybody can make one up. The trailer records what was built on
//! either side, how it was played, and which journal has the games, so that each of these can be
//! compared with the real thing. `sprt` writes it at the end of a test that passed, and its
//! OpenBench client writes it for a test of a server; `check --require run` compares it with the
//! commits.

mod inputs;
mod journals;
mod required;
mod trailer;

pub use inputs::inputs;
pub(crate) use journals::Journals;
pub(crate) use required::Required;
pub use trailer::{Proof, Source};
