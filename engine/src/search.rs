//! The search: iterative deepening with aspiration windows, on one thread or several that share a
//! table.
//!
//! Input: a [`job::Job`] (position, game history, limits) and the [`ThreadData`] kept between
//! searches; output: info lines and a [`job::SearchResult`]. With one thread and no clock the
//! search is deterministic: the same job after the same jobs searches the same nodes.
//!
//! `threads` runs the search on each thread, `iterate` deepens it at the root, `alpha_beta` is the
//! search of a node and names the files of its techniques, and `quiescence` resolves captures at
//! the leaves.

mod alpha_beta;
mod correction;
mod cuckoo;
mod history;
mod info;
mod iterate;
pub mod job;
pub mod limits;
mod loop_state;
mod move_loop;
mod move_pruning;
mod node;
mod node_pruning;
mod ordering;
mod pruning;
#[cfg(test)]
mod pruning_tests;
mod quiescence;
pub mod reductions;
mod repetition;
mod root;
mod root_moves;
mod sampling;
mod searcher;
mod singular;
pub mod stats;
#[cfg(test)]
mod test_searcher;
pub mod threads;
pub mod time;
mod updates;

pub(crate) use info::best_move;
pub use searcher::{Signals, ThreadData};
