//! Selection of the positions to train on.

use std::fmt::{self, Display};

use clap::Args;
use engine::packed::PackedPosition;

/// Positions in check, with a capture or promotion as best move, or with a mate score are always
/// left out. Nothing else is left out for validation, so that the losses of different filters can
/// be compared.
#[derive(Args, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Leave out positions before this ply of their game
    #[arg(long, value_name = "PLY", default_value_t = 0)]
    pub min_ply: usize,
    /// Leave out positions with fewer pieces, kings included
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub min_pieces: usize,
    /// Leave out positions whose score is larger, for either side, in centipawns [default: none]
    #[arg(long, value_name = "CP")]
    pub max_score: Option<u32>,
}

impl Filter {
    pub fn keeps(&self, position: &PackedPosition) -> bool {
        position.is_quiet()
            && position.ply() >= self.min_ply
            && (self.min_pieces == 0 || position.placement().count() >= self.min_pieces)
            && (self.max_score).is_none_or(|most| position.score().unsigned_abs() <= most)
    }
}

/// The flags of the active filters, each followed by a space.
impl Display for Filter {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.min_ply > 0 {
            write!(formatter, "min-ply {} ", self.min_ply)?;
        }
        if self.min_pieces > 0 {
            write!(formatter, "min-pieces {} ", self.min_pieces)?;
        }
        if let Some(most) = self.max_score {
            write!(formatter, "max-score {most} ")?;
        }
        Ok(())
    }
}
