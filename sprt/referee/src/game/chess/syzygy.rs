//! Syzygy tables, by which endings are adjudicated.

use std::fmt;
use std::path::PathBuf;

use foundation::{Failure, failure::OrUnable};
use shakmaty::{CastlingMode, Chess, Position};
use shakmaty_syzygy::{Tablebase as Tables, Wdl};

use super::color::color;
use super::fen::parse_fen;
use crate::tablebase::{TableUse, Tablebase};
use engine_client::Color;

/// The tables of some folders. Only those of wins, draws and losses (`.rtbw`) are needed.
pub(super) struct Syzygy {
    tables: Tables<Chess>,
    mode: CastlingMode,
    /// Positions with more pieces are not probed.
    pieces: usize,
    table_use: TableUse,
}

impl Syzygy {
    /// Finds the tables in `folders`; they are opened when they are needed.
    ///
    /// # Errors
    /// A folder cannot be read or holds no table.
    pub(super) fn open(
        folders: &[PathBuf],
        mode: CastlingMode,
        table_use: TableUse,
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
            pieces: tables
                .max_pieces()
                .min(table_use.pieces.unwrap_or(usize::MAX)),
            table_use,
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
        let mover = color(position.turn());
        let ignores_50 = self.table_use.ignore_50;
        let winner = match self.tables.probe_wdl_after_zeroing(&position).ok()? {
            Wdl::Win => Some(mover),
            Wdl::Loss => Some(mover.opponent()),
            // It takes longer than the fifty-move rule allows.
            Wdl::CursedWin if ignores_50 => Some(mover),
            Wdl::BlessedLoss if ignores_50 => Some(mover.opponent()),
            Wdl::CursedWin | Wdl::Draw | Wdl::BlessedLoss => None,
        };
        self.table_use.adjudicate.ends(winner).then_some(winner)
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
