//! Statistics of games as text, JSON and a page.

mod json;
mod page;
mod text;

pub use json::{Json, json};
pub use page::page;
pub use text::text;
