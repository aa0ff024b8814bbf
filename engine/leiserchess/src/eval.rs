//! Static evaluation. The terms from `pcentral` to `lcoverage` follow those of the course's player
//! (MIT 6.172, 2018), but trace a few beams instead of a shot after every move.

use crate::board::Board;
use crate::laser::{Beam, beam};
use crate::params::Params;
use crate::piece::Color;
use crate::square::{NEIGHBOURS, Set, Square, bit, file, rank, rectangle, squares};

/// Units of the terms per centipawn.
const SCALE: i32 = 100;
/// The nearness of a file or rank to itself, divisible by 1 to 8.
const NEARNESS: i32 = 840;

/// The beams of a position.
pub(crate) struct Beams {
    pub(crate) own: Beam,
    pub(crate) enemy: Beam,
}

impl Beams {
    /// Traces the beams of both sides.
    pub(crate) fn of(board: &Board) -> Self {
        Self {
            own: board.beam(board.side()),
            enemy: board.beam(!board.side()),
        }
    }

    /// Whether the mover would lose its king, to the next shot of either side, if no beam changed.
    pub(crate) fn endanger(&self, board: &Board) -> bool {
        let king = Some(board.king(board.side()));
        self.enemy.victim == king || self.own.victim == king
    }
}

/// The weights, and what is computed from them once.
#[derive(Clone, Debug)]
pub(crate) struct Evaluation {
    params: Params,
    /// The `pcentral` value of a pawn, by square.
    central: [i32; 64],
}

/// The value of each term, white's minus black's, in hundredths of a centipawn.
pub(crate) type Terms = [(&'static str, i32); 11];

impl Evaluation {
    pub(crate) fn new(params: &Params) -> Self {
        let central = std::array::from_fn(|square| {
            let from_centre = |at: i8| f64::from((2 * at - 7).abs() / 2);
            let (df, dr) = (
                from_centre(file(square as Square)),
                from_centre(rank(square as Square)),
            );
            let bonus = 1.0 - df.hypot(dr) / (8.0 / f64::sqrt(2.0));
            (f64::from(params.p_central()) * bonus) as i32
        });
        Self {
            params: params.clone(),
            central,
        }
    }

    /// The score for the side to move, in centipawns.
    pub(crate) fn score(&self, board: &Board, beams: &Beams) -> i32 {
        let sum: i32 = self.terms(board, beams).iter().map(|(_, it)| it).sum();
        match board.side() {
            Color::White => sum / SCALE,
            Color::Black => -sum / SCALE,
        }
    }

    /// The terms that make up the score.
    #[inline]
    pub(crate) fn terms(&self, board: &Board, beams: &Beams) -> Terms {
        let of = |color: Color| {
            let path = match (color == board.side(), beams) {
                (true, beams) => &beams.own,
                (false, beams) => &beams.enemy,
            };
            let against = match (color == board.side(), beams) {
                (true, beams) => &beams.enemy,
                (false, beams) => &beams.own,
            };
            self.side(board, color, path, against)
        };
        let (white, black) = (of(Color::White), of(Color::Black));
        let names = [
            "material",
            "pcentral",
            "pbetween",
            "kface",
            "kaggressive",
            "mobility",
            "lcoverage",
            "beam",
            "shield",
            "attack",
            "tempo",
        ];
        std::array::from_fn(|index| {
            let value = match index {
                10 if board.side() == Color::White => self.params.tempo(),
                10 => -self.params.tempo(),
                _ => white[index] - black[index],
            };
            (names[index], value)
        })
    }

    #[inline]
    fn side(&self, board: &Board, color: Color, path: &Beam, against: &Beam) -> [i32; 10] {
        let params = &self.params;
        let (king, enemy_king) = (board.king(color), board.king(!color));
        let pawns = board.of(color) & !bit(king);
        let central: i32 = squares(pawns).map(|it| self.central[usize::from(it)]).sum();
        let between = pawns & rectangle(king, enemy_king);
        let near_king = NEIGHBOURS[usize::from(king)];
        let safe = (near_king | bit(king)) & !against.path;
        let number = |set: Set| set.count_ones() as i32;
        [
            params.pawn_value() * number(pawns),
            central,
            params.p_between() * number(between),
            self.face(board, king, enemy_king),
            self.aggression(king, enemy_king),
            params.mobility() * number(safe),
            self.coverage(board, king, enemy_king),
            self.rest(board, color, path),
            params.king_shield() * number(pawns & near_king),
            params.king_attack() * number(pawns & ring(enemy_king)),
        ]
    }

    /// For a king that faces the other: the share of their distance that lies in its direction.
    fn face(&self, board: &Board, king: Square, other: Square) -> i32 {
        let files = i32::from(file(other) - file(king));
        let ranks = i32::from(rank(other) - rank(king));
        let ahead = match board.at(king).orientation() {
            0 => ranks,
            1 => files,
            2 => -ranks,
            _ => -files,
        };
        ahead * self.params.k_face() / (files.abs() + ranks.abs())
    }

    /// For a king with room behind it: the area of the corner away from the other king.
    fn aggression(&self, king: Square, other: Square) -> i32 {
        let room = |own: i8, other: i8| i32::from(if other >= own { own + 1 } else { 8 - own });
        let area = room(file(king), file(other)) * room(rank(king), rank(other));
        self.params.k_aggressive() * area / 64
    }

    /// For the squares that a beam of the king could reach in any direction.
    fn coverage(&self, board: &Board, king: Square, other: Square) -> i32 {
        let occupied = board.occupied();
        let reached = (0..4)
            .map(|direction| beam(board.squares(), occupied, king, direction).path)
            .fold(0, |all, path| all | path);
        let near = &NEAR[file(other) as usize];
        let sum: i32 = (0..8)
            .map(|row| {
                let files = i32::from(near[(reached >> (8 * row) & 0xff) as usize]);
                files * nearness(rank(other) as usize, row)
            })
            .sum();
        self.params.l_coverage() * (sum / NEARNESS) / NEARNESS
    }

    /// For the piece that the beam hits.
    fn rest(&self, board: &Board, color: Color, path: &Beam) -> i32 {
        let Some(victim) = path.victim else { return 0 };
        if bit(victim) & board.of(color) != 0 {
            -self.params.own_beam()
        } else if color == board.side() {
            self.params.threat()
        } else {
            self.params.exposed()
        }
    }
}

/// The summed nearness of squares of a rank to a file, by file and set of squares.
static NEAR: [[u16; 256]; 8] = {
    let mut sums = [[0; 256]; 8];
    let mut index = 0;
    while index < 8 * 256 * 8 {
        let (own, set, other) = (index / 8 / 256, index / 8 % 256, index % 8);
        if set >> other & 1 == 1 {
            sums[own][set] += nearness(own, other) as u16;
        }
        index += 1;
    }
    sums
};

/// The nearness of two files or two ranks: 1, 1/2, 1/3 and so on, in units of `1 / NEARNESS`.
const fn nearness(one: usize, other: usize) -> i32 {
    NEARNESS / (one.abs_diff(other) as i32 + 1)
}

/// The squares at a distance of at most two from a square.
fn ring(square: Square) -> Set {
    let near = NEIGHBOURS[usize::from(square)];
    let west = near >> 1 & 0x7f7f_7f7f_7f7f_7f7f;
    let east = near << 1 & 0xfefe_fefe_fefe_fefe;
    let wide = near | east | west;
    wide | wide << 8 | wide >> 8
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
mod tests {
    use super::*;
    use crate::fen;
    use crate::piece::Piece;

    #[test]
    fn the_opening_is_even_but_for_the_move() {
        let params = Params::default();
        let board = fen::parse(fen::OPENING).unwrap();
        let terms = Evaluation::new(&params).terms(&board, &Beams::of(&board));
        for (name, value) in terms {
            let expected = if name == "tempo" { params.tempo() } else { 0 };
            assert_eq!(value, expected, "{name}");
        }
    }

    /// The board turned by 180°, with colours exchanged.
    fn turned(board: &Board) -> Board {
        let mut squares = [Piece::NONE; 64];
        for (square, &piece) in board.squares().iter().enumerate() {
            if piece.is_some() {
                let orientation = piece.orientation() + 2;
                squares[63 - square] = Piece::new(!piece.color(), piece.is_king(), orientation);
            }
        }
        Board::new(squares, !board.side()).unwrap()
    }

    #[test]
    fn a_position_turned_with_colours_exchanged_has_the_same_score() {
        let evaluation = Evaluation::new(&Params::default());
        for fen in [
            "ssse3SW2/3sw4/5se1sw/ne1nw5/6SESW/2NE1NE3/6NW1/7NN W",
            "ee1sw5/6se1/4SESW2/8/1swne5/8/1ne1NW4/3SENN3 B",
        ] {
            let board = fen::parse(fen).unwrap();
            let score = |board: &Board| evaluation.score(board, &Beams::of(board));
            assert_eq!(score(&board), score(&turned(&board)), "{fen}");
        }
    }
}
