//! A game in a list.

use engine_client::Color;
use serde::Serialize;

use crate::analysis::record::RecordedGame;
use crate::pair_record::GameRecord;

/// Plies of each game that distinguish openings.
const TREE_PLIES: usize = 16;
/// An engine that once saw itself this far ahead, in pawns, and did not win was upset.
const SURE: f64 = 3.0;

/// What a list shows of a game, and by what it is searched.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GameEntry {
    /// Its place in the run, from 1.
    pub number: u64,
    /// Pair and game of the pair, from 0.
    pub pair: u64,
    pub game: usize,
    pub white: String,
    pub black: String,
    pub result: &'static str,
    /// How it ended, in the words of the record.
    pub reason: String,
    pub plies: usize,
    /// The time that both engines took, by the record.
    pub seconds: f64,
    /// Whether an engine's fault ended it.
    pub is_fault: bool,
    /// Whether an engine that saw itself three pawns ahead, or mating, did not win.
    pub is_upset: bool,
    /// The position from which it began, where that is not the usual one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// Its first moves, in the record's notation.
    pub line: String,
}

impl GameEntry {
    pub(super) fn new(
        (number, pair, game): (u64, u64, usize),
        kept: &GameRecord,
        recorded: &RecordedGame,
    ) -> Self {
        let tag = |name| recorded.tag(name).unwrap_or_default().to_owned();
        let first = recorded.moves.iter().take(TREE_PLIES);
        let line: Vec<&str> = first.map(|played| played.text.as_str()).collect();
        Self {
            number,
            pair,
            game,
            white: tag("White"),
            black: tag("Black"),
            result: match kept.winner {
                Some(Color::White) => "1-0",
                Some(Color::Black) => "0-1",
                None => "1/2-1/2",
            },
            reason: kept.text.clone(),
            plies: kept.plies,
            seconds: recorded
                .moves
                .iter()
                .filter_map(|played| played.seconds)
                .sum(),
            is_fault: kept.end.is_fault(),
            is_upset: is_upset(kept.winner, recorded),
            start: recorded.tag("FEN").map(str::to_owned),
            line: line.join(" "),
        }
    }
}

fn is_upset(winner: Option<Color>, recorded: &RecordedGame) -> bool {
    let black_begins = recorded.black_begins();
    recorded.moves.iter().enumerate().any(|(ply, played)| {
        let mover = if (ply % 2 == 0) == black_begins {
            Color::Black
        } else {
            Color::White
        };
        winner != Some(mover) && played.score.as_deref().is_some_and(is_sure)
    })
}

/// `+3.25`, or a mate: `+M5`.
fn is_sure(score: &str) -> bool {
    let mates = score.starts_with("+M") || score.starts_with('M');
    mates || score.parse::<f64>().is_ok_and(|pawns| pawns >= SURE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::record::parse;

    fn game(winner: Option<Color>, start: &str, moves: &str) -> bool {
        let text = format!("[Event \"e\"]\n{start}\n{moves} *\n\n");
        is_upset(winner, &parse(&text)[0])
    }

    #[test]
    fn who_was_sure_and_did_not_win_was_upset() {
        let moves = "1. e4 {+3.10/9 0.1s} e5 {-3.00/9 0.1s}";
        assert!(!game(Some(Color::White), "", moves));
        assert!(game(None, "", moves) && game(Some(Color::Black), "", moves));
        let mated = "1. e4 {+0.10/9 0.1s} e5 {+M4/9 0.1s}";
        assert!(game(None, "", mated) && !game(Some(Color::Black), "", mated));
        let black_begins = "[FEN \"4k3/8/8/8/8/8/8/4K3 b - - 0 1\"]\n";
        assert!(game(
            Some(Color::White),
            black_begins,
            "1... Kd7 {+5.00/9 0.1s}"
        ));
        assert!(!game(
            Some(Color::Black),
            black_begins,
            "1... Kd7 {+5.00/9 0.1s}"
        ));
    }
}
