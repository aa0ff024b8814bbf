//! What a move lost: the winning chances before it less those after it, both as the judge sees them
//! by a search of its own.
//!
//! A position is judged without its history: counters are zero, and repetitions are not seen. A
//! judgement that rests on a move which the history forbids is none.

use std::collections::HashMap;

use engine_client::{Color, EngineScore};
use referee::game::Phase;
use serde::{Deserialize, Serialize};

use super::plan::{BlundersPlan, WinModel};
use super::player::Players;
use crate::games::game::{Game, winner};
use crate::win::WinCurve;

/// Scores beyond this count as this where centipawns are compared.
const MOST_CENTIPAWNS: i32 = 1000;

/// What the judge said of a position: a line of the journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Judgement {
    pub fen: String,
    /// Whether it is one of the second limit.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub again: bool,
    /// From the view of the side to move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<EngineScore>,
    pub best: String,
    /// Why there is no score.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
}

/// Judgements by position and limit.
pub type Judgements = HashMap<(String, bool), Judgement>;

/// A move with the chances before and after it.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgedMove {
    /// Place of the game among all, from 0.
    pub game: usize,
    /// Place of the move in the game, from 0.
    pub ply: usize,
    /// With the setting, where the games have several of one player.
    pub player: String,
    /// Number of the full move, and of the player's own moves in the game, both from 1.
    pub number: u32,
    pub own_number: u32,
    pub phase: Phase,
    pub fen: String,
    /// As the record has it.
    pub played: String,
    /// The judge's move, in the engines' notation.
    pub best: String,
    /// Winning chances in percent, from the player's point of view.
    pub before: f64,
    pub after: f64,
    /// Centipawns, of scores cut at ten pawns.
    pub centipawns: i32,
}

impl JudgedMove {
    /// Percentage points; a move that the judge likes better afterwards loses none.
    pub fn loss(&self) -> f64 {
        (self.before - self.after).max(0.0)
    }
}

/// A move of a game that is to be judged.
pub(super) struct Step {
    ply: usize,
    own_number: u32,
    number: u32,
    phase: Phase,
    player: usize,
    played: String,
    before: String,
    after: Result<String, End>,
    /// The moves that the history forbids in these two positions.
    forbidden: [Option<String>; 2],
}

/// The game is over; for the player whose move ended it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Won,
    Lost,
    Drawn,
}

impl Step {
    /// The positions that the judge has to search.
    pub(super) fn positions(&self) -> impl Iterator<Item = &String> {
        [Some(&self.before), self.after.as_ref().ok()]
            .into_iter()
            .flatten()
    }
}

/// All moves of a game that are to be judged: those of the plan's players that are not out of a
/// book.
pub(super) fn steps(game: &Game, plan: &BlundersPlan) -> Vec<Step> {
    let mut own_numbers = [0_u32; 2];
    let mut steps = Vec::new();
    let Ok(mut board) = game.begin() else {
        return steps;
    };
    let mut before = board.position_without_history();
    let mut forbidden_before = board.forbidden_by_history();
    for (ply, made) in game.moves.iter().enumerate() {
        let player = usize::from(made.mover == Color::Black);
        let number = board.full_moves() + 1;
        own_numbers[player] += 1;
        if board.play(&made.text).is_err() {
            break;
        }
        let after = board.position_without_history();
        let forbidden_after = board.forbidden_by_history();
        if !made.note.is_book && plan.judges(&game.players[player]) {
            let end = board
                .ending_without_history()
                .map(|it| end(it.winner, made.mover));
            steps.push(Step {
                ply,
                own_number: own_numbers[player],
                number,
                phase: made.phase,
                player,
                played: made.note.text.clone(),
                before,
                after: end.map_or_else(|| Ok(after.clone()), Err),
                forbidden: [forbidden_before, forbidden_after.clone()],
            });
        }
        (before, forbidden_before) = (after, forbidden_after);
    }
    steps
}

fn end(winner: Option<Color>, mover: Color) -> End {
    match winner {
        None => End::Drawn,
        Some(winner) if winner == mover => End::Won,
        Some(_) => End::Lost,
    }
}

/// The moves of all games for which there are judgements with a score, at the first limit or the
/// second.
pub fn judged(
    games: &[Game],
    plan: &BlundersPlan,
    judgements: &Judgements,
    again: bool,
) -> Vec<JudgedMove> {
    let score = |fen: &String, forbidden: &Option<String>| {
        let judgement = judgements.get(&(fen.clone(), again))?;
        let is_possible = forbidden.as_ref() != Some(&judgement.best);
        is_possible.then_some((judgement.score?, &judgement.best))
    };
    let curve = WinFit::of(games, plan, judgements).curve;
    let players = Players::of(games);
    let mut moves = Vec::new();
    for (place, game) in games.iter().enumerate() {
        for step in steps(game, plan) {
            let [forbidden_before, forbidden_after] = &step.forbidden;
            let Some((before, best)) = score(&step.before, forbidden_before) else {
                continue;
            };
            let after = match &step.after {
                Ok(fen) => score(fen, forbidden_after).map(|(score, _)| opposite(score)),
                Err(End::Won) => Some(EngineScore::Mate(1)),
                Err(End::Lost) => Some(EngineScore::Mate(-1)),
                Err(End::Drawn) => Some(EngineScore::Cp(0)),
            };
            let Some(after) = after else {
                continue;
            };
            moves.push(JudgedMove {
                game: place,
                ply: step.ply,
                player: players.name(game, step.player),
                number: step.number,
                own_number: step.own_number,
                phase: step.phase,
                fen: step.before,
                played: step.played,
                best: best.clone(),
                before: curve.percent(before),
                after: curve.percent(after),
                centipawns: (cut(before) - cut(after)).max(0),
            });
        }
    }
    moves
}

/// The curve from scores to winning chances, and where it comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WinFit {
    pub curve: WinCurve,
    /// The positions that it was fitted to, if any.
    pub positions: Option<usize>,
}

impl WinFit {
    /// A fit uses the judge's scores at the first limit and the results of the games. Where they do
    /// not determine a curve, lichess's is taken.
    pub fn of(games: &[Game], plan: &BlundersPlan, judgements: &Judgements) -> Self {
        let fitted = match plan.win {
            WinModel::Lichess => None,
            WinModel::Fit => {
                let seen = scores_and_results(games, plan, judgements);
                WinCurve::fit(&seen).map(|curve| (curve, seen.len()))
            }
        };
        Self {
            curve: fitted.map_or(WinCurve::LICHESS, |(curve, _)| curve),
            positions: fitted.map(|(_, positions)| positions),
        }
    }
}

/// Score and result from the mover's view, for each move to be judged whose position has a score in
/// centipawns.
fn scores_and_results(
    games: &[Game],
    plan: &BlundersPlan,
    judgements: &Judgements,
) -> Vec<(i32, f64)> {
    let mut seen = Vec::new();
    for game in games {
        let Some(outcome) = game.result else {
            continue;
        };
        for step in steps(game, plan) {
            let judgement = judgements.get(&(step.before, false));
            if let Some(EngineScore::Cp(score)) = judgement.and_then(|it| it.score) {
                let result = match winner(outcome) {
                    None => 0.5,
                    Some(Color::White) if step.player == 0 => 1.0,
                    Some(Color::Black) if step.player == 1 => 1.0,
                    Some(_) => 0.0,
                };
                seen.push((score, result));
            }
        }
    }
    seen
}

/// The same from the other side's view. `mate 0` is said by the side that has been mated.
fn opposite(score: EngineScore) -> EngineScore {
    match score {
        EngineScore::Cp(centipawns) => EngineScore::Cp(centipawns.saturating_neg()),
        EngineScore::Mate(0) => EngineScore::Mate(1),
        EngineScore::Mate(moves) => EngineScore::Mate(moves.saturating_neg()),
    }
}

fn cut(score: EngineScore) -> i32 {
    match score {
        EngineScore::Cp(centipawns) => centipawns.clamp(-MOST_CENTIPAWNS, MOST_CENTIPAWNS),
        EngineScore::Mate(moves) if moves > 0 => MOST_CENTIPAWNS,
        EngineScore::Mate(_) => -MOST_CENTIPAWNS,
    }
}

#[cfg(test)]
pub(super) mod tests {
    use engine_client::Limit;
    use runs::plan::Contender;

    use super::*;
    use crate::games::pgn;

    pub(in crate::blunders) fn plan() -> BlundersPlan {
        let judge = r#"{"source": "j", "name": "j", "command": "j", "sha256": "", "commit": null, "subject": null,
            "bench": null, "engine_name": "", "engine_author": ""}"#;
        let judge: Contender = serde_json::from_str(judge).expect("a judge");
        BlundersPlan::new(Vec::new(), judge, Limit::nodes(5))
    }

    pub(in crate::blunders) fn game(text: &str) -> Game {
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(file.path(), text).expect("written");
        let mut games = Vec::new();
        pgn::read(file.path(), None, |_, game| {
            games.push(game.expect("a game"));
        })
        .expect("read");
        games.remove(0)
    }

    const MATE: &str =
        "[White \"A\"]\n[Black \"B\"]\n\n1. e4 {book} e5 {book} 2. Qh5 Ke7 3. Qxe5# 1-0\n";

    /// Two moves swap, and Ko forbids to swap back.
    const KO: &str = "[Variant \"leiserchess\"]\n[White \"A\"]\n[Black \"B\"]\n\n\
        1. d1c2 a7b6 2. h0g1 b3c2c3 3. b3c3d4 c4d4d3 *\n";

    /// The judge's scores of the positions of a game in their order.
    fn judgements(game: &Game, scores: &[EngineScore]) -> Judgements {
        let plan = plan();
        let steps = steps(game, &plan);
        let mut fens: Vec<&String> = steps.iter().flat_map(Step::positions).collect();
        fens.dedup();
        assert_eq!(fens.len(), scores.len());
        let judgement = |(fen, score): (&&String, &EngineScore)| Judgement {
            fen: (*fen).clone(),
            again: false,
            score: Some(*score),
            best: "a2a3".to_owned(),
            fault: None,
        };
        let all = fens.iter().zip(scores).map(judgement);
        all.map(|it| ((it.fen.clone(), false), it)).collect()
    }

    #[test]
    fn a_judgement_by_a_move_that_ko_forbids_is_none() {
        let game = game(KO);
        let mut plan = plan();
        plan.variant = "leiserchess".to_owned();
        let all = steps(&game, &plan);
        let forbidden: Vec<_> = all
            .iter()
            .flat_map(|step| &step.forbidden)
            .flatten()
            .collect();
        assert_eq!(forbidden, ["b3c3c2", "b3c3c2", "c4d3d4"]);
        let scores = vec![EngineScore::Cp(0); all.len() + 1];
        let mut said = judgements(&game, &scores);
        let judged =
            |said: &Judgements| judged(std::slice::from_ref(&game), &plan, said, false).len();
        assert_eq!(judged(&said), all.len());
        for judgement in said.values_mut() {
            judgement.best = "c4d3d4".to_owned();
        }
        assert_eq!(judged(&said), all.len() - 1);
    }

    #[test]
    fn a_move_loses_the_chances_before_it_less_those_after_it() {
        let game = game(MATE);
        let scores = [
            EngineScore::Cp(30),
            EngineScore::Cp(-20),
            EngineScore::Mate(1),
        ];
        let said = judgements(&game, &scores);
        let moves = judged(&[game], &plan(), &said, false);
        let seen: Vec<_> = moves
            .iter()
            .map(|it| {
                (
                    it.player.as_str(),
                    it.played.as_str(),
                    it.number,
                    it.own_number,
                    it.loss().round(),
                    it.centipawns,
                )
            })
            .collect();
        assert_eq!(
            seen,
            [
                ("A", "Qh5", 2, 2, 1.0, 10),
                // From -20 to being mated.
                ("B", "Ke7", 2, 2, 48.0, 980),
                ("A", "Qxe5#", 3, 3, 0.0, 0)
            ]
        );
    }

    #[test]
    fn a_fit_makes_more_of_scores_that_win_more_often() {
        let text = |result: &str, moves: &str| {
            format!("[White \"A\"]\n[Black \"B\"]\n[Result \"{result}\"]\n\n{moves} {result}\n")
        };
        let games = [
            game(&text("1-0", "1. e4 e5 2. Nf3")),
            game(&text("1-0", "1. d4 d5 2. c4")),
            game(&text("0-1", "1. c4 c5 2. Nc3")),
        ];
        let white = [EngineScore::Cp(100), EngineScore::Cp(-100)];
        let scores = [white, white].concat();
        // White is one pawn ahead after the opening, and wins two of three.
        let mut said = Judgements::new();
        for game in &games {
            said.extend(judgements(game, &scores));
        }
        let start = steps(&games[0], &plan())[0].before.clone();
        said.insert(
            (start.clone(), false),
            Judgement {
                score: Some(EngineScore::Cp(0)),
                ..said[&(start, false)].clone()
            },
        );
        let mut plan = plan();
        assert_eq!(WinFit::of(&games, &plan, &said).positions, None);
        plan.win = WinModel::Fit;
        let fit = WinFit::of(&games, &plan, &said);
        // 1 / (1 + e^(-100 slope)) = 2/3.
        assert_eq!(fit.positions, Some(9));
        assert!(
            (fit.curve.slope - 2.0_f64.ln() / 100.0).abs() < 1e-9,
            "{fit:?}"
        );
        plan.players = vec!["C".to_owned()];
        let none = WinFit::of(&games, &plan, &said);
        assert_eq!((none.curve, none.positions), (WinCurve::LICHESS, None));
    }

    #[test]
    fn moves_without_a_judgement_are_left_out() {
        let game = game(MATE);
        let mut said = judgements(&game, &[EngineScore::Cp(0); 3]);
        let first = steps(&game, &plan())[0].before.clone();
        said.remove(&(first, false));
        assert_eq!(judged(&[game], &plan(), &said, false).len(), 2);
    }

    #[test]
    fn only_the_players_that_are_named_are_judged() {
        let mut plan = plan();
        plan.players = vec!["B".to_owned()];
        assert_eq!(steps(&game(MATE), &plan).len(), 1);
    }

    #[test]
    fn how_a_position_came_about_does_not_matter() {
        let first = game("[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 2. Nf3 Nc6 3. d4 *\n");
        let second = game("[White \"A\"]\n[Black \"B\"]\n\n1. Nf3 Nc6 2. e4 e5 3. d4 *\n");
        let last = |game: &Game| steps(game, &plan()).last().map(|step| step.before.clone());
        assert_eq!(last(&first), last(&second));
    }
}
