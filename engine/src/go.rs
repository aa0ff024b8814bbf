//! Parses the arguments of `go`.

use crate::position::Position;
use crate::search::limits::Limits;
use crate::search::time::Clock;

const KEYWORDS: [&str; 13] = [
    "searchmoves",
    "ponder",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
    "perft",
];

/// Keywords that limit nothing without the clock of the side to move.
const TIMES: [&str; 5] = ["wtime", "btime", "winc", "binc", "movestogo"];

const MAX_MATE: i64 = 1_000;

/// Parses the limits. The second value lists the problems.
pub fn parse(words: &[&str], position: &Position, chess960: bool) -> (Limits, Vec<String>) {
    let mut limits = Limits::default();
    let mut problems = Vec::new();
    let white = position.side() == cozy_chess::Color::White;
    let (mut left, mut increment, mut moves_to_go) = (None, 0, None);
    let mut is_timed = false;
    let mut rest = words.iter().copied().peekable();
    while let Some(word) = rest.next() {
        match word {
            "infinite" => limits.infinite = true,
            "ponder" => limits.ponder = true,
            "searchmoves" => {
                while let Some(text) = rest.next_if(|word| !KEYWORDS.contains(word)) {
                    match position.parse_move(text, chess960) {
                        Some(mv) => limits.search_moves.push(mv),
                        None => problems
                            .push(format!("go searchmoves: '{text}' is not a legal move here")),
                    }
                }
            }
            _ if KEYWORDS.contains(&word) => {
                let text = rest.next().unwrap_or_default();
                // Some interfaces send a negative clock after the flag has fallen, and the largest number of
                // 64 bits for no limit.
                let Ok(number) = text.parse::<i128>() else {
                    problems.push(format!("go {word}: expected a number, got '{text}'"));
                    continue;
                };
                let number = number.clamp(i64::MIN.into(), i64::MAX.into()) as i64;
                let amount = number.max(0) as u64;
                is_timed |= TIMES.contains(&word);
                match word {
                    "wtime" if white => left = Some(amount),
                    "btime" if !white => left = Some(amount),
                    "winc" if white => increment = amount,
                    "binc" if !white => increment = amount,
                    "movestogo" => moves_to_go = (number > 0).then_some(amount),
                    "depth" => limits.depth = number.clamp(1, i64::from(i32::MAX)) as i32,
                    "nodes" => limits.nodes = amount.max(1),
                    "mate" if (1..=MAX_MATE).contains(&number) => limits.mate = Some(number as i32),
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
    let unlimited = Limits {
        search_moves: limits.search_moves.clone(),
        ponder: limits.ponder,
        ..Limits::default()
    };
    if limits == unlimited && is_timed {
        let (own, side) = if white {
            ("wtime", "White")
        } else {
            ("btime", "Black")
        };
        problems.push(format!("go: expected '{own}', as {side} is to move"));
    }
    if limits == unlimited && problems.is_empty() {
        // A bare `go` is infinite in UCI.
        limits.infinite = true;
    } else if limits == unlimited {
        // A limit was meant. Without one, or without a search, the interface would wait for a move
        // in vain.
        limits.depth = 1;
        problems.push("go: no valid limit, searching to depth 1".to_owned());
    }
    (limits, problems)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parsed(text: &str) -> (Limits, Vec<String>) {
        let position =
            Position::from_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1").unwrap();
        parse(
            &text.split_whitespace().collect::<Vec<_>>(),
            &position,
            false,
        )
    }

    #[test]
    fn a_time_for_the_move_comes_before_the_clock() {
        for text in ["wtime 60000 movetime 40", "infinite wtime 60000"] {
            assert_eq!(parsed(text).0.deciding_clock(), None, "{text}");
        }
        assert!(parsed("wtime 60000 nodes 5").0.deciding_clock().is_some());
    }

    #[test]
    fn the_largest_number_is_no_limit() {
        let (limits, problems) = parsed("nodes 18446744073709551615");
        assert_eq!((limits.nodes, problems), (i64::MAX as u64, Vec::new()));
    }

    #[test]
    fn every_limit_is_read() {
        let (limits, problems) = parsed(
            "wtime 1000 btime 2000 winc 10 binc 20 movestogo 7 depth 9 nodes 500 mate 3 movetime 40 \
             searchmoves e2e4 d2d4 ponder",
        );
        assert_eq!(problems, Vec::<String>::new());
        let clock = Clock {
            left: 1000,
            increment: 10,
            moves_to_go: Some(7),
        };
        assert_eq!(limits.clock, Some(clock));
        assert_eq!((limits.depth, limits.nodes, limits.mate), (9, 500, Some(3)));
        assert_eq!((limits.move_time, limits.ponder), (Some(40), true));
        assert_eq!(limits.search_moves.len(), 2);
        assert!(!limits.infinite);
    }

    #[test]
    fn oddities_are_reported_and_survived() {
        assert!(parsed("").0.infinite);
        assert_eq!(parsed("wtime -50").0.clock.unwrap().left, 0);
        assert_eq!(parsed("depth 5 nodes").1.len(), 1);
        assert_eq!(parsed("depth x nodes 5").0.nodes, 5);
        assert_eq!(parsed("searchmoves e2e5 depth 3").1.len(), 1);
        assert_eq!(parsed("depth 3 frobnicate").1.len(), 1);
        assert_eq!(parsed("depth 0").0.depth, 1);
        assert_eq!(parsed("mate 0 depth 4").0.depth, 4);
    }

    #[test]
    fn a_limit_that_is_not_understood_does_not_make_the_search_endless() {
        for text in [
            "depth x",
            "depth",
            "movetime soon",
            "wtime x",
            "frobnicate",
            "btime 1000",
            "winc 100 binc 100",
            "movestogo 20",
            "mate 0",
            "mate -3",
            "ponder btime 1000",
        ] {
            let (limits, problems) = parsed(text);
            assert_eq!((limits.depth, limits.infinite), (1, false), "{text}");
            assert_eq!(problems.len(), 2, "{text}");
        }
        assert!(parsed("infinite depth x").0.infinite);
        assert!(parsed("infinite winc 5").1.is_empty());
        assert!(parsed("movetime 5 winc 0 binc 0").1.is_empty());
    }

    proptest! {
        #[test]
        fn nothing_panics(text in "\\PC{0,60}") {
            parsed(&text);
        }
    }
}
