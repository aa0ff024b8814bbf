//! The match runner that an OpenBench worker starts: fastchess's command line in, its lines and its
//! PGN out.
//!
//! ```text
//! command line ─ arguments ─▶ Arguments ─ start ─▶ arena ─ events ─▶ reporter ─▶ PGN, then `Finished game …`
//!                               │
//!                               └─ book: the openings that fastchess would draw
//! ```
//! Nothing here plays: what is different from `sprt run` is what is read and what is written. The
//! worker's contract is in `docs/openbench-worker.md`.

mod arguments;
mod book;
mod checksum;
mod lines;
mod rounds;
mod score;
mod side;
mod values;
mod warnings;

pub(crate) use rounds::play;
pub(crate) use values::{arguments, count, draw_rule, one, resign_rule};
pub(crate) use warnings::Warnings;
