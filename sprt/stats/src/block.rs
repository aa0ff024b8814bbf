//! OpenBench's statistics block, the one that authors paste into commit messages: written, and read
//! again.

mod printed;
mod written;

pub use printed::{
    Figure, PrintedBlock, PrintedElo, PrintedFaults, PrintedGames, PrintedLlr, find_blocks,
};
pub use written::Block;
