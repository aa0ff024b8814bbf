//! Leiserchess: Kings with lasers among pawns that are mirrors, by the rules of 2018.
//!
//! Each turn one piece moves, then the mover's laser fires and takes at most one piece off the
//! board. The side whose King is hit loses, whoever fired. Tangerine is White, Lavender is Black.
//! Two presets differ in what ends a game that goes nowhere: the rules as they are written, and the
//! staff's referee of the course that made the game (MIT 6.172).

use foundation::Failure;

use self::books::Book;
use self::dialect::LEISERCHESS_UCI;
use self::fen::{OPENING, parse_fen};
use self::generator::RANDOM_LINES;
use self::play::LeiserGame;
use super::{BookFile, Embedded, Game, Generator, Opening, Openings, Variant};
use crate::adjudication;
use engine_client::Dialect;

#[cfg(test)]
mod against_player;
mod board;
mod books;
mod dialect;
mod fen;
mod generator;
mod laser;
mod moves;
mod notation;
mod picture;
mod play;
mod square;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod vectors;

/// As the rules say: fifty moves of each side without a zap are a draw.
pub(super) static LEISERCHESS: Leiserchess = Leiserchess {
    name: "leiserchess",
    quiet_limit: 100,
    max_moves: None,
};

/// As the staff's referee has it: a hundred such moves of each side, and 400 moves in all.
pub(super) static LEISERCHESS_STAFF: Leiserchess = Leiserchess {
    name: "leiserchess-staff",
    quiet_limit: 200,
    max_moves: Some(400),
};

/// The game with what ends it when nothing happens.
#[derive(Debug)]
pub(super) struct Leiserchess {
    name: &'static str,
    /// Plies in a row without a zap that make a draw.
    quiet_limit: u32,
    max_moves: Option<u32>,
}

impl Variant for Leiserchess {
    fn name(&self) -> &'static str {
        self.name
    }

    fn other_names(&self) -> &'static [&'static str] {
        match self.max_moves {
            None => &["leiserchess2018", "leiserchess-rules"],
            Some(_) => &[],
        }
    }

    fn pgn_name(&self) -> Option<&'static str> {
        Some("Leiserchess2018")
    }

    fn dialect(&self) -> &'static dyn Dialect {
        &LEISERCHESS_UCI
    }

    /// Engines that have such an option play by the limit that the referee has.
    fn offered_options(&self) -> &'static [(&'static str, &'static str)] {
        match self.quiet_limit {
            200 => &[("Quiet Limit", "200")],
            _ => &[("Quiet Limit", "100")],
        }
    }

    fn adjudication(&self) -> adjudication::Rules {
        adjudication::Rules {
            max_moves: self.max_moves,
            ..adjudication::Rules::default()
        }
    }

    fn read_openings(
        &self,
        file: BookFile,
        plies: Option<u32>,
    ) -> Result<Box<dyn Openings>, Failure> {
        Ok(Box::new(Book::read(file, plies)?))
    }

    fn embedded_openings(&self) -> Result<Embedded, Failure> {
        books::embedded()
    }

    fn generator(&self) -> Option<&'static dyn Generator> {
        Some(&RANDOM_LINES)
    }

    fn position_fields(&self) -> usize {
        2
    }

    fn start(&self, opening: &Opening) -> Result<Box<dyn Game>, Failure> {
        let board = parse_fen(opening.start.as_deref().unwrap_or(OPENING))?;
        let mut game = LeiserGame::new(board, self.quiet_limit);
        for (index, text) in opening.moves.iter().enumerate() {
            refuse_if_over(&game, index)?;
            game.play(text).map_err(|illegal| {
                Failure::unable(format!(
                    "move {} of the opening, `{}`, is illegal in `{}`",
                    index + 1,
                    illegal.0,
                    game.current()
                ))
            })?;
        }
        refuse_if_over(&game, opening.moves.len())?;
        Ok(Box::new(game))
    }
}

fn refuse_if_over(game: &LeiserGame, moves: usize) -> Result<(), Failure> {
    match game.ending() {
        None => Ok(()),
        Some(ending) => Err(Failure::unable(format!(
            "the game is over after {moves} moves of the opening ({}), in `{}`",
            ending.text,
            game.current()
        ))),
    }
}
