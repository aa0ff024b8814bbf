//! A game from its start to now. Programs that check these rules against others use it, and so does
//! UCI.

use crate::board::Board;
use crate::fen;
use crate::moves;
use crate::piece::Color;

/// Invariant: `keys` are those of all positions, the present one last.
#[derive(Clone, Debug)]
pub struct Game {
    pub(crate) board: Board,
    pub(crate) keys: Vec<u64>,
    loser: Option<Color>,
}

impl Game {
    /// A game from a position, which has no history: Ko does not bind its first move.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn from_fen(text: &str) -> Result<Self, String> {
        let board = fen::parse(text)?;
        Ok(Self {
            keys: vec![board.key()],
            board,
            loser: None,
        })
    }

    /// The side whose king has been zapped, which ends the game.
    pub fn loser(&self) -> Option<Color> {
        self.loser
    }

    /// The moves that may be played now, as the rules write them.
    pub fn legal_moves(&self) -> Vec<String> {
        match self.loser {
            Some(_) => Vec::new(),
            None => moves::legal(&self.board)
                .iter()
                .map(ToString::to_string)
                .collect(),
        }
    }

    /// Plays a move.
    ///
    /// # Errors
    /// If it is illegal; nothing has changed then.
    pub fn play(&mut self, text: &str) -> Result<(), String> {
        let mv = moves::parse(&self.board, text)
            .filter(|_| self.loser.is_none())
            .ok_or_else(|| format!("move {text} is illegal"))?;
        self.loser = self.board.make(mv).lost();
        self.keys.push(self.board.key());
        Ok(())
    }

    /// The present position as text.
    pub fn fen(&self) -> String {
        fen::write(&self.board)
    }
}

/// Where a game begins.
pub const OPENING: &str = fen::OPENING;
