//! One search before the first game, under the limit of the games, so that an engine that does not
//! keep it is found out at once.

use std::time::Duration;

use foundation::Failure;

use crate::game::{Game, Opening, Variant};
use engine_client::node_limit::{self, Breach};
use engine_client::{Answer, Clocks, Engine, EngineScore, Face, Fault, Limit, Search, Stage};

/// The largest limits that are tried; an engine that keeps these keeps larger ones.
const MOST_DEPTH: u32 = 8;
const MOST_MS: u64 = 1000;
/// The longest search without a clock.
const LONGEST: Duration = Duration::from_mins(1);
/// How much longer than it should a search may take.
const GRACE: Duration = Duration::from_secs(5);

/// Moves of an engine's own book that are played before it is taken to report no nodes.
const BOOK_PLIES: usize = 8;
/// The second search of an engine that stopped early is allowed so many times the nodes, where that
/// is not more than is tried; at least [`ENOUGH`] times, for another depth to be finished.
const MORE: u64 = 20;
const ENOUGH: u64 = 6;
/// Otherwise it is allowed this part of the nodes that the first one took.
const LESS: u64 = 8;

/// Searches the usual start position, or the first one after it that is not in the engine's own
/// book. Returns a warning where games would be doubtful but not impossible.
///
/// The engine did not finish its search, ignores a limit of nodes, or failed.
pub async fn search(
    engine: &mut Engine,
    name: &str,
    variant: &dyn Variant,
    limit: &Limit,
) -> Result<Option<String>, Failure> {
    let mut game = variant.start(&Opening::default())?;
    let only_nodes = limit.nodes.filter(|&nodes| *limit == Limit::nodes(nodes));
    for _ in 0..BOOK_PLIES {
        let (go, answer) = think(engine, name, variant, game.as_ref(), limit).await?;
        // A decided position needs no nodes, and a book reports none.
        if matches!(answer.info.score, Some(EngineScore::Mate(_))) {
            return Ok(None);
        }
        let Some(told) = answer.info.nodes.filter(|&told| told > 0) else {
            if only_nodes.is_none() || game.play(&answer.best).is_err() || game.ending().is_some() {
                return Ok(None);
            }
            continue;
        };
        // With no more nodes than there are moves, it was not a limit that ended the search.
        let moves = game.legal_moves().len() as u64;
        let allowed = only_nodes.map(|nodes| nodes.min(node_limit::MOST));
        let Some(allowed) = allowed.filter(|&most| told > moves && told < most / 2) else {
            let doubt = doubt(limit, told);
            return Ok(doubt.map(|how| format!("`{name}` does not keep `{go}`: {how}; {OTHERS}")));
        };
        let other = second_limit(allowed, told);
        let limit = Limit::nodes(other);
        let (go_again, answer) = think(engine, name, variant, game.as_ref(), &limit).await?;
        let again = answer.info.nodes.unwrap_or_default();
        let decided = matches!(answer.info.score, None | Some(EngineScore::Mate(_)));
        let [less, more] = if other > allowed {
            [told, again]
        } else {
            [again, told]
        };
        if !decided && more < less.saturating_mul(2) {
            return Err(Failure::unable(format!(
                "`{name}` ignores limits of nodes: it searched {told} for `{go}` and {again} for \
                 `{go_again}`"
            ))
            .hint(OTHERS));
        }
        return Ok(None);
    }
    Ok(None)
}

const OTHERS: &str = "choose another limit, such as --depth or --tc";

/// What an engine may take in a second search that was `allowed` some nodes and took far fewer.
fn second_limit(allowed: u64, told: u64) -> u64 {
    if allowed <= node_limit::MOST / ENOUGH {
        (allowed * MORE).min(node_limit::MOST)
    } else {
        (told / LESS).max(1)
    }
}

/// One search of a game's position. Returns its `go` and the answer.
async fn think(
    engine: &mut Engine,
    name: &str,
    variant: &dyn Variant,
    game: &dyn Game,
    limit: &Limit,
) -> Result<(String, Answer), Failure> {
    let (limit, timeout) = tried(limit);
    let face = limit.clock.as_ref().map(|control| Face {
        left: Duration::from_millis(MOST_MS),
        increment_ms: control.stage(0).increment_ms,
    });
    let search = Search {
        position: game.position(),
        mover: game.to_move(),
        limit: &limit,
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
        Ok(answer) if answer.elapsed <= timeout => Ok((go.to_owned(), answer)),
        Err(Fault::Crashed(how)) => Err(Failure::engine(format!(
            "`{name}` failed at its first search, `{go}`: {how}"
        ))
        .hint("start it by hand and give it the same commands")),
        Ok(_) | Err(Fault::Silent(_)) => {
            let nodes = engine.last_info(search.mover).nodes;
            let after = nodes.map_or_else(String::new, |nodes| format!("{nodes} nodes and "));
            Err(Failure::engine(format!(
                "`{name}` is still searching after {after}{:.0} s for `{go}`",
                timeout.as_secs_f64()
            ))
            .hint("choose a limit that it keeps, such as --depth or --tc"))
        }
    }
}

/// The limit that is tried, and how long it may take: as long as the part of it that ends first.
fn tried(limit: &Limit) -> (Limit, Duration) {
    let tried = Limit {
        clock: limit.clock.as_ref().map(|control| {
            let stage = Stage {
                moves: None,
                base_ms: MOST_MS,
                increment_ms: control.stage(0).increment_ms.min(MOST_MS / 100),
            };
            stage.into()
        }),
        nodes: limit.nodes.map(|nodes| nodes.min(node_limit::MOST)),
        depth: limit.depth.map(|depth| depth.min(MOST_DEPTH)),
        movetime: limit.movetime.map(|ms| ms.min(MOST_MS)),
    };
    let clock = (!tried.has_no_clock()).then_some(Duration::from_millis(MOST_MS) + GRACE);
    let timeouts = [clock, tried.nodes.map(node_limit::timeout)];
    let timeout = timeouts.into_iter().flatten().min().unwrap_or(LONGEST);
    (tried, timeout)
}

/// What is wrong with the nodes that an engine reported, if they are too many.
fn doubt(limit: &Limit, told: u64) -> Option<String> {
    match node_limit::judge(limit.nodes?.min(node_limit::MOST), &[told])? {
        Breach::TooMany(nodes) => Some(format!("it searched {nodes} nodes")),
        Breach::TooFew(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine_client::TimeControl;

    #[test]
    fn only_a_node_limit_is_judged_by_nodes() {
        let words = |limit, told| doubt(&Limit::nodes(limit), told);
        assert_eq!(words(2000, 2003), None);
        assert_eq!(
            words(2000, 297_633).as_deref(),
            Some("it searched 297633 nodes")
        );
        assert_eq!(doubt(&Limit::depth(3), 9_999_999), None);
        assert!(
            words(3_000_000, 3_000_000).is_some(),
            "the trial was shorter"
        );
        assert_eq!(words(3_000_000, node_limit::MOST), None);
    }

    #[test]
    fn the_second_search_differs_from_the_first_under_every_limit() {
        assert_eq!(second_limit(2000, 252), 40_000);
        assert_eq!(second_limit(100_000, 30_000), node_limit::MOST);
        assert_eq!(second_limit(600_000, 299_000), 37_375);
        assert_eq!(second_limit(node_limit::MOST, 3), 1);
    }

    #[test]
    fn a_trial_is_over_when_the_first_of_several_limits_is_reached() {
        let seconds = |limit: &Limit| tried(limit).1.as_secs();
        let clock = || Limit::clock("60+1".parse::<TimeControl>().expect("a time control"));
        assert_eq!(seconds(&clock()), 6);
        assert_eq!(seconds(&Limit::nodes(1_000_000)), 65);
        assert_eq!(seconds(&Limit::depth(20)), 60);
        let both = Limit {
            nodes: Some(u64::MAX),
            ..clock()
        };
        assert_eq!(seconds(&both), 6);
        assert_eq!(tried(&both).0.nodes, Some(node_limit::MOST));
    }
}
