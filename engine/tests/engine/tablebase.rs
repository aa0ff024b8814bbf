//! Endings with Syzygy tables, of which the tests have those of three pieces.

use std::sync::Arc;

use engine::position::Position;
use engine::score;
use engine::search::job::{SearchResult, Settings};
use engine::search::limits::Limits;
use engine::tablebase::Tablebase;

use crate::harness::{Harness, depth};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/syzygy");

fn with_tables() -> Settings {
    Settings {
        tablebase: Some(Arc::new(Tablebase::open(FOLDER).unwrap())),
        ..Settings::default()
    }
}

fn search(position: &Position, keys: &[u64], settings: &Settings, limits: Limits) -> SearchResult {
    Harness::with(settings.clone()).run(position, keys, limits)
}

#[test]
fn captures_into_the_tables_are_scored_by_them() {
    let score = |fen: &str, settings: &Settings| {
        search(&Position::from_fen(fen).unwrap(), &[], settings, depth(4)).score
    };
    // White takes the knight, and the pawn wins the race or does not.
    let won = "7k/8/1n6/P7/8/8/8/K7 w - - 0 1";
    let drawn = "8/8/8/8/2k5/2n5/1P6/7K w - - 0 1";
    let found = score(won, &with_tables());
    assert!(found > 29_000 && !score::is_mate(found), "{found}");
    assert_eq!(score(drawn, &with_tables()), score::DRAW);
    let without = score(won, &Settings::default());
    assert!((50..29_000).contains(&without), "{without}");
    // Below the probe depth the tables are not asked about positions of three pieces.
    let late = Settings {
        probe_depth: 100,
        ..with_tables()
    };
    assert_eq!(score(won, &late), without);
}

#[test]
fn won_endings_are_won_with_hardly_any_search() {
    for fen in [
        "8/8/3k4/8/8/3K4/8/7R w - - 0 1",
        "8/8/3k4/8/8/3K4/8/7Q w - - 0 1",
        "8/4k3/8/8/8/4K3/4P3/8 w - - 0 1",
    ] {
        let settings = with_tables();
        let mut position = Position::from_fen(fen).unwrap();
        let mut keys = Vec::new();
        while position.has_moves() {
            assert!(keys.len() < 100, "{fen}: no mate, now {}", position.board());
            let best = search(&position, &keys, &settings, depth(2)).best.unwrap();
            keys.push(position.key());
            position = position.play(best);
        }
        assert!(position.in_check(), "{fen}: {}", position.board());
    }
}
