//! The bench: a fixed set of positions searched to a fixed depth.
//!
//! The node count is the signature of search and evaluation: it is the same on every machine and
//! changes with every functional change. The speed is a by-product.

use std::sync::Arc;
use std::time::Instant;

use crate::endgame;
use crate::fen;
use crate::search::iterate::{Job, run};
use crate::search::limits::Limits;
use crate::search::settings::Settings;
use crate::search::worker::Signals;
use crate::tt::Table;

pub(crate) const DEPTH: i32 = 7;
const HASH: usize = 16;

const POSITIONS: &str = include_str!("../bench.txt");

/// Searches every position for one best move, in one thread with empty tables. Prints a line for
/// each and then the total, and returns the number of nodes.
pub(crate) fn run_all(settings: &Settings, depth: i32, print: impl Fn(&str)) -> u64 {
    let settings = Settings {
        threads: 1,
        multi_pv: 1,
        ..settings.clone()
    };
    let table = Arc::new(Table::new(HASH));
    endgame::prepare();
    let start = Instant::now();
    let mut nodes = 0;
    for (index, text) in positions().enumerate() {
        let Ok(board) = fen::parse(text) else {
            continue;
        };
        table.clear();
        let job = Job {
            keys: vec![board.key()],
            board,
            limits: Limits {
                depth: Some(depth),
                ..Limits::default()
            },
            settings: settings.clone(),
            start: Instant::now(),
        };
        let found = run(&job, &table, &mut Vec::new(), &Signals::default(), &|_| {});
        let best = found
            .line
            .first()
            .map_or("none".to_owned(), ToString::to_string);
        print(&format!(
            "{:2} {:>9} {best:6} {text}",
            index + 1,
            found.nodes
        ));
        nodes += found.nodes;
    }
    let milliseconds = start.elapsed().as_millis().max(1) as u64;
    print(&format!(
        "{nodes} nodes {} nps",
        nodes * 1000 / milliseconds
    ));
    nodes
}

fn positions() -> impl Iterator<Item = &'static str> {
    let lines = POSITIONS.lines().map(str::trim);
    lines.filter(|line| !line.is_empty() && !line.starts_with('#'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_positions_are_legal_and_no_one_stands_twice() {
        let mut keys: Vec<u64> = positions()
            .map(|text| fen::parse(text).map_or(0, |board| board.key()))
            .collect();
        assert!(keys.len() >= 20 && !keys.contains(&0));
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), positions().count());
    }

    #[test]
    fn the_count_is_the_same_every_time() {
        let settings = Settings::default();
        let first = run_all(&settings, 3, |_| {});
        assert!(first > 10_000);
        assert_eq!(run_all(&settings, 3, |_| {}), first);
    }
}
