//! The games of a file of packed positions.

use std::fmt::{self, Display, Formatter};
use std::iter;
use std::ops::Range;

use super::{PackedPosition, UNIT, Unit, u32_at, u64_at};
use crate::checksum;

const GAME: [u8; 4] = *b"GAME";

/// A whole game.
#[derive(Debug)]
pub struct Game<'a> {
    pub number: u64,
    /// Its bytes in the file.
    pub range: Range<usize>,
    pub positions: &'a [Unit],
}

/// A game whose bytes are not those that were written.
#[derive(Debug)]
pub struct Damaged {
    offset: usize,
}

impl Display for Damaged {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        write!(formatter, "the game at byte {} is damaged", self.offset)
    }
}

/// The games of a file, to the first that is incomplete or damaged. Its writer was interrupted, or
/// is still at work, where it is incomplete.
pub fn games(file: &[u8]) -> impl Iterator<Item = Result<Game<'_>, Damaged>> {
    let mut end = UNIT;
    iter::from_fn(move || {
        let start = end;
        match first_game(file.get(start..)?) {
            Ok((number, count)) => {
                end += (count + 1) * UNIT;
                Some(Ok(Game {
                    number,
                    range: start..end,
                    positions: file[start + UNIT..end].as_chunks().0,
                }))
            }
            Err(NoGame::Incomplete) => None,
            Err(NoGame::Damaged) => {
                end = file.len();
                Some(Err(Damaged { offset: start }))
            }
        }
    })
}

/// A game's header and positions as in a file.
pub fn pack_game(number: u64, positions: &[PackedPosition]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity((positions.len() + 1) * UNIT);
    bytes.extend_from_slice(&[0; 8]);
    bytes.extend_from_slice(&GAME);
    bytes.extend_from_slice(&(positions.len() as u32).to_le_bytes());
    bytes.extend_from_slice(&number.to_le_bytes());
    bytes.extend_from_slice(&[0; 8]);
    for position in positions {
        bytes.extend_from_slice(&position.0);
    }
    let sum = checksum_of(&bytes);
    bytes[24..UNIT].copy_from_slice(&sum.to_le_bytes());
    bytes
}

/// Why no game could be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NoGame {
    /// The bytes end within the game: its writer was interrupted, or is still at work.
    Incomplete,
    Damaged,
}

/// The first game in `bytes`: its number and the number of its positions.
fn first_game(bytes: &[u8]) -> Result<(u64, usize), NoGame> {
    let Some(header) = bytes.first_chunk::<UNIT>() else {
        return Err(NoGame::Incomplete);
    };
    if header[..8] != [0; 8] || header[8..12] != GAME {
        return Err(NoGame::Damaged);
    }
    let count = u32_at(header, 12) as usize;
    let Some(game) = bytes.get(..(count + 1) * UNIT) else {
        return Err(NoGame::Incomplete);
    };
    if checksum_of(game) == u64_at(header, 24) {
        Ok((u64_at(header, 16), count))
    } else {
        Err(NoGame::Damaged)
    }
}

/// The checksum of a game, without the checksum's own bytes.
fn checksum_of(game: &[u8]) -> u64 {
    let sum = checksum::mix_bytes(checksum::START, &game[..24]);
    checksum::mix_bytes(sum, &game[UNIT..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;

    #[test]
    fn games_that_are_cut_or_changed_are_not_taken_for_whole_ones() {
        let position = {
            let position = Position::from_fen("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1").unwrap();
            let best = position.parse_move("e2e4", false).unwrap();
            PackedPosition::new(&position, 17, -345, best)
        };
        let game = pack_game(7, &[position; 3]);
        assert_eq!(first_game(&game), Ok((7, 3)));
        for length in 0..game.len() {
            assert_eq!(first_game(&game[..length]), Err(NoGame::Incomplete));
        }
        for index in 0..game.len() {
            let mut game = game.clone();
            game[index] ^= 4;
            assert!(first_game(&game).is_err(), "{index}");
        }
    }

    #[test]
    fn damage_ends_the_games_of_a_file() {
        let game = pack_game(7, &[]);
        let mut file = [[1; UNIT].as_slice(), &game, &game, &game].concat();
        assert_eq!(games(&file).filter_map(Result::ok).count(), 3);
        assert!(games(&file[..3 * UNIT - 1]).all(|game| game.is_ok_and(|it| it.range == (32..64))));
        file[2 * UNIT + 20] ^= 1;
        let found: Vec<_> = games(&file).collect();
        assert_eq!(found.len(), 2);
        let damaged = found[1].as_ref().unwrap_err();
        assert_eq!(damaged.to_string(), "the game at byte 64 is damaged");
        assert_eq!(games(&[0; 5]).count(), 0);
    }
}
