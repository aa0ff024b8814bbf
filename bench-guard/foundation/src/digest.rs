//! SHA-256 in hexadecimal, which in this field identifies engines and books.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use sha2::{Digest, Sha256};

mod cached;

pub use cached::of_file_cached;

/// The digest of some bytes.
pub fn of_bytes(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// The digest of a file, and the file's length.
pub fn of_file(path: &Path) -> io::Result<(String, u64)> {
    let mut file = File::open(path)?;
    let mut hash = Sha256::new();
    // As much as fits the caches next to a core.
    let mut buffer = vec![0; 1 << 16];
    let mut size = 0;
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok((hex(&hash.finalize()), size)),
            length => {
                hash.update(&buffer[..length]);
                size += length as u64;
            }
        }
    }
}

/// The first 16 digits of a digest over parts with any content, such that different lists of parts
/// never look alike.
pub fn of_parts(parts: &[String]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part.as_bytes());
    }
    hex(&hash.finalize()[..8])
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a `String` cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_of_abc_is_the_published_one() {
        let published = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(of_bytes(b"abc"), published);
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(file.path(), b"abc").expect("written");
        assert_eq!(
            of_file(file.path()).expect("read"),
            (published.to_owned(), 3)
        );
    }

    #[test]
    fn where_one_part_ends_matters() {
        assert_ne!(
            of_parts(&["ab".into(), "c".into()]),
            of_parts(&["a".into(), "bc".into()])
        );
    }
}
