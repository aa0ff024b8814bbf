//! Depth, time and speed of both engines by move number, from a sample of games.

use super::record::RecordedGame;
use super::sample::Sampled;
use crate::plan::Plan;

/// Moves beyond this are too few to be compared.
const MOST_MOVES: usize = 120;
/// A move number that fewer games reached is left out, and one that fewer than this share of the
/// sample reached.
const FEWEST_GAMES: u64 = 5;
const SMALLEST_SHARE: f64 = 0.05;

/// Records are in milliseconds: no speed can be computed for moves that take less on average.
const SHORTEST: f64 = 0.001;

/// Averages over the games of the sample; base first, then new.
#[derive(Clone, Debug, Default)]
pub struct Phases {
    pub games: u64,
    /// By the number of the engine's own move in the game, from 1.
    pub moves: Vec<[Option<Phase>; 2]>,
}

/// The mean over all games that came so far.
#[derive(Clone, Copy, Debug)]
pub struct Phase {
    pub depth: f64,
    pub seconds: f64,
    pub nodes_per_second: Option<f64>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    moves: u64,
    depth: u64,
    seconds: f64,
    nodes: u64,
}

impl Phases {
    /// Games that cannot be read are left out: a picture of the rest is better than none.
    pub(super) fn of(plan: &Plan, sample: &[Sampled]) -> Self {
        let mut sums = vec![[Sums::default(); 2]; MOST_MOVES];
        for sampled in sample {
            add(&mut sums, plan, &sampled.game);
        }
        let games = sample.len() as u64;
        let fewest = FEWEST_GAMES.max((SMALLEST_SHARE * games as f64) as u64);
        let mut moves: Vec<[Option<Phase>; 2]> = sums
            .iter()
            .map(|both| both.each_ref().map(|sums| sums.phase(fewest)))
            .collect();
        while moves
            .last()
            .is_some_and(|both| both.iter().all(Option::is_none))
        {
            moves.pop();
        }
        Self { games, moves }
    }
}

fn add(sums: &mut [[Sums; 2]], plan: &Plan, game: &RecordedGame) {
    let mut numbers = [0, 0];
    for (ply, played) in game.moves.iter().enumerate() {
        let (side, _) = side_of(plan, game, ply);
        if played.is_book {
            continue;
        }
        let number: &mut usize = &mut numbers[side];
        if let (Some(both), Some(time)) = (sums.get_mut(*number), played.seconds) {
            let sum = &mut both[side];
            sum.moves += 1;
            sum.depth += u64::from(played.depth.unwrap_or(0));
            sum.seconds += time;
            sum.nodes += played.nodes.unwrap_or(0);
        }
        *number += 1;
    }
}

/// Who made this move, 0 for BASE and 1 for NEW, and whether it was White's.
pub(super) fn side_of(plan: &Plan, game: &RecordedGame, ply: usize) -> (usize, bool) {
    let white_is_new = game.tag("White") == Some(plan.new.name.as_str());
    let is_white = ply.is_multiple_of(2) != game.black_begins();
    (usize::from(is_white == white_is_new), is_white)
}

impl Sums {
    fn phase(&self, fewest: u64) -> Option<Phase> {
        let moves = self.moves as f64;
        (self.moves >= fewest).then(|| Phase {
            depth: self.depth as f64 / moves,
            seconds: self.seconds / moves,
            nodes_per_second: (self.nodes > 0 && self.seconds >= SHORTEST * moves)
                .then(|| self.nodes as f64 / self.seconds),
        })
    }
}
