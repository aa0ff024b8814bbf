//! A game as its record has it.

use engine_client::Color;
use foundation::Failure;
use pgn_reader::{KnownOutcome, Outcome};
use referee::game::{self, Opening, Phase, Variant};
use runs::analysis::record::RecordedMove;

/// A game and what its record says about it.
#[derive(Clone, Debug)]
pub struct Game {
    /// White's name and Black's.
    pub players: [String; 2],
    /// Their options, as `WhiteOptions` and `BlackOptions` have them; empty where they have not.
    pub options: [String; 2],
    pub result: Option<KnownOutcome>,
    /// How it ended: the words after the last move, or else the tag `Termination`.
    pub reason: Option<String>,
    /// The tags `ECO` and `Opening`.
    pub opening: Option<String>,
    pub variant: &'static dyn Variant,
    /// The position in which it began, where that is not the usual one.
    pub start: Option<String>,
    pub moves: Vec<GameMove>,
}

/// A move of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct GameMove {
    /// In the engines' notation; `note` has the record's.
    pub text: String,
    pub mover: Color,
    /// How far the game had come when it was made.
    pub phase: Phase,
    pub note: RecordedMove,
}

impl Game {
    /// The game before its first move.
    ///
    /// # Errors
    /// It begins in a position that is none.
    pub fn begin(&self) -> Result<Box<dyn game::Game>, Failure> {
        match &self.start {
            None => self.variant.start(&Opening::default()),
            Some(text) => self.variant.study(text),
        }
    }

    pub(super) fn make(
        &mut self,
        board: &mut dyn game::Game,
        note: RecordedMove,
    ) -> Result<(), String> {
        let (mover, phase) = (board.to_move(), board.phase());
        let text = board.play_recorded(&note.text).map_err(|illegal| {
            let number = self.moves.len() + 1;
            format!("half-move {number}, `{}`, is illegal", illegal.0)
        })?;
        self.moves.push(GameMove {
            text,
            mover,
            phase,
            note,
        });
        Ok(())
    }

    /// A game without a move, as its tags have it.
    pub(super) fn of(tags: Tags, variant: &'static dyn Variant) -> Self {
        let opening = format!("{} {}", tags.eco, tags.opening).trim().to_owned();
        Self {
            players: tags.players,
            options: tags.options,
            result: tags.result,
            reason: tags.termination,
            opening: (!opening.is_empty()).then_some(opening),
            variant,
            start: tags.fen,
            moves: Vec::new(),
        }
    }

    /// Takes the result after the moves, which that of the tag may not contradict.
    pub(super) fn end(&mut self, known: KnownOutcome) -> Result<(), String> {
        match self.result.replace(known) {
            Some(tag) if tag != known => Err(format!(
                "the tag `Result` is {tag}, but the moves end with {known}"
            )),
            _ => Ok(()),
        }
    }

    pub(super) fn finish(mut self) -> Reading {
        if self.moves.is_empty() && self.players.iter().all(String::is_empty) {
            return Err("it has neither players nor moves".to_owned());
        }
        let said = self
            .moves
            .last()
            .map(|last| without_commands(&last.note.note));
        if let Some(words) = said.filter(|words| !words.is_empty()) {
            self.reason = Some(words);
        }
        Ok(self)
    }
}

/// A comment without commands for other programs, such as `[%clk 0:02:59]`.
fn without_commands(words: &str) -> String {
    let mut plain = String::new();
    let mut rest = words;
    while let Some((before, command)) = rest.split_once("[%") {
        plain.push_str(before);
        rest = command.split_once(']').map_or("", |(_, after)| after);
    }
    plain.push_str(rest);
    plain.trim().to_owned()
}

/// `None` is a draw.
pub fn winner(known: KnownOutcome) -> Option<Color> {
    let winner = known.winner()?;
    Some(if winner.is_black() {
        Color::Black
    } else {
        Color::White
    })
}

/// A game, or what is wrong with it.
pub type Reading = Result<Game, String>;

/// Tags that matter.
#[derive(Default)]
pub(super) struct Tags {
    players: [String; 2],
    options: [String; 2],
    fen: Option<String>,
    pub(super) variant: String,
    result: Option<KnownOutcome>,
    termination: Option<String>,
    eco: String,
    opening: String,
}

impl Tags {
    pub(super) fn add(&mut self, name: &[u8], value: String) {
        match name {
            b"White" => self.players[0] = value,
            b"Black" => self.players[1] = value,
            b"WhiteOptions" => self.options[0] = value,
            b"BlackOptions" => self.options[1] = value,
            b"FEN" => self.fen = Some(value),
            b"Variant" => self.variant = value,
            b"Result" => self.result = known(value.as_bytes()),
            b"Termination" => self.termination = Some(value),
            b"ECO" => self.eco = value,
            b"Opening" => self.opening = value,
            _ => {}
        }
    }
}

pub(super) fn known(result: &[u8]) -> Option<KnownOutcome> {
    match Outcome::from_ascii(result) {
        Ok(Outcome::Known(known)) => Some(known),
        _ => None,
    }
}
