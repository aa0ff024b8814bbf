//! The files of a private instance.

pub mod engine;
