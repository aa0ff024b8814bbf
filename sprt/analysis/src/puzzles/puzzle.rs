//! A position with one clearly best move, at both limits of the judge.

use engine_client::EngineScore;
use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove;
use shakmaty::{Move, Position as _};

use super::candidate::Candidate;
use super::plan::Rules;
use super::theme::{Kind, phase};
use super::verification::Verification;
use crate::win::WinCurve;

/// A puzzle and its solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Puzzle {
    pub game: usize,
    pub fen: String,
    /// In SAN.
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
    let position = &candidate.position;
    let line = line(candidate, said);
    let (Some(best), Some(score), Some(second)) = (line.first(), said.score, said.second) else {
        return Err(Rejection::NotJudged);
    };
    let chances = [score, second].map(|score| WinCurve::LICHESS.percent(score));
    if chances[0] - chances[1] < rules.gap || is_lost(score) {
        return Err(Rejection::NotClear);
    }
    let taken = candidate
        .previous
        .filter(|it| it.is_capture())
        .map(Move::to);
    if best.is_capture() && Some(best.to()) == taken {
        return Err(Rejection::Recapture);
    }
    Ok(Puzzle {
        game: candidate.game,
        fen: candidate.fen.clone(),
        best: SanPlus::from_move(position.clone(), *best).to_string(),
        theme: format!(
            "{}, {}",
            phase(position),
            Kind::of(position, &line, score).name()
        ),
        chances: chances.map(|chance| chance.round() as i32),
    })
}

/// A side that is mated whatever it does has no best move.
fn is_lost(score: EngineScore) -> bool {
    matches!(score, EngineScore::Mate(moves) if moves <= 0)
}

/// The judge's move and what it expects after it, as far as that is legal.
fn line(candidate: &Candidate, said: &Verification) -> Vec<Move> {
    let mut position = candidate.position.clone();
    let mut moves = Vec::new();
    let expected = said.line.iter().map(String::as_str);
    let is_the_line = said.line.first() == Some(&said.best);
    let only_best = std::iter::once(said.best.as_str());
    let words: Vec<&str> = if is_the_line {
        expected.collect()
    } else {
        only_best.collect()
    };
    for word in words {
        let Some(played) = UciMove::from_ascii(word.as_bytes())
            .ok()
            .and_then(|it| it.to_move(&position).ok())
        else {
            break;
        };
        position.play_unchecked(played);
        moves.push(played);
    }
    moves
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, Chess, fen::Fen};

    use super::*;

    const RULES: Rules = Rules {
        loss: 20.0,
        gap: 20.0,
    };

    fn candidate(fen: &str, previous: Option<(&str, &str)>) -> Candidate {
        let board = |fen: &str| -> Chess {
            let fen: Fen = fen.parse().expect("a FEN");
            fen.into_position(CastlingMode::Standard)
                .expect("a position")
        };
        let previous = previous.map(|(before, played)| {
            let said: UciMove = played.parse().expect("a move");
            said.to_move(&board(before)).expect("legal")
        });
        Candidate {
            game: 0,
            position: board(fen),
            fen: fen.to_owned(),
            previous,
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
        let before = "4k3/8/8/3r4/8/8/3P4/3RK3 b - - 0 1";
        let after = "4k3/8/8/8/8/8/3r4/3RK3 w - - 0 2";
        let good = said("d1d2", EngineScore::Cp(500), EngineScore::Cp(-500));
        let of = |previous| judge(&candidate(after, previous), &good, &RULES);
        assert_eq!(of(Some((before, "d5d2"))), Err(Rejection::Recapture));
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
