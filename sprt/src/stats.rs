//! What a match result means: pure functions on counts.
