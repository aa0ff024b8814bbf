//! A game from its start to the current position: for UCI, and for programs that compare these
//! rules with others.

use crate::board::Board;
use crate::fen;
use crate::moves;
use crate::piece::Color;

/// Invariant: `keys` are the keys of all positions, the current one last.
#[derive(Clone, Debug)]
pub struct Game {
    pub(crate) board: Board,
    pub(crate) keys: Vec<u64>,
    loser: Option<Color>,
}

impl Game {
    /// Starts a game from a position without history: Ko does not restrict its first move.
    ///
    /// # Errors
    /// The text is not a position; the message says why.
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

    /// The legal moves in the notation of the rules; none when the game is over.
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
    /// The move is illegal; the game is unchanged.
    pub fn play(&mut self, text: &str) -> Result<(), String> {
        let mv = moves::parse(&self.board, text)
            .filter(|_| self.loser.is_none())
            .ok_or_else(|| format!("move {text} is illegal"))?;
        self.loser = self.board.make(mv).lost();
        self.keys.push(self.board.key());
        Ok(())
    }

    /// The current position as text.
    pub fn fen(&self) -> String {
        fen::write(&self.board)
    }
}

/// The starting position.
pub const OPENING: &str = fen::OPENING;
