//! The referee's view of a game: what it must know, and nothing of chess.
//!
//! A [`Variant`] sets up games, reads openings and says what its engines speak; a [`Game`] accepts
//! moves, says when the rules end it, and keeps what a record needs. Chess is the first variant;
//! [`variants`] lists them all. Nothing outside a variant's own module may assume more than this: a
//! move is an opaque short string in the engines' notation, history (repetition and the like) lives
//! inside the game, and the mover can lose by its own move.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use engine_client::{Color, Dialect};
use foundation::Failure;

use crate::adjudication;
use crate::tablebase::{TableUse, Tablebase};

pub mod chess;
mod leiserchess;
#[cfg(feature = "nim")]
mod nim;
pub mod openings;
mod phase;
mod picture;
mod records;
pub mod variants;

pub use openings::{BookFile, Candidate, Embedded, Generator, Opening, Openings};
pub use phase::Phase;
pub use picture::{Picture, Shot};
use records::first_game;
pub use records::{game_starts, tag};
pub use variants::{find, variant};

/// How the rules ended a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// `None` is a draw.
    pub winner: Option<Color>,
    /// In the words match runners use: `White mates`, `Draw by 3-fold repetition`.
    pub text: &'static str,
}

/// Why a line of moves that an engine expects is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LineFault {
    /// It holds an illegal move.
    IllegalMove,
    /// It does not mate in as many moves as its score says.
    NoMate,
}

/// A move that the rules refuse.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IllegalMove(pub String);

/// What a game leaves behind for its record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The start position, where it is not the variant's usual one.
    pub start: Option<String>,
    /// Every move in the record's notation (SAN in chess), those of the opening first.
    pub moves: Vec<String>,
    /// Number of the first full move, and who makes it.
    pub first_move: (u32, Color),
    /// The position at the end.
    pub last_position: String,
}

/// A game in progress.
pub trait Game: Send {
    fn to_move(&self) -> Color;

    /// Plays a move in the engines' notation, or refuses it and stays as it was.
    fn play(&mut self, text: &str) -> Result<(), IllegalMove>;

    /// Whether the rules have ended the game with the last move (or with the opening).
    fn ending(&self) -> Option<Ending>;

    /// Whether this side could still win by some sequence of moves, however bad; where a game can
    /// tell that from what is left on the board.
    fn can_win(&self, _color: Color) -> bool {
        true
    }

    /// What follows `position ` in the engines' protocol: start and all moves so far, kept up to
    /// date by `play`.
    fn position(&self) -> &str;

    /// The same after a move that may follow, for an engine that thinks ahead; `None` where the
    /// move is illegal, where it ends the game, and in games whose engines do not think ahead.
    fn position_after(&self, _text: &str) -> Option<String> {
        None
    }

    /// Full moves played according to the position's own counter, for adjudication that waits for a
    /// move number.
    fn full_moves(&self) -> u32;

    /// Whether the last move can never be taken back by later ones (capture, pawn move): progress
    /// was made.
    fn last_move_is_irreversible(&self) -> bool;

    /// Equal for positions that an opening book should hold only once, however they were reached.
    fn key(&self) -> u64;

    /// The present position as text, in the variant's own form: an adjudicator may ask for it.
    fn current(&self) -> String;

    /// What is wrong with a line of moves in the engines' notation, where a game can tell. The
    /// first `made` moves have been made; the others follow from here. The line's score is a mate
    /// in `mate` moves (negative where the mover is mated), or no mate score.
    fn line_fault(&self, _line: &str, _made: usize, _mate: Option<i32>) -> Option<LineFault> {
        None
    }

    fn record(&self) -> Record;

    /// The present position for pages; `None` where the game has no drawn board.
    fn picture(&self) -> Option<Picture> {
        None
    }

    /// All moves that a person may choose from: none where the game is over.
    fn legal_moves(&self) -> Vec<String>;

    /// Whether there is a legal move, also where a rule has ended the game.
    fn can_move(&self) -> bool {
        !self.legal_moves().is_empty()
    }

    /// What a person should be told before making this legal move, which loses at once or lets the
    /// opponent win with the next one.
    fn danger(&self, _text: &str) -> Option<&'static str> {
        None
    }

    /// The legal move that a suite or a person means, in the engines' notation.
    ///
    /// # Errors
    /// What is wrong with it, in words that follow it.
    fn find(&self, said: &str) -> Result<String, &'static str> {
        let is_legal = self.legal_moves().iter().any(|text| text == said);
        is_legal.then(|| said.to_owned()).ok_or("is illegal")
    }

    /// Plays a move in a record's notation and returns it in the engines'. Where a game can go on after
    /// a rule has ended it, as chess after a repetition, records of other referees do.
    ///
    /// # Errors
    /// It is illegal.
    fn play_recorded(&mut self, said: &str) -> Result<String, IllegalMove> {
        self.play(said).map(|()| said.to_owned())
    }

    /// The present position without its history: the same however it came about.
    fn position_without_history(&self) -> String {
        self.current()
    }

    /// The one move that what came before forbids, though the position without its history allows it.
    fn forbidden_by_history(&self) -> Option<String> {
        None
    }

    /// Whether the present position ends the game, whatever came before it.
    fn ending_without_history(&self) -> Option<Ending> {
        self.ending()
    }

    /// How far the game has come, by what is left on the board.
    fn phase(&self) -> Phase {
        Phase::Opening
    }

    /// The same in more words, where a game has them: `rook endgame`.
    fn theme(&self) -> String {
        self.phase().name().to_owned()
    }

    /// What a side has on the board, in pawns.
    fn material(&self, _color: Color) -> i32 {
        0
    }

    /// Whether a legal move leaves the opponent little choice, as captures do.
    fn is_forcing(&self, _text: &str) -> bool {
        false
    }

    /// The square on which a legal move takes a piece, in games in which it could be taken back
    /// there.
    fn capture(&self, _text: &str) -> Option<String> {
        None
    }
}

/// A kind of game.
pub trait Variant: fmt::Debug + Send + Sync {
    /// As on the command line: `standard`, `chess960`.
    fn name(&self) -> &'static str;

    /// What other match runners call it.
    fn other_names(&self) -> &'static [&'static str] {
        &[]
    }

    /// What PGN's `Variant` tag calls it; `None` where there is no need for the tag.
    fn pgn_name(&self) -> Option<&'static str>;

    /// Whether a `Variant` tag names it: `Chess960`, `chess 960`, `Fischerandom`.
    fn is_named_in_pgn(&self, tag: &str) -> bool {
        let plain = |name: &str| name.replace([' ', '-', '_'], "").to_ascii_lowercase();
        let own = [self.name()].into_iter().chain(self.pgn_name());
        let mut names = own.chain(self.other_names().iter().copied());
        names.any(|name| plain(name) == plain(tag))
    }

    /// What its engines speak.
    fn dialect(&self) -> &'static dyn Dialect;

    /// Options that engines must be given for this variant, whatever the user says.
    fn engine_options(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// Options that engines are given for this variant where they have them.
    fn offered_options(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// Which games are cut short unless the user says otherwise.
    fn adjudication(&self) -> adjudication::Rules {
        adjudication::Rules::default()
    }

    /// Reads a book in one of the variant's formats. `plies` limits the moves that are taken from
    /// each line or game.
    ///
    /// # Errors
    /// The file is no book of this variant.
    fn read_openings(
        &self,
        file: BookFile,
        plies: Option<u32>,
    ) -> Result<Box<dyn Openings>, Failure>;

    /// The book built in.
    ///
    /// # Errors
    /// There is none.
    fn embedded_openings(&self) -> Result<Embedded, Failure>;

    /// Opens tables of endings that lie in `folders`.
    ///
    /// # Errors
    /// There are none there, or none for this variant at all.
    fn tablebase(
        &self,
        _folders: &[PathBuf],
        _use: TableUse,
    ) -> Result<Arc<dyn Tablebase>, Failure> {
        Err(Failure::unable(format!(
            "there are no endgame tables for `{}`",
            self.name()
        )))
    }

    /// What makes books of random openings, where the variant can.
    fn generator(&self) -> Option<&'static dyn Generator> {
        None
    }

    /// The number of fields of a position as text, counters aside.
    fn position_fields(&self) -> usize;

    /// A game from a position that is to be studied: it may be over, or one that no game reaches.
    ///
    /// # Errors
    /// It is no position of this variant.
    fn study(&self, text: &str) -> Result<Box<dyn Game>, Failure> {
        self.start(&Opening {
            start: Some(text.to_owned()),
            moves: Vec::new(),
        })
    }

    /// Sets up a game after its opening, the opening's moves played.
    ///
    /// # Errors
    /// The opening is not a legal line of this variant, or the game is over at its end.
    fn start(&self, opening: &Opening) -> Result<Box<dyn Game>, Failure>;

    /// The record of a game: its opening and the moves after it, which were played by the rules.
    ///
    /// # Errors
    /// They were not.
    fn record(&self, opening: &Opening, moves: &[&str]) -> Result<Record, Failure> {
        let mut game = self.start(opening)?;
        for text in moves {
            game.play(text).map_err(|illegal| {
                Failure::unable(format!("move `{}` of a record is illegal", illegal.0))
            })?;
        }
        Ok(game.record())
    }
}
