//! What kind of book a file is, and the text inside it.

use std::io::{Cursor, Read};
use std::path::Path;

use foundation::{Failure, failure::OrUnable};

use crate::game::chess::packed;

/// Offsets into a book are kept in 32 bits.
const MAX_BYTES: u64 = u32::MAX as u64;

/// Enough of a file to tell text from anything else.
const SNIFFED: usize = 4096;

/// The form of a book's bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Epd,
    Pgn,
    Packed,
}

/// Takes the book out of a file's bytes: unzipped, without byte order mark, and known by extension or content.
///
/// # Errors
/// An archive that does not hold exactly one book, or bytes that are no text.
pub fn unpack(name: &str, bytes: Vec<u8>) -> Result<(Format, Vec<u8>), Failure> {
    if bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06") {
        let (inner_name, inner) = unzip(name, bytes)?;
        return recognise(name, &inner_name, inner);
    }
    recognise(name, name, bytes)
}

/// `inner_name` is the file's name within an archive, else the same as `name`.
fn recognise(
    name: &str,
    inner_name: &str,
    mut bytes: Vec<u8>,
) -> Result<(Format, Vec<u8>), Failure> {
    if bytes.starts_with(packed::MAGIC) {
        return Ok((Format::Packed, bytes));
    }
    if bytes.len() as u64 > MAX_BYTES {
        return Err(Failure::unable(format!(
            "the book `{name}` has {} bytes, at most {MAX_BYTES} can be read",
            bytes.len()
        ))
        .hint("split it"));
    }
    if bytes.starts_with(b"\xef\xbb\xbf") {
        bytes.drain(..3);
    }
    let head = &bytes[..bytes.len().min(SNIFFED)];
    if head.contains(&0) {
        let what = if head.starts_with(b"\x1f\x8b") {
            "gzip data"
        } else {
            "binary data"
        };
        return Err(Failure::unable(format!(
            "the book `{name}` holds {what}, expected lines of text"
        ))
        .hint("expected EPD or PGN, which may be zipped (.zip)"));
    }
    let extension = Path::new(inner_name)
        .extension()
        .map(|extension| extension.to_string_lossy().to_ascii_lowercase());
    let format = match extension.as_deref() {
        Some("epd" | "fen") => Format::Epd,
        Some("pgn") => Format::Pgn,
        _ => by_content(head),
    };
    Ok((format, bytes))
}

/// A game begins with a tag or a move number, a position with pieces and digits up to its first slash.
fn by_content(head: &[u8]) -> Format {
    let head = head.trim_ascii_start();
    if head.starts_with(b"[") || head.starts_with(b"1.") || head.starts_with(b"{") {
        Format::Pgn
    } else {
        Format::Epd
    }
}

/// The only book in an archive, and its name.
fn unzip(name: &str, bytes: Vec<u8>) -> Result<(String, Vec<u8>), Failure> {
    let reading = || format!("read the archive `{name}`");
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes))
        .or_unable(reading())
        .map_err(|failure| failure.hint("see whether it is whole; `unzip -t` tells"))?;
    let books: Vec<String> = archive
        .file_names()
        .filter_map(Result::ok)
        .map(std::borrow::Cow::into_owned)
        .filter(|inner| !inner.ends_with('/') && !inner.starts_with("__MACOSX/"))
        .collect();
    let [book] = books.as_slice() else {
        return Err(Failure::unable(format!(
            "the archive `{name}` holds {} files, expected one book",
            books.len()
        ))
        .hint("unpack it and name the book itself"));
    };
    let mut text = Vec::new();
    archive
        .by_name(book)
        .or_unable(reading())?
        .take(MAX_BYTES + 1)
        .read_to_end(&mut text)
        .or_unable(reading())?;
    Ok((book.clone(), text))
}
