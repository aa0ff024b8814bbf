//! A suite's run as text, as a JSON object and as a page.

mod json;
mod page;
mod rows;
mod text;
mod words;

pub use json::{Json, json, object};
pub use page::{details, page, summary, title};
pub use text::{changes, position_lines, tables, verdict};
