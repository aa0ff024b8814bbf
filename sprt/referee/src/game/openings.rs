//! Openings as a variant reads, draws and writes them. It does not decide which pair of games gets
//! which.

use std::path::Path;

use foundation::{Failure, text};

/// A start position and the moves from it that are played before the engines take over.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Opening {
    /// A FEN; `None` is the variant's usual start position.
    pub start: Option<String>,
    /// Moves in the engines' notation.
    pub moves: Vec<String>,
}

/// The openings of a book, from 0, in the order of the book.
pub trait Openings: Send + Sync {
    fn len(&self) -> u64;

    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// An opening as the book has it, not yet checked by the rules.
    ///
    /// # Errors
    /// That place of the book is broken.
    fn read(&self, index: u64) -> Result<Opening, Failure>;

    /// The variant that the record of an opening names, if it names one.
    fn variant(&self, _index: u64) -> Option<String> {
        None
    }

    /// Where it stands in the book, for messages: `line 3`.
    fn place(&self, index: u64) -> String;
}

/// A book that a variant brings with it.
pub struct Embedded {
    pub openings: Box<dyn Openings>,
    /// What the book is made of; its hash identifies the book.
    pub bytes: &'static [u8],
}

/// A file that is thought to be a book, taken out of its archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookFile {
    /// As it was given, for messages.
    pub name: String,
    /// The name within the archive, else the same as `name`.
    pub inner_name: String,
    pub bytes: Vec<u8>,
}

impl BookFile {
    /// The file's ending in lower case, without the dot.
    pub fn extension(&self) -> Option<String> {
        Path::new(&self.inner_name)
            .extension()
            .map(|extension| extension.to_string_lossy().to_ascii_lowercase())
    }

    /// The bytes of a file that must be lines of text, without a byte order mark. `expected` says
    /// what text, in a hint.
    ///
    /// # Errors
    /// It is no text.
    pub(crate) fn into_text(mut self, expected: &str) -> Result<Vec<u8>, Failure> {
        if self.bytes.starts_with(b"\xef\xbb\xbf") {
            self.bytes.drain(..3);
        }
        let what = format!("the book `{}`", self.name);
        let expected = format!("{expected}, also as .gz or .zip");
        text::check(&what, &self.bytes, &expected)?;
        Ok(self.bytes)
    }
}

/// A random opening that may become part of a book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// From the usual start position, in the engines' notation.
    pub moves: Vec<String>,
    /// The same for all lines that lead to the same position.
    pub key: u64,
}

/// Makes books of random openings.
pub trait Generator: Send + Sync {
    /// Candidate `number` of a seed: `plies` random moves; `None` if the game ends with them or
    /// before.
    fn draw(&self, seed: u64, number: u64, plies: u32) -> Option<Candidate>;

    /// Whether a file of that name can hold openings of so many plies.
    ///
    /// # Errors
    /// It cannot.
    fn can_write(&self, path: &Path, plies: u32) -> Result<(), Failure>;

    /// The bytes of a file of that name that holds these openings.
    ///
    /// # Errors
    /// One of them has no place in such a file.
    fn write(&self, path: &Path, plies: u32, openings: &[Candidate]) -> Result<Vec<u8>, Failure>;
}
