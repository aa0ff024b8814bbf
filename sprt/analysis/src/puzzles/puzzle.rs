//! A position with one clearly best move, at both limits of the judge.

use engine_client::EngineScore;

use super::candidate::Candidate;
use super::plan::Rules;
use super::theme::Kind;
use super::verification::Verification;
use crate::win::WinCurve;

/// A puzzle and its solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Puzzle {
    pub game: usize,
    pub fen: String,
    /// In a record's notation.
    pub best: String,
    /// Phase and kind: `rook endgame, quiet move`.
    pub theme: String,
    /// Winning chances in percent after the best move and the second, at the larger limit.
    pub chances: [i32; 2],
}

/// Why a position is no puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rejection {
    /// A second move is nearly as good.
    NotClear,
    /// The judge changed its mind.
    Unstable,
    /// The best move recaptures.
    Recapture,
    /// The judge failed, or reported one move only.
    NotJudged,
}

impl Rejection {
    pub fn words(self) -> &'static str {
        match self {
            Self::NotClear => "have no clearly best move",
            Self::Unstable => "have another best move at the second limit",
            Self::Recapture => "are solved by taking back",
            Self::NotJudged => "were not judged",
        }
    }
}

/// What one search says of a candidate.
pub(super) fn judge(
    candidate: &Candidate,
    said: &Verification,
    rules: &Rules,
) -> Result<Puzzle, Rejection> {
    let (Some(position), Some(score), Some(second)) =
        (candidate.position(), said.score, said.second)
    else {
        return Err(Rejection::NotJudged);
    };
    // The scores are those of the lines, which may not begin with the move that was played at last.
    if said.line.first().is_some_and(|first| *first != said.best) {
        return Err(Rejection::NotJudged);
    }
    let mut next = candidate.position();
    let played = next.as_mut().and_then(|it| it.play(&said.best).ok());
    let best = next.and_then(|it| it.record().moves.pop());
    let (Some(()), Some(best)) = (played, best) else {
        return Err(Rejection::NotJudged);
    };
    let chances = [score, second].map(|score| WinCurve::LICHESS.percent(score));
    if chances[0] - chances[1] < rules.gap || is_lost(score) {
        return Err(Rejection::NotClear);
    }
    let captured = position.capture(&said.best);
    if captured.is_some() && captured == candidate.taken {
        return Err(Rejection::Recapture);
    }
    let line = match said.line.as_slice() {
        [] => std::slice::from_ref(&said.best),
        line => line,
    };
    let kind = Kind::of(candidate, line, score);
    Ok(Puzzle {
        game: candidate.game,
        fen: candidate.fen.clone(),
        best,
        theme: format!("{}, {}", position.theme(), kind.name()),
        chances: chances.map(|chance| chance.round() as i32),
    })
}

/// A side that is mated whatever it does has no best move.
fn is_lost(score: EngineScore) -> bool {
    matches!(score, EngineScore::Mate(moves) if moves <= 0)
}

/// The judge's move and what it expects after it.
#[cfg(test)]
mod tests {
    use referee::game;

    use super::*;

    const RULES: Rules = Rules {
        loss: 20.0,
        gap: 20.0,
    };

    fn candidate(fen: &str, taken: Option<&str>) -> Candidate {
        Candidate {
            game: 0,
            variant: game::variant("standard").expect("chess"),
            fen: fen.to_owned(),
            taken: taken.map(str::to_owned),
        }
    }

    fn said(best: &str, score: EngineScore, second: EngineScore) -> Verification {
        Verification {
            best: best.to_owned(),
            line: vec![best.to_owned()],
            score: Some(score),
            second: Some(second),
            ..Verification::default()
        }
    }

    const FEN: &str = "4k3/8/8/3r4/8/8/3R4/3RK3 w - - 0 1";

    #[test]
    fn a_puzzle_has_one_move_that_is_better_by_the_gap() {
        let candidate = candidate(FEN, None);
        let of = |score, second| {
            let said = said("d2d5", EngineScore::Cp(score), EngineScore::Cp(second));
            judge(&candidate, &said, &RULES)
        };
        let puzzle = of(500, 0).expect("a puzzle");
        assert_eq!(
            (puzzle.best.as_str(), puzzle.theme.as_str(), puzzle.chances),
            ("Rxd5", "rook endgame, forcing move", [86, 50])
        );
        assert_eq!(of(100, 0), Err(Rejection::NotClear));
        assert_eq!(
            of(1500, 900),
            Err(Rejection::NotClear),
            "won by either move"
        );
    }

    #[test]
    fn taking_back_is_no_puzzle() {
        let after = "4k3/8/8/8/8/8/3r4/3RK3 w - - 0 2";
        let good = said("d1d2", EngineScore::Cp(500), EngineScore::Cp(-500));
        let of = |taken| judge(&candidate(after, taken), &good, &RULES);
        assert_eq!(of(Some("d2")), Err(Rejection::Recapture));
        assert!(of(None).is_ok());
    }

    #[test]
    fn where_a_judgement_is_missing_there_is_no_puzzle() {
        let candidate = candidate(FEN, None);
        let mut half = said("d2d5", EngineScore::Cp(500), EngineScore::Cp(0));
        half.second = None;
        assert_eq!(judge(&candidate, &half, &RULES), Err(Rejection::NotJudged));
        let illegal = said("d2e5", EngineScore::Cp(500), EngineScore::Cp(0));
        assert_eq!(
            judge(&candidate, &illegal, &RULES),
            Err(Rejection::NotJudged)
        );
        let lost = said("d2d5", EngineScore::Mate(-2), EngineScore::Mate(-1));
        assert_eq!(judge(&candidate, &lost, &RULES), Err(Rejection::NotClear));
    }
}
