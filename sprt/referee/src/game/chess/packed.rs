//! A compact form for books of short lines from the usual start position: about five bytes an
//! opening.
//!
//! A move is its rank, from 0, among the legal moves sorted by their text (`a2a3` before `a2a4`),
//! so that the meaning does not depend on any move generator. A line is one number: its ranks, six
//! bits each, the first one highest. A file is
//!
//! ```text
//! "WSOB", 1 byte: version 1, 1 byte: plies in every line (1 to 10), 4 bytes: number of lines, little-endian;
//! the numbers in ascending order, each as its distance from the one before (the first from 0), in LEB128
//! ```
//!
//! Equal lines are impossible: a distance of 0 is an error, but for the first.

use shakmaty::{CastlingMode, Chess, Position, Role, Square, uci::UciMove};

/// How a packed book begins.
pub(super) const MAGIC: &[u8] = b"WSOB";
const VERSION: u8 = 1;
const HEADER: usize = 10;
const BITS_PER_PLY: u32 = 6;

/// Plies that fit into a number.
pub(super) const MAX_PLIES: u32 = u64::BITS / BITS_PER_PLY;

/// The lines of a book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Packed {
    plies: u32,
    /// Ascending.
    lines: Vec<u64>,
}

impl Packed {
    /// A book of lines that [`pack`] made of `plies` moves each.
    pub(crate) fn new(plies: u32, mut lines: Vec<u64>) -> Self {
        lines.sort_unstable();
        lines.dedup();
        Self { plies, lines }
    }

    pub(crate) fn len(&self) -> usize {
        self.lines.len()
    }

    /// The moves of a line; `None` where a rank means no legal move or there is no such line.
    pub(crate) fn moves(&self, index: usize) -> Option<Vec<String>> {
        let line = *self.lines.get(index)?;
        let mut position = Chess::default();
        (0..self.plies)
            .rev()
            .map(|ply| {
                let rank = line >> (ply * BITS_PER_PLY) & ((1 << BITS_PER_PLY) - 1);
                let said = ranked(&position).into_iter().nth(rank as usize)?;
                position.play_unchecked(said.to_move(&position).ok()?);
                Some(said.to_string())
            })
            .collect()
    }

    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend([VERSION, self.plies as u8]);
        bytes.extend((self.lines.len() as u32).to_le_bytes());
        let mut last = 0;
        for line in &self.lines {
            let mut distance = line - last;
            while distance >= 0x80 {
                bytes.push(distance as u8 | 0x80);
                distance >>= 7;
            }
            bytes.push(distance as u8);
            last = *line;
        }
        bytes
    }

    /// Reads what [`Packed::encode`] wrote.
    ///
    /// # Errors
    /// What is wrong with the bytes, in words that follow a file's name.
    pub(crate) fn decode(bytes: &[u8]) -> Result<Self, String> {
        let Some((header, mut rest)) = bytes.split_at_checked(HEADER) else {
            return Err(format!(
                "ends within its header, after {} bytes",
                bytes.len()
            ));
        };
        if !header.starts_with(MAGIC) {
            return Err("does not begin as a packed book does".to_owned());
        }
        let (version, plies) = (header[4], u32::from(header[5]));
        if version != VERSION {
            return Err(format!("is of version {version}, expected {VERSION}"));
        }
        if !(1..=MAX_PLIES).contains(&plies) {
            return Err(format!(
                "has lines of {plies} plies, expected 1 to {MAX_PLIES}"
            ));
        }
        let count = u32::from_le_bytes([header[6], header[7], header[8], header[9]]) as usize;
        let mut lines = Vec::with_capacity(count.min(rest.len()));
        let mut last = 0u64;
        for number in 1..=count {
            let line = read_leb128(&mut rest)
                .and_then(|distance| last.checked_add(distance))
                .filter(|line| *line > last || number == 1)
                .filter(|line| line >> (plies * BITS_PER_PLY) == 0);
            last = line.ok_or_else(|| format!("is broken at line {number} of {count}"))?;
            lines.push(last);
        }
        if rest.is_empty() {
            Ok(Self { plies, lines })
        } else {
            Err(format!(
                "goes on for {} bytes after its {count} lines",
                rest.len()
            ))
        }
    }
}

/// The number of a line from the usual start position; `None` if a move is illegal or beyond what a
/// number can hold.
pub(super) fn pack(moves: &[String]) -> Option<u64> {
    if moves.len() > MAX_PLIES as usize {
        return None;
    }
    let mut position = Chess::default();
    let mut line = 0;
    for text in moves {
        let said: UciMove = text.parse().ok()?;
        let rank = ranked(&position).iter().position(|legal| *legal == said)?;
        if rank >> BITS_PER_PLY != 0 {
            return None;
        }
        line = line << BITS_PER_PLY | rank as u64;
        position.play_unchecked(said.to_move(&position).ok()?);
    }
    Some(line)
}

/// The legal moves in the order of their texts.
fn ranked(position: &Chess) -> Vec<UciMove> {
    let mut moves: Vec<UciMove> = position
        .legal_moves()
        .into_iter()
        .map(|legal| legal.to_uci(CastlingMode::Standard))
        .collect();
    // Squares are compared by file, then rank, as their names are; no promotion comes before any.
    moves.sort_unstable_by_key(|legal| {
        let square = |square: Option<Square>| square.map(|square| (square.file(), square.rank()));
        let promotion = legal.promotion().map(Role::char);
        (square(legal.from()), square(legal.to()), promotion)
    });
    moves
}

/// Takes a number off the front of `bytes`; `None` if they end within it or it does not fit.
fn read_leb128(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0u64;
    for shift in (0..u64::BITS).step_by(7) {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        let part = u64::from(byte & 0x7f);
        value |= part << shift;
        if part << shift >> shift != part {
            return None;
        }
        if byte & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::game::chess::fen::parse_fen;

    fn line(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn lines_come_back_in_ascending_order() {
        let lines = [line("e2e4 e7e5 g1f3 b8c6"), line("a2a3 a7a6 a1a2 a8a7")];
        let packed = Packed::new(4, lines.iter().filter_map(|moves| pack(moves)).collect());
        let read = Packed::decode(&packed.encode()).expect("our own bytes");
        assert_eq!(read, packed);
        assert_eq!(read.moves(0).as_ref(), Some(&lines[1]));
        assert_eq!(read.moves(1).as_ref(), Some(&lines[0]));
        assert_eq!(read.moves(2), None);
    }

    #[test]
    fn the_bytes_of_a_book_never_change_their_meaning() {
        let packed = Packed::new(
            2,
            [pack(&line("a2a3 a7a6")), pack(&line("a2a4 a7a6"))]
                .into_iter()
                .flatten()
                .collect(),
        );
        assert_eq!(packed.encode(), b"WSOB\x01\x02\x02\0\0\0\x01\x40");
    }

    #[test]
    fn moves_are_ranked_by_their_texts() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "1r2k2r/P1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/1PPBBPPP/R3K2R w KQk - 0 1",
        ] {
            let position = parse_fen(fen, CastlingMode::Standard).expect(fen);
            let texts: Vec<String> = ranked(&position).iter().map(UciMove::to_string).collect();
            assert!(texts.is_sorted(), "{texts:?}");
        }
    }

    #[test]
    fn broken_bytes_are_refused_with_the_place() {
        for (bytes, reason) in [
            (&b"WSOB"[..], "ends within its header"),
            (b"WSOX\x01\x02\x02\0\0\0\x00\x40", "does not begin"),
            (b"WSOB\x02\x02\x02\0\0\0\x00\x40", "version 2"),
            (b"WSOB\x01\x0b\x02\0\0\0\x00\x40", "11 plies"),
            (b"WSOB\x01\x02\x02\0\0\0\x00", "line 2 of 2"),
            (b"WSOB\x01\x02\x02\0\0\0\x00\x00", "line 2 of 2"),
            (b"WSOB\x01\x01\x02\0\0\0\x00\x40", "line 2 of 2"),
            (b"WSOB\x01\x02\x01\0\0\0\x00\x40", "goes on for 1 bytes"),
        ] {
            let error = Packed::decode(bytes).expect_err(reason);
            assert!(error.contains(reason), "{error}");
        }
    }

    proptest! {
        #[test]
        fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..60), plies in 0u8..12) {
            let mut book = b"WSOB\x01".to_vec();
            book.push(plies);
            book.extend(bytes);
            if let Ok(packed) = Packed::decode(&book) {
                prop_assert_eq!(packed.encode().len() <= book.len(), true);
                let _ = (0..packed.len()).map(|index| packed.moves(index)).collect::<Vec<_>>();
            }
        }
    }
}
