//! A position, changed by making moves and unmaking them.

use crate::laser;
use crate::piece::{Color, Piece};
use crate::square::{NEIGHBOURS, Set, Square, bit};
use crate::turn::Move;
use crate::zobrist;

/// Invariants: `colors` are the squares that each side occupies, `kings` the squares of the kings,
/// and `key` is the exclusive or of all Zobrist numbers. After a king has been zapped, only
/// [`Board::unmake`] may follow.
#[derive(Clone, Debug)]
pub(crate) struct Board {
    squares: [Piece; 64],
    colors: [Set; 2],
    kings: [Square; 2],
    side: Color,
    key: u64,
    quiet: u16,
    ko: Move,
}

/// What [`Board::unmake`] needs to take back a move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Undo {
    mv: Move,
    pub(crate) victim: Piece,
    square: Square,
    key: u64,
    quiet: u16,
    ko: Move,
}

impl Undo {
    /// Whether a king was zapped, and whose.
    pub(crate) fn lost(&self) -> Option<Color> {
        self.victim.is_king().then(|| self.victim.color())
    }

    /// Whether Ko forbids the move.
    ///
    /// Ko forbids a move that restores the position before the opponent's last move. A zap by
    /// either side would leave fewer pieces, so neither move zapped anything. A move can displace
    /// an enemy piece only by a swap, and cannot turn it. So the opponent's move was no rotation,
    /// and no step alone either: the square that the piece left is empty, and no swap can send it
    /// there. What remains is a swap and a step, from X through Y to Z. After it our piece stands
    /// on X and Y is empty, and only a swap of X with Z and a step to Y restores the position. So
    /// there is at most one such move, known in advance except for what it zaps.
    pub(crate) fn breaks_ko(&self) -> bool {
        self.mv == self.ko && self.ko != Move::NONE && !self.victim.is_some()
    }
}

impl Board {
    /// A position without history: Ko does not restrict its first move.
    ///
    /// # Errors
    /// Unless each side has exactly one king.
    pub(crate) fn new(squares: [Piece; 64], side: Color) -> Result<Self, String> {
        let mut board = Self {
            squares,
            colors: [0; 2],
            kings: [0; 2],
            side,
            key: match side {
                Color::White => 0,
                Color::Black => zobrist::BLACK_TO_MOVE,
            },
            quiet: 0,
            ko: Move::NONE,
        };
        let mut kings = [0; 2];
        for (square, piece) in (0..).zip(squares) {
            if piece.is_some() {
                let color = piece.color() as usize;
                board.colors[color] |= bit(square);
                board.key ^= zobrist::of(piece, square);
                if piece.is_king() {
                    board.kings[color] = square;
                    kings[color] += 1;
                }
            }
        }
        for (count, color) in kings.into_iter().zip(["white", "black"]) {
            if count != 1 {
                return Err(format!("expected one {color} king, got {count}"));
            }
        }
        Ok(board)
    }

    #[inline]
    pub(crate) fn at(&self, square: Square) -> Piece {
        self.squares[usize::from(square & 63)]
    }

    pub(crate) fn squares(&self) -> &[Piece; 64] {
        &self.squares
    }

    #[inline]
    pub(crate) fn of(&self, color: Color) -> Set {
        self.colors[color as usize]
    }

    #[inline]
    pub(crate) fn occupied(&self) -> Set {
        self.colors[0] | self.colors[1]
    }

    #[inline]
    pub(crate) fn king(&self, color: Color) -> Square {
        self.kings[color as usize]
    }

    #[inline]
    pub(crate) fn side(&self) -> Color {
        self.side
    }

    /// Zobrist key of the pieces and the side to move.
    #[inline]
    pub(crate) fn key(&self) -> u64 {
        self.key
    }

    /// Plies since something was zapped.
    pub(crate) fn quiet(&self) -> usize {
        usize::from(self.quiet)
    }

    /// The only move that Ko may forbid; [`Undo::breaks_ko`] decides.
    pub(crate) fn ko(&self) -> Move {
        self.ko
    }

    /// The path that a side's beam has now.
    pub(crate) fn beam(&self, color: Color) -> laser::Beam {
        let king = self.king(color);
        let direction = self.at(king).orientation();
        laser::beam(&self.squares, self.occupied(), king, direction)
    }

    #[inline]
    fn put(&mut self, square: Square, piece: Piece) {
        self.squares[usize::from(square & 63)] = piece;
    }

    /// Moves the pieces without firing.
    #[inline]
    fn shift(&mut self, mv: Move) {
        let (us, from, mid, to) = (self.side as usize, mv.from(), mv.mid(), mv.to());
        let before = self.at(from);
        let piece = before.turned(mv.quarters());
        self.key ^= zobrist::of(before, from) ^ zobrist::of(piece, to);
        let mut left = Piece::NONE;
        if mv.is_swap() {
            left = self.at(mid);
            self.key ^= zobrist::of(left, mid) ^ zobrist::of(left, from);
            self.colors[1 - us] ^= bit(mid) | bit(from);
            if left.is_king() {
                self.kings[1 - us] = from;
            }
            self.put(mid, Piece::NONE);
        }
        self.put(from, left);
        self.put(to, piece);
        self.colors[us] = self.colors[us] & !bit(from) | bit(to);
        if piece.is_king() {
            self.kings[us] = to;
        }
    }

    /// Reverses [`Board::shift`], except for the key.
    #[inline]
    fn shift_back(&mut self, mv: Move) {
        let (us, from, mid, to) = (self.side as usize, mv.from(), mv.mid(), mv.to());
        let piece = self.at(to).turned(mv.quarters().wrapping_neg());
        self.put(to, Piece::NONE);
        if mv.is_swap() {
            let other = self.at(from);
            self.put(mid, other);
            self.colors[1 - us] ^= bit(mid) | bit(from);
            if other.is_king() {
                self.kings[1 - us] = mid;
            }
        }
        self.put(from, piece);
        self.colors[us] = self.colors[us] & !bit(to) | bit(from);
        if piece.is_king() {
            self.kings[us] = from;
        }
    }

    /// The square that the mover's beam hits now.
    #[inline]
    fn shot(&self) -> Option<Square> {
        let king = self.king(self.side);
        let direction = self.at(king).orientation();
        laser::victim(|square| self.at(square), self.occupied(), king, direction)
    }

    /// Makes one of [`moves`](crate::moves::moves) and fires.
    #[inline]
    pub(crate) fn make(&mut self, mv: Move) -> Undo {
        let mut undo = Undo {
            mv,
            victim: Piece::NONE,
            square: 0,
            key: self.key,
            quiet: self.quiet,
            ko: self.ko,
        };
        self.shift(mv);
        self.quiet = self.quiet.saturating_add(1);
        self.ko = Move::NONE;
        if let Some(square) = self.shot() {
            undo.victim = self.at(square);
            undo.square = square;
            self.put(square, Piece::NONE);
            self.colors[undo.victim.color() as usize] ^= bit(square);
            self.key ^= zobrist::of(undo.victim, square);
            self.quiet = 0;
        } else if mv.is_swap() && NEIGHBOURS[usize::from(mv.from())] & bit(mv.to()) != 0 {
            // Not after a rotation: a swap cannot turn the piece back.
            if mv.quarters() == 0 {
                self.ko = Move::step(mv.from(), mv.to(), mv.mid());
            }
        }
        self.side = !self.side;
        self.key ^= zobrist::BLACK_TO_MOVE;
        undo
    }

    /// Takes back a move.
    #[inline]
    pub(crate) fn unmake(&mut self, undo: &Undo) {
        self.side = !self.side;
        if undo.victim.is_some() {
            self.put(undo.square, undo.victim);
            self.colors[undo.victim.color() as usize] |= bit(undo.square);
        }
        self.shift_back(undo.mv);
        self.key = undo.key;
        self.quiet = undo.quiet;
        self.ko = undo.ko;
    }

    /// What a move would zap.
    #[inline]
    pub(crate) fn target(&self, mv: Move) -> Piece {
        let (from, mid, to) = (mv.from(), mv.mid(), mv.to());
        let piece = self.at(from).turned(mv.quarters());
        let left = if mv.is_swap() {
            self.at(mid)
        } else {
            Piece::NONE
        };
        // After a swap the first square stays occupied; a step then empties the second.
        let occupied = self.occupied() & !bit(mid) | bit(to);
        let at = |square: Square| {
            if square == to {
                piece
            } else if square == from {
                left
            } else {
                self.at(square)
            }
        };
        let (king, direction) = if piece.is_king() {
            (to, piece.orientation())
        } else {
            let king = self.king(self.side);
            (king, self.at(king).orientation())
        };
        laser::victim(at, occupied, king, direction).map_or(Piece::NONE, at)
    }

    /// Makes a null move: no move and no shot, which the rules do not allow.
    pub(crate) fn pass(&mut self) -> (u64, u16, Move) {
        let before = (self.key, self.quiet, self.ko);
        self.side = !self.side;
        self.key ^= zobrist::BLACK_TO_MOVE;
        self.quiet = self.quiet.saturating_add(1);
        self.ko = Move::NONE;
        before
    }

    /// Reverses [`Board::pass`].
    pub(crate) fn unpass(&mut self, before: (u64, u16, Move)) {
        self.side = !self.side;
        (self.key, self.quiet, self.ko) = before;
    }
}
