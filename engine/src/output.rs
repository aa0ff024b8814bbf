//! Output: whole lines on stdout, each written and flushed at once.

use std::io::{Write as _, stdout};

/// Prints one or several lines. A closed pipe is ignored: the engine exits when stdin ends.
pub fn print(text: &str) {
    let mut bytes = Vec::with_capacity(text.len() + 1);
    bytes.extend_from_slice(text.as_bytes());
    bytes.push(b'\n');
    let mut out = stdout().lock();
    let _ = out.write_all(&bytes).and_then(|()| out.flush());
}
