//! What a check is asked for.

use std::sync::Arc;

use crate::{
    proof::{Journals, Required},
    repository::Range,
};

/// The request.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub(crate) range: Range,
    pub(crate) benches: Benches,
    /// The proof of a passed test that each functional commit must have.
    pub(crate) required: Option<Required>,
    /// The runs in which proofs are looked up.
    pub(crate) journals: Option<Arc<Journals>>,
    /// Build both sides of commits that touch only ignored files, and compare.
    pub(crate) prove_ignored: bool,
    /// Build and bench anew, whatever is in the cache.
    pub(crate) fresh: bool,
    /// Variants of the engine that must have its bench.
    pub(crate) variants: Vec<String>,
    /// Whether searches are repeated, in the same process and in others, and compared.
    pub(crate) repro: bool,
}

impl Request {
    /// The request for a range and the given benches, and nothing else.
    pub(crate) fn new(range: Range, benches: Benches) -> Self {
        Self {
            range,
            benches,
            required: None,
            journals: None,
            prove_ignored: false,
            fresh: false,
            variants: Vec::new(),
            repro: false,
        }
    }
}

/// Where the benches come from that messages are compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Benches {
    /// Only messages are read.
    None,
    /// Those in the cache, of trees that were built before.
    Known,
    /// Engines are built.
    Built,
}
