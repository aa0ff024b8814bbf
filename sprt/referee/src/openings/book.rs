//! A book of openings, and the opening that each pair of games gets from it.
//!
//! Input is a file in one of the variant's formats, which may be zipped, or the book built in.
//! Opening a book reads all of it but looks only at the first openings; each is checked when it is
//! used. Invariants: a book is not empty, and what it answers depends on its bytes, the variant and
//! the [`Reading`] alone.

use std::path::Path;

use foundation::{Failure, digest, failure::OrUnable};
use shakmaty::CastlingMode;

use super::{Reading, file};
use crate::game::chess::ChessVariant;
use crate::game::{Opening, Openings, Variant, variants};

/// Openings checked before the first game, so that a file that is no book is rejected at once.
const CHECKED_AT_ONCE: u64 = 32;

/// A book of openings for one variant.
pub struct Book {
    name: String,
    sha256: String,
    openings: Box<dyn Openings>,
    variant: &'static dyn Variant,
    reading: Reading,
    /// For each pair that is left out, how many before it are not.
    kept_before: Vec<u64>,
}

impl Book {
    /// Opens a file.
    ///
    /// # Errors
    /// The file cannot be read, is no book, holds no opening, or one of its first openings is
    /// broken.
    pub fn open(
        path: &Path,
        variant: &'static dyn Variant,
        reading: Reading,
    ) -> Result<Self, Failure> {
        let book = Self::open_unchecked(path, variant, reading)?;
        for index in 0..book.len().min(CHECKED_AT_ONCE) {
            book.read(index)?;
        }
        Ok(book)
    }

    /// Opens a file whose openings may all be broken.
    ///
    /// # Errors
    /// The file cannot be read, is no book, or holds no opening.
    pub fn open_unchecked(
        path: &Path,
        variant: &'static dyn Variant,
        reading: Reading,
    ) -> Result<Self, Failure> {
        let name = path.display().to_string();
        let bytes = std::fs::read(path)
            .or_unable(format_args!("read the book `{name}`"))
            .map_err(|failure| {
                failure.hint("a book is an EPD, PGN or Polyglot file, also as .gz or .zip")
            })?;
        let sha256 = digest::of_bytes(&bytes);
        let openings = variant.read_openings(file::unpack(&name, bytes)?, reading.plies)?;
        let book = Self {
            name,
            sha256,
            openings,
            variant,
            reading,
            kept_before: Vec::new(),
        };
        if book.is_empty() {
            return Err(
                Failure::unable(format!("the book `{}` holds no opening", book.name))
                    .hint("expected one position a line (EPD), or games (PGN)"),
            );
        }
        Ok(book)
    }

    /// The book that the variant brings with it.
    ///
    /// # Errors
    /// There is none.
    pub fn embedded(variant: &'static dyn Variant, reading: Reading) -> Result<Self, Failure> {
        let embedded = variant.embedded_openings()?;
        Ok(Self {
            name: "embedded".to_owned(),
            sha256: digest::of_bytes(embedded.bytes),
            openings: embedded.openings,
            variant,
            reading,
            kept_before: Vec::new(),
        })
    }

    /// Leaves out the openings of these pairs, which ascend; those of later pairs move up.
    #[must_use]
    pub fn without(self, pairs: &[u64]) -> Self {
        let kept_before = (0..)
            .zip(pairs)
            .map(|(before, pair)| pair.saturating_sub(before));
        Self {
            kept_before: kept_before.collect(),
            ..self
        }
    }

    /// The opening of a pair of games, counted from 0.
    ///
    /// # Errors
    /// That place of the book is broken; the message names it.
    pub fn opening(&self, pair: u64) -> Result<Opening, Failure> {
        let left_out = self.kept_before.partition_point(|&kept| kept <= pair);
        let pair = pair.saturating_add(left_out as u64);
        self.read(self.reading.pick(pair, self.len()))
    }

    /// The opening at a place of the book itself, counted from 0, checked by the rules of the
    /// variant.
    ///
    /// # Errors
    /// As for [`Book::opening`].
    pub fn read(&self, index: u64) -> Result<Opening, Failure> {
        self.check_variant(index)
            .and_then(|()| self.openings.read(index))
            .and_then(|opening| playable(opening, self.variant))
            .map_err(|failure| match failure.next_step() {
                Some(_) => failure,
                None => failure.hint("take it out of the book"),
            })
            .map_err(|failure| {
                let place = self.openings.place(index);
                failure.context(format_args!("book `{}`, {place}", self.name))
            })
    }

    /// Refuses the record of a game of another variant.
    fn check_variant(&self, index: u64) -> Result<(), Failure> {
        let is_chess960 = |variant: &dyn Variant| {
            ChessVariant::castling_mode(variant.name()).map(CastlingMode::is_chess960)
        };
        let Some(tag) = self.openings.variant(index) else {
            return Ok(());
        };
        let named = variants::named_in_pgn(&tag);
        // A game of standard chess is one of Chess960, too.
        let is_wider =
            is_chess960(self.variant) == Some(true) && named.and_then(is_chess960).is_some();
        if is_wider || self.variant.is_named_in_pgn(&tag) {
            return Ok(());
        }
        let failure = Failure::unable(format!(
            "a game of the variant `{tag}`, expected {}",
            self.variant.name()
        ));
        Err(match named {
            Some(named) => failure.hint(format!("add `--variant {}`", named.name())),
            None => failure,
        })
    }

    /// Openings in the book.
    pub fn len(&self) -> u64 {
        self.openings.len()
    }

    /// Never true of a book that was opened.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The path as it was given, or `embedded`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Of the file's bytes, in hexadecimal: a run that is resumed can tell that its book has
    /// changed.
    pub fn sha256(&self) -> &str {
        &self.sha256
    }
}

/// Plays the opening, and cuts off a move that would end the game and all after it.
///
/// # Errors
/// It begins in no position of the game, or has an illegal move.
pub fn playable(mut opening: Opening, variant: &dyn Variant) -> Result<Opening, Failure> {
    let moves = std::mem::take(&mut opening.moves);
    let mut game = variant.start(&opening)?;
    for text in moves {
        game.play(&text).map_err(|illegal| {
            let number = opening.moves.len() + 1;
            Failure::unable(format!("half-move {number}, `{}`, is illegal", illegal.0))
        })?;
        if game.ending().is_some() {
            break;
        }
        opening.moves.push(text);
    }
    Ok(opening)
}

#[cfg(test)]
mod tests;
