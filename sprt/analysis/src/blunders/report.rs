//! A count of blunders as text, JSON and EPD.

mod epd;
mod json;
mod text;

pub use epd::epd;
pub use json::{Json, json};
pub use text::text;
