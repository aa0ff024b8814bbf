//! Polyglot books as a source of openings.
//!
//! Such a book is a table of positions, each with the moves to be played there. Its openings are
//! the positions that its moves reach after so many plies, or earlier where the book ends. Each
//! occurs once, with the line to it that has the weightiest first moves.
//!
//! An entry has 16 bytes, big-endian: the position's key (8), the move (2: three bits each for the
//! target's file and rank and the origin's, then the promotion), its weight (2), and what engines
//! have learnt (4). Entries of a position stand next to each other in the order of keys.

use std::collections::HashSet;

use shakmaty::zobrist::Zobrist64;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Move, Position, Role};

const ENTRY: usize = 16;

/// The default length of lines, in plies.
const USUAL_PLIES: u32 = 8;

/// The most positions that are gathered from one book.
const MOST_LINES: usize = 1_000_000;

const PROMOTIONS: [Option<Role>; 5] = [
    None,
    Some(Role::Knight),
    Some(Role::Bishop),
    Some(Role::Rook),
    Some(Role::Queen),
];

struct Entry {
    key: u64,
    word: u16,
    weight: u16,
}

/// Whether these may be the bytes of such a book: whole entries in the order of their keys.
pub(crate) fn looks_like(bytes: &[u8]) -> bool {
    !bytes.is_empty()
        && bytes.len().is_multiple_of(ENTRY)
        && entries(bytes).is_sorted_by_key(|entry| entry.key)
}

/// The lines of a book, as moves in the engines' notation.
pub(super) fn lines(bytes: &[u8], plies: Option<u32>) -> Vec<Vec<String>> {
    let entries: Vec<Entry> = entries(bytes).collect();
    let mut found = Vec::new();
    let mut layer = vec![(Vec::new(), Chess::default())];
    let mut seen = HashSet::from([key(&Chess::default())]);
    for _ in 0..plies.unwrap_or(USUAL_PLIES) {
        let mut next = Vec::new();
        for (line, position) in layer {
            let moves = book_moves(&entries, &position);
            if moves.is_empty() || found.len() + next.len() >= MOST_LINES {
                found.push(line);
                continue;
            }
            for played in moves {
                let mut after = position.clone();
                after.play_unchecked(played);
                if seen.insert(key(&after)) {
                    let said = played.to_uci(CastlingMode::Standard).to_string();
                    next.push(([&line[..], &[said]].concat(), after));
                }
            }
        }
        layer = next;
    }
    found.extend(layer.into_iter().map(|(line, _)| line));
    // The start position alone is what an empty book would give.
    found.retain(|line| !line.is_empty());
    found
}

fn entries(bytes: &[u8]) -> impl Iterator<Item = Entry> {
    bytes.chunks_exact(ENTRY).map(|entry| {
        let number = |range: std::ops::Range<usize>| {
            entry[range]
                .iter()
                .fold(0, |number, byte| number << 8 | u64::from(*byte))
        };
        Entry {
            key: number(0..8),
            word: number(8..10) as u16,
            weight: number(10..12) as u16,
        }
    })
}

/// The legal moves that the book would play, the weightiest first.
fn book_moves(entries: &[Entry], position: &Chess) -> Vec<Move> {
    let key = key(position);
    let first = entries.partition_point(|entry| entry.key < key);
    let mut here: Vec<&Entry> = entries[first..]
        .iter()
        .take_while(|entry| entry.key == key)
        .filter(|entry| entry.weight > 0)
        .collect();
    here.sort_by_key(|entry| std::cmp::Reverse(entry.weight));
    let legal = position.legal_moves();
    let meant = |entry: &Entry| {
        legal
            .iter()
            .copied()
            .find(|played| word(*played) == Some(entry.word))
    };
    here.into_iter().filter_map(meant).collect()
}

/// A move as a book has it: castling is the king's step onto its rook.
fn word(played: Move) -> Option<u16> {
    let square =
        |square: shakmaty::Square| u16::from(square.rank()) << 3 | u16::from(square.file());
    let promotion = PROMOTIONS
        .iter()
        .position(|role| *role == played.promotion())?;
    Some((promotion as u16) << 12 | square(played.from()?) << 6 | square(played.to()))
}

fn key(position: &Chess) -> u64 {
    let Zobrist64(key) = position.zobrist_hash(EnPassantMode::PseudoLegal);
    key
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use shakmaty::uci::UciMove;

    use super::*;

    /// A book of lines, each move with the weight of its line.
    fn book(lines: &[(&str, u16)]) -> Vec<u8> {
        let mut entries = Vec::new();
        for (line, weight) in lines {
            let mut position = Chess::default();
            for text in line.split_whitespace() {
                let said: UciMove = text.parse().expect("a move");
                let played = said.to_move(&position).expect("legal");
                let entry = (key(&position), word(played).expect("a word"), *weight);
                if !entries.contains(&entry) {
                    entries.push(entry);
                }
                position.play_unchecked(played);
            }
        }
        entries.sort_by_key(|entry| entry.0);
        let mut bytes = Vec::new();
        for (key, word, weight) in entries {
            bytes.extend(key.to_be_bytes());
            bytes.extend(word.to_be_bytes());
            bytes.extend(weight.to_be_bytes());
            bytes.extend([0; 4]);
        }
        bytes
    }

    fn joined(bytes: &[u8], plies: u32) -> Vec<String> {
        let lines = lines(bytes, Some(plies));
        lines.iter().map(|line| line.join(" ")).collect()
    }

    #[test]
    fn keys_are_those_of_the_format() {
        // From the description of the format.
        for (moves, expected) in [
            ("", 0x463b_9618_1691_fc9c),
            ("e2e4", 0x823c_9b50_fd11_4196),
            ("e2e4 d7d5", 0x0756_b944_61c5_0fb0),
            ("e2e4 d7d5 e4e5 f7f5", 0x22a4_8b5a_8e47_ff78),
            ("e2e4 d7d5 e4e5 f7f5 e1e2", 0x652a_607c_a3f2_42c1),
            ("e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", 0x00fd_d303_c946_bdd9),
            ("a2a4 b7b5 h2h4 b5b4 c2c4", 0x3c81_23ea_7b06_7637),
        ] {
            let mut position = Chess::default();
            for text in moves.split_whitespace() {
                let said: UciMove = text.parse().expect("a move");
                position.play_unchecked(said.to_move(&position).expect("legal"));
            }
            assert_eq!(key(&position), expected, "{moves}");
        }
    }

    #[test]
    fn lines_end_at_the_limit_or_with_the_book_and_no_position_comes_twice() {
        let bytes = book(&[
            ("e2e4 e7e5 g1f3 b8c6", 9),
            ("d2d4 d7d5", 20),
            ("g1f3 e7e5 e2e4", 1),
            ("a2a3", 0),
        ]);
        assert!(looks_like(&bytes));
        assert_eq!(joined(&bytes, 1), ["d2d4", "e2e4", "g1f3"]);
        assert_eq!(joined(&bytes, 2), ["d2d4 d7d5", "e2e4 e7e5", "g1f3 e7e5"]);
        assert_eq!(
            joined(&bytes, 8),
            ["d2d4 d7d5", "e2e4 e7e5 g1f3 b8c6"],
            "the third line comes to the position of the second"
        );
    }

    #[test]
    fn castling_and_promotion_have_the_words_of_the_format() {
        let line = "e2e4 e7e5 g1f3 g8f6 f1e2 f8e7 e1g1";
        let bytes = book(&[(line, 1)]);
        assert_eq!(joined(&bytes, 8), [line]);
        // King from e1 to the rook's h1.
        let castling = 4 << 6 | 7_u16;
        assert!(
            bytes
                .chunks(16)
                .any(|entry| entry[8..10] == castling.to_be_bytes())
        );
    }

    proptest! {
        #[test]
        fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = (looks_like(&bytes), lines(&bytes, Some(3)));
        }
    }
}
