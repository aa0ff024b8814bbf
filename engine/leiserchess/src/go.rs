//! Parses the arguments of `go`: those of UCI, and the course player's `time` and `inc`, which are
//! those of the side to move.

use crate::board::Board;
use crate::moves;
use crate::piece::Color;
use crate::search::limits::{Clock, Limits};

const KEYWORDS: [&str; 15] = [
    "searchmoves",
    "ponder",
    "wtime",
    "btime",
    "winc",
    "binc",
    "time",
    "inc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
    "perft",
];

/// Keywords that limit nothing without the clock of the side to move.
const TIMES: [&str; 6] = ["wtime", "btime", "winc", "binc", "inc", "movestogo"];

const MAX_MATE: f64 = 1_000.0;

/// Parses the limits. The second value lists the problems.
pub(crate) fn parse(words: &[&str], board: &Board) -> (Limits, Vec<String>) {
    let mut limits = Limits::default();
    let mut problems = Vec::new();
    let is_white = board.side() == Color::White;
    let (mut left, mut increment, mut moves_to_go) = (None, 0, None);
    let mut is_timed = false;
    let mut rest = words.iter().copied().peekable();
    while let Some(word) = rest.next() {
        match word {
            "infinite" => limits.infinite = true,
            "ponder" => limits.ponder = true,
            "searchmoves" => {
                while let Some(text) = rest.next_if(|word| !KEYWORDS.contains(word)) {
                    match moves::parse(board, text) {
                        Some(mv) => limits.search_moves.push(mv),
                        None => problems
                            .push(format!("go searchmoves: '{text}' is not a legal move here")),
                    }
                }
            }
            _ if KEYWORDS.contains(&word) => {
                let text = rest.next().unwrap_or_default();
                // Some GUIs send a negative time after the flag has fallen, or a fraction.
                let Some(number) = text.parse::<f64>().ok().filter(|it| it.is_finite()) else {
                    problems.push(format!("go {word}: expected a number, got '{text}'"));
                    continue;
                };
                let amount = number.max(0.0) as u64;
                is_timed |= TIMES.contains(&word);
                match word {
                    "wtime" if is_white => left = Some(amount),
                    "btime" if !is_white => left = Some(amount),
                    "time" => left = Some(amount),
                    "winc" if is_white => increment = amount,
                    "binc" if !is_white => increment = amount,
                    "inc" => increment = amount,
                    "movestogo" => moves_to_go = (amount > 0).then_some(amount),
                    "depth" => limits.depth = Some(number.clamp(1.0, 1e6) as i32),
                    "nodes" => limits.nodes = Some(amount.max(1)),
                    "mate" if (1.0..=MAX_MATE).contains(&number) => {
                        limits.mate = Some(number as i32);
                    }
                    "mate" => problems.push(format!(
                        "go mate: expected a number from 1 to {MAX_MATE}, got {number}"
                    )),
                    "movetime" => limits.move_time = Some(amount.max(1)),
                    _ => {}
                }
            }
            _ => problems.push(format!("go: unknown argument '{word}'")),
        }
    }
    limits.clock = left.map(|left| Clock {
        left,
        increment,
        moves_to_go,
    });
    let is_unlimited = limits
        == Limits {
            search_moves: limits.search_moves.clone(),
            ponder: limits.ponder,
            ..Limits::default()
        };
    if is_unlimited && is_timed {
        let own = if is_white { "wtime" } else { "btime" };
        problems.push(format!(
            "go: expected 'time' or '{own}', the clock of the side to move"
        ));
    }
    if is_unlimited && problems.is_empty() {
        // A bare `go` is infinite in UCI.
        limits.infinite = true;
    } else if is_unlimited {
        // A limit was meant, so do not search without one.
        limits.depth = Some(1);
        problems.push("go: no valid limit, searching to depth 1".to_owned());
    }
    (limits, problems)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
mod tests {
    use super::*;
    use crate::fen;

    fn parsed(text: &str) -> (Limits, Vec<String>) {
        let board = fen::parse(fen::OPENING).unwrap();
        parse(&text.split(' ').collect::<Vec<_>>(), &board)
    }

    #[test]
    fn the_clock_of_the_mover_is_read_in_both_wordings() {
        let clock = |text: &str| parsed(text).0.clock.unwrap();
        let expected = Clock {
            left: 5000,
            increment: 50,
            moves_to_go: None,
        };
        assert_eq!(clock("time 5000 inc 50"), expected);
        assert_eq!(clock("wtime 5000 btime 7 winc 50 binc 3"), expected);
        assert_eq!(clock("time 5000.0 inc 50"), expected);
    }

    #[test]
    fn what_makes_no_sense_is_reported_and_the_search_ends() {
        for text in [
            "depth",
            "depth x",
            "fast",
            "time nan",
            "searchmoves h0h0",
            "btime 1000",
            "winc 10 binc 10",
            "inc 10",
            "movestogo 20",
            "mate 0",
            "ponder btime 1000",
        ] {
            let (limits, problems) = parsed(text);
            assert_eq!(limits.depth, Some(1), "{text}");
            assert_eq!(problems.len(), 2, "{text}: {problems:?}");
        }
        assert!(parsed("infinite").0.infinite);
        assert_eq!(parsed("depth 5 nodes 10").0.nodes, Some(10));
    }
}
