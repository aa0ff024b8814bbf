//! OpenBench's statistics block, which authors paste into commit messages: written and parsed.

mod printed;
mod written;

pub use printed::{
    Figure, PrintedBlock, PrintedElo, PrintedFaults, PrintedGames, PrintedLlr, find_blocks,
};
pub use written::Block;
