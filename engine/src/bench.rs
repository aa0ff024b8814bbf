//! The bench: a fixed set of positions searched to a fixed depth.
//!
//! The node count is the signature of search and evaluation: it is the same on every machine and
//! changes with every functional change. The speed is a by-product.

use std::time::Instant;

use crate::position::Position;
use crate::search::job::{Job, Settings};
use crate::search::limits::Limits;
use crate::search::threads::run;
use crate::search::{Signals, ThreadData};
use crate::tt::Table;

/// Two to six seconds on one core.
pub(crate) const DEPTH: i32 = 12;
const HASH: usize = 16;

const POSITIONS: &str = include_str!("../bench.epd");

/// Searches every position with empty tables and prints a line for each and the total last.
/// Returns the total number of nodes.
pub fn run_all(settings: &Settings, depth: i32, print: impl Fn(&str)) -> u64 {
    let settings = Settings {
        multi_pv: 1,
        ..settings.clone()
    };
    let mut table = Table::new(HASH);
    let mut threads = [ThreadData::default()];
    let start = Instant::now();
    let mut nodes = 0;
    for (index, fen) in fens().enumerate() {
        let Ok(position) = Position::from_fen(fen) else {
            continue;
        };
        table.clear();
        threads[0].clear();
        let job = Job {
            position: position.clone(),
            earlier_keys: Vec::new(),
            limits: Limits {
                depth,
                ..Limits::default()
            },
            settings: settings.clone(),
            start: Instant::now(),
            verbose: false,
        };
        let result = run(&job, &mut threads, &table, &Signals::default());
        let best = result
            .best
            .map_or("none".to_owned(), |mv| position.uci(mv, true));
        print(&format!(
            "{:2} {:>9} {best:5} {fen}",
            index + 1,
            result.nodes
        ));
        nodes += result.nodes;
    }
    let milliseconds = start.elapsed().as_millis().max(1) as u64;
    print(&format!(
        "{nodes} nodes {} nps",
        nodes * 1000 / milliseconds
    ));
    nodes
}

fn fens() -> impl Iterator<Item = &'static str> {
    POSITIONS
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::phase;

    #[test]
    fn the_set_is_large_varied_and_legal() {
        let positions: Vec<Position> = fens().map(|fen| Position::from_fen(fen).unwrap()).collect();
        assert!(positions.len() >= 40);
        let mut keys: Vec<u64> = positions.iter().map(Position::key).collect();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), positions.len(), "no position twice");
        let endgames = positions
            .iter()
            .filter(|position| phase(position) <= 8)
            .count();
        assert!(endgames >= 10 && positions.len() - endgames >= 20);
        assert!(positions.iter().any(Position::in_check));
        assert!(positions.iter().any(|position| !position.has_moves()));
    }

    #[test]
    fn the_count_is_the_same_every_time() {
        let settings = Settings::default();
        let first = run_all(&settings, 4, |_| {});
        assert!(first > 10_000);
        assert_eq!(run_all(&settings, 4, |_| {}), first);
    }
}
