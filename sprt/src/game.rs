//! The referee's view of a game: what it must know, and nothing of chess.
//!
//! A [`Variant`] sets up games; a [`Game`] accepts moves, says when the rules end it, and keeps what a record needs.
//! Chess is the first variant. Nothing outside the variants' own modules may assume more than stands here: a move is
//! an opaque short string in the engines' notation, history (repetition and the like) lives inside the game, and the
//! mover can lose by its own move.

use foundation::Failure;

pub mod chess;

/// A start position and the moves from it that are played before the engines take over.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Opening {
    /// A FEN; `None` is the variant's usual start position.
    pub start: Option<String>,
    /// Moves in the engines' notation.
    pub moves: Vec<String>,
}

/// The side that an engine plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Color {
    White,
    Black,
}

impl Color {
    #[must_use]
    pub fn opponent(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }

    /// As results name it: `White`, `Black`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::White => "White",
            Self::Black => "Black",
        }
    }
}

/// How the rules ended a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// `None` is a draw.
    pub winner: Option<Color>,
    /// In the words match runners use: `White mates`, `Draw by 3-fold repetition`.
    pub text: &'static str,
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

    /// What follows `position ` in the engines' protocol: start and all moves so far, kept up to date by `play`.
    fn position(&self) -> &str;

    /// Full moves played according to the position's own counter, for adjudication that waits for a move number.
    fn full_moves(&self) -> u32;

    /// Whether the last move can never be taken back by later ones (capture, pawn move): progress was made.
    fn last_move_is_irreversible(&self) -> bool;

    fn record(&self) -> Record;
}

/// A kind of game.
pub trait Variant: Send + Sync {
    /// As on the command line: `standard`, `chess960`.
    fn name(&self) -> &'static str;

    /// What PGN's `Variant` tag calls it; `None` where there is no need for the tag.
    fn pgn_name(&self) -> Option<&'static str>;

    /// Options that engines must be given for this variant, whatever the user says.
    fn engine_options(&self) -> &'static [(&'static str, &'static str)];

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

/// Names that [`variant`] knows, for help texts and errors.
pub const VARIANTS: &[&str] = &["standard", "chess960"];

/// The variant of a name; `fischerandom` is what other match runners call Chess960.
pub fn variant(name: &str) -> Option<&'static dyn Variant> {
    match name {
        "standard" => Some(&chess::STANDARD),
        "chess960" | "fischerandom" => Some(&chess::CHESS960),
        _ => None,
    }
}
