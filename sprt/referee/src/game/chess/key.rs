//! What makes two positions the same for repetition.

use shakmaty::zobrist::Zobrist64;
use shakmaty::{Chess, EnPassantMode, Position as _};

/// Two positions with the same key are the same for repetition: placement, side to move, castling
/// rights, and en passant only where a capture is legal (FIDE Laws 9.2.3).
pub(super) fn key(position: &Chess) -> u64 {
    let Zobrist64(key) = position.zobrist_hash(EnPassantMode::Legal);
    key
}
