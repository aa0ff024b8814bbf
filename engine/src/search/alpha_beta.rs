//! The principal variation search of one node.

use cozy_chess::Move;

use super::Searcher;
use super::history::corrected;
use super::ordering::{CheckSquares, Hints, Picker};
use super::pruning;
use super::quiescence::{allows_cutoff, bounds};
use super::reductions::Traits;
use super::stats::Technique;
use crate::position::Position;
use crate::score::{self, DRAW, INFINITE, MAX_PLY, Score, mate_in, mated_in};
use crate::see;
use crate::tt::{Bound, Entry};

/// Beyond this half-move clock, table scores may hide the coming draw.
const STALE_CLOCK: u8 = 90;
/// Depth given back to the table after a `ProbCut` search and its own move.
const PROBCUT_STORED: i32 = 1;

/// Moves already searched in vain, for the histories; the first few tell enough.
struct Tried {
    moves: [Move; 48],
    count: usize,
}

impl Tried {
    fn new(filler: Move) -> Self {
        Self {
            moves: [filler; 48],
            count: 0,
        }
    }

    fn push(&mut self, mv: Move) {
        if self.count < self.moves.len() {
            self.moves[self.count] = mv;
            self.count += 1;
        }
    }

    fn as_slice(&self) -> &[Move] {
        &self.moves[..self.count]
    }
}

const NO_MOVE: Move = Move {
    from: cozy_chess::Square::A1,
    to: cozy_chess::Square::A1,
    promotion: None,
};

/// A node as its pruning before the move loop sees it.
struct Node<'p> {
    position: &'p Position,
    ply: usize,
    depth: i32,
    alpha: Score,
    beta: Score,
    eval: Score,
    improving: bool,
    entry: Option<Entry>,
    expects_cut: bool,
}

impl Searcher<'_> {
    pub(super) fn alpha_beta<const PV: bool>(
        &mut self,
        position: &Position,
        ply: usize,
        mut depth: i32,
        mut alpha: Score,
        mut beta: Score,
        cut_node: bool,
    ) -> Score {
        if depth <= 0 {
            return self.quiescence::<PV>(position, ply, alpha, beta);
        }
        let root = ply == 0;
        if PV {
            self.pv.clear(ply);
        }
        self.deepest = self.deepest.max(ply);
        if self.is_stopped() {
            return DRAW;
        }
        let in_check = position.in_check();
        if !root {
            if self.is_draw(position) {
                return DRAW;
            }
            if ply >= MAX_PLY - 1 {
                return if in_check {
                    DRAW
                } else {
                    self.evaluate(position)
                };
            }
            // No line from here can be better than mating at once, or worse than being mated now.
            alpha = alpha.max(mated_in(ply));
            beta = beta.min(mate_in(ply + 1));
            if alpha >= beta {
                return alpha;
            }
        }

        let params = self.context.params;
        let excluded = self.frames[ply].excluded;
        let entry = match excluded {
            None => self.context.table.probe(position.key(), ply),
            Some(_) => None,
        };
        if let Some(entry) = entry
            && !PV
            && entry.depth >= depth
            && allows_cutoff(entry, alpha, beta)
            && position.board().halfmove_clock() < STALE_CLOCK
        {
            self.stats.count(Technique::TableCutoff);
            return entry.score;
        }
        let table_move = if root {
            self.root_hint()
        } else {
            entry
                .and_then(|entry| entry.mv)
                .filter(|&mv| position.board().is_legal(mv))
        };
        let table_pv = PV || entry.is_some_and(|entry| entry.pv);

        let mut raw = score::NONE;
        let mut correction = 0;
        if in_check {
            self.frames[ply].eval = score::NONE;
        } else if excluded.is_none() {
            raw = match entry {
                Some(entry) if entry.eval != score::NONE => entry.eval,
                _ => self.evaluate(position),
            };
            correction = self.history.correction(params, position);
            self.frames[ply].eval = corrected(raw, correction);
        }
        let static_eval = self.frames[ply].eval;
        let eval = match entry {
            Some(entry) if !in_check && bounds(entry, static_eval) => entry.score,
            _ => static_eval,
        };
        let improving = !in_check && self.is_improving(ply);
        self.frames[ply + 1].killers = [None; 2];
        self.frames[ply + 1].doubles = self.frames[ply].doubles;

        if !PV && !in_check && excluded.is_none() {
            let node = Node {
                position,
                ply,
                depth,
                alpha,
                beta,
                eval,
                improving,
                entry,
                expects_cut: cut_node,
            };
            if let Some(value) = self.prune_node(&node) {
                return value;
            }
            if self.stopped {
                return DRAW;
            }
        }
        if params.iir_enable()
            && depth >= params.iir_min_depth()
            && table_move.is_none()
            && excluded.is_none()
            && (PV || cut_node)
        {
            self.stats.count(Technique::IterativeReduction);
            depth -= params.iir_amount();
        }

        let trail = self.trail(ply);
        let killers = self.frames[ply].killers;
        let counter = self.history.counter(&trail);
        let checks = CheckSquares::new(position);
        let prunable = !root && position.has_pieces();
        let table_capture = table_move.is_some_and(|mv| position.is_noisy(mv));
        let start = alpha;
        let mut best = -INFINITE;
        let mut best_move = None;
        let mut moves = 0;
        let mut skipping = false;
        let mut tried_quiet = Tried::new(NO_MOVE);
        let mut tried_noisy = Tried::new(NO_MOVE);
        let mut picker = Picker::all(self.arena, table_move, -params.order_see_margin());
        loop {
            let hints = Hints {
                params,
                history: self.history,
                trail: &trail,
                killers,
            };
            let Some(mv) = picker.next(self.arena, position, &hints) else {
                break;
            };
            if Some(mv) == excluded || root && !self.root_allows(mv) {
                continue;
            }
            let quiet = !position.is_noisy(mv);
            if quiet && skipping {
                continue;
            }
            moves += 1;
            let history = if quiet {
                self.history.quiet(position, &trail, mv)
            } else {
                self.history.noisy(position, mv)
            };
            let checks_directly = checks.has(position.moved_piece(mv), mv);

            if prunable && !score::is_lost(best) && !in_check {
                let reduction = self.context.reductions.base(quiet, depth, moves) >> 10;
                let late_depth = (depth - 1 - reduction.max(0)).max(0);
                if quiet {
                    if pruning::move_limit(params, depth, improving).is_some_and(|n| moves > n) {
                        self.stats.count(Technique::LateMove);
                        skipping = true;
                        picker.skip_quiets();
                        continue;
                    }
                    if !checks_directly
                        && let Some(value) =
                            pruning::futility(params, late_depth, static_eval, alpha, history)
                    {
                        self.stats.count(Technique::Futility);
                        best = best.max(value);
                        skipping = true;
                        picker.skip_quiets();
                        continue;
                    }
                    if pruning::history(params, late_depth, history) {
                        self.stats.count(Technique::History);
                        continue;
                    }
                } else if !checks_directly && mv.promotion.is_none() {
                    let victim = position
                        .captured(mv)
                        .map_or(0, |piece| see::value(params, piece));
                    if pruning::capture_futility(params, late_depth, static_eval, alpha, victim) {
                        self.stats.count(Technique::CaptureFutility);
                        continue;
                    }
                }
                let at_depth = if quiet { late_depth } else { depth };
                if pruning::exchange_threshold(params, at_depth, history, quiet)
                    .is_some_and(|least| !see::reaches(position, params, mv, least))
                {
                    self.stats.count(Technique::Exchange);
                    continue;
                }
            }

            let mut extension = 0;
            let may_extend = !root && ply < 2 * self.iteration as usize;
            if may_extend
                && excluded.is_none()
                && Some(mv) == table_move
                && let Some(entry) = entry
            {
                match self.singularity::<PV>(position, ply, depth, beta, mv, entry, cut_node) {
                    Singularity::Cut(value) => {
                        picker.finish(self.arena);
                        return value;
                    }
                    Singularity::Extend(plies) => extension = plies,
                }
                if self.stopped {
                    picker.finish(self.arena);
                    return DRAW;
                }
            }

            let nodes_before = self.nodes;
            let child = self.play(position, mv, ply);
            let gives_check = child.in_check();
            if extension == 0
                && may_extend
                && gives_check
                && params.check_ext_enable()
                && see::reaches(position, params, mv, 0)
            {
                self.stats.count(Technique::CheckExtension);
                extension = 1;
            }
            self.frames[ply + 1].doubles = self.frames[ply].doubles + i32::from(extension >= 2);
            let mut new_depth = depth - 1 + extension;

            let mut value = -INFINITE;
            let late = moves > params.lmr_min_moves() + i32::from(PV);
            if params.lmr_enable() && depth >= params.lmr_min_depth() && late {
                let traits = Traits {
                    quiet,
                    pv: table_pv,
                    cut_node,
                    improving,
                    table_capture,
                    refutation: killers.contains(&Some(mv)) || counter == Some(mv),
                    gives_check,
                    history,
                    correction,
                };
                let reduction = self.context.reductions.plies(params, depth, moves, traits);
                let reduced = (new_depth - reduction).clamp(1, new_depth.max(1));
                self.stats.count(Technique::Reduction);
                value =
                    -self.alpha_beta::<false>(&child, ply + 1, reduced, -alpha - 1, -alpha, true);
                if value > alpha && reduced < new_depth && !self.stopped {
                    self.stats.count(Technique::ReductionResearch);
                    if value > best + params.lmr_deeper_margin() {
                        new_depth += 1;
                    } else if value < best + params.lmr_shallower_margin() {
                        new_depth -= 1;
                    }
                    if reduced < new_depth {
                        value = -self.alpha_beta::<false>(
                            &child,
                            ply + 1,
                            new_depth,
                            -alpha - 1,
                            -alpha,
                            !cut_node,
                        );
                    }
                }
            } else if !PV || moves > 1 {
                value = -self.alpha_beta::<false>(
                    &child,
                    ply + 1,
                    new_depth,
                    -alpha - 1,
                    -alpha,
                    !cut_node,
                );
            }
            if PV && (moves == 1 || value > alpha) && !self.stopped {
                value = -self.alpha_beta::<true>(&child, ply + 1, new_depth, -beta, -alpha, false);
            }
            self.keys.pop();
            if self.stopped {
                picker.finish(self.arena);
                return DRAW;
            }

            if root {
                let is_new_best = moves == 1 || value > alpha;
                self.record_root(mv, value, is_new_best, self.nodes - nodes_before);
            }
            if value > best {
                best = value;
                if value > alpha {
                    best_move = Some(mv);
                    if PV {
                        self.pv.update(ply, mv);
                    }
                    if value >= beta {
                        break;
                    }
                    alpha = value;
                }
            }
            if quiet {
                tried_quiet.push(mv);
            } else {
                tried_noisy.push(mv);
            }
        }
        picker.finish(self.arena);

        if moves == 0 {
            return match excluded {
                Some(_) => alpha,
                None if in_check => mated_in(ply),
                None => DRAW,
            };
        }
        if best >= beta
            && let Some(mv) = best_move
        {
            let quiet = !position.is_noisy(mv);
            if quiet {
                if self.frames[ply].killers[0] != Some(mv) {
                    self.frames[ply].killers = [Some(mv), self.frames[ply].killers[0]];
                }
                let tried = tried_quiet.as_slice();
                self.history
                    .reward_quiet(params, position, &trail, mv, tried, depth);
            }
            let noisy = (!quiet).then_some(mv);
            self.history
                .reward_noisy(params, position, noisy, tried_noisy.as_slice(), depth);
        }
        if excluded.is_none() {
            let bound = if best >= beta {
                Bound::Lower
            } else if best > start {
                Bound::Exact
            } else {
                Bound::Upper
            };
            let says_more = match bound {
                Bound::Exact => true,
                Bound::Lower => best > static_eval,
                Bound::Upper => best < static_eval,
            };
            if !in_check
                && says_more
                && params.corr_enable()
                && !score::is_mate(best)
                && best_move.is_none_or(|mv| !position.is_noisy(mv))
            {
                self.history
                    .correct(params, position, depth, best - static_eval);
            }
            // With several principal variations the root entry belongs to the first.
            if !root || self.pv_index == 0 {
                let entry = Entry {
                    mv: best_move,
                    score: best,
                    eval: raw,
                    depth,
                    bound,
                    pv: table_pv,
                };
                self.context.table.store(position.key(), ply, entry);
            }
        }
        best
    }

    /// What can be said of a node off the principal variation and out of check before any of its moves is tried.
    fn prune_node(&mut self, node: &Node) -> Option<Score> {
        let &Node {
            position,
            ply,
            depth,
            alpha,
            beta,
            eval,
            improving,
            ..
        } = node;
        let params = self.context.params;
        if !score::is_mate(alpha) && !score::is_mate(eval) {
            if let Some(value) =
                pruning::deep_futility(params, position.board(), depth, eval, alpha)
            {
                self.stats.count(Technique::DeepFutility);
                return Some(value);
            }
            if pruning::razors(params, depth, eval, alpha) {
                let value = self.quiescence::<false>(position, ply, alpha, beta);
                if self.stopped {
                    return None;
                }
                if value <= alpha {
                    self.stats.count(Technique::Razoring);
                    return Some(value);
                }
            }
        }
        if score::is_mate(beta) {
            return None;
        }
        if !score::is_mate(eval)
            && position.has_pieces()
            && let Some(value) = pruning::reverse_futility(params, depth, eval, beta, improving)
        {
            self.stats.count(Technique::ReverseFutility);
            return Some(value);
        }
        self.null_move(node).or_else(|| {
            if self.stopped {
                None
            } else {
                self.probcut(node)
            }
        })
    }

    fn null_move(&mut self, node: &Node) -> Option<Score> {
        let &Node {
            position,
            ply,
            depth,
            beta,
            eval,
            ..
        } = node;
        let params = self.context.params;
        let refuted = node
            .entry
            .is_some_and(|entry| entry.bound == Bound::Upper && entry.score < beta);
        // Two passes in a row would search the same position again.
        let just_passed = ply > 0 && self.frames[ply - 1].arrival_is_pass;
        if !pruning::tries_null(params, depth, eval, beta)
            || just_passed
            || refuted
            || ply < self.null_from_ply
            || !position.has_pieces()
        {
            return None;
        }
        let reduced = depth - pruning::null_reduction(params, depth, eval, beta);
        let child = self.pass(position, ply)?;
        let value =
            -self.alpha_beta::<false>(&child, ply + 1, reduced, -beta, 1 - beta, !node.expects_cut);
        self.keys.pop();
        if self.stopped || value < beta {
            return None;
        }
        // A mate found by passing is not proven.
        let value = if score::is_mate(value) { beta } else { value };
        if depth < params.nmp_verify_depth() || self.null_from_ply > 0 {
            self.stats.count(Technique::NullMove);
            return Some(value);
        }
        let plies = reduced.max(1) * params.nmp_verify_fraction() / 100;
        self.null_from_ply = ply + plies as usize + 1;
        let verified =
            self.alpha_beta::<false>(position, ply, reduced.max(1), beta - 1, beta, false);
        self.null_from_ply = 0;
        if self.stopped {
            return None;
        }
        if verified >= beta {
            self.stats.count(Technique::NullMove);
            return Some(value);
        }
        self.stats.count(Technique::NullMoveRefused);
        None
    }

    /// A capture that beats beta by a margin at lower depth is taken to beat it at full depth.
    fn probcut(&mut self, node: &Node) -> Option<Score> {
        let &Node {
            position,
            ply,
            depth,
            beta,
            improving,
            ..
        } = node;
        let params = self.context.params;
        let target = pruning::probcut_beta(params, beta, improving);
        let verify = depth - params.probcut_reduction();
        let hopeless = node
            .entry
            .is_some_and(|entry| entry.depth >= verify && entry.score < target);
        if !params.probcut_enable()
            || depth < params.probcut_min_depth()
            || hopeless
            || score::is_mate(target)
        {
            return None;
        }
        let trail = self.trail(ply);
        let threshold = target - self.frames[ply].eval;
        let table_move = node.entry.and_then(|entry| entry.mv).filter(|&mv| {
            position.board().is_legal(mv)
                && position.is_noisy(mv)
                && see::reaches(position, params, mv, threshold)
        });
        let mut picker = Picker::noisy(self.arena, table_move, threshold);
        let mut found = None;
        loop {
            let hints = Hints {
                params,
                history: self.history,
                trail: &trail,
                killers: [None; 2],
            };
            let Some(mv) = picker.next(self.arena, position, &hints) else {
                break;
            };
            let child = self.play(position, mv, ply);
            let mut value = -self.quiescence::<false>(&child, ply + 1, -target, 1 - target);
            if value >= target && verify > 0 && !self.stopped {
                value = -self.alpha_beta::<false>(
                    &child,
                    ply + 1,
                    verify,
                    -target,
                    1 - target,
                    !node.expects_cut,
                );
            }
            self.keys.pop();
            if self.stopped {
                break;
            }
            if value >= target {
                self.stats.count(Technique::ProbCut);
                let entry = Entry {
                    mv: Some(mv),
                    score: value,
                    eval: score::NONE,
                    depth: verify + PROBCUT_STORED,
                    bound: Bound::Lower,
                    pv: node.entry.is_some_and(|entry| entry.pv),
                };
                self.context.table.store(position.key(), ply, entry);
                found = Some(value);
                break;
            }
        }
        picker.finish(self.arena);
        found
    }

    /// Whether the table move is the only good one: all others are searched at reduced depth against a lower bound.
    #[expect(
        clippy::too_many_arguments,
        reason = "the node's own values, which no one else needs together"
    )]
    fn singularity<const PV: bool>(
        &mut self,
        position: &Position,
        ply: usize,
        depth: i32,
        beta: Score,
        mv: Move,
        entry: Entry,
        cut_node: bool,
    ) -> Singularity {
        let params = self.context.params;
        if !params.se_enable()
            || depth < params.se_min_depth()
            || entry.depth < depth - params.se_tt_depth_margin()
            || entry.bound == Bound::Upper
            || score::is_mate(entry.score)
        {
            return Singularity::Extend(0);
        }
        let target = entry.score - depth * params.se_beta_mul() / 64;
        let reduced = (100 * (depth - 1) / params.se_depth_div()).max(1);
        self.frames[ply].excluded = Some(mv);
        let value = self.alpha_beta::<false>(position, ply, reduced, target - 1, target, cut_node);
        self.frames[ply].excluded = None;
        if value < target {
            let quiet = !position.is_noisy(mv);
            if PV
                || value >= target - params.se_double_margin()
                || self.frames[ply].doubles >= params.se_max_double()
            {
                self.stats.count(Technique::Singular);
                return Singularity::Extend(1);
            }
            self.stats.count(Technique::DoubleSingular);
            let triple = quiet && value < target - params.se_triple_margin();
            return Singularity::Extend(if triple { 3 } else { 2 });
        }
        // Several moves are good enough for a cutoff.
        if target >= beta {
            self.stats.count(Technique::MultiCut);
            return Singularity::Cut(target);
        }
        if entry.score >= beta {
            self.stats.count(Technique::NegativeExtension);
            return Singularity::Extend(-params.se_negative());
        }
        Singularity::Extend(0)
    }

    fn is_improving(&self, ply: usize) -> bool {
        let earlier = |back: usize| {
            let eval = self.frames[ply.checked_sub(back)?].eval;
            (eval != score::NONE).then_some(eval)
        };
        earlier(2)
            .or_else(|| earlier(4))
            .is_none_or(|eval| self.frames[ply].eval > eval)
    }
}

enum Singularity {
    Extend(i32),
    /// The node fails high without a further search.
    Cut(Score),
}
