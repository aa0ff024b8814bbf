//! Quiescence: captures and promotions until the position is calm; in check, every evasion.

use super::Searcher;
use super::history::corrected;
use super::ordering::{Hints, Picker};
use super::stats::Technique;
use crate::position::Position;
use crate::score::{self, DRAW, INFINITE, MAX_PLY, Score, mated_in};
use crate::see;
use crate::tt::{Bound, Entry};

impl Searcher<'_> {
    pub(super) fn quiescence<const PV: bool>(
        &mut self,
        position: &Position,
        ply: usize,
        mut alpha: Score,
        beta: Score,
    ) -> Score {
        if PV {
            self.pv.clear(ply);
        }
        self.deepest = self.deepest.max(ply);
        if self.is_stopped() {
            return DRAW;
        }
        if self.is_draw(position) {
            return DRAW;
        }
        let in_check = position.in_check();
        if ply >= MAX_PLY - 1 {
            return if in_check {
                DRAW
            } else {
                self.evaluate(position)
            };
        }

        let entry = self.context.table.probe(position.key(), ply);
        if let Some(entry) = entry
            && !PV
            && allows_cutoff(entry, alpha, beta)
        {
            return entry.score;
        }
        let table_move = entry
            .and_then(|entry| entry.mv)
            .filter(|&mv| (in_check || position.is_noisy(mv)) && position.board().is_legal(mv));

        let params = self.context.params;
        let mut raw = score::NONE;
        let mut best = -INFINITE;
        let mut eval = -INFINITE;
        if !in_check {
            raw = match entry {
                Some(entry) if entry.eval != score::NONE => entry.eval,
                _ => self.evaluate(position),
            };
            eval = corrected(raw, self.history.correction(params, position));
            best = eval;
            if let Some(entry) = entry
                && bounds(entry, eval)
            {
                best = entry.score;
            }
            if best >= beta {
                return best;
            }
            alpha = alpha.max(best);
        }

        let mut picker = if in_check {
            Picker::all(self.arena, table_move, 0)
        } else {
            Picker::noisy(self.arena, table_move, params.qs_see())
        };
        let trail = self.trail(ply);
        let start = alpha;
        let mut best_move = None;
        let mut moves = 0;
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
            moves += 1;
            if !in_check && !score::is_lost(best) {
                let limit = params.qs_move_limit();
                if limit > 0 && moves > limit {
                    break;
                }
                if params.qs_delta_enable() && mv.promotion.is_none() {
                    let victim = position
                        .captured(mv)
                        .map_or(0, |piece| see::value(params, piece));
                    let reach = eval + params.qs_delta_margin() + victim;
                    if reach <= alpha {
                        self.stats.count(Technique::Delta);
                        best = best.max(reach);
                        continue;
                    }
                    let floor = eval + params.qs_futility();
                    if floor <= alpha && !see::reaches(position, params, mv, 1) {
                        self.stats.count(Technique::Delta);
                        best = best.max(floor);
                        continue;
                    }
                }
            } else if in_check
                && !score::is_lost(best)
                && !position.is_noisy(mv)
                && !see::reaches(position, params, mv, 0)
            {
                continue;
            }
            let child = self.play(position, mv, ply);
            let value = -self.quiescence::<PV>(&child, ply + 1, -beta, -alpha);
            self.keys.pop();
            if self.stopped {
                picker.finish(self.arena);
                return DRAW;
            }
            if value > best {
                best = value;
                if value > alpha {
                    alpha = value;
                    best_move = Some(mv);
                    if PV {
                        self.pv.update(ply, mv);
                    }
                    if value >= beta {
                        break;
                    }
                }
            }
        }
        picker.finish(self.arena);
        if in_check && moves == 0 {
            return mated_in(ply);
        }
        let bound = if best >= beta {
            Bound::Lower
        } else if best > start {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let pv = PV || entry.is_some_and(|entry| entry.pv);
        let depth = 0;
        let entry = Entry {
            mv: best_move,
            score: best,
            eval: raw,
            depth,
            bound,
            pv,
        };
        self.context.table.store(position.key(), ply, entry);
        best
    }
}

/// Whether the entry settles a null-window search.
pub(super) fn allows_cutoff(entry: Entry, alpha: Score, beta: Score) -> bool {
    match entry.bound {
        Bound::Exact => true,
        Bound::Lower => entry.score >= beta,
        Bound::Upper => entry.score <= alpha,
    }
}

/// Whether the entry's score says more about the position than its evaluation.
pub(super) fn bounds(entry: Entry, eval: Score) -> bool {
    match entry.bound {
        Bound::Exact => true,
        Bound::Lower => entry.score > eval,
        Bound::Upper => entry.score < eval,
    }
}
