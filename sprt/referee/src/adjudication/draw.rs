//! The draw rule: both engines have called the game level for long enough.

use std::fmt;

use foundation::Failure;
use serde::{Deserialize, Serialize};

use super::fields::Fields;
use super::ruling::{Adjudication, Ply, Rule};

/// A draw once both engines have called the game level for long enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrawRule {
    /// Full moves that must have been played, by the position's own counter.
    pub movenumber: u32,
    /// Full moves in a row, both sides', with level scores; a capture or pawn move starts the count
    /// again.
    pub movecount: u32,
    /// The largest score, in centipawns for either side, that counts as level.
    pub score: i32,
}

impl DrawRule {
    /// The usual values in chess.
    pub const USUAL: Self = Self {
        movenumber: 40,
        movecount: 8,
        score: 10,
    };

    /// Reads `movenumber=40,movecount=8,score=10`; `none` is no rule.
    pub fn parse(text: &str) -> Result<Option<Self>, Failure> {
        let fields = Fields {
            text,
            keys: &["movenumber", "movecount", "score"],
            example: "movenumber=40,movecount=8,score=10",
        };
        let Some([movenumber, movecount, score]) = fields.read()? else {
            return Ok(None);
        };
        Ok(Some(Self {
            movenumber: fields.number("movenumber", movenumber, 0)? as u32,
            movecount: fields.number("movecount", movecount, 1)? as u32,
            score: fields.number("score", score, 0)?,
        }))
    }
}

/// As [`DrawRule::parse`] reads it.
impl fmt::Display for DrawRule {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            movenumber,
            movecount,
            score,
        } = self;
        write!(
            formatter,
            "movenumber={movenumber},movecount={movecount},score={score}"
        )
    }
}

/// The rule in a game.
pub(super) struct Draw {
    pub(super) rule: DrawRule,
    /// Plies in a row with level scores.
    pub(super) level: u32,
}

impl Rule for Draw {
    fn after_ply(&mut self, ply: &Ply<'_>) -> Option<Adjudication> {
        if ply.irreversible {
            self.level = 0;
        }
        if ply.score.is_some_and(|it| it.is_level(self.rule.score)) {
            self.level += 1;
        } else {
            self.level = 0;
        }
        let agreed =
            self.level / 2 >= self.rule.movecount && ply.full_moves >= self.rule.movenumber;
        agreed.then(|| Adjudication::new(None, "draw rule"))
    }
}
