//! The CRC-32 of a file that grows, as other match runners print it of a file of games.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

/// A file that is read as far as it has grown.
#[derive(Debug)]
pub struct FileCrc32 {
    file: File,
    hasher: crc32fast::Hasher,
}

impl FileCrc32 {
    pub fn open(path: &Path) -> io::Result<Self> {
        Ok(Self {
            file: File::open(path)?,
            hasher: crc32fast::Hasher::new(),
        })
    }

    /// The checksum of all that the file holds by now; only what was added is read.
    pub fn checksum(&mut self) -> io::Result<u32> {
        let mut buffer = vec![0; 1 << 16];
        loop {
            match self.file.read(&mut buffer)? {
                0 => return Ok(self.hasher.clone().finalize()),
                length => self.hasher.update(&buffer[..length]),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_file_is_summed_as_far_as_it_has_grown() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        fs::write(&path, "1234").expect("written");
        let mut file = FileCrc32::open(&path).expect("a file");
        assert_eq!(file.checksum().expect("read"), crc32fast::hash(b"1234"));
        let mut end = fs::OpenOptions::new()
            .append(true)
            .open(&path)
            .expect("a file");
        io::Write::write_all(&mut end, b"56789").expect("written");
        // The check value of this CRC.
        assert_eq!(file.checksum().expect("read"), 0xcbf4_3926);
    }
}
