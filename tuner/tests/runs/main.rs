//! Whole runs by the real program, against an engine whose best values are known.

mod mistakes;
mod resume;
mod support;
