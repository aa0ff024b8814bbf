//! Positions with score, best move and result of their game, packed for training an evaluation.
//!
//! A file is a sequence of units of 32 bytes. The first is the file's header, then each game is a
//! header followed by its positions in the order of play. All numbers are little-endian.
//!
//! | bytes of a file's header | content |
//! |---|---|
//! | 0 to 7 | `WHETSPOS` |
//! | 8 to 11 | version of the format, 1 |
//! | 12 to 15 | size of a unit, 32 |
//! | 16 to 23 | seed |
//! | 24 to 27 | nodes a move |
//! | 28 to 31 | number of the block of games that the file holds |
//!
//! | bytes of a game's header | content |
//! |---|---|
//! | 0 to 7 | 0, which no position has there |
//! | 8 to 11 | `GAME` |
//! | 12 to 15 | number of positions that follow |
//! | 16 to 23 | number of the game |
//! | 24 to 31 | checksum of the 24 bytes before and of the positions |
//!
//! The checksum starts as `0xcbf29ce484222325`. Each word of 8 bytes is mixed into it:
//! `sum = (sum ^ word) * 0x100000001b3`, then `sum = sum ^ (sum >> 32)`.
//!
//! | bytes of a position | content |
//! |---|---|
//! | 0 to 7 | occupied squares, a1 is bit 0, h8 bit 63 |
//! | 8 to 23 | 4 bits for each occupied square in that order, the low half of a byte first: 0 to 5 for pawn, knight, bishop, rook, queen, king, 6 for a rook that may castle; 8 more if it is Black's |
//! | 24 | bit 0: Black to move; bits 1 to 4: file of a possible en passant capture, counted from 1; bits 5 and 6: result, 0 if Black wins, 1 for a draw, 2 if White wins; bit 7: in check |
//! | 25 | half-move clock |
//! | 26, 27 | plies played before, from the game's opening |
//! | 28, 29 | score, centipawns for White |
//! | 30, 31 | best move: bits 0 to 5 from, 6 to 11 to (castling: the rook's square), 12 to 14 promotion as piece or 0; bit 15: capture or promotion |

mod games;

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use cozy_chess::{BitBoard, Board, BoardBuilder, Color, Move, Piece, Rank, Square};

use crate::position::Position;
use crate::score::{self, Score};

pub use games::{Damaged, Game, games, pack_game};

/// Of the names of files.
pub const EXTENSION: &str = "positions";
/// Size of headers and positions.
pub const UNIT: usize = 32;
const MAGIC: [u8; 8] = *b"WHETSPOS";
const VERSION: u32 = 1;
const CASTLING_ROOK: u8 = 6;
const BLACK: u8 = 8;

pub type Unit = [u8; UNIT];

/// The result of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    BlackWins = 0,
    Draw = 1,
    WhiteWins = 2,
}

impl Outcome {
    pub fn win_of(color: Color) -> Self {
        match color {
            Color::White => Self::WhiteWins,
            Color::Black => Self::BlackWins,
        }
    }
}

/// The content of a file's header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileHeader {
    pub seed: u64,
    pub nodes: u32,
    pub block: u32,
}

impl FileHeader {
    pub fn pack(self) -> Unit {
        let mut unit = [0; UNIT];
        unit[..8].copy_from_slice(&MAGIC);
        unit[8..12].copy_from_slice(&VERSION.to_le_bytes());
        unit[12..16].copy_from_slice(&(UNIT as u32).to_le_bytes());
        unit[16..24].copy_from_slice(&self.seed.to_le_bytes());
        unit[24..28].copy_from_slice(&self.nodes.to_le_bytes());
        unit[28..].copy_from_slice(&self.block.to_le_bytes());
        unit
    }

    pub fn unpack(unit: &Unit) -> Result<Self, String> {
        if unit[..8] != MAGIC {
            return Err(format!(
                "expected a file of packed positions, which begins with '{}', got '{}'",
                MAGIC.escape_ascii(),
                unit[..8].escape_ascii()
            ));
        }
        let (version, size) = (u32_at(unit, 8), u32_at(unit, 12));
        if (version, size) != (VERSION, UNIT as u32) {
            return Err(format!(
                "expected version {VERSION} with {UNIT} bytes a position, got version {version} \
                 with {size} bytes"
            ));
        }
        Ok(Self {
            seed: u64_at(unit, 16),
            nodes: u32_at(unit, 24),
            block: u32_at(unit, 28),
        })
    }
}

/// Opens or creates a file that one process at a time writes. `None` if another one has it open.
pub fn claim(path: &Path) -> io::Result<Option<File>> {
    let mut options = File::options();
    let options = options.read(true).write(true).create(true).truncate(false);
    let file = options.open(path)?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// The files of packed positions in a folder, by name.
pub fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|found| found == EXTENSION) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

fn u32_at(unit: &Unit, index: usize) -> u32 {
    let bytes = [
        unit[index],
        unit[index + 1],
        unit[index + 2],
        unit[index + 3],
    ];
    u32::from_le_bytes(bytes)
}

fn u64_at(unit: &Unit, index: usize) -> u64 {
    u64::from(u32_at(unit, index)) | u64::from(u32_at(unit, index + 4)) << 32
}

/// A position with its score, best move and the result of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackedPosition(Unit);

impl PackedPosition {
    /// Packs a position with the score for the side to move and the best move that a search found.
    /// The result is that of a draw until [`Self::set_outcome`].
    pub fn new(position: &Position, ply: usize, score: Score, best: Move) -> Self {
        let board = position.board();
        let mut unit = [0; UNIT];
        let occupied = board.occupied();
        unit[..8].copy_from_slice(&occupied.0.to_le_bytes());
        for (index, square) in occupied.into_iter().take(32).enumerate() {
            let color = board.color_on(square).unwrap_or(Color::White);
            let mut code = board.piece_on(square).map_or(0, |piece| piece as u8);
            if code == Piece::Rook as u8 && may_castle(board, color, square) {
                code = CASTLING_ROOK;
            }
            if color == Color::Black {
                code |= BLACK;
            }
            unit[8 + index / 2] |= code << (index % 2 * 4);
        }
        unit[24] = u8::from(position.side() == Color::Black)
            | board.en_passant().map_or(0, |file| file as u8 + 1) << 1
            | u8::from(position.in_check()) << 7;
        unit[25] = board.halfmove_clock();
        unit[26..28].copy_from_slice(&(ply.min(0xffff) as u16).to_le_bytes());
        let score = match position.side() {
            Color::White => score,
            Color::Black => -score,
        };
        let code = best.from as u16
            | (best.to as u16) << 6
            | best.promotion.map_or(0, |piece| piece as u16) << 12
            | u16::from(position.is_noisy(best)) << 15;
        unit[30..].copy_from_slice(&code.to_le_bytes());
        Self(unit).with_score(score).with_outcome(Outcome::Draw)
    }

    /// The position in a unit of a file; `None` for headers and for units that are no position:
    /// more than 32 pieces, an unknown piece, or not one king per side.
    pub fn from_unit(unit: &Unit) -> Option<Self> {
        let packed = Self(*unit);
        let count = packed.occupied().count_ones();
        if !(2..=32).contains(&count) || packed.0[24] >> 5 & 3 > 2 {
            return None;
        }
        let mut kings = [0; 2];
        for (color, code, _) in packed.codes() {
            kings[color as usize] += u32::from(piece(code)? == Piece::King);
        }
        (kings == [1, 1]).then_some(packed)
    }

    #[must_use]
    pub fn with_outcome(mut self, outcome: Outcome) -> Self {
        self.0[24] = self.0[24] & !(3 << 5) | (outcome as u8) << 5;
        self
    }

    fn occupied(&self) -> u64 {
        u64_at(&self.0, 0)
    }

    /// Colour, piece code and square of each piece.
    fn codes(&self) -> impl Iterator<Item = (Color, u8, Square)> {
        let bytes = self.0;
        BitBoard(self.occupied())
            .into_iter()
            .enumerate()
            .map(move |(index, square)| {
                let code = bytes[8 + index / 2] >> (index % 2 * 4) & 15;
                let color = if code & BLACK == 0 {
                    Color::White
                } else {
                    Color::Black
                };
                (color, code & 7, square)
            })
    }

    /// All pieces with their squares.
    pub fn placement(&self) -> impl Iterator<Item = (Color, Piece, Square)> {
        self.codes()
            .filter_map(|(color, code, square)| Some((color, piece(code)?, square)))
    }

    pub fn side(&self) -> Color {
        if self.0[24] & 1 == 0 {
            Color::White
        } else {
            Color::Black
        }
    }

    pub fn in_check(&self) -> bool {
        self.0[24] & 1 << 7 != 0
    }

    pub fn outcome(&self) -> Outcome {
        match self.0[24] >> 5 & 3 {
            0 => Outcome::BlackWins,
            1 => Outcome::Draw,
            _ => Outcome::WhiteWins,
        }
    }

    pub fn halfmove_clock(&self) -> u8 {
        self.0[25]
    }

    pub fn ply(&self) -> usize {
        usize::from(u16::from_le_bytes([self.0[26], self.0[27]]))
    }

    /// Centipawns for White.
    pub fn score(&self) -> Score {
        Score::from(i16::from_le_bytes([self.0[28], self.0[29]]))
    }

    /// The same with another score, centipawns for White.
    #[must_use]
    pub fn with_score(mut self, score: Score) -> Self {
        let score = score.clamp(-score::INFINITE, score::INFINITE) as i16;
        self.0[28..30].copy_from_slice(&score.to_le_bytes());
        self
    }

    /// Whether the score is a forced mate.
    pub fn is_mate(&self) -> bool {
        score::is_mate(self.score())
    }

    /// Whether the best move is a capture or a promotion.
    pub fn is_noisy(&self) -> bool {
        self.0[31] & 0x80 != 0
    }

    /// Whether to train a network on the position: only quiet positions are evaluated, and an
    /// evaluation cannot see mates.
    pub fn is_quiet(&self) -> bool {
        !self.in_check() && !self.is_noisy() && !self.is_mate()
    }

    pub fn best_move(&self) -> Move {
        let code = u16::from_le_bytes([self.0[30], self.0[31]]);
        let square = |bits: u16| Square::index(usize::from(bits & 63));
        let promotion = usize::from(code >> 12 & 7);
        Move {
            from: square(code),
            to: square(code >> 6),
            promotion: (promotion != 0)
                .then(|| Piece::try_index(promotion))
                .flatten(),
        }
    }

    /// The position; `None` if it is not a legal one.
    pub fn position(&self) -> Option<Position> {
        let mut builder = BoardBuilder::empty();
        builder.side_to_move = self.side();
        builder.halfmove_clock = self.halfmove_clock();
        for (color, piece, square) in self.placement() {
            builder.board[square as usize] = Some((piece, color));
        }
        let rooks = self.codes().filter(|&(_, code, _)| code == CASTLING_ROOK);
        for (color, _, square) in rooks {
            let (.., king) = self
                .placement()
                .find(|&(owner, piece, _)| (owner, piece) == (color, Piece::King))?;
            let rights = &mut builder.castle_rights[color as usize];
            if square > king {
                rights.short = Some(square.file());
            } else {
                rights.long = Some(square.file());
            }
        }
        let file = usize::from(self.0[24] >> 1 & 15);
        if file > 0 {
            let rank = Rank::Sixth.relative_to(self.side());
            builder.en_passant = Some(Square::new(cozy_chess::File::try_index(file - 1)?, rank));
        }
        Some(Position::new(builder.build().ok()?))
    }
}

fn piece(code: u8) -> Option<Piece> {
    match code {
        CASTLING_ROOK => Some(Piece::Rook),
        code => Piece::try_index(usize::from(code)),
    }
}

fn may_castle(board: &Board, color: Color, square: Square) -> bool {
    let rights = board.castle_rights(color);
    let file = Some(square.file());
    square.rank() == Rank::First.relative_to(color) && (rights.short == file || rights.long == file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::SplitMix;

    pub(super) fn packed(fen: &str, mv: &str) -> PackedPosition {
        let position = Position::from_fen(fen).unwrap();
        let best = position.parse_move(mv, true).unwrap();
        PackedPosition::new(&position, 17, -345, best)
    }

    #[test]
    fn positions_are_the_same_after_unpacking() {
        for (fen, mv) in [
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                "e2e4",
            ),
            (
                "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w Kq - 7 1",
                "e1h1",
            ),
            (
                "rnbqkbnr/1ppppppp/8/8/pP6/8/P1PPPPPP/RNBQKBNR b KQkq b3 0 1",
                "a4b3",
            ),
            ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 49 1", "b4b1"),
            ("4k3/1P6/8/8/8/8/8/4K3 w - - 0 1", "b7b8n"),
            ("1rk3r1/8/8/6p1/6P1/8/8/1RK3R1 w BGbg - 0 1", "c1g1"),
            ("4k3/8/8/8/8/8/4r3/4K3 w - - 3 1", "e1e2"),
        ] {
            for outcome in [Outcome::BlackWins, Outcome::Draw, Outcome::WhiteWins] {
                let packed = packed(fen, mv).with_outcome(outcome);
                let packed = PackedPosition::from_unit(&packed.0).unwrap();
                let original = Position::from_fen(fen).unwrap();
                let position = packed.position().unwrap();
                assert_eq!(position.board(), original.board(), "{fen}");
                assert_eq!(position.uci(packed.best_move(), true), mv);
                assert_eq!(packed.is_noisy(), original.is_noisy(packed.best_move()));
                assert_eq!(packed.in_check(), original.in_check());
                assert_eq!(packed.outcome(), outcome);
                assert_eq!(packed.ply(), 17);
                let sign = if original.side() == Color::White {
                    1
                } else {
                    -1
                };
                assert_eq!(packed.score(), -345 * sign);
            }
        }
    }

    #[test]
    fn what_cannot_be_a_position_is_refused_and_nothing_panics() {
        let good = packed("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2e4");
        assert!(PackedPosition::from_unit(&good.0).is_some());
        assert!(PackedPosition::from_unit(&[0; UNIT]).is_none());
        assert!(PackedPosition::from_unit(&[0xff; UNIT]).is_none());
        let mut random = SplitMix::new(3);
        for _ in 0..20_000 {
            let mut unit = good.0;
            for _ in 0..3 {
                unit[random.below(UNIT as u64) as usize] = random.below(256) as u8;
            }
            if let Some(packed) = PackedPosition::from_unit(&unit) {
                // The position may be illegal, but reading it must not panic.
                let _ = (packed.position(), packed.best_move(), packed.outcome());
            }
        }
    }

    #[test]
    fn headers_of_other_files_are_refused() {
        let header = FileHeader {
            seed: 1 << 40,
            nodes: 500,
            block: 9,
        };
        assert_eq!(FileHeader::unpack(&header.pack()), Ok(header));
        let mut other = header.pack();
        other[0] = b'X';
        assert!(FileHeader::unpack(&other).unwrap_err().contains("XHETSPOS"));
        let mut newer = header.pack();
        newer[8] = 2;
        assert!(
            FileHeader::unpack(&newer)
                .unwrap_err()
                .contains("version 2")
        );
    }
}
