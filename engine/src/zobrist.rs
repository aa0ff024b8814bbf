//! Hash keys of positions, by A. L. Zobrist's method (1970).

use cozy_chess::{Board, Color, Move, Piece, Rank, Square, get_pawn_attacks};

/// Zobrist numbers. A key is the exclusive or of those that apply.
pub struct Numbers {
    /// By colour, piece and square.
    pub pieces: [[[u64; 64]; 6]; 2],
    /// By colour and file of the rook.
    castling: [[u64; 8]; 2],
    en_passant: [u64; 8],
    pub black_to_move: u64,
}

pub static NUMBERS: Numbers = numbers();

const fn numbers() -> Numbers {
    let mut numbers = [0; 768 + 16 + 8 + 1];
    let mut state = 0x57_48_45_54_53_54_4f_4e_u64;
    let mut index = 0;
    while index < numbers.len() {
        // SplitMix64, the generator of Steele, Lea and Flood (2014).
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        numbers[index] = z ^ (z >> 31);
        index += 1;
    }
    let mut sorted = Numbers {
        pieces: [[[0; 64]; 6]; 2],
        castling: [[0; 8]; 2],
        en_passant: [0; 8],
        black_to_move: numbers[792],
    };
    let mut index = 0;
    while index < 768 {
        sorted.pieces[index / 384][index / 64 % 6][index % 64] = numbers[index];
        index += 1;
    }
    let mut file = 0;
    while file < 8 {
        sorted.castling[0][file] = numbers[768 + file];
        sorted.castling[1][file] = numbers[776 + file];
        sorted.en_passant[file] = numbers[784 + file];
        file += 1;
    }
    sorted
}

/// How a move onto an empty square changes the key of a position without castling rights.
pub fn key_difference(color: Color, piece: Piece, from: Square, to: Square) -> u64 {
    let squares = &NUMBERS.pieces[color as usize][piece as usize];
    squares[from as usize] ^ squares[to as usize] ^ NUMBERS.black_to_move
}

/// The part of the key that is not about pieces: side to move, castling rights, and en passant file
/// if a pawn can use it.
pub fn state_key(board: &Board) -> u64 {
    let us = board.side_to_move();
    let mut key = match us {
        Color::White => 0,
        Color::Black => NUMBERS.black_to_move,
    };
    for color in Color::ALL {
        let rights = board.castle_rights(color);
        for file in [rights.short, rights.long].into_iter().flatten() {
            key ^= NUMBERS.castling[color as usize][file as usize];
        }
    }
    let Some(file) = board.en_passant() else {
        return key;
    };
    let to = Square::new(file, Rank::Sixth.relative_to(us));
    let takers = get_pawn_attacks(to, !us) & board.colored_pieces(us, Piece::Pawn);
    let can_take = |from| {
        board.is_legal(Move {
            from,
            to,
            promotion: None,
        })
    };
    if takers.into_iter().any(can_take) {
        key ^= NUMBERS.en_passant[file as usize];
    }
    key
}
