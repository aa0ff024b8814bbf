//! What one search found, as the journal keeps it.

use engine_client::EngineScore;
use foundation::is_default;
use serde::{Deserialize, Serialize};

use super::Position;
use super::plan::MateRule;
use crate::search::SearchTrace;

/// A line of the journal.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// Place of the position in the suite, of the engine in the plan, and which of the searches,
    /// from 0.
    pub position: usize,
    pub engine: usize,
    pub search: u32,
    /// The engine's move.
    pub best: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<EngineScore>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    pub ms: u64,
    pub solved: bool,
    #[serde(default, skip_serializing_if = "is_default")]
    pub points: u32,
    /// A mate for the right side.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mate: Option<Mate>,
    /// From where on it held to the solution.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<Since>,
    /// Why there is no answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
}

/// A mate that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mate {
    pub moves: i32,
    /// Whether it is no longer than the one that is known.
    pub best: bool,
    /// Whether the engine's line, played out, ends in it.
    pub proved: bool,
}

/// A moment of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Since {
    pub nodes: Option<u64>,
    pub depth: Option<u32>,
    pub ms: u64,
}

impl Answer {
    /// The answer of a search that came to its end.
    pub(super) fn of(position: &Position, trace: &SearchTrace, rule: MateRule) -> Self {
        let Some(best) = position.legal(&trace.best) else {
            return Self {
                fault: Some(format!("illegal move `{}`", trace.best)),
                ms: trace.elapsed.as_millis() as u64,
                ..Self::default()
            };
        };
        let goal = &position.goal;
        let mate = mate(position, trace);
        let counted = mate.filter(|mate| mate.proved || rule != MateRule::Proved);
        let solved = goal.is_solved_by(&best, counted.map(|mate| mate.moves), rule);
        Self {
            score: trace.last.score,
            nodes: trace.last.nodes,
            depth: trace.last.depth,
            ms: trace.elapsed.as_millis() as u64,
            points: goal.points_of(&best),
            mate,
            since: solved
                .then(|| since(position, trace, &best, rule))
                .flatten(),
            solved,
            best,
            ..Self::default()
        }
    }
}

fn mate(position: &Position, trace: &SearchTrace) -> Option<Mate> {
    let known = position.goal.mate?;
    let Some(EngineScore::Mate(moves)) = trace.last.score else {
        return None;
    };
    (moves.signum() == known.signum()).then(|| Mate {
        moves,
        best: moves.abs() <= known.abs(),
        proved: position.proves(&trace.line, moves),
    })
}

/// The first moment after which all that it meant to do solves the position; none where the move is
/// not the last that it had shown.
fn since(position: &Position, trace: &SearchTrace, best: &str, rule: MateRule) -> Option<Since> {
    let last = trace.changes.last()?;
    if position.legal(&last.best).as_deref() != Some(best) {
        return None;
    }
    let held = trace.changes.iter().rev().take_while(|change| {
        let meant = position.legal(&change.best).unwrap_or_default();
        position.goal.is_solved_by(&meant, change.mate, rule)
    });
    held.last().map(|change| Since {
        nodes: change.nodes,
        depth: change.depth,
        ms: change.ms,
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use referee::game;

    use super::super::file;
    use super::*;
    use crate::search::Change;

    fn position(line: &str) -> Position {
        file::parse(line, "test", game::variant("standard").expect("chess"))
            .positions
            .remove(0)
    }

    fn trace(changes: &[(&str, u64)], best: &str) -> SearchTrace {
        SearchTrace {
            changes: changes
                .iter()
                .map(|(best, nodes)| Change {
                    best: (*best).to_owned(),
                    mate: None,
                    nodes: Some(*nodes),
                    depth: None,
                    ms: 0,
                })
                .collect(),
            best: best.to_owned(),
            elapsed: Duration::from_millis(5),
            ..SearchTrace::default()
        }
    }

    #[test]
    fn a_solution_counts_from_where_it_was_held_to_the_end() {
        let start = position("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4 d4;");
        let nodes = |changes: &[(&str, u64)], best: &str| {
            let answer = Answer::of(&start, &trace(changes, best), MateRule::Any);
            (answer.solved, answer.since.and_then(|since| since.nodes))
        };
        let lost_and_found = [("e2e4", 1), ("g1f3", 5), ("d2d4", 9), ("e2e4", 12)];
        assert_eq!(nodes(&lost_and_found, "e2e4"), (true, Some(9)));
        assert_eq!(
            nodes(&lost_and_found, "d2d4"),
            (true, None),
            "another move than it told"
        );
        assert_eq!(nodes(&lost_and_found[..2], "g1f3"), (false, None));
    }

    #[test]
    fn an_illegal_move_is_a_fault() {
        let start = position("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - am a4;");
        let answer = Answer::of(&start, &trace(&[], "a1a8"), MateRule::Any);
        assert!(!answer.solved && answer.fault.is_some_and(|why| why.contains("a1a8")));
    }

    #[test]
    fn a_mate_counts_as_it_is_told_or_as_its_line_proves_it() {
        let one = position("7k/8/6K1/8/8/8/8/R7 w - - bm #1;");
        let mut found = trace(&[("a1a8", 3)], "a1a8");
        found.changes[0].mate = Some(2);
        found.last.score = Some(EngineScore::Mate(2));
        let told = |found: &SearchTrace, rule| Answer::of(&one, found, rule);
        assert!(told(&found, MateRule::Any).solved && !told(&found, MateRule::Best).solved);
        assert!(!told(&found, MateRule::Proved).solved);
        found.last.score = Some(EngineScore::Mate(1));
        found.line = vec!["a1a8".to_owned()];
        let answer = told(&found, MateRule::Proved);
        assert!(answer.solved);
        assert_eq!(
            answer.mate,
            Some(Mate {
                moves: 1,
                best: true,
                proved: true
            })
        );
        found.last.score = Some(EngineScore::Mate(-1));
        assert_eq!(told(&found, MateRule::Any).mate, None, "for the other side");
    }
}
