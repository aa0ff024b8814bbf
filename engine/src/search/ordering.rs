//! The order in which moves are tried: table move, captures that do not lose, quiet moves by killers, counter move and
//! history, losing captures.

use cozy_chess::{Color, Move, Piece};

use super::history::{History, HistoryStack, LIMIT};
use crate::params::Params;
use crate::position::Position;
use crate::see;

#[derive(Clone, Copy)]
struct Scored {
    mv: Move,
    score: i32,
}

/// Stacks of generated moves, shared by all nodes of the current line.
#[derive(Default)]
pub struct Arena {
    noisy: Vec<Scored>,
    quiet: Vec<Scored>,
}

impl Arena {
    pub fn clear(&mut self) {
        self.noisy.clear();
        self.quiet.clear();
    }
}

/// What the ordering draws on besides the position.
pub struct Hints<'a> {
    pub params: &'a Params,
    pub history: &'a History,
    pub stack: &'a HistoryStack,
    pub killers: [Option<Move>; 2],
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Table,
    Generate,
    GoodNoisy,
    Quiet,
    BadNoisy,
}

pub struct Picker {
    stage: Stage,
    table_move: Option<Move>,
    /// Leave quiet moves and losing captures out.
    noisy_only: bool,
    /// What a capture must gain by exchange to count as good.
    threshold: i32,
    skip_quiets: bool,
    noisy_start: usize,
    noisy_next: usize,
    /// Losing captures are gathered from the start of the range on.
    bad_end: usize,
    quiet_start: usize,
    quiet_next: usize,
}

impl Picker {
    /// All moves. The table move must be legal.
    pub fn all(arena: &Arena, table_move: Option<Move>, threshold: i32) -> Self {
        Self {
            stage: Stage::Table,
            table_move,
            noisy_only: false,
            threshold,
            skip_quiets: false,
            noisy_start: arena.noisy.len(),
            noisy_next: arena.noisy.len(),
            bad_end: arena.noisy.len(),
            quiet_start: arena.quiet.len(),
            quiet_next: arena.quiet.len(),
        }
    }

    /// Captures and promotions that gain at least `threshold`.
    pub fn noisy(arena: &Arena, table_move: Option<Move>, threshold: i32) -> Self {
        Self {
            noisy_only: true,
            ..Self::all(arena, table_move, threshold)
        }
    }

    /// No further quiet move is wanted.
    pub fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// Takes this node's moves off the stacks.
    pub fn finish(self, arena: &mut Arena) {
        arena.noisy.truncate(self.noisy_start);
        arena.quiet.truncate(self.quiet_start);
    }

    pub fn next(&mut self, arena: &mut Arena, position: &Position, hints: &Hints) -> Option<Move> {
        loop {
            match self.stage {
                Stage::Table => {
                    self.stage = Stage::Generate;
                    if self.table_move.is_some() {
                        return self.table_move;
                    }
                }
                Stage::Generate => {
                    self.generate(arena, position);
                    score_noisy(&mut arena.noisy[self.noisy_start..], position, hints);
                    self.stage = Stage::GoodNoisy;
                }
                Stage::GoodNoisy => {
                    if let Some(mv) = self.good_noisy(arena, position, hints.params) {
                        return Some(mv);
                    }
                    if self.noisy_only {
                        return None;
                    }
                    if !self.skip_quiets {
                        score_quiet(&mut arena.quiet[self.quiet_start..], position, hints);
                    }
                    self.stage = Stage::Quiet;
                }
                Stage::Quiet => {
                    if !self.skip_quiets && self.quiet_next < arena.quiet.len() {
                        let mv = take_best(&mut arena.quiet[self.quiet_next..]);
                        self.quiet_next += 1;
                        return Some(mv);
                    }
                    self.noisy_next = self.noisy_start;
                    self.stage = Stage::BadNoisy;
                }
                Stage::BadNoisy => {
                    if self.noisy_next == self.bad_end {
                        return None;
                    }
                    self.noisy_next += 1;
                    return Some(arena.noisy[self.noisy_next - 1].mv);
                }
            }
        }
    }

    fn good_noisy(
        &mut self,
        arena: &mut Arena,
        position: &Position,
        params: &Params,
    ) -> Option<Move> {
        while self.noisy_next < arena.noisy.len() {
            let mv = take_best(&mut arena.noisy[self.noisy_next..]);
            self.noisy_next += 1;
            let underpromotes = mv.promotion.is_some_and(|piece| piece != Piece::Queen);
            if !underpromotes && see::see_ge(position, params, mv, self.threshold) {
                return Some(mv);
            }
            arena.noisy.swap(self.bad_end, self.noisy_next - 1);
            self.bad_end += 1;
        }
        None
    }

    fn generate(&self, arena: &mut Arena, position: &Position) {
        let board = position.board();
        let theirs = board.colors(!position.side());
        let last_ranks = cozy_chess::Rank::First.bitboard() | cozy_chess::Rank::Eighth.bitboard();
        board.generate_moves(|set| {
            let mut noisy = set;
            noisy.to &= theirs;
            if set.piece == Piece::Pawn {
                // A pawn that changes its file onto an empty square is an en passant capture.
                noisy.to |= set.to & (last_ranks | !set.from.file().bitboard());
            }
            for mv in noisy {
                if Some(mv) != self.table_move {
                    arena.noisy.push(Scored { mv, score: 0 });
                }
            }
            if !self.noisy_only {
                let mut quiet = set;
                quiet.to &= !noisy.to;
                for mv in quiet {
                    if Some(mv) != self.table_move {
                        arena.quiet.push(Scored { mv, score: 0 });
                    }
                }
            }
            false
        });
    }
}

fn score_noisy(moves: &mut [Scored], position: &Position, hints: &Hints) {
    for scored in moves {
        let victim = see::victim(position, hints.params, scored.mv);
        let promotion = scored
            .mv
            .promotion
            .map_or(0, |piece| see::value(hints.params, piece));
        scored.score = (victim + promotion) * hints.params.order_victim_mul()
            + hints.history.noisy(position, scored.mv);
    }
}

fn score_quiet(moves: &mut [Scored], position: &Position, hints: &Hints) {
    let counter = hints.history.counter(hints.stack);
    for scored in moves {
        let mv = Some(scored.mv);
        // Beyond the sum of the four histories, so that these three come first.
        scored.score = if mv == hints.killers[0] {
            LIMIT * 7
        } else if mv == hints.killers[1] {
            LIMIT * 6
        } else if mv == counter {
            LIMIT * 5
        } else {
            hints.history.quiet(position, hints.stack, scored.mv)
        };
    }
}

/// Brings the best move to the front; of equals the first, so that the order is the same everywhere.
fn take_best(moves: &mut [Scored]) -> Move {
    let mut best = 0;
    for index in 1..moves.len() {
        if moves[index].score > moves[best].score {
            best = index;
        }
    }
    moves.swap(0, best);
    moves[0].mv
}

/// Squares from which each piece of the side to move would give check at once.
pub struct CheckSquares {
    by: [cozy_chess::BitBoard; 6],
}

impl CheckSquares {
    pub fn new(position: &Position) -> Self {
        let board = position.board();
        let side: Color = position.side();
        let king = board.king(!side);
        let occupied = board.occupied();
        let diagonal = cozy_chess::get_bishop_moves(king, occupied);
        let straight = cozy_chess::get_rook_moves(king, occupied);
        Self {
            by: [
                cozy_chess::get_pawn_attacks(king, !side),
                cozy_chess::get_knight_moves(king),
                diagonal,
                straight,
                diagonal | straight,
                cozy_chess::BitBoard::EMPTY,
            ],
        }
    }

    /// Whether the move itself attacks the king; discovered checks are not seen.
    pub fn has(&self, piece: Piece, mv: Move) -> bool {
        self.by[mv.promotion.unwrap_or(piece) as usize].has(mv.to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picked(fen: &str, table_move: Option<&str>, noisy_only: bool) -> Vec<String> {
        let position = Position::from_fen(fen).unwrap();
        let (params, history, stack) = (Params::default(), History::default(), [None; 3]);
        let hints = Hints {
            params: &params,
            history: &history,
            stack: &stack,
            killers: [None; 2],
        };
        let mut arena = Arena::default();
        let table_move = table_move.and_then(|text| position.parse_move(text, false));
        let mut picker = if noisy_only {
            Picker::noisy(&arena, table_move, 0)
        } else {
            Picker::all(&arena, table_move, 0)
        };
        let mut moves = Vec::new();
        while let Some(mv) = picker.next(&mut arena, &position, &hints) {
            moves.push(position.uci(mv, false));
        }
        picker.finish(&mut arena);
        assert!(arena.noisy.is_empty() && arena.quiet.is_empty());
        moves
    }

    #[test]
    fn every_legal_move_comes_once() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            "8/8/8/2k5/2pP4/8/B7/4K3 b - d3 0 3",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        ] {
            let position = Position::from_fen(fen).unwrap();
            let mut legal: Vec<String> = position
                .moves()
                .into_iter()
                .map(|mv| position.uci(mv, false))
                .collect();
            let first = legal[legal.len() / 2].clone();
            let mut found = picked(fen, Some(&first), false);
            assert_eq!(found[0], first);
            legal.sort();
            found.sort();
            assert_eq!(found, legal, "{fen}");
        }
    }

    #[test]
    fn captures_first_by_victim_and_losing_ones_last() {
        let fen = "4k3/8/2p1q3/3p4/4P3/8/3R4/3K2R1 w - - 0 1";
        let moves = picked(fen, None, false);
        assert_eq!(moves[0], "e4d5");
        assert_eq!(moves.last().unwrap(), "d2d5");
        assert_eq!(picked(fen, None, true), ["e4d5"]);
        let en_passant = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";
        assert_eq!(picked(en_passant, None, true), ["e5d6"]);
    }
}
