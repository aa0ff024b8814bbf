//! A suite's run as text and as a JSON object.

mod json;
mod text;

pub use json::{Json, json};
pub use text::{changes, position_lines, tables, verdict};
