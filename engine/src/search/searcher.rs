//! The state of one thread's search, and the steps that all its parts share: making moves, the
//! evaluation, the next move, when to stop.
//!
//! [`Context`] is shared by the threads of a search, [`ThreadData`] outlives it, [`Searcher`] is one
//! thread's view of both. The files of the techniques add their own methods to [`Searcher`].

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use cozy_chess::Move;

use super::correction::CorrectionHistory;
use super::cuckoo::Cuckoo;
use super::history::{ContinuationIndex, History, HistoryContext, QuietIndex};
use super::info::InfoWriter;
use super::limits::Limits;
use super::ordering::{MoveBuffer, MovePicker, OrderingContext};
use super::reductions::Reductions;
use super::root::RootMove;
use super::stats::Stats;
use super::time::Stopwatch;
use crate::eval::Evaluator;
use crate::network::Network;
use crate::params::Params;
use crate::position::Position;
use crate::score::{self, MAX_PLY, Score};
use crate::tablebase::Tablebase;
use crate::tt::Table;

/// Nodes between two checks of the clock and the stop flag: less than a millisecond.
const POLL_INTERVAL: u64 = 512;

/// Flags by which the UCI thread controls a running search.
#[derive(Default)]
pub struct Signals {
    pub stop: AtomicBool,
    /// The opponent has not played the expected move yet: no limit applies.
    pub pondering: AtomicBool,
}

/// Shared by all threads of one search.
pub(super) struct Context<'a> {
    pub(super) params: &'a Params,
    pub(super) reductions: &'a Reductions,
    /// The hand-crafted evaluation if there is none.
    pub(super) network: Option<&'a Network>,
    pub(super) table: &'a Table,
    /// For positions within the search.
    pub(super) tablebase: Option<&'a Tablebase>,
    pub(super) probe_depth: i32,
    /// Positions found in the tablebase.
    pub(super) tablebase_hits: &'a AtomicU64,
    /// The moves to search at the root.
    pub(super) root_moves: &'a [Move],
    pub(super) signals: &'a Signals,
    pub(super) limits: &'a Limits,
    pub(super) stopwatch: Stopwatch,
    /// Whether to count for the statistics: tries, and each of the moves that are skipped together.
    pub(super) counts_tries: bool,
    /// One in this many cuts is checked; 0 for none.
    pub(super) sample: u64,
    /// The main thread has finished.
    pub(super) finished: &'a AtomicBool,
    /// Nodes of each thread, updated at every check of the limits.
    pub(super) published: &'a [AtomicU64],
}

/// What a thread keeps from one search to the next.
#[derive(Default)]
pub struct ThreadData {
    history: History,
    corrections: CorrectionHistory,
    evaluator: Evaluator,
    pv: PvTable,
    frames: Frames,
    buffer: MoveBuffer,
}

impl ThreadData {
    /// Clears everything that could influence a search.
    pub fn clear(&mut self) {
        self.history.clear();
        self.corrections.clear();
    }
}

/// Entry of the search stack: the state of one ply of the current line.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    /// Corrected static evaluation, [`score::NONE`] in check.
    pub(super) eval: Score,
    pub(super) killers: [Option<Move>; 2],
    /// The move made here; none for a null move.
    pub(super) continuation: Option<ContinuationIndex>,
    /// The same for its history if it is quiet.
    pub(super) quiet: Option<QuietIndex>,
    pub(super) is_null_move: bool,
    /// Plies by which the move made here is being reduced.
    pub(super) reduction: i32,
    /// Fail highs at this ply since the last node two plies before was entered.
    pub(super) fail_highs: i32,
    /// The move excluded by a singular search.
    pub(super) excluded: Option<Move>,
    /// Double extensions on the path to this ply.
    pub(super) double_extensions: i32,
}

const EMPTY_FRAME: Frame = Frame {
    eval: score::NONE,
    killers: [None; 2],
    continuation: None,
    quiet: None,
    is_null_move: false,
    reduction: 0,
    fail_highs: 0,
    excluded: None,
    double_extensions: 0,
};

struct Frames(Box<[Frame; MAX_PLY + 1]>);

impl Default for Frames {
    fn default() -> Self {
        Self(Box::new([EMPTY_FRAME; MAX_PLY + 1]))
    }
}

/// Triangular table of principal variations, one line per ply.
pub(super) struct PvTable {
    lines: Vec<Vec<Move>>,
}

impl Default for PvTable {
    fn default() -> Self {
        Self {
            lines: vec![Vec::new(); MAX_PLY + 1],
        }
    }
}

impl PvTable {
    pub(super) fn clear(&mut self, ply: usize) {
        self.lines[ply].clear();
    }

    pub(super) fn line(&self, ply: usize) -> &[Move] {
        &self.lines[ply]
    }

    pub(super) fn update(&mut self, ply: usize, mv: Move) {
        let (upper, lower) = self.lines.split_at_mut(ply + 1);
        let line = &mut upper[ply];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&lower[0]);
    }
}

/// One thread's search of one position.
pub(super) struct Searcher<'a> {
    pub(super) context: &'a Context<'a>,
    pub(super) history: &'a mut History,
    pub(super) corrections: &'a mut CorrectionHistory,
    pub(super) evaluator: &'a mut Evaluator,
    pub(super) pv: &'a mut PvTable,
    pub(super) frames: &'a mut [Frame; MAX_PLY + 1],
    pub(super) buffer: &'a mut MoveBuffer,
    pub(super) cuckoo: &'static Cuckoo,
    /// Keys of the game and of the current line, the current position last.
    pub(super) keys: Vec<u64>,
    /// How many of the keys belong to the game.
    pub(super) game_keys: usize,
    pub(super) root_moves: Vec<RootMove>,
    pub(super) pv_index: usize,
    pub(super) iteration: i32,
    /// The last iteration would have been the last, but the search ponders.
    pub(super) has_enough: bool,
    pub(super) nodes: u64,
    pub(super) seldepth: usize,
    /// No null moves before this ply, while one is being verified.
    pub(super) nmp_min_ply: usize,
    /// At this ply nodes are not pruned as a whole, while a cut is checked there.
    pub(super) unpruned: Option<usize>,
    /// A cut is being checked: nothing may be stored.
    pub(super) sampling: bool,
    pub(super) thread: usize,
    pub(super) stopped: bool,
    pub(super) stats: Stats,
    /// Prints info lines; only the main thread has it.
    pub(super) info: Option<InfoWriter<'a>>,
}

impl<'a> Searcher<'a> {
    pub(super) fn new(
        context: &'a Context<'a>,
        data: &'a mut ThreadData,
        position: &Position,
        earlier_keys: &[u64],
        thread: usize,
        info: Option<InfoWriter<'a>>,
    ) -> Self {
        let ThreadData {
            history,
            corrections,
            evaluator,
            pv,
            frames,
            buffer,
        } = data;
        frames.0.fill(EMPTY_FRAME);
        evaluator.reset(context.network, position);
        buffer.clear();
        let mut keys = Vec::with_capacity(earlier_keys.len() + MAX_PLY + 2);
        keys.extend_from_slice(earlier_keys);
        keys.push(position.key());
        let root_moves = context
            .root_moves
            .iter()
            .copied()
            .map(RootMove::new)
            .collect();
        Self {
            context,
            history,
            corrections,
            evaluator,
            pv,
            frames: &mut frames.0,
            buffer,
            cuckoo: Cuckoo::table(),
            game_keys: keys.len(),
            keys,
            root_moves,
            pv_index: 0,
            iteration: 0,
            has_enough: false,
            nodes: 0,
            seldepth: 0,
            nmp_min_ply: 0,
            unpruned: None,
            sampling: false,
            thread,
            stopped: false,
            stats: Stats::default(),
            info,
        }
    }

    /// Whether to stop: a limit has been reached or `stop` has been received. Once true it stays
    /// true.
    pub(super) fn is_stopped(&mut self) -> bool {
        if self.stopped {
            return true;
        }
        let limits = self.context.limits;
        let pondering = self.context.signals.pondering.load(Relaxed);
        // A single thread keeps a node limit exactly; several check the sum of their nodes now and
        // then.
        // Nodes of samples do not count.
        let counts = !self.sampling;
        let alone = self.context.published.len() == 1;
        if alone && counts && self.nodes >= limits.nodes && !pondering {
            self.stopped = true;
        }
        // The check comes after the first interval only: a search that starts with no time left
        // still searches a few hundred nodes rather than playing an arbitrary move.
        if self.nodes > 0 && self.nodes.is_multiple_of(POLL_INTERVAL) {
            if counts {
                self.publish();
            }
            if let Some(info) = &mut self.info {
                info.flush_if_due();
            }
            if self.context.signals.stop.load(Relaxed) || self.context.finished.load(Relaxed) {
                self.stopped = true;
            }
            let is_over = || {
                self.has_enough
                    || self.context.stopwatch.is_hard_limit_reached()
                    || self.all_nodes() >= limits.nodes
            };
            if self.thread == 0 && !pondering && is_over() {
                self.stopped = true;
            }
        }
        self.stopped
    }

    pub(super) fn publish(&self) {
        self.context.published[self.thread].store(self.nodes, Relaxed);
    }

    pub(super) fn all_nodes(&self) -> u64 {
        self.context
            .published
            .iter()
            .map(|nodes| nodes.load(Relaxed))
            .sum()
    }

    pub(super) fn evaluate(&mut self, position: &Position) -> Score {
        score::clamp_eval(self.evaluator.evaluate(self.context.network, position))
    }

    /// The next move from the picker.
    pub(super) fn next_move(
        &mut self,
        picker: &mut MovePicker,
        position: &Position,
        history_context: &HistoryContext,
        killers: [Option<Move>; 2],
    ) -> Option<Move> {
        let context = OrderingContext {
            params: self.context.params,
            history: self.history,
            history_context,
            killers,
        };
        let mv = picker.next(self.buffer, position, &context)?;
        // The entry is loaded while the move is judged and made, which takes about as long.
        self.context.table.prefetch(position.likely_key_after(mv));
        Some(mv)
    }

    /// Makes a move: returns the child and updates keys and search stack until [`Searcher::undo`].
    pub(super) fn play(&mut self, position: &Position, mv: Move, ply: usize) -> Position {
        let frame = &mut self.frames[ply];
        frame.continuation = Some(ContinuationIndex::new(
            position.side(),
            position.moved_piece(mv),
            mv.to,
        ));
        frame.quiet = None;
        frame.is_null_move = false;
        self.nodes += 1;
        let child = position.play(mv);
        self.corrections
            .prefetch(&child, self.earlier_moves(ply + 1));
        self.evaluator
            .play(self.context.network, position, Some(mv));
        self.keys.push(child.key());
        child
    }

    /// The same for a null move; none when in check.
    pub(super) fn play_null_move(&mut self, position: &Position, ply: usize) -> Option<Position> {
        let key = position.likely_key_after_null_move();
        self.context.table.prefetch(key);
        let child = position.null_move()?;
        self.evaluator.play(self.context.network, position, None);
        self.frames[ply].continuation = None;
        self.frames[ply].quiet = None;
        self.frames[ply].is_null_move = true;
        self.nodes += 1;
        self.keys.push(child.key());
        Some(child)
    }

    /// Undoes the last [`Searcher::play`] or [`Searcher::play_null_move`].
    pub(super) fn undo(&mut self) {
        self.keys.pop();
        self.evaluator.undo(self.context.network);
    }

    /// The moves one, two and four plies before.
    pub(super) fn earlier_moves(&self, ply: usize) -> [Option<ContinuationIndex>; 3] {
        [1, 2, 4].map(|back| self.frames[ply.checked_sub(back)?].continuation)
    }

    pub(super) fn history_context(&self, ply: usize) -> HistoryContext {
        HistoryContext {
            earlier: self.earlier_moves(ply),
            ..HistoryContext::default()
        }
    }
}
