//! The themes of a puzzle: the phase of the game, the pieces, and the kind of move that solves it.

use shakmaty::{Chess, Color, Move, Position as _, Role};

use crate::games::pgn::Phase;
use crate::win::WinCurve;
use engine_client::EngineScore;

/// Pawns and pieces that count as material, and what they count.
const VALUES: [(Role, i32); 5] = [
    (Role::Pawn, 1),
    (Role::Knight, 3),
    (Role::Bishop, 3),
    (Role::Rook, 5),
    (Role::Queen, 9),
];
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
    pub(super) fn of(position: &Chess, line: &[Move], score: EngineScore) -> Self {
        if matches!(score, EngineScore::Mate(moves) if moves > 0) {
            Self::Mate
        } else if is_sacrifice(position, line) {
            Self::Sacrifice
        } else if WinCurve::LICHESS.percent(score) <= DEFENDED {
            Self::Defence
        } else if line.first().is_some_and(|best| is_forcing(position, *best)) {
            Self::Forcing
        } else {
            Self::Quiet
        }
    }
}

fn is_forcing(position: &Chess, best: Move) -> bool {
    let mut next = position.clone();
    next.play_unchecked(best);
    best.is_capture() || best.is_promotion() || next.is_check()
}

/// Whether the mover has less after one of the opponent's answers, by more than a pawn.
fn is_sacrifice(position: &Chess, line: &[Move]) -> bool {
    let mover = position.turn();
    let before = balance(position, mover);
    let mut now = position.clone();
    line.iter().take(PLIES).any(|played| {
        now.play_unchecked(*played);
        now.turn() == mover && balance(&now, mover) <= before - SACRIFICED
    })
}

fn balance(position: &Chess, color: Color) -> i32 {
    let board = position.board();
    let worth = |color: Color| -> i32 {
        let of = |(role, value): &(Role, i32)| {
            value * (board.by_color(color) & board.by_role(*role)).count() as i32
        };
        VALUES.iter().map(of).sum()
    };
    worth(color) - worth(!color)
}

/// `opening`, `middlegame`, `middlegame without queens`, `rook endgame`, …
pub(super) fn phase(position: &Chess) -> String {
    let board = position.board();
    let phase = Phase::of(position);
    let (queens, rooks) = (board.queens().any(), board.rooks().any());
    let minors = (board.bishops() | board.knights()).any();
    match phase {
        Phase::Middlegame if !queens => "middlegame without queens".to_owned(),
        Phase::Endgame => {
            let pieces = match (queens, rooks, minors) {
                (true, ..) => "queen",
                (_, true, _) => "rook",
                (.., true) => "minor piece",
                _ => "pawn",
            };
            format!("{pieces} endgame")
        }
        phase => phase.name().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::uci::UciMove;
    use shakmaty::{CastlingMode, fen::Fen};

    use super::*;

    fn position(fen: &str) -> Chess {
        let fen: Fen = fen.parse().expect("a FEN");
        fen.into_position(CastlingMode::Standard)
            .expect("a position")
    }

    fn kind(fen: &str, line: &str, score: EngineScore) -> Kind {
        let start = position(fen);
        let mut now = start.clone();
        let line: Vec<Move> = line
            .split(' ')
            .map(|text| {
                let said: UciMove = text.parse().expect("a move");
                let played = said.to_move(&now).expect("legal");
                now.play_unchecked(played);
                played
            })
            .collect();
        Kind::of(&start, &line, score)
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

    #[test]
    fn positions_are_named_by_what_is_left_on_the_board() {
        for (fen, name) in [
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                "opening",
            ),
            ("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", "pawn endgame"),
            ("4k3/8/8/8/8/8/P7/N3K3 w - - 0 1", "minor piece endgame"),
            ("4k3/8/8/8/8/8/P7/R3K2N w - - 0 1", "rook endgame"),
            ("4k3/8/8/8/8/8/P7/Q3K3 w - - 0 1", "queen endgame"),
            (
                "rnb1kbnr/8/8/8/8/8/8/RNB1KB1R w - - 0 1",
                "middlegame without queens",
            ),
        ] {
            assert_eq!(phase(&position(fen)), name);
        }
    }
}
