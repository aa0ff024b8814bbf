//! Positions that may be puzzles: those before and after a mistake.

use std::collections::BTreeSet;

use shakmaty::{Chess, Move, Position as _};

use super::plan::Rules;
use crate::blunders::folder::BlundersRun;
use crate::blunders::judgement::{JudgedMove, fen, judged};

/// A position of a game next to a mistake.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Place of the game among all, from 0.
    pub game: usize,
    pub position: Chess,
    /// With counters at their beginning: the judge sees no history.
    pub fen: String,
    /// The move that led to it.
    pub previous: Option<Move>,
}

/// In the order of the games, no position twice. One with a single legal move asks nothing.
pub fn candidates(run: &BlundersRun, rules: &Rules) -> Vec<Candidate> {
    let moves = judged(&run.games, &run.plan, &run.judgements, false);
    let mistakes = moves.iter().filter(|made| made.loss() >= rules.loss);
    let mut seen = BTreeSet::new();
    mistakes
        .flat_map(|mistake| around(run, mistake))
        .filter(|it| it.position.legal_moves().len() > 1 && seen.insert(it.fen.clone()))
        .collect()
}

fn around(run: &BlundersRun, mistake: &JudgedMove) -> [Candidate; 2] {
    let game = &run.games[mistake.game];
    let mut position = game.start.clone();
    for made in &game.moves[..mistake.ply] {
        position.play_unchecked(made.played);
    }
    let candidate = |position: Chess, previous: Option<Move>| Candidate {
        game: mistake.game,
        fen: fen(&position),
        position,
        previous,
    };
    let played = game.moves[mistake.ply].played;
    let before = mistake.ply.checked_sub(1).map(|ply| game.moves[ply].played);
    let mut after = position.clone();
    after.play_unchecked(played);
    [candidate(position, before), candidate(after, Some(played))]
}
