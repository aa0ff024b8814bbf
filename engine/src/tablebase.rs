//! Syzygy tables: results of positions with few pieces in the search, distances at the root.

use std::num::NonZeroU32;
use std::path::Path;

use cozy_chess::{BitBoard, Color, Move, Piece};
use shakmaty::{Bitboard, Board, ByColor, ByRole, CastlingMode, Chess, Setup, Square};
use shakmaty_syzygy::{Tablebase as Tables, Wdl};

use crate::position::Position;

/// Half-moves after which a game without capture and pawn move is drawn.
const FIFTY_MOVES: i32 = 100;
/// Rank of a win at once; each half-move of distance takes one off.
const WIN_RANK: i32 = 10_000;

/// The tables of some folders. Files are opened when they are needed.
pub struct Tablebase {
    tables: Tables<Chess>,
}

impl Tablebase {
    /// The tables in folders that are separated as in `PATH`.
    pub fn open(path: &str) -> Result<Self, String> {
        let mut tables = Tables::new();
        let folders = std::env::split_paths(Path::new(path));
        // A separator at the end names no folder.
        for folder in folders.filter(|folder| !folder.as_os_str().is_empty()) {
            let count = tables
                .add_directory(&folder)
                .map_err(|error| format!("{}: {error}", folder.display()))?;
            if count == 0 {
                let folder = folder.display();
                return Err(format!(
                    "{folder}: expected tables such as KQvK.rtbw, got none"
                ));
            }
        }
        Ok(Self { tables })
    }

    /// Positions with more pieces are not in the tables.
    pub(crate) fn pieces(&self) -> usize {
        self.tables.max_pieces()
    }

    /// The result for the side to move after a capture or pawn move: 1 for a win, -1 for a loss. A
    /// win that the fifty-move rule prevents is a draw.
    pub(crate) fn result(&self, position: &Position) -> Option<i32> {
        let position = self.convert(position)?;
        Some(match self.tables.probe_wdl_after_zeroing(&position).ok()? {
            Wdl::Win => 1,
            Wdl::CursedWin | Wdl::Draw | Wdl::BlessedLoss => 0,
            Wdl::Loss => -1,
        })
    }

    /// Those of the moves that keep the result: the quickest of winning ones, the slowest of losing
    /// ones. Without tables of distances, all that keep the result; the second value is whether there
    /// are such tables.
    pub(crate) fn best_moves(
        &self,
        position: &Position,
        moves: &[Move],
    ) -> Option<(Vec<Move>, bool)> {
        self.convert(position)?;
        let ranked = |rank: &dyn Fn(&Position) -> Option<i32>| {
            let ranks: Option<Vec<i32>> =
                moves.iter().map(|&mv| rank(&position.play(mv))).collect();
            let ranks = ranks?;
            let best = ranks.iter().copied().max()?;
            let kept = moves.iter().zip(ranks).filter(|&(_, rank)| rank == best);
            Some(kept.map(|(&mv, _)| mv).collect())
        };
        let by_distance = ranked(&|child| self.rank(child)).map(|moves| (moves, true));
        by_distance.or_else(|| {
            ranked(&|child| {
                if child.has_moves() {
                    self.result(child).map(|result| -result)
                } else {
                    Some(i32::from(child.in_check()))
                }
            })
            .map(|moves| (moves, false))
        })
    }

    /// The worth of a move to `child`: 0 for a draw, more for a win, most for the quickest. A win that
    /// the fifty-move rule prevents is worth little more: the opponent may go wrong.
    fn rank(&self, child: &Position) -> Option<i32> {
        if !child.has_moves() {
            return Some(if child.in_check() { WIN_RANK } else { 0 });
        }
        let clock = i32::from(child.board().halfmove_clock());
        if clock == 0 {
            return Some(-self.result(child)? * (WIN_RANK - 1));
        }
        let converted = self.convert(child)?;
        let distance = -self.tables.probe_dtz(&converted).ok()?.ignore_rounding().0;
        let is_drawn = distance.abs() + clock > FIFTY_MOVES;
        let worth = if is_drawn {
            1
        } else {
            WIN_RANK - 1 - distance.abs()
        };
        Some(distance.signum() * worth)
    }

    /// The position as the tables' crate knows it, if it may be in them: they have no castling.
    fn convert(&self, position: &Position) -> Option<Chess> {
        let board = position.board();
        if board.occupied().len() as usize > self.pieces() || can_castle(position) {
            return None;
        }
        let set = |set: BitBoard| Bitboard(set.0);
        let pieces = |piece| set(board.pieces(piece));
        let by_role = ByRole {
            pawn: pieces(Piece::Pawn),
            knight: pieces(Piece::Knight),
            bishop: pieces(Piece::Bishop),
            rook: pieces(Piece::Rook),
            queen: pieces(Piece::Queen),
            king: pieces(Piece::King),
        };
        let by_color = ByColor {
            white: set(board.colors(Color::White)),
            black: set(board.colors(Color::Black)),
        };
        let setup = Setup {
            board: Board::try_from_bitboards(by_role, by_color).ok()?,
            turn: match position.side() {
                Color::White => shakmaty::Color::White,
                Color::Black => shakmaty::Color::Black,
            },
            ep_square: board.en_passant().map(|file| {
                let rank = cozy_chess::Rank::Sixth.relative_to(position.side());
                Square::new(cozy_chess::Square::new(file, rank) as u32)
            }),
            halfmoves: u32::from(board.halfmove_clock()),
            fullmoves: NonZeroU32::MIN,
            ..Setup::empty()
        };
        // An en passant square behind a pawn that nobody can capture is no part of the position.
        let without = Setup {
            ep_square: None,
            ..setup.clone()
        };
        let read = |setup: Setup| setup.position(CastlingMode::Standard).ok();
        read(setup).or_else(|| read(without))
    }
}

fn can_castle(position: &Position) -> bool {
    Color::ALL.into_iter().any(|color| {
        let rights = position.board().castle_rights(color);
        rights.short.is_some() || rights.long.is_some()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/syzygy");

    fn position(fen: &str) -> Position {
        Position::from_fen(fen).unwrap()
    }

    #[test]
    fn results_are_known_and_only_where_they_are() {
        let tables = Tablebase::open(FOLDER).unwrap();
        for (fen, result) in [
            ("8/8/4k3/8/8/4K3/8/7Q w - - 0 1", Some(1)),
            ("8/8/4k3/8/8/4K3/8/7Q b - - 0 1", Some(-1)),
            ("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", Some(1)),
            ("4k3/4P3/4K3/8/8/8/8/8 b - - 0 1", Some(0)),
            ("8/8/4k3/8/8/4K3/8/7N w - - 0 1", Some(0)),
            // Castling and a fourth piece are not in the tables.
            ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", None),
            ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", Some(1)),
            ("4k3/8/8/8/8/8/4P3/4K2R w - - 0 1", None),
        ] {
            assert_eq!(tables.result(&position(fen)), result, "{fen}");
        }
    }

    #[test]
    fn the_quickest_winning_and_the_slowest_losing_moves_are_kept() {
        let tables = Tablebase::open(FOLDER).unwrap();
        let kept = |fen: &str| -> Vec<String> {
            let position = position(fen);
            let (moves, by_distance) = tables.best_moves(&position, &position.moves()).unwrap();
            assert!(by_distance);
            moves.iter().map(|&mv| position.uci(mv, false)).collect()
        };
        assert_eq!(kept("7k/8/6K1/8/8/8/8/R7 w - - 0 1"), ["a1a8"]);
        // One move holds the draw, and two lose.
        assert_eq!(kept("8/3k4/8/3KP3/8/8/8/8 b - - 0 1"), ["d7e7"]);
        // The mate that comes on the hundredth half-move is in time, a later one is not.
        assert_eq!(kept("7k/8/6K1/8/8/8/8/R7 w - - 99 80"), ["a1a8"]);
        assert!(kept("8/8/4k3/8/8/4K3/8/7R w - - 95 80").len() > 10);
    }

    #[test]
    fn folders_without_tables_are_refused() {
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/src");
        for (path, told) in [(source, "got none"), ("/nowhere", "/nowhere")] {
            let error = Tablebase::open(path).err().unwrap();
            assert!(error.contains(told), "{error}");
        }
    }

    #[test]
    fn folders_are_separated_as_in_path_and_a_separator_at_the_end_is_none() {
        let path = |folders: &[&str]| std::env::join_paths(folders).unwrap();
        for folders in [&[FOLDER, FOLDER][..], &[FOLDER, ""]] {
            let tables = Tablebase::open(path(folders).to_str().unwrap()).unwrap();
            assert_eq!(tables.pieces(), 3);
        }
        let second = path(&[FOLDER, "/nowhere"]);
        let error = Tablebase::open(second.to_str().unwrap()).err().unwrap();
        assert!(error.contains("/nowhere"), "{error}");
    }
}
