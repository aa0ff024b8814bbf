//! Move ordering: table move, good captures, killers, counter move, quiet moves by history, bad
//! captures.

use cozy_chess::{BitBoard, Color, Move, Piece, PieceMoves};
use wide::i32x8;

use super::history::{History, HistoryContext};
use crate::generation;
use crate::params::Params;
use crate::position::Position;
use crate::see;

/// Moves and their keys, in separate arrays so that the search for the best can be vectorised.
#[derive(Default)]
struct ScoredMoves {
    moves: Vec<Move>,
    /// [`PLACES`] times the score, less the move's place in its node: the largest is the first of the best.
    keys: Vec<i32>,
}

/// More than the moves of a position.
const PLACES: i32 = 256;

impl ScoredMoves {
    fn len(&self) -> usize {
        self.moves.len()
    }

    /// Adds a move of the node whose moves begin at `start`.
    fn push(&mut self, start: usize, mv: Move, score: i32) {
        let place = self.len() - start;
        self.moves.push(mv);
        self.keys.push(score * PLACES - place as i32);
    }

    fn truncate(&mut self, length: usize) {
        self.moves.truncate(length);
        self.keys.truncate(length);
    }

    /// Selection sort of the node whose moves begin at `start`: moves the best one from `next` on to
    /// `next`. The first of equals wins, so that the order is deterministic.
    fn take_best(&mut self, start: usize, next: usize) -> Move {
        let place = -largest(&self.keys[next..]) & (PLACES - 1);
        let best = start + place as usize;
        self.moves.swap(next, best);
        self.keys[best] = self.keys[next] - (best - next) as i32;
        self.moves[next]
    }
}

/// Eight are compared at a time, the last eight again with some of those before them.
fn largest(keys: &[i32]) -> i32 {
    let Some(last) = keys.last_chunk() else {
        return keys.iter().copied().fold(i32::MIN, i32::max);
    };
    let blocks = keys.as_chunks().0.iter().map(|&block| i32x8::new(block));
    let lanes = blocks.fold(i32x8::new(*last), i32x8::max);
    lanes.to_array().into_iter().fold(i32::MIN, i32::max)
}

/// Generated moves, as stacks shared by all nodes of the current line.
#[derive(Default)]
pub struct MoveBuffer {
    noisy: ScoredMoves,
    quiet: ScoredMoves,
}

impl MoveBuffer {
    pub fn clear(&mut self) {
        self.noisy.truncate(0);
        self.quiet.truncate(0);
    }
}

/// What the ordering uses besides the position.
pub struct OrderingContext<'a> {
    pub params: &'a Params,
    pub history: &'a History,
    pub history_context: &'a HistoryContext,
    pub killers: [Option<Move>; 2],
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Table,
    GenerateNoisy,
    GoodNoisy,
    Killers,
    GenerateQuiet,
    Quiet,
    BadNoisy,
}

pub struct MovePicker {
    stage: Stage,
    tt_move: Option<Move>,
    /// Skip quiet moves and bad captures.
    noisy_only: bool,
    /// SEE threshold of a good capture.
    threshold: i32,
    skip_quiets: bool,
    /// Killers and counter move; only the legal quiet ones are returned.
    killers: [Option<Move>; 3],
    killers_next: usize,
    noisy_start: usize,
    noisy_next: usize,
    /// End of the bad captures, which are collected at the start of the range.
    bad_end: usize,
    quiet_start: usize,
    quiet_next: usize,
}

impl MovePicker {
    /// All moves. The table move must be legal.
    pub fn all(buffer: &MoveBuffer, tt_move: Option<Move>, threshold: i32) -> Self {
        Self {
            stage: Stage::Table,
            tt_move,
            noisy_only: false,
            threshold,
            skip_quiets: false,
            killers: [None; 3],
            killers_next: 0,
            noisy_start: buffer.noisy.len(),
            noisy_next: buffer.noisy.len(),
            bad_end: buffer.noisy.len(),
            quiet_start: buffer.quiet.len(),
            quiet_next: buffer.quiet.len(),
        }
    }

    /// Captures and promotions that gain at least `threshold`.
    pub fn noisy(buffer: &MoveBuffer, tt_move: Option<Move>, threshold: i32) -> Self {
        Self {
            noisy_only: true,
            ..Self::all(buffer, tt_move, threshold)
        }
    }

    /// Skips the remaining quiet moves.
    pub fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// Whether the last move was a quiet one chosen by its history: not the table move, a killer or
    /// the counter move.
    pub fn is_by_history(&self) -> bool {
        self.stage == Stage::Quiet
    }

    /// How many quiet moves are left; the table move and killers may be among them.
    pub fn quiets_left(&self, buffer: &MoveBuffer, position: &Position) -> usize {
        match self.stage {
            Stage::Quiet => buffer.quiet.len() - self.quiet_next,
            Stage::BadNoisy => 0,
            _ => {
                let mut count = 0;
                generation::quiet(position.board(), |set| count += set.len());
                count
            }
        }
    }

    /// Removes this node's moves from the stacks.
    pub fn finish(self, buffer: &mut MoveBuffer) {
        buffer.noisy.truncate(self.noisy_start);
        buffer.quiet.truncate(self.quiet_start);
    }

    pub fn next(
        &mut self,
        buffer: &mut MoveBuffer,
        position: &Position,
        context: &OrderingContext,
    ) -> Option<Move> {
        loop {
            match self.stage {
                Stage::Table => {
                    self.stage = Stage::GenerateNoisy;
                    if self.tt_move.is_some() {
                        return self.tt_move;
                    }
                }
                Stage::GenerateNoisy => {
                    self.generate_noisy(&mut buffer.noisy, position, context);
                    self.stage = Stage::GoodNoisy;
                }
                Stage::GoodNoisy => {
                    if let Some(mv) = self.good_noisy(buffer, position, context.params) {
                        return Some(mv);
                    }
                    if self.noisy_only {
                        return None;
                    }
                    let [first, second] = context.killers;
                    let counter = context.history.counter(context.history_context);
                    self.killers = [first, second, counter];
                    self.stage = Stage::Killers;
                }
                Stage::Killers => {
                    if let Some(mv) = self.killer(position) {
                        return Some(mv);
                    }
                    self.stage = Stage::GenerateQuiet;
                }
                Stage::GenerateQuiet => {
                    if !self.skip_quiets {
                        self.generate_quiet(&mut buffer.quiet, position, context);
                    }
                    self.stage = Stage::Quiet;
                }
                Stage::Quiet => {
                    if !self.skip_quiets && self.quiet_next < buffer.quiet.len() {
                        let mv = buffer.quiet.take_best(self.quiet_start, self.quiet_next);
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
                    return Some(buffer.noisy.moves[self.noisy_next - 1]);
                }
            }
        }
    }

    fn good_noisy(
        &mut self,
        buffer: &mut MoveBuffer,
        position: &Position,
        params: &Params,
    ) -> Option<Move> {
        while self.noisy_next < buffer.noisy.len() {
            let mv = buffer.noisy.take_best(self.noisy_start, self.noisy_next);
            self.noisy_next += 1;
            let underpromotes = mv.promotion.is_some_and(|piece| piece != Piece::Queen);
            if !underpromotes && see::see_ge(position, params, mv, self.threshold) {
                return Some(mv);
            }
            buffer.noisy.moves.swap(self.bad_end, self.noisy_next - 1);
            self.bad_end += 1;
        }
        None
    }

    /// The next killer or counter move that is a legal quiet move and has not been returned yet.
    fn killer(&mut self, position: &Position) -> Option<Move> {
        while !self.skip_quiets && self.killers_next < self.killers.len() {
            let index = self.killers_next;
            self.killers_next += 1;
            let Some(mv) = self.killers[index] else {
                continue;
            };
            if Some(mv) != self.tt_move
                && !self.killers[..index].contains(&Some(mv))
                && position.board().is_legal(mv)
                && !position.is_noisy(mv)
            {
                return Some(mv);
            }
        }
        None
    }

    /// Lists and scores the noisy moves except the table move.
    fn generate_noisy(
        &self,
        noisy: &mut ScoredMoves,
        position: &Position,
        context: &OrderingContext,
    ) {
        let OrderingContext {
            params, history, ..
        } = context;
        generation::noisy(position.board(), |set| {
            for mv in set {
                if Some(mv) == self.tt_move {
                    continue;
                }
                let victim = see::victim(position, params, mv);
                let promotion = mv.promotion.map_or(0, |piece| see::value(params, piece));
                let score =
                    (victim + promotion) * params.order_victim_mul() + history.noisy(position, mv);
                noisy.push(self.noisy_start, mv, score);
            }
        });
    }

    /// Lists and scores the quiet moves that have not been returned as table move, killer or
    /// counter move.
    fn generate_quiet(
        &self,
        quiet: &mut ScoredMoves,
        position: &Position,
        context: &OrderingContext,
    ) {
        let [first, second, counter] = self.killers;
        let returned = [self.tt_move, first, second, counter];
        let histories = context
            .history
            .quiets(context.params, position, context.history_context);
        histories.prefetch();
        let escape = context.params.order_escape();
        let [by_pawns, by_minors, by_rooks] = if escape > 0 {
            position.lesser_threats()
        } else {
            [BitBoard::EMPTY; 3]
        };
        let check = context.params.order_check();
        let checks = (check > 0).then(|| CheckSquares::new(position));
        let gives_check = |piece, mv| {
            checks.as_ref().is_some_and(|checks| checks.has(piece, mv))
                && see::see_ge(position, context.params, mv, self.threshold)
        };
        generation::quiet(position.board(), |mut set| {
            for mv in returned.into_iter().flatten() {
                if mv.from == set.from {
                    set.to &= !mv.to.bitboard();
                }
            }
            let PieceMoves { piece, from, to } = set;
            let danger = match piece {
                Piece::Knight | Piece::Bishop => by_pawns,
                Piece::Rook => by_minors,
                Piece::Queen => by_rooks,
                Piece::Pawn | Piece::King => BitBoard::EMPTY,
            };
            let left = i32::from(danger.has(from));
            for to in to {
                let mv = Move {
                    from,
                    to,
                    promotion: None,
                };
                let safer = left - i32::from(danger.has(to));
                let checked = i32::from(gives_check(piece, mv));
                let score = histories.of(piece, mv) + escape * safer + check * checked;
                quiet.push(self.quiet_start, mv, score);
            }
        });
    }
}

/// Squares from which each piece of the side to move gives check.
pub struct CheckSquares {
    by: [BitBoard; 6],
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
                BitBoard::EMPTY,
            ],
        }
    }

    /// Whether the move gives check directly; discovered checks are not detected.
    pub fn has(&self, piece: Piece, mv: Move) -> bool {
        self.by[mv.promotion.unwrap_or(piece) as usize].has(mv.to)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn picked(fen: &str, tt_move: Option<&str>, noisy_only: bool) -> Vec<String> {
        let position = Position::from_fen(fen).unwrap();
        let (params, history, history_context) = (
            Params::default(),
            History::default(),
            HistoryContext::default(),
        );
        let context = OrderingContext {
            params: &params,
            history: &history,
            history_context: &history_context,
            killers: [None; 2],
        };
        let mut buffer = MoveBuffer::default();
        let tt_move = tt_move.and_then(|text| position.parse_move(text, false));
        let mut picker = if noisy_only {
            MovePicker::noisy(&buffer, tt_move, 0)
        } else {
            MovePicker::all(&buffer, tt_move, 0)
        };
        let mut moves = Vec::new();
        while let Some(mv) = picker.next(&mut buffer, &position, &context) {
            moves.push(position.uci(mv, false));
        }
        picker.finish(&mut buffer);
        assert_eq!((buffer.noisy.len(), buffer.quiet.len()), (0, 0));
        moves
    }

    proptest! {
        #[test]
        fn the_first_of_the_best_is_taken(
            before in 0..9_usize,
            mut scores in prop::collection::vec(-3..3, 1..30),
        ) {
            let moves = Position::from_fen("4k3/8/8/8/8/8/PPP5/4K3 w - - 0 1").unwrap().moves();
            let mut scored = ScoredMoves::default();
            (0..before).for_each(|_| scored.push(0, moves[0], i32::from(i16::MAX)));
            for (place, &score) in scores.iter().enumerate() {
                scored.push(before, moves[place % moves.len()], score);
            }
            let mut left = scored.moves[before..].to_vec();
            for next in 0..left.len() {
                let most = scores[next..].iter().max();
                let best = next + scores[next..].iter().position(|score| Some(score) == most).unwrap();
                scores.swap(next, best);
                left.swap(next, best);
                prop_assert_eq!(scored.take_best(before, before + next), left[next]);
            }
        }
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
