//! What a tournament writes besides what it has in common with a match.

mod html;
mod json;
mod line;
mod schedule;
mod sentence;
mod text;

pub use html::View;
pub use json::{Json, json};
pub(super) use line::introduction;
pub use line::parts;
use sentence::progress_in_words;
pub use sentence::sentence;
pub(super) use text::ratings;
pub use text::tables;
