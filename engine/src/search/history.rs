//! Histories of moves that caused cutoffs.
//!
//! All tables are updated with gravity: a bonus shrinks as the entry approaches [`LIMIT`], so
//! entries stay within it and old results fade.

use std::cell::OnceCell;

use cozy_chess::{BitBoard, Color, Move, Piece, Square};

use crate::memory;
use crate::params::Params;
use crate::position::Position;

/// Largest absolute value of an entry. Margins in `params.toml` are relative to it.
pub const LIMIT: i32 = 16_384;

const PAWN_SLOTS: usize = 512;

/// Entries in a cache line.
const LINE: usize = 64 / size_of::<i16>();

/// Index into the continuation history: colour, piece and target square of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContinuationIndex(u16);

impl ContinuationIndex {
    pub const COUNT: usize = 2 * 6 * 64;

    pub fn new(color: Color, piece: Piece, to: Square) -> Self {
        Self((color as u16 * 6 + piece as u16) * 64 + to as u16)
    }

    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// Index into the history of quiet moves: colour, whether the opponent attacks the origin and the
/// destination, and these.
#[derive(Clone, Copy, Debug)]
pub struct QuietIndex {
    color: Color,
    attacked: [usize; 2],
    squares: [Square; 2],
}

impl QuietIndex {
    pub fn new(params: &Params, position: &Position, context: &HistoryContext, mv: Move) -> Self {
        Self {
            color: position.side(),
            attacked: attacked(context.threats(params, position), mv),
            squares: [mv.from, mv.to],
        }
    }
}

/// By piece and target square of a move.
type Replies = [[i16; 64]; 6];

static EMPTY_BUTTERFLY: Butterfly = [[[[0; 64]; 64]; 2]; 2];

/// The index when there is no earlier move.
static NO_REPLIES: Replies = [[0; 64]; 6];

/// By whether the opponent attacks the origin and the destination, then by origin and destination.
type Butterfly = [[[[i16; 64]; 64]; 2]; 2];

/// The histories of all quiet moves of a node.
pub struct QuietHistories<'a> {
    butterfly: &'a Butterfly,
    threats: BitBoard,
    pawn: &'a Replies,
    /// Percent of the pawn history in the sum.
    pawn_scale: i32,
    continuations: [&'a Replies; 3],
}

impl QuietHistories<'_> {
    /// Starts loading the tables by piece and square.
    pub fn prefetch(&self) {
        for replies in self.continuations.iter().chain([&self.pawn]) {
            for line in replies.as_flattened().chunks(LINE) {
                memory::prefetch(&line[0]);
            }
        }
    }

    /// The history of a quiet move by this piece.
    #[inline]
    pub fn of(&self, piece: Piece, mv: Move) -> i32 {
        let (from, to) = (mv.from as usize, mv.to as usize);
        let continuations = self.continuations.iter();
        let sum: i32 = continuations
            .map(|replies| i32::from(replies[piece as usize][to]))
            .sum();
        let [leaves, enters] = attacked(self.threats, mv);
        let pawn = i32::from(self.pawn[piece as usize][to]) * self.pawn_scale / 100;
        sum + i32::from(self.butterfly[leaves][enters][from][to]) + pawn
    }
}

pub struct History {
    /// By colour.
    quiet: Box<[Butterfly]>,
    /// By slot of the pawn structure, then colour and move itself.
    pawn: Box<[[Replies; 2]]>,
    /// By piece, to, captured piece.
    noisy: Vec<i16>,
    /// By the index of the move one, two or four plies back, then colour and move itself.
    continuation: Box<[[Replies; 2]]>,
    /// The counter move: the reply that last refuted this one.
    counter: Vec<Option<Move>>,
}

impl Default for History {
    fn default() -> Self {
        Self {
            quiet: vec![EMPTY_BUTTERFLY; 2].into(),
            pawn: vec![[NO_REPLIES; 2]; PAWN_SLOTS].into(),
            noisy: vec![0; 6 * 64 * 6],
            continuation: vec![[NO_REPLIES; 2]; ContinuationIndex::COUNT].into(),
            counter: vec![None; ContinuationIndex::COUNT],
        }
    }
}

/// What the histories of a node's quiet moves depend on besides its position.
#[derive(Default)]
pub struct HistoryContext {
    /// For the moves one, two and four plies before.
    pub earlier: [Option<ContinuationIndex>; 3],
    /// The squares that the opponent attacks, computed late: many nodes are cut before that.
    pub threats: OnceCell<BitBoard>,
}

impl HistoryContext {
    fn threats(&self, params: &Params, position: &Position) -> BitBoard {
        *self.threats.get_or_init(|| {
            if params.hist_threats() {
                position.threats()
            } else {
                BitBoard::EMPTY
            }
        })
    }
}

/// Whether the origin and the destination of a move are attacked.
fn attacked(threats: BitBoard, mv: Move) -> [usize; 2] {
    [mv.from, mv.to].map(|square| usize::from(threats.has(square)))
}

impl History {
    pub fn clear(&mut self) {
        let quiet = self.quiet.as_flattened_mut().as_flattened_mut();
        quiet.as_flattened_mut().as_flattened_mut().fill(0);
        self.pawn.fill([NO_REPLIES; 2]);
        self.noisy.fill(0);
        self.continuation.fill([NO_REPLIES; 2]);
        self.counter.fill(None);
    }

    pub fn quiet(
        &self,
        params: &Params,
        position: &Position,
        context: &HistoryContext,
        mv: Move,
    ) -> i32 {
        self.quiets(params, position, context)
            .of(position.moved_piece(mv), mv)
    }

    /// The histories of all quiet moves of a node.
    #[inline]
    pub fn quiets(
        &self,
        params: &Params,
        position: &Position,
        context: &HistoryContext,
    ) -> QuietHistories<'_> {
        let side = position.side() as usize;
        QuietHistories {
            butterfly: &self.quiet[side],
            threats: context.threats(params, position),
            pawn: &self.pawn[pawn_slot(position)][side],
            pawn_scale: params.hist_pawn_scale(),
            continuations: context.earlier.map(|earlier| match earlier {
                Some(ContinuationIndex(earlier)) => &self.continuation[earlier as usize][side],
                None => &NO_REPLIES,
            }),
        }
    }

    pub fn noisy(&self, position: &Position, mv: Move) -> i32 {
        i32::from(self.noisy[capture(position, mv)])
    }

    pub fn counter(&self, context: &HistoryContext) -> Option<Move> {
        self.counter[context.earlier[0]?.0 as usize]
    }

    /// After a fail high by a quiet move: a bonus for it unless that was trivial, a malus for the
    /// quiet moves searched before.
    pub fn update_quiet_histories(
        &mut self,
        params: &Params,
        position: &Position,
        context: &HistoryContext,
        best: Move,
        tried: &[Move],
        depth: i32,
    ) {
        let (bonus, malus) = (bonus(params, depth), malus(params, depth));
        if !tried.is_empty() || depth > params.hist_trivial_depth() {
            self.update_quiet(params, position, context, best, bonus);
        }
        for &mv in tried {
            self.update_quiet(params, position, context, mv, -malus);
        }
        if let Some(previous) = context.earlier[0] {
            self.counter[previous.0 as usize] = Some(best);
        }
    }

    /// A bonus for a quiet move after which the opponent has failed low at this depth. The position
    /// of the move is not at hand, so only one table is updated.
    pub fn reward_quiet(&mut self, params: &Params, index: QuietIndex, depth: i32) {
        let change = bonus(params, depth) * params.hist_parent_scale() / 100;
        self.update_butterfly(index, change);
    }

    fn update_butterfly(&mut self, index: QuietIndex, change: i32) {
        let [leaves, enters] = index.attacked;
        let [from, to] = index.squares.map(|square| square as usize);
        let butterfly = &mut self.quiet[index.color as usize];
        update_with_gravity(&mut butterfly[leaves][enters][from][to], change);
    }

    pub fn update_quiet(
        &mut self,
        params: &Params,
        position: &Position,
        context: &HistoryContext,
        mv: Move,
        change: i32,
    ) {
        let (side, piece) = (position.side() as usize, position.moved_piece(mv) as usize);
        let to = mv.to as usize;
        self.update_butterfly(QuietIndex::new(params, position, context, mv), change);
        let pawn = &mut self.pawn[pawn_slot(position)][side];
        update_with_gravity(&mut pawn[piece][to], change);
        let share = change * params.hist_cont_scale() / 100;
        let weight = self.continuation_weight(params, context, [side, piece, to]);
        for earlier in context.earlier.iter().flatten() {
            let entry = &mut self.continuation[earlier.0 as usize][side][piece][to];
            let weight = weight.unwrap_or(i32::from(*entry));
            update_with_weight(entry, share, weight);
        }
    }

    /// What the continuation histories of a move count as when they shrink at an update, if that is
    /// the same for all: what one of them has learned already, the others need not learn.
    fn continuation_weight(
        &self,
        params: &Params,
        context: &HistoryContext,
        [side, piece, to]: [usize; 3],
    ) -> Option<i32> {
        let percent = params.hist_cont_mean();
        if percent == 0 {
            return None;
        }
        let (mut sum, mut count) = (0, 0);
        for earlier in context.earlier.iter().flatten() {
            sum += i32::from(self.continuation[earlier.0 as usize][side][piece][to]);
            count += 1;
        }
        Some(sum * percent / (100 * count.max(1)))
    }

    /// After any fail high: a bonus for the move if it was noisy, a malus for the noisy moves
    /// before.
    pub fn update_noisy_history(
        &mut self,
        params: &Params,
        position: &Position,
        best: Option<Move>,
        tried: &[Move],
        depth: i32,
    ) {
        if let Some(best) = best {
            update_with_gravity(
                &mut self.noisy[capture(position, best)],
                bonus(params, depth),
            );
        }
        for &mv in tried {
            update_with_gravity(
                &mut self.noisy[capture(position, mv)],
                -malus(params, depth),
            );
        }
    }
}

fn pawn_slot(position: &Position) -> usize {
    position.pawn_key() as usize % PAWN_SLOTS
}

fn capture(position: &Position, mv: Move) -> usize {
    // A promotion without capture uses the slot of the king, which is never captured.
    let captured = position.captured(mv).unwrap_or(Piece::King);
    (position.moved_piece(mv) as usize * 64 + mv.to as usize) * 6 + captured as usize
}

pub(super) fn update_with_gravity(entry: &mut i16, change: i32) {
    let weight = i32::from(*entry);
    update_with_weight(entry, change, weight);
}

/// The same for an entry that shrinks as if it were `weight`.
fn update_with_weight(entry: &mut i16, change: i32, weight: i32) {
    let change = change.clamp(-LIMIT, LIMIT);
    let value = i32::from(*entry) + change - weight * change.abs() / LIMIT;
    *entry = value.clamp(-LIMIT, LIMIT) as i16;
}

fn bonus(params: &Params, depth: i32) -> i32 {
    (params.hist_bonus_mul() * depth + params.hist_bonus_base()).clamp(0, params.hist_bonus_max())
}

pub fn malus(params: &Params, depth: i32) -> i32 {
    (params.hist_malus_mul() * depth + params.hist_malus_base()).clamp(0, params.hist_malus_max())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_approach_the_limit_and_never_pass_it() {
        let mut entry = 0;
        for _ in 0..10_000 {
            update_with_gravity(&mut entry, 4096);
        }
        assert!(
            i32::from(entry) <= LIMIT && i32::from(entry) > LIMIT * 9 / 10,
            "{entry}"
        );
        for _ in 0..20_000 {
            update_with_gravity(&mut entry, -100_000);
        }
        assert_eq!(i32::from(entry), -LIMIT);
    }

    #[test]
    fn updates_raise_the_best_move_and_lower_the_others() {
        let params = Params::default();
        let position = Position::from_fen("4k3/8/8/8/8/8/PP6/4K3 w - - 0 1").unwrap();
        let mv = |text| position.parse_move(text, false).unwrap();
        let mut history = History::default();
        let king = ContinuationIndex::new(Color::Black, Piece::King, Square::E8);
        let mut context = HistoryContext {
            earlier: [Some(king), None, None],
            threats: BitBoard::EMPTY.into(),
        };
        history.update_quiet_histories(&params, &position, &context, mv("a2a3"), &[mv("b2b3")], 5);
        assert!(history.quiet(&params, &position, &context, mv("a2a3")) > 0);
        assert!(history.quiet(&params, &position, &context, mv("b2b3")) < 0);
        assert_eq!(history.quiet(&params, &position, &context, mv("b2b4")), 0);
        assert_eq!(history.counter(&context), Some(mv("a2a3")));
        let safe = history.quiet(&params, &position, &context, mv("a2a3"));
        context.threats = Square::A3.bitboard().into();
        assert!(history.quiet(&params, &position, &context, mv("a2a3")) < safe);
        history.clear();
        assert_eq!(history.quiet(&params, &position, &context, mv("a2a3")), 0);
    }
}
