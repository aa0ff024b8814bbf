//! The resign rule: an engine has called its game lost for long enough.

use std::fmt;

use foundation::Failure;
use serde::{Deserialize, Serialize};

use super::fields::Fields;
use super::ruling::{Adjudication, Ply, Rule};

/// A loss for the engine that has called its game lost for long enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResignRule {
    /// Moves in a row.
    pub movecount: u32,
    /// Centipawns behind.
    pub score: i32,
    /// Whether the opponent must have called its game won for as long.
    pub twosided: bool,
}

impl ResignRule {
    /// The usual values in chess.
    pub const USUAL: Self = Self {
        movecount: 3,
        score: 400,
        twosided: false,
    };

    /// Reads `movecount=3,score=400` with `twosided=true` or without; `none` is no rule.
    pub fn parse(text: &str) -> Result<Option<Self>, Failure> {
        let fields = Fields {
            text,
            keys: &["movecount", "score", "twosided"],
            example: "movecount=3,score=400[,twosided=true]",
        };
        let Some([movecount, score, twosided]) = fields.read()? else {
            return Ok(None);
        };
        Ok(Some(Self {
            movecount: fields.number("movecount", movecount, 1)? as u32,
            score: fields.number("score", score, 1)?,
            twosided: match twosided {
                None | Some("false") => false,
                Some("true") => true,
                Some(other) => {
                    return Err(
                        fields.wrong(&format!("`twosided` is `{other}`, expected true or false"))
                    );
                }
            },
        }))
    }
}

/// As [`ResignRule::parse`] reads it.
impl fmt::Display for ResignRule {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            movecount,
            score,
            twosided,
        } = self;
        write!(
            formatter,
            "movecount={movecount},score={score},twosided={twosided}"
        )
    }
}

/// The rule in a game.
pub(super) struct Resign {
    pub(super) rule: ResignRule,
    /// Moves in a row that White and Black have called their games lost.
    pub(super) lost: [u32; 2],
    /// Plies in a row that the game was called decided, by whoever moved.
    pub(super) decided: u32,
}

impl Rule for Resign {
    fn after_ply(&mut self, ply: &Ply<'_>) -> Option<Adjudication> {
        let ResignRule {
            movecount,
            score,
            twosided,
        } = self.rule;
        let side = ply.mover as usize;
        let count = |row: u32, goes_on: bool| if goes_on { row + 1 } else { 0 };
        let is_lost = ply.score.is_some_and(|it| it.is_lost(score));
        let is_won = ply.score.is_some_and(|it| it.is_won(score));
        self.lost[side] = count(self.lost[side], is_lost);
        self.decided = count(self.decided, is_lost || is_won);
        // As in fastchess: it is always the mover that resigns, and with a two-sided rule the plies
        // of both sides are counted together.
        let resigns = if twosided {
            is_lost && self.decided >= movecount.saturating_mul(2)
        } else {
            self.lost[side] >= movecount
        };
        resigns.then(|| Adjudication::new(Some(ply.mover.opponent()), "resign rule"))
    }
}
