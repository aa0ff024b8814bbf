//! Updates after a node has been searched: killers and histories on a fail high, the correction
//! history, the transposition table.

use cozy_chess::Move;

use super::loop_state::LoopState;
use super::node::Node;
use super::searcher::Searcher;
use crate::score;
use crate::tt::{Bound, Entry};

impl Searcher<'_> {
    /// Updates the tables after at least one move of the node has been searched.
    pub(super) fn update_tables(&mut self, node: &Node, state: &LoopState) {
        if self.sampling {
            return;
        }
        let bound = Bound::of(state.best.score, node.alpha, node.beta);
        if bound == Bound::Lower
            && let Some(best) = state.best.mv
        {
            self.update_histories(node, state, best);
        }
        // The result of a search without some moves is not that of the position: with an excluded
        // one, and at the root with `searchmoves` or without the moves of earlier variations.
        let root_lacks_moves = self.pv_index > 0 || !self.context.limits.search_moves.is_empty();
        if node.excluded.is_some() || node.ply == 0 && root_lacks_moves {
            return;
        }
        if bound == Bound::Upper {
            self.reward_previous_move(node);
        }
        self.correct_evaluation(node, state, bound);
        let entry = Entry {
            mv: state.best.mv,
            score: state.best.score,
            eval: node.evals.raw,
            depth: node.depth,
            bound,
            pv: node.tt_pv,
        };
        self.store(node.position, node.ply, entry);
    }

    /// `best` has failed high: it gets a bonus, and the moves searched before it a malus.
    fn update_histories(&mut self, node: &Node, state: &LoopState, best: Move) {
        let &Node {
            position,
            ply,
            depth,
            ..
        } = node;
        let params = self.context.params;
        let quiet = !position.is_noisy(best);
        if quiet {
            let killers = &mut self.frames[ply].killers;
            if killers[0] != Some(best) {
                *killers = [Some(best), killers[0]];
            }
            let tried = state.searched_quiets.as_slice();
            self.history.update_quiet_histories(
                params,
                position,
                &node.history_context,
                best,
                tried,
                depth,
            );
        }
        let noisy = (!quiet).then_some(best);
        let tried = state.searched_noisies.as_slice();
        self.history
            .update_noisy_history(params, position, noisy, tried, depth);
    }

    /// The node has failed low: the quiet move that led to it refutes the one before.
    fn reward_previous_move(&mut self, node: &Node) {
        let previous = node.ply.checked_sub(1);
        if let Some(index) = previous.and_then(|ply| self.frames[ply].quiet) {
            let params = self.context.params;
            self.history.reward_quiet(params, index, node.depth);
        }
    }

    /// Moves the correction history towards the difference between score and static evaluation.
    /// Captures are left out: a static evaluation does not account for them.
    fn correct_evaluation(&mut self, node: &Node, state: &LoopState, bound: Bound) {
        let params = self.context.params;
        let (best, eval) = (&state.best, node.evals.corrected);
        if !node.in_check
            && bound.refines(best.score, eval)
            && params.corr_enable()
            && !score::is_decisive(best.score)
            && best.mv.is_none_or(|mv| !node.position.is_noisy(mv))
        {
            let (earlier, error) = (node.history_context.earlier, best.score - eval);
            self.corrections
                .update(params, node.position, earlier, node.depth, error);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use crate::position::Position;
    use crate::search::job::{Job, Settings};
    use crate::search::limits::Limits;
    use crate::search::{Signals, ThreadData, threads};
    use crate::tt::Table;

    #[test]
    fn the_worth_of_chosen_moves_is_not_kept_as_that_of_the_position() {
        let position = Position::from_fen("3qk3/8/8/8/8/8/8/3QK2R b - - 0 1").unwrap();
        let giving_the_queen_away = position.parse_move("d8d2", false).unwrap();
        let keeps = |search_moves| {
            let job = Job {
                position: position.clone(),
                earlier_keys: Vec::new(),
                limits: Limits {
                    depth: 5,
                    search_moves,
                    ..Limits::default()
                },
                settings: Settings::default(),
                start: Instant::now(),
                verbose: false,
            };
            let table = Table::new(1);
            let mut threads = [ThreadData::default()];
            threads::run(&job, &mut threads, &table, &Signals::default());
            let entry = table.probe(position.key(), 0);
            entry.is_some_and(|entry| entry.depth > 0)
        };
        assert!(keeps(Vec::new()));
        assert!(!keeps(vec![giving_the_queen_away]));
    }
}
