//! The server's answers as values: pure functions on text, none of which panics on any input.

pub mod api;
mod html;
pub mod page;
pub mod tables;
