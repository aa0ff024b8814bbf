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
        let game = game_at(file, end)?;
        end = game.as_ref().map_or(file.len(), |game| game.range.end);
        Some(game)
    })
}

/// The game at this byte of a file. `None` where the bytes end within it.
fn game_at(file: &[u8], offset: usize) -> Option<Result<Game<'_>, Damaged>> {
    let bytes = file.get(offset..)?;
    let header = bytes.first_chunk::<UNIT>()?;
    if header[..8] != [0; 8] || header[8..12] != GAME {
        return Some(Err(Damaged { offset }));
    }
    let length = (u32_at(header, 12) as usize + 1) * UNIT;
    let game = bytes.get(..length)?;
    if checksum_of(game) != u64_at(header, 24) {
        return Some(Err(Damaged { offset }));
    }
    Some(Ok(Game {
        number: u64_at(header, 16),
        range: offset..offset + length,
        positions: game[UNIT..].as_chunks().0,
    }))
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

/// The checksum of a game, without the checksum's own bytes.
fn checksum_of(game: &[u8]) -> u64 {
    let sum = checksum::mix_bytes(checksum::START, &game[..24]);
    checksum::mix_bytes(sum, &game[UNIT..])
}

#[cfg(test)]
mod tests {
    use super::super::tests::packed;
    use super::*;

    #[test]
    fn games_that_are_cut_or_changed_are_not_taken_for_whole_ones() {
        let position = packed("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2e4");
        let game = pack_game(7, &[position; 3]);
        let whole = game_at(&game, 0).unwrap().unwrap();
        assert_eq!((whole.number, whole.positions.len()), (7, 3));
        for length in 0..game.len() {
            assert!(game_at(&game[..length], 0).is_none(), "{length}");
        }
        for index in 0..game.len() {
            let mut game = game.clone();
            game[index] ^= 4;
            assert!(!matches!(game_at(&game, 0), Some(Ok(_))), "{index}");
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
