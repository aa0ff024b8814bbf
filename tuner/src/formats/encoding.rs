//! Files as text. Of source only names and numbers matter, which are ASCII in any encoding that
//! editors write it in; the other bytes stay as they are.

use std::path::Path;

use foundation::Failure;
use foundation::failure::OrUnable;
use foundation::process::command_on;

use super::code;

/// What the bytes of a file stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    Utf8,
    /// A letter a byte, as in Latin-1.
    Bytes,
}

/// A file's text, and how it is written back.
///
/// # Errors
/// It cannot be read, or is a list and not UTF-8.
pub(crate) fn read(path: &Path) -> Result<(String, Encoding), Failure> {
    let name = path.display().to_string();
    let bytes = std::fs::read(path).or_unable(format_args!("read `{name}`"))?;
    let error = match String::from_utf8(bytes) {
        Ok(text) => return Ok((text, Encoding::Utf8)),
        Err(error) => error,
    };
    let bytes = error.as_bytes();
    if code::is_source(&name) {
        return Ok((
            bytes.iter().copied().map(char::from).collect(),
            Encoding::Bytes,
        ));
    }
    let before = &bytes[..error.utf8_error().valid_up_to()];
    let line = before.split(|byte| *byte == b'\n').count();
    Err(
        Failure::unable(format!("{name}:{line}: this is not UTF-8")).hint(format!(
            "write it as UTF-8; from Latin-1: `{}`",
            command_on("iconv -f latin1 -t utf-8", path)
        )),
    )
}

impl Encoding {
    /// The bytes of a text that was read so.
    pub(crate) fn bytes(self, text: &str) -> Vec<u8> {
        match self {
            Self::Utf8 => text.as_bytes().to_vec(),
            // What is written into such a text is ASCII.
            Self::Bytes => text.chars().map(|letter| letter as u8).collect(),
        }
    }
}
