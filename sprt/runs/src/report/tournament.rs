//! What a tournament writes besides what it has in common with a match.

mod html;
mod json;
mod progress;
mod schedule;
mod sentence;
mod text;

pub use html::View;
pub use json::{Json, json};
pub use progress::{Progress, parts};
use sentence::progress_in_words;
pub use sentence::sentence;
pub use text::tables;
