//! The weights of the evaluation. Squares are White's, rank one first; Black reads them mirrored.
//!
//! Fitted by logistic regression to some fifty thousand positions from fast games of this engine
//! against itself, each scored by a deeper search; files were tied to their mirror image, and rare
//! weights held near their first guess.

use cozy_chess::{Color, Piece, Square};

use super::score_pair::{ScorePair, s};

/// How much of the middle game each piece stands for.
pub const PHASE: [i32; 6] = [0, 1, 1, 2, 4, 0];

/// The phase of the initial position.
pub const FULL_PHASE: i32 = 24;

const MATERIAL: [ScorePair; 6] = [
    s(93, 87),
    s(376, 362),
    s(379, 404),
    s(479, 544),
    s(1054, 1063),
    s(0, 0),
];

#[rustfmt::skip]
const PAWN: ([i32; 64], [i32; 64]) = ([
      0,   0,   0,   0,   0,   0,   0,   0,
      2,   2,  -9, -29, -29,  -9,   2,   2,
      1,  -3,  -6, -19, -19,  -6,  -3,   1,
     -3, -12,  11,  10,  10,  11, -12,  -3,
      5,   4,   6,  21,  21,   6,   4,   5,
     22,   4,   3,  24,  24,   3,   4,  22,
      6,  -1,   1,  -1,  -1,   1,  -1,   6,
      0,   0,   0,   0,   0,   0,   0,   0,
], [
      0,   0,   0,   0,   0,   0,   0,   0,
     -8,   1,  20,   2,   2,  20,   1,  -8,
    -14,   3,   0,  10,  10,   0,   3, -14,
     -2,   2,  -1,  -3,  -3,  -1,   2,  -2,
     -1,  -3,   3,  -9,  -9,   3,  -3,  -1,
      0,  -1,   1,   2,   2,   1,  -1,   0,
      0,   0,   0,   0,   0,   0,   0,   0,
      0,   0,   0,   0,   0,   0,   0,   0,
]);

#[rustfmt::skip]
const KNIGHT: ([i32; 64], [i32; 64]) = ([
      1,  -8,   5,  -2,  -2,   5,  -8,   1,
     -1,  -4,   8,  -7,  -7,   8,  -4,  -1,
    -24,  -1,   4,  -3,  -3,   4,  -1, -24,
     -5,  -2,   3,   2,   2,   3,  -2,  -5,
      1,  -3, -16,  10,  10, -16,  -3,   1,
     -6,  -4, -24,   4,   4, -24,  -4,  -6,
    -12, -15, -26, -13, -13, -26, -15, -12,
    -12,   0,  -2,   0,   0,  -2,   0, -12,
], [
      0,  -3,   0,  -3,  -3,   0,  -3,   0,
      0,   0,   0,  -6,  -6,   0,   0,   0,
      1,  -7,   3,   0,   0,   3,  -7,   1,
      1,   1,   1,   9,   9,   1,   1,   1,
      1,  12,   2,   8,   8,   2,  12,   1,
     -1,   0,  -1,   3,   3,  -1,   0,  -1,
      0,   0,  -1,  -1,  -1,  -1,   0,   0,
     -8,   0,   0,   0,   0,   0,   0,  -8,
]);

#[rustfmt::skip]
const BISHOP: ([i32; 64], [i32; 64]) = ([
      7,  -5,   4,  -3,  -3,   4,  -5,   7,
     16,  30,  12,  10,  10,  12,  30,  16,
     -6,  21,   8,  -7,  -7,   8,  21,  -6,
      6, -29,  11,   1,   1,  11, -29,   6,
      4,  10,  -2,   8,   8,  -2,  10,   4,
     -7,  -1,   6,   4,   4,   6,  -1,  -7,
    -25,  -5,  -7, -10, -10,  -7,  -5, -25,
     -2,   0,  -8,   0,   0,  -8,   0,  -2,
], [
     -2,   0,  -2,  -2,  -2,  -2,   0,  -2,
      0,   2,   0,  -9,  -9,   0,   2,   0,
      0,   0,   6,  15,  15,   6,   0,   0,
      0,   0,  -4,   4,   4,  -4,   0,   0,
      0,   2,   0,   3,   3,   0,   2,   0,
     -2,   1,   5,   0,   0,   5,   1,  -2,
     -2,   0,  -1,   0,   0,  -1,   0,  -2,
      1,   0,   0,   0,   0,   0,   0,   1,
]);

#[rustfmt::skip]
const ROOK: ([i32; 64], [i32; 64]) = ([
     17,   2,  10,  31,  31,  10,   2,  17,
     -5,  10,  -7,   2,   2,  -7,  10,  -5,
     -7,  10, -14,  -4,  -4, -14,  10,  -7,
      4,  -6,  -5, -13, -13,  -5,  -6,   4,
      2,  -4,   2,  -4,  -4,   2,  -4,   2,
      1,   0,  13,   8,   8,  13,   0,   1,
      5,   0,   0,   0,   0,   0,   0,   5,
      5,   3,   1,   0,   0,   1,   3,   5,
], [
     -2,   9,   1,   1,   1,   1,   9,  -2,
      1,   0,  -4,  -1,  -1,  -4,   0,   1,
      3,   1,   0,   0,   0,   0,   1,   3,
     -3,   0,   1,  -1,  -1,   1,   0,  -3,
      0,  -1,   1,   0,   0,   1,  -1,   0,
      2,   0,   1,   0,   0,   1,   0,   2,
      0,  -1,   1,   0,   0,   1,  -1,   0,
      1,   1,   1,   0,   0,   1,   1,   1,
]);

#[rustfmt::skip]
const QUEEN: ([i32; 64], [i32; 64]) = ([
      0,   0,  -7,   6,   6,  -7,   0,   0,
      2,   6,  27,  -4,  -4,  27,   6,   2,
    -36,   3, -15, -16, -16, -15,   3, -36,
      2, -25, -26, -12, -12, -26, -25,   2,
      7, -11, -16, -12, -12, -16, -11,   7,
      3, -15,  -1,  -6,  -6,  -1, -15,   3,
     -4,  -6, -15,   1,   1, -15,  -6,  -4,
     -1,   1,  -1,   0,   0,  -1,   1,  -1,
], [
     -1,   0,   1, -14, -14,   1,   0,  -1,
      1,   1,  -1,   6,   6,  -1,   1,   1,
      1,   1,   0,   2,   2,   0,   1,   1,
      0,   0,   1,   3,   3,   1,   0,   0,
      3,   0,   2,   1,   1,   2,   0,   3,
      0,   3,   1,   3,   3,   1,   3,   0,
     -2,   0,   0,   0,   0,   0,   0,  -2,
      1,   1,   0,   0,   0,   0,   1,   1,
]);

#[rustfmt::skip]
const KING: ([i32; 64], [i32; 64]) = ([
      0,   4,  45,  12,  53,  34,  89,  60,
     -1,  -5,  -9,   6,   8,   0,  35,  29,
     -5, -10, -60, -73, -78, -59, -37,   0,
      0,  -3,  -6, -16,   3, -16,  -1,  -2,
      0,   0,  -3,   0,   0,   0,   0,   0,
      0,   0,   0,   0,   0,   0,   0,   0,
      0,   0,   0,   0,   0,   0,   0,   0,
      0,   0,   0,   0,   0,   0,   0,   0,
], [
      0,  -5,  11,  -3, -12,  -1, -26,  -4,
      0,  -2,   8,   2,   6,  15,   9,   9,
     -1,  -1,  -2,  -2,  -3,   3,  -1,   0,
      0,   0,  -1,   0,   0,   0,   0,   0,
      0,   0,   0,   0,   0,   0,   0,   0,
      0,   0,   0,   0,   0,   0,   0,   0,
      0,   0,   0,   0,   0,   0,   0,   0,
      0,   0,   0,   0,   0,   0,   0,   0,
]);

static PIECE_SQUARE: [[ScorePair; 64]; 6] = {
    let tables = [PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING];
    let mut sums = [[s(0, 0); 64]; 6];
    let mut piece = 0;
    while piece < 6 {
        let mut square = 0;
        while square < 64 {
            let ScorePair { mg, eg } = MATERIAL[piece];
            sums[piece][square] = s(mg + tables[piece].0[square], eg + tables[piece].1[square]);
            square += 1;
        }
        piece += 1;
    }
    sums
};

/// Material and square value, positive for White's pieces and negative for Black's.
#[inline]
pub fn piece_square(color: Color, piece: Piece, square: Square) -> ScorePair {
    let value = PIECE_SQUARE[piece as usize][square.relative_to(color) as usize];
    if color == Color::White { value } else { -value }
}

pub const BISHOP_PAIR: ScorePair = s(37, 56);
/// Centipawns for having the move.
pub const TEMPO: i32 = 28;

// Mobility, by the number of squares a piece can go to.
pub const KNIGHT_MOBILITY: [ScorePair; 9] = [
    s(-35, -20),
    s(-22, -31),
    s(-12, -9),
    s(-5, -12),
    s(3, 12),
    s(11, 8),
    s(16, 7),
    s(24, 21),
    s(28, 30),
];
pub const BISHOP_MOBILITY: [ScorePair; 14] = [
    s(-43, -44),
    s(-26, -37),
    s(-22, -16),
    s(-10, -20),
    s(-7, -11),
    s(-2, 12),
    s(5, -13),
    s(5, 17),
    s(11, 22),
    s(15, 23),
    s(15, 18),
    s(32, 26),
    s(31, 30),
    s(35, 35),
];
pub const ROOK_MOBILITY: [ScorePair; 15] = [
    s(-87, -45),
    s(-31, -23),
    s(-12, -20),
    s(-7, -16),
    s(10, -30),
    s(4, -25),
    s(4, 8),
    s(10, 9),
    s(16, 5),
    s(16, 21),
    s(16, 10),
    s(2, 5),
    s(13, 36),
    s(22, 31),
    s(24, 36),
];
pub const QUEEN_MOBILITY: [ScorePair; 28] = [
    s(-26, -65),
    s(-40, -57),
    s(-32, -51),
    s(-23, -70),
    s(-19, -59),
    s(-15, -43),
    s(-11, -45),
    s(-7, -41),
    s(-3, -30),
    s(-2, -15),
    s(-3, -6),
    s(-1, 7),
    s(-1, 2),
    s(2, 11),
    s(9, 13),
    s(16, 15),
    s(-1, 16),
    s(5, 19),
    s(2, 25),
    s(15, 30),
    s(13, 35),
    s(16, 40),
    s(18, 45),
    s(20, 50),
    s(22, 55),
    s(24, 60),
    s(26, 65),
    s(28, 70),
];

pub const ROOK_OPEN_FILE: ScorePair = s(42, 13);
pub const ROOK_HALF_OPEN_FILE: ScorePair = s(37, 1);
pub const ROOK_SEVENTH: ScorePair = s(31, 20);
pub const OUTPOST: ScorePair = s(52, 21);

pub const PAWN_HITS_PIECE: ScorePair = s(75, 24);
pub const MINOR_HITS_ROOK: ScorePair = s(41, 35);
pub const ROOK_HITS_QUEEN: ScorePair = s(35, 19);
pub const HANGING: ScorePair = s(27, 51);

pub const DOUBLED: ScorePair = s(-5, -5);
pub const ISOLATED: ScorePair = s(-14, 1);
pub const BACKWARD: ScorePair = s(0, -22);

// Pawns by rank, seen from their own side.
pub const SUPPORTED: [ScorePair; 8] = [
    s(0, 0),
    s(0, 0),
    s(14, 13),
    s(10, 6),
    s(15, 17),
    s(36, 33),
    s(70, 60),
    s(0, 0),
];
pub const PHALANX: [ScorePair; 8] = [
    s(0, 0),
    s(8, 15),
    s(5, 17),
    s(9, 10),
    s(13, 19),
    s(40, 60),
    s(60, 90),
    s(0, 0),
];
pub const PASSED: [ScorePair; 8] = [
    s(0, 0),
    s(-11, -1),
    s(13, 11),
    s(3, 25),
    s(47, 67),
    s(32, 103),
    s(60, 141),
    s(0, 0),
];
pub const PASSED_FREE: [ScorePair; 8] = [
    s(0, 0),
    s(9, -2),
    s(-11, 3),
    s(-3, 7),
    s(18, 27),
    s(4, 59),
    s(44, 111),
    s(0, 0),
];
/// For each square a king is away from the square before a passed pawn, times the ranks beyond the
/// third.
pub const OWN_KING_DISTANCE: ScorePair = s(-3, -6);
pub const ENEMY_KING_DISTANCE: ScorePair = s(-2, 16);
pub const ROOK_BEHIND: ScorePair = s(14, 3);

pub const SHIELD_NEAR: ScorePair = s(18, -21);
pub const SHIELD_FAR: ScorePair = s(-5, 25);
/// For each of the three files around the king.
pub const OPEN_FILE: ScorePair = s(-26, 25);
pub const HALF_OPEN_FILE: ScorePair = s(-18, 0);

// Danger to a king, in units of its own; `king` turns the sum into centipawns.

/// For each square around the king that a piece attacks, by piece.
pub const KING_ATTACK: [i32; 6] = [0, 36, 32, 38, 35, 0];
/// For a square around the king that is attacked, and defended by king or queen at most.
pub const WEAK_SQUARE: i32 = 30;
/// For a check that cannot be answered by taking, by piece.
pub const SAFE_CHECK: [i32; 6] = [0, 70, 30, 73, 64, 0];
/// Less, when the other side has no queen.
pub const NO_QUEEN: i32 = 121;
/// Danger that costs nothing.
pub const DANGER_FREE: i32 = 46;
