//! A suite's run as a JSON object.

mod json;

pub use json::{Json, json};
