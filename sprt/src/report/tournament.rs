//! What a tournament writes besides what it has in common with a match.

mod conclusion;
mod json;
mod progress;
mod text;

pub use conclusion::{Conclusion, sentence};
pub(crate) use json::Json;
pub use json::{ResultFile, json};
pub use progress::{Progress, parts};
pub use text::{Printed, tables};
