//! The server's answers as values: pure functions on text, none of which panics on any text.

pub mod api;
pub mod page;
