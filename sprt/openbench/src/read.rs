//! What the server says, as values: pure functions on text, each proof against any text.

pub mod api;
pub mod page;
