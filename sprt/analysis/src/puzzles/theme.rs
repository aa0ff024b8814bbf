//! The kind of move that solves a puzzle.

use referee::game::Game;

use super::candidate::Candidate;
use crate::win::WinCurve;
use engine_client::EngineScore;

/// A sacrifice gives up more than a pawn.
const SACRIFICED: i32 = 2;
/// Plies of the judge's line in which material may come back: a move, its answer, and both again.
const PLIES: usize = 4;
/// Winning chances in percent up to which a best move defends.
const DEFENDED: f64 = 55.0;

/// The kind of move that solves a puzzle; the first that fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The judge sees a mate.
    Mate,
    /// More than a pawn is given up within two moves.
    Sacrifice,
    /// The best move does no more than hold.
    Defence,
    /// A capture, a promotion or a check.
    Forcing,
    Quiet,
}

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Self::Mate => "mate",
            Self::Sacrifice => "sacrifice",
            Self::Defence => "defence",
            Self::Forcing => "forcing move",
            Self::Quiet => "quiet move",
        }
    }

    /// `line` is what the judge expects, its first move the solution.
    pub(super) fn of(candidate: &Candidate, line: &[String], score: EngineScore) -> Self {
        if matches!(score, EngineScore::Mate(moves) if moves > 0) {
            Self::Mate
        } else if is_sacrifice(candidate, line) {
            Self::Sacrifice
        } else if WinCurve::LICHESS.percent(score) <= DEFENDED {
            Self::Defence
        } else if is_forcing(candidate, line) {
            Self::Forcing
        } else {
            Self::Quiet
        }
    }
}

fn is_forcing(candidate: &Candidate, line: &[String]) -> bool {
    let best = candidate.position().zip(line.first());
    best.is_some_and(|(position, best)| position.is_forcing(best))
}

/// Whether the mover has less after one of the opponent's answers, by more than a pawn.
fn is_sacrifice(candidate: &Candidate, line: &[String]) -> bool {
    let Some(mut now) = candidate.position() else {
        return false;
    };
    let mover = now.to_move();
    let balance = |now: &dyn Game| now.material(mover) - now.material(mover.opponent());
    let before = balance(&*now);
    for played in line.iter().take(PLIES) {
        if now.play(played).is_err() {
            return false;
        }
        if now.to_move() == mover && balance(&*now) <= before - SACRIFICED {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use referee::game;

    use super::*;

    fn kind(fen: &str, line: &str, score: EngineScore) -> Kind {
        let candidate = Candidate {
            game: 0,
            variant: game::variant("standard").expect("chess"),
            fen: fen.to_owned(),
            taken: None,
        };
        let line: Vec<String> = line.split(' ').map(str::to_owned).collect();
        Kind::of(&candidate, &line, score)
    }

    #[test]
    fn kinds_of_moves_are_distinguished() {
        let hanging = "4k3/8/8/3r4/8/8/3R4/3RK3 w - - 0 1";
        let good = EngineScore::Cp(400);
        assert_eq!(kind(hanging, "d2d5", good), Kind::Forcing);
        assert_eq!(kind(hanging, "e1f1 d5d2 d1d2", good), Kind::Sacrifice);
        assert_eq!(kind(hanging, "e1f1", good), Kind::Quiet);
        assert_eq!(kind(hanging, "d2d5", EngineScore::Cp(20)), Kind::Defence);
        assert_eq!(kind(hanging, "d2d5", EngineScore::Mate(3)), Kind::Mate);
        let attacked = "4k3/8/4p3/3r4/8/8/3R4/4K3 w - - 0 1";
        // A rook for a rook is no sacrifice, though the last capture is the opponent's.
        assert_eq!(kind(attacked, "d2d5 e6d5", good), Kind::Forcing);
    }
}
