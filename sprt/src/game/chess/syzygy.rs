//! Syzygy tables, by which endings are adjudicated.

use std::fmt;
use std::path::PathBuf;

use foundation::{Failure, failure::OrUnable};
use shakmaty::{CastlingMode, Chess, Position};
use shakmaty_syzygy::{Tablebase as Tables, Wdl};

use super::fen::parse_fen;
use crate::game::Tablebase;
use engine_client::Color;

/// The tables of some folders. Only those of wins, draws and losses (`.rtbw`) are needed.
pub struct Syzygy {
    tables: Tables<Chess>,
    mode: CastlingMode,
    /// Positions with more pieces are not looked up.
    pieces: usize,
}

impl Syzygy {
    /// Finds the tables in `folders`; they are opened when they are needed.
    ///
    /// # Errors
    /// A folder cannot be read or holds no table.
    pub fn open(
        folders: &[PathBuf],
        mode: CastlingMode,
        pieces: Option<usize>,
    ) -> Result<Self, Failure> {
        let mut tables = Tables::new();
        for folder in folders {
            let count = tables
                .add_directory(folder)
                .or_unable(format_args!("read Syzygy tables in `{}`", folder.display()))?;
            if count == 0 {
                return Err(Failure::unable(format!(
                    "`{}` holds no Syzygy table",
                    folder.display()
                ))
                .hint("expected files such as KQvK.rtbw"));
            }
        }
        Ok(Self {
            mode,
            pieces: tables.max_pieces().min(pieces.unwrap_or(usize::MAX)),
            tables,
        })
    }
}

impl Tablebase for Syzygy {
    fn winner(&self, position: &str) -> Option<Option<Color>> {
        // Most positions have too many pieces, which can be told from the text.
        let placement = position.split(' ').next()?;
        if placement.bytes().filter(u8::is_ascii_alphabetic).count() > self.pieces {
            return None;
        }
        let position = parse_fen(position, self.mode).ok()?;
        let mover = super::color(position.turn());
        // A win that takes longer than the fifty-move rule allows is a draw.
        Some(match self.tables.probe_wdl_after_zeroing(&position).ok()? {
            Wdl::Win => Some(mover),
            Wdl::Loss => Some(mover.opponent()),
            Wdl::CursedWin | Wdl::Draw | Wdl::BlessedLoss => None,
        })
    }

    fn name(&self) -> &'static str {
        "SyzygyTB"
    }
}

impl fmt::Debug for Syzygy {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Syzygy tables up to {} pieces", self.pieces)
    }
}

#[cfg(test)]
#[path = "../../../tests/syzygy_tables.rs"]
mod tables;

#[cfg(test)]
mod tests {
    use super::*;

    fn open(folder: &std::path::Path, pieces: Option<usize>) -> Result<Syzygy, Failure> {
        Syzygy::open(&[folder.to_owned()], CastlingMode::Standard, pieces)
    }

    #[test]
    fn endings_have_the_value_of_their_table_from_either_side() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        tables::write_queen_against_king(folder.path());
        let syzygy = open(folder.path(), None).expect("a table");
        for (position, winner) in [
            ("8/8/7k/8/8/8/Q7/K7 w - - 0 1", Some(Some(Color::White))),
            ("8/8/7k/8/8/8/Q7/K7 b - - 0 1", Some(Some(Color::White))),
            ("8/8/7K/8/8/8/q7/k7 w - - 0 1", Some(Some(Color::Black))),
            // The queen is lost at once.
            ("8/8/8/8/8/8/2kQ4/K7 b - - 0 1", Some(None)),
            // There is no such table, and too many pieces for any.
            ("8/8/7k/8/8/8/R7/K7 w - - 0 1", None),
            ("8/8/7k/8/8/8/QR6/K7 w - - 0 1", None),
            ("no position", None),
        ] {
            assert_eq!(syzygy.winner(position), winner, "{position}");
        }
        let few = open(folder.path(), Some(2)).expect("a table");
        assert_eq!(few.winner("8/8/7k/8/8/8/Q7/K7 w - - 0 1"), None);
    }

    #[test]
    fn a_folder_without_tables_is_refused() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let failure = open(folder.path(), None).expect_err("an empty folder");
        assert!(
            failure.message().contains("holds no Syzygy table"),
            "{failure}"
        );
        assert!(open(&folder.path().join("missing"), None).is_err());
    }
}
