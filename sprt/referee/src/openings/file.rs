//! The book inside a file, which may be compressed.

use std::io::{Cursor, Read};

use flate2::read::MultiGzDecoder;
use foundation::{Failure, failure::OrUnable};

use crate::game::BookFile;

/// Offsets into a book are kept in 32 bits.
const MAX_BYTES: u64 = u32::MAX as u64;

/// Takes the book out of a file's bytes.
///
/// # Errors
/// An archive that does not hold exactly one book, or too long a one.
pub fn unpack(name: &str, bytes: Vec<u8>) -> Result<BookFile, Failure> {
    let (inner_name, bytes) =
        if bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06") {
            unzip(name, bytes)?
        } else if bytes.starts_with(b"\x1f\x8b") {
            gunzip(name, &bytes)?
        } else {
            (name.to_owned(), bytes)
        };
    if bytes.len() as u64 > MAX_BYTES {
        return Err(Failure::unable(format!(
            "`{name}` has more than {MAX_BYTES} bytes, which is the most that can be read"
        ))
        .hint("split it"));
    }
    Ok(BookFile {
        name: name.to_owned(),
        inner_name,
        bytes,
    })
}

/// What was compressed, and its name without the ending that says so.
fn gunzip(name: &str, bytes: &[u8]) -> Result<(String, Vec<u8>), Failure> {
    let mut text = Vec::new();
    MultiGzDecoder::new(bytes)
        .take(MAX_BYTES + 1)
        .read_to_end(&mut text)
        .or_unable(format_args!("decompress `{name}`"))
        .map_err(|failure| failure.hint("check with `gzip -t` whether it is whole"))?;
    let inner = name.strip_suffix(".gz").unwrap_or(name);
    Ok((inner.to_owned(), text))
}

/// The only book in an archive, and its name.
fn unzip(name: &str, bytes: Vec<u8>) -> Result<(String, Vec<u8>), Failure> {
    let reading = || format!("read the archive `{name}`");
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes))
        .or_unable(reading())
        .map_err(|failure| failure.hint("check with `unzip -t` whether it is whole"))?;
    let books: Vec<String> = archive
        .file_names()
        .filter_map(Result::ok)
        .map(std::borrow::Cow::into_owned)
        .filter(|inner| !inner.ends_with('/') && !inner.starts_with("__MACOSX/"))
        .collect();
    let [book] = books.as_slice() else {
        return Err(Failure::unable(format!(
            "the archive `{name}` holds {} files, expected one",
            books.len()
        ))
        .hint("unpack it and name the file itself"));
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
