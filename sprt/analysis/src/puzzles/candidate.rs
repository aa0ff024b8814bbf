//! Positions that may be puzzles: those before and after a mistake.

use std::collections::BTreeSet;

use referee::game::{Game, Variant};

use super::plan::Rules;
use crate::blunders::folder::BlundersRun;
use crate::blunders::judgement::{JudgedMove, judged};

/// A position of a game next to a mistake.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Place of the game among all, from 0.
    pub game: usize,
    pub variant: &'static dyn Variant,
    /// Without its history, which the judge does not see.
    pub fen: String,
    /// Where the move that led to it took a piece.
    pub taken: Option<String>,
}

impl Candidate {
    pub(super) fn position(&self) -> Option<Box<dyn Game>> {
        self.variant.study(&self.fen).ok()
    }

    /// One with a single legal move asks nothing.
    fn has_choice(&self) -> bool {
        self.position()
            .is_some_and(|position| position.legal_moves().len() > 1)
    }
}

/// In the order of the games, no position twice.
pub fn candidates(run: &BlundersRun, rules: &Rules) -> Vec<Candidate> {
    let moves = judged(&run.games, &run.plan, &run.judgements, false);
    let mistakes = moves.iter().filter(|made| made.loss() >= rules.loss);
    let mut seen = BTreeSet::new();
    mistakes
        .flat_map(|mistake| around(run, mistake))
        .filter(|it| it.has_choice() && seen.insert(it.fen.clone()))
        .collect()
}

/// The positions before the mistake and after it.
fn around(run: &BlundersRun, mistake: &JudgedMove) -> Vec<Candidate> {
    let game = &run.games[mistake.game];
    let (mut found, mut taken) = (Vec::new(), None);
    let Ok(mut board) = game.begin() else {
        return found;
    };
    for (ply, made) in game.moves.iter().enumerate().take(mistake.ply + 1) {
        if ply == mistake.ply {
            found.push(candidate(game.variant, mistake.game, &*board, taken.take()));
        }
        taken = board.capture(&made.text);
        if board.play(&made.text).is_err() {
            return found;
        }
    }
    found.push(candidate(game.variant, mistake.game, &*board, taken));
    found
}

fn candidate(
    variant: &'static dyn Variant,
    game: usize,
    board: &dyn Game,
    taken: Option<String>,
) -> Candidate {
    Candidate {
        game,
        variant,
        fen: board.position_without_history(),
        taken,
    }
}
