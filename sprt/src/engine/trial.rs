//! One search before the first game, with the limit of the games: what an engine does not keep is
//! found out at once.

use std::time::Duration;

use foundation::Failure;

use super::{Engine, EngineScore, Fault, Search};
use crate::game::{Opening, Variant};
use crate::limit::{Clocks, Face, Limit, TimeControl};

/// The largest limits that are tried; who keeps these keeps larger ones.
const MOST_NODES: u64 = 1_000_000;
const MOST_DEPTH: u32 = 8;
const MOST_MS: u64 = 1000;
/// Nodes that engines search between two looks at the counter.
const GRAIN: u64 = 8192;
/// The last depth takes this many times the nodes of all before it at most.
const LAST_DEPTH: u64 = 10;
/// An engine that searches fewer nodes a second is not waited for.
const SLOWEST: u64 = 1000;
/// How much longer than it should a search may take.
const GRACE: Duration = Duration::from_secs(5);

/// Searches the usual start position. What makes games doubtful, but not impossible, is returned.
///
/// # Errors
/// The engine did not come to an end, or failed.
pub async fn search(
    engine: &mut Engine,
    name: &str,
    variant: &dyn Variant,
    limit: Limit,
) -> Result<Option<String>, Failure> {
    let game = variant.start(&Opening::default())?;
    let (limit, timeout) = tried(limit);
    let face = Some(Face {
        left: Duration::from_millis(MOST_MS),
        increment_ms: match limit {
            Limit::Clock(control) => control.increment_ms,
            Limit::Nodes(_) | Limit::Depth(_) | Limit::Movetime(_) => 0,
        },
    });
    let search = Search {
        position: game.position(),
        mover: game.to_move(),
        limit,
        clocks: Clocks {
            white: face,
            black: face,
            moves_to_go: None,
        },
    };
    let mut lines = String::new();
    variant.dialect().search(&search, &mut lines);
    let go = lines.trim_end().lines().last().unwrap_or_default();
    let answer = match engine.new_game().await {
        Ok(()) => engine.think(&search, timeout).await,
        Err(fault) => Err(fault),
    };
    match answer {
        Ok(answer) if answer.elapsed <= timeout => {
            // A decided position or a book needs no nodes.
            let decided = matches!(answer.info.score, None | Some(EngineScore::Mate(_)));
            let told = answer.info.nodes.filter(|_| !decided);
            Ok(told.and_then(|told| doubt(limit, told)).map(|how| {
                format!("`{name}` does not keep `{go}`: {how}; choose another limit, such as --depth or --tc")
            }))
        }
        Err(Fault::Crashed(how)) => Err(Failure::engine(format!(
            "`{name}` failed at its first search, `{go}`: {how}"
        ))
        .hint("start it by hand and give it the same commands")),
        Ok(_) | Err(Fault::Silent(_)) => {
            let nodes = engine.thought(search.mover).nodes;
            let after = nodes.map_or_else(String::new, |nodes| format!("{nodes} nodes and "));
            Err(Failure::engine(format!(
                "`{name}` is still searching after {after}{:.0} s for `{go}`",
                timeout.as_secs_f64()
            ))
            .hint("choose a limit that it keeps, such as --depth or --tc"))
        }
    }
}

/// The limit that is tried, and how long it may take.
fn tried(limit: Limit) -> (Limit, Duration) {
    let clock = Duration::from_millis(MOST_MS) + GRACE;
    match limit {
        Limit::Nodes(nodes) => {
            let nodes = nodes.min(MOST_NODES);
            let timeout = GRACE + Duration::from_secs(nodes / SLOWEST).min(Duration::from_mins(1));
            (Limit::Nodes(nodes), timeout)
        }
        Limit::Depth(depth) => (Limit::Depth(depth.min(MOST_DEPTH)), Duration::from_mins(1)),
        Limit::Movetime(ms) => (Limit::Movetime(ms.min(MOST_MS)), clock),
        Limit::Clock(control) => {
            let control = TimeControl {
                moves: None,
                base_ms: MOST_MS,
                increment_ms: control.increment_ms.min(MOST_MS / 100),
            };
            (Limit::Clock(control), clock)
        }
    }
}

/// What is wrong with the nodes that an engine told.
fn doubt(limit: Limit, told: u64) -> Option<String> {
    let Limit::Nodes(limit) = limit else {
        return None;
    };
    if told > limit + GRAIN.max(limit / 10) {
        Some(format!("it searched {told} nodes"))
    } else if told < limit / LAST_DEPTH {
        Some(format!("it stopped after {told} nodes"))
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_judged_with_room_for_the_counters_grain_and_the_last_depth() {
        let words = |limit, told| doubt(Limit::Nodes(limit), told);
        for (limit, told) in [(2000, 2003), (2000, 8192), (10_000, 1_200), (1, 2_048)] {
            assert_eq!(words(limit, told), None, "{limit} {told}");
        }
        assert_eq!(
            words(2000, 297_633).as_deref(),
            Some("it searched 297633 nodes")
        );
        assert_eq!(
            words(2000, 29).as_deref(),
            Some("it stopped after 29 nodes")
        );
        assert_eq!(doubt(Limit::Depth(3), 9_999_999), None);
    }
}
