//! Output: whole lines on stdout, each written and flushed at once.

use std::io::{Write as _, stdout};

/// Prints one or several lines. A closed pipe is ignored: the engine exits when stdin ends.
pub(crate) fn print(text: &str) {
    let mut out = stdout().lock();
    let _ = writeln!(out, "{text}").and_then(|()| out.flush());
}
