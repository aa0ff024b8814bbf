//! The search of one thread.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use crate::board::Board;
use crate::endgame;
use crate::eval::Beams;
use crate::moves;
use crate::score::{DECIDED, MAX_PLY, lost_in, won_in};
use crate::search::history::History;
use crate::search::picker::{Candidate, Picker, Pool};
use crate::search::settings::Settings;
use crate::tt::{Bound, Entry, Table};
use crate::turn::Move;

/// Signals to a running search.
#[derive(Debug, Default)]
pub(crate) struct Signals {
    pub(crate) stop: AtomicBool,
    /// While this is set, time limits do not apply.
    pub(crate) ponder: AtomicBool,
}

/// Nodes between two checks of the clock.
const INTERVAL: u64 = 1024;

/// The state of a move loop on which pruning and reductions depend.
struct Node {
    depth: i32,
    alpha: i32,
    beta: i32,
    eval: i32,
    improves: bool,
    endangered: bool,
}

pub(crate) struct Worker<'a> {
    pub(crate) shared: Shared<'a>,
    board: Board,
    /// Keys of all positions of the game and the current line, the current one last.
    keys: Vec<u64>,
    history: &'a mut History,
    pub(crate) nodes: u64,
    pool: Pool,
    /// For each ply, the principal variation from there on.
    pub(crate) lines: Vec<Vec<Move>>,
    evals: [i32; MAX_PLY + 2],
    pub(crate) deepest: usize,
    is_over: bool,
    /// The search ends as soon as it does not ponder.
    pub(crate) has_enough: bool,
    root_depth: i32,
    /// What to try first at the root, where the table may hold another move: the best one of the
    /// iteration before, or one that has failed high since.
    pub(crate) first: Option<Move>,
    /// Root moves of which a variation is known and another is wanted.
    pub(crate) excluded: Vec<Move>,
}

/// What all threads of a search share.
#[derive(Clone, Copy)]
pub(crate) struct Shared<'a> {
    pub(crate) settings: &'a Settings,
    pub(crate) table: &'a Table,
    pub(crate) signals: &'a Signals,
    /// Set when the first thread has finished.
    pub(crate) is_done: &'a AtomicBool,
    pub(crate) search_moves: &'a [Move],
    pub(crate) total: &'a AtomicU64,
    pub(crate) max_nodes: Option<u64>,
    pub(crate) start: Instant,
    pub(crate) hard: Option<Duration>,
}

impl<'a> Worker<'a> {
    pub(crate) fn new(
        board: Board,
        keys: Vec<u64>,
        history: &'a mut History,
        shared: Shared<'a>,
    ) -> Self {
        Self {
            shared,
            board,
            keys,
            history,
            nodes: 0,
            pool: Pool::default(),
            lines: vec![Vec::new(); MAX_PLY + 2],
            evals: [0; MAX_PLY + 2],
            deepest: 0,
            is_over: false,
            has_enough: false,
            root_depth: 0,
            first: None,
            excluded: Vec::new(),
        }
    }

    /// Whether the search was stopped, so that the score of the root is that of the moves until then.
    pub(crate) fn is_over(&self) -> bool {
        self.is_over
    }

    /// Searches the root to a depth, within a window.
    pub(crate) fn root(&mut self, depth: i32, alpha: i32, beta: i32) -> i32 {
        self.root_depth = depth;
        self.search(depth, alpha, beta, 0, true)
    }

    fn count(&mut self) {
        if self.is_over {
            return;
        }
        let shared = &self.shared;
        self.nodes += 1;
        if shared.max_nodes.is_some_and(|most| self.nodes >= most) {
            self.is_over = true;
        }
        if self.nodes.is_multiple_of(INTERVAL) {
            shared.total.fetch_add(INTERVAL, Relaxed);
            let is_late = || {
                let hard = shared.hard;
                self.has_enough || hard.is_some_and(|hard| shared.start.elapsed() >= hard)
            };
            let is_full = |most| shared.total.load(Relaxed) >= most;
            self.is_over |= shared.max_nodes.is_some_and(is_full)
                || shared.signals.stop.load(Relaxed)
                || shared.is_done.load(Relaxed)
                || (!shared.signals.ponder.load(Relaxed) && is_late());
        }
    }

    /// The key for the table. A position with a move that Ko may forbid has a key of its own.
    fn table_key(&self) -> u64 {
        let ko = u64::from(self.board.ko().to_bits());
        self.board.key() ^ ko.wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    fn is_draw(&self) -> bool {
        let quiet = self.board.quiet();
        let key = self.board.key();
        quiet >= self.shared.settings.quiet_limit
            || self
                .keys
                .iter()
                .rev()
                .take(quiet + 1)
                .skip(4)
                .step_by(2)
                .any(|&it| it == key)
    }

    fn draw(&self, ply: usize) -> i32 {
        let score = self.shared.settings.params.draw_score();
        if ply.is_multiple_of(2) { score } else { -score }
    }

    fn set_line(&mut self, ply: usize, mv: Move) {
        let (head, tail) = self.lines.split_at_mut(ply + 1);
        head[ply].clear();
        head[ply].push(mv);
        head[ply].extend_from_slice(&tail[0]);
    }

    /// Makes a move, searches the new position with `inner` and takes the move back; `None` if Ko
    /// forbids it.
    fn after(
        &mut self,
        candidate: &Candidate,
        ply: usize,
        inner: impl FnOnce(&mut Self) -> i32,
    ) -> Option<i32> {
        let side = self.board.side();
        let undo = self.board.make(candidate.mv);
        if undo.breaks_ko() {
            self.board.unmake(&undo);
            return None;
        }
        let score = if let Some(loser) = undo.lost() {
            self.count();
            self.lines[ply + 1].clear();
            if loser == side {
                lost_in(ply + 1)
            } else {
                won_in(ply + 1)
            }
        } else {
            self.keys.push(self.board.key());
            let score = inner(self);
            self.keys.pop();
            score
        };
        self.board.unmake(&undo);
        Some(score)
    }

    fn search(
        &mut self,
        mut depth: i32,
        mut alpha: i32,
        mut beta: i32,
        ply: usize,
        may_pass: bool,
    ) -> i32 {
        let settings = self.shared.settings;
        let params = &settings.params;
        let is_root = ply == 0;
        let is_pv = beta - alpha > 1;
        self.lines[ply].clear();
        if !is_root {
            if self.is_draw() {
                return self.draw(ply);
            }
            if let Some(plies) = endgame::probe(&self.board) {
                let end = plies.unsigned_abs() as usize;
                if self.board.quiet() + end <= self.shared.settings.quiet_limit {
                    let score = won_in(ply + end);
                    return if plies > 0 { score } else { -score };
                }
            }
            alpha = alpha.max(lost_in(ply));
            beta = beta.min(won_in(ply + 1));
            if alpha >= beta {
                return alpha;
            }
        }
        let beams = Beams::of(&self.board);
        let endangered = beams.endanger(&self.board);
        if endangered && (ply as i32) < 2 * self.root_depth {
            depth += 1;
        }
        if depth <= 0 || ply >= MAX_PLY - 1 {
            return self.quiescence(alpha, beta, ply, &beams);
        }
        self.count();
        if self.is_over {
            return 0;
        }

        let key = self.table_key();
        let entry = self.shared.table.probe(key, ply);
        if let Some(entry) = entry
            && !is_pv
            && entry.depth >= depth
            && entry.decides(alpha, beta)
        {
            return entry.score;
        }
        let first = self.first.filter(|&mv| is_root && self.is_wanted(mv));
        let of_table = first.or(entry.map(|entry| entry.mv)).unwrap_or(Move::NONE);

        let static_eval = settings.evaluation.score(&self.board, &beams);
        self.evals[ply] = static_eval;
        let eval = entry.map_or(static_eval, |it| it.corrected(static_eval));
        let improves = ply < 2 || static_eval > self.evals[ply - 2];

        if !is_pv && !endangered && beta.abs() < DECIDED {
            if let Some(score) = self.prune(depth, alpha, beta, ply, eval, may_pass, &beams) {
                return score;
            }
            if self.is_over {
                return 0;
            }
        }
        if of_table == Move::NONE && depth >= params.iir_min_depth() {
            depth -= 1;
        }
        let mut node = Node {
            depth,
            alpha,
            beta,
            eval,
            improves,
            endangered,
        };
        let (best, best_move) = self.moves(&mut node, ply, is_pv, of_table, &beams);
        if self.is_over {
            return if is_root { best } else { 0 };
        }
        let bound = Bound::of(best, alpha, beta);
        let entry = Entry {
            mv: if bound == Bound::Upper {
                of_table
            } else {
                best_move
            },
            score: best,
            depth,
            bound,
        };
        if !is_root || (self.shared.search_moves.is_empty() && self.excluded.is_empty()) {
            self.shared.table.store(key, ply, entry);
        }
        best
    }

    /// Pruning before the move loop: reverse futility, razoring and null move.
    #[allow(clippy::too_many_arguments, reason = "the window and the node")]
    fn prune(
        &mut self,
        depth: i32,
        alpha: i32,
        beta: i32,
        ply: usize,
        eval: i32,
        may_pass: bool,
        beams: &Beams,
    ) -> Option<i32> {
        let params = &self.shared.settings.params;
        if depth <= params.rfp_max_depth() && eval - params.rfp_margin() * depth >= beta {
            return Some(eval);
        }
        if depth <= params.razor_max_depth() && eval + params.razor_margin() * depth <= alpha {
            let score = self.quiescence(alpha, alpha + 1, ply, beams);
            if score <= alpha {
                return Some(score);
            }
        }
        // The game has no null move, but nearly always some move is at least as good; not with a
        // bare king.
        let pawns = self.board.of(self.board.side()).count_ones() - 1;
        if may_pass && depth >= params.nmp_min_depth() && eval >= beta && pawns > 0 {
            let by_depth = depth / params.nmp_depth_divisor();
            let by_eval = ((eval - beta) / params.nmp_eval_divisor()).min(3);
            let reduced = depth - 1 - params.nmp_reduction() - by_depth - by_eval;
            let before = self.board.pass();
            self.keys.push(self.board.key());
            let score = -self.search(reduced, -beta, -beta + 1, ply + 1, false);
            self.keys.pop();
            self.board.unpass(before);
            if self.is_over {
                return None;
            }
            if score >= beta {
                return Some(if score > DECIDED { beta } else { score });
            }
        }
        None
    }

    fn moves(
        &mut self,
        node: &mut Node,
        ply: usize,
        is_pv: bool,
        of_table: Move,
        beams: &Beams,
    ) -> (i32, Move) {
        let settings = self.shared.settings;
        let side = self.board.side();
        let killers = self.history.killers(ply);
        // The move from the table often cuts off before moves are generated.
        let mut known = moves::contains(&self.board, of_table)
            .then(|| Candidate::known(&self.board, beams, of_table));
        let mut picker = None;
        // A side that can only zap its own king has lost.
        let (mut best, mut best_move) = (lost_in(ply + 1), Move::NONE);
        let mut tried: Vec<Move> = Vec::new();
        let mut number = 0;
        loop {
            let next = known.take().or_else(|| {
                let list = || {
                    let pool = &mut self.pool;
                    Picker::new(&self.board, beams, self.history, killers, of_table, pool)
                };
                picker.get_or_insert_with(list).next()
            });
            let Some(candidate) = next else { break };
            let mv = candidate.mv;
            if ply == 0 && !self.is_wanted(mv) {
                continue;
            }
            let is_quiet = !candidate.gains(side);
            // The moves after it in the order are no better.
            if ply > 0 && is_quiet && best > -DECIDED && is_hopeless(settings, node, number) {
                break;
            }
            let history = self.history.value(&self.board, mv);
            let (depth, alpha, beta) = (node.depth - 1, node.alpha, node.beta);
            let reduced = if number >= 2 && node.depth >= 3 && is_quiet {
                let mut plies = settings.reductions.plies(node.depth, number);
                plies -= i32::from(is_pv) + i32::from(node.endangered);
                plies += i32::from(!node.improves);
                plies -= history / settings.params.lmr_history();
                depth - plies.clamp(0, depth - 1)
            } else {
                depth
            };
            let score = self.after(&candidate, ply, |it| {
                if number == 0 {
                    return -it.search(depth, -beta, -alpha, ply + 1, true);
                }
                let mut score = -it.search(reduced, -alpha - 1, -alpha, ply + 1, true);
                if score > alpha && reduced < depth {
                    score = -it.search(depth, -alpha - 1, -alpha, ply + 1, true);
                }
                if score > alpha && score < beta {
                    score = -it.search(depth, -beta, -alpha, ply + 1, true);
                }
                score
            });
            let Some(score) = score else { continue };
            if self.is_over {
                break;
            }
            number += 1;
            if score > best || best_move == Move::NONE {
                best = score;
                best_move = mv;
                if score > node.alpha {
                    node.alpha = score;
                    self.set_line(ply, mv);
                    if score >= node.beta {
                        if is_quiet {
                            self.reward(mv, &tried, node.depth, ply);
                        }
                        break;
                    }
                } else if ply == 0 && self.lines[0].is_empty() {
                    self.set_line(0, mv);
                }
            }
            if is_quiet {
                tried.push(mv);
            }
        }
        if let Some(picker) = picker {
            self.pool.put(picker);
        }
        (best, best_move)
    }

    /// Whether a root move is to be searched.
    pub(crate) fn is_wanted(&self, mv: Move) -> bool {
        let only = self.shared.search_moves;
        (only.is_empty() || only.contains(&mv)) && !self.excluded.contains(&mv)
    }

    fn reward(&mut self, mv: Move, tried: &[Move], depth: i32, ply: usize) {
        let params = &self.shared.settings.params;
        let bonus = (params.history_bonus() * depth).min(params.history_max_bonus());
        self.history.update(&self.board, mv, bonus);
        for &other in tried {
            self.history.update(&self.board, other, -bonus);
        }
        self.history.add_killer(ply, mv);
    }

    /// Quiescence search of moves that zap an enemy.
    fn quiescence(&mut self, mut alpha: i32, beta: i32, ply: usize, beams: &Beams) -> i32 {
        self.count();
        if self.is_over {
            return 0;
        }
        self.deepest = self.deepest.max(ply);
        let settings = self.shared.settings;
        let params = &settings.params;
        let key = self.table_key();
        let entry = if params.qs_table() {
            self.shared.table.probe(key, ply)
        } else {
            None
        };
        if let Some(entry) = entry
            && beta - alpha <= 1
            && entry.decides(alpha, beta)
        {
            return entry.score;
        }
        let eval = settings.evaluation.score(&self.board, beams);
        let eval = entry.map_or(eval, |it| it.corrected(eval));
        if ply >= MAX_PLY - 1 || eval >= beta {
            return eval;
        }
        let before = alpha;
        alpha = alpha.max(eval);
        let (mut best, mut best_move) = (eval, Move::NONE);
        let ceiling = eval + params.pawn_value() / 100 + params.qs_margin();
        let mut picker = Picker::gains(&self.board, beams, self.history, &mut self.pool);
        let mut alike = 0;
        while let Some(candidate) = picker.next() {
            if !candidate.victim.is_king() {
                if ceiling <= alpha {
                    best = best.max(ceiling);
                    break;
                }
                // They all zap the same piece and differ little otherwise.
                if candidate.leaves_beam {
                    alike += 1;
                    if alike > params.qs_same_victim() {
                        continue;
                    }
                }
            }
            let score = self.after(&candidate, ply, |it| {
                if it.is_draw() {
                    return -it.draw(ply + 1);
                }
                let beams = Beams::of(&it.board);
                -it.quiescence(-beta, -alpha, ply + 1, &beams)
            });
            let Some(score) = score else { continue };
            if self.is_over {
                break;
            }
            if score > best {
                (best, best_move) = (score, candidate.mv);
                if score > alpha {
                    alpha = score;
                    if score >= beta {
                        break;
                    }
                }
            }
        }
        self.pool.put(picker);
        if params.qs_table() && !self.is_over {
            let entry = Entry {
                mv: best_move,
                score: best,
                depth: 0,
                bound: Bound::of(best, before, beta),
            };
            self.shared.table.store(key, ply, entry);
        }
        best
    }
}

/// Whether futility or late move pruning discards a quiet move.
fn is_hopeless(settings: &Settings, node: &Node, number: usize) -> bool {
    let params = &settings.params;
    if node.endangered || number == 0 {
        return false;
    }
    let depth = node.depth;
    let margin = params.futility_base() + params.futility_margin() * depth;
    if depth <= params.futility_max_depth() && node.eval + margin <= node.alpha {
        return true;
    }
    let most = params.lmp_base() + params.lmp_scale() * depth * depth / 100;
    let most = if node.improves { most } else { most / 2 };
    depth <= params.lmp_max_depth() && number as i32 >= most
}
