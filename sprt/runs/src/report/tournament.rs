//! What a tournament writes besides what it has in common with a match.

mod conclusion;
mod html;
mod json;
mod progress;
mod schedule;
mod text;

use conclusion::progress_in_words;
pub use conclusion::{Conclusion, sentence};
pub use html::View;
pub use json::{Json, json};
pub use progress::{Progress, parts};
pub use text::tables;
