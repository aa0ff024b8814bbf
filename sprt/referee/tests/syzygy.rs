//! Endgame tables, as adjudication asks them.

use std::path::Path;
use std::sync::Arc;

use engine_client::Color;
use foundation::Failure;
use referee::game::Variant as _;
use referee::game::chess::STANDARD;
use referee::tablebase::{Adjudicate, TableUse, Tablebase};

#[path = "../../tests/syzygy_tables.rs"]
mod tables;

fn open(folder: &Path, table_use: TableUse) -> Result<Arc<dyn Tablebase>, Failure> {
    STANDARD.tablebase(&[folder.to_owned()], table_use)
}

#[test]
fn endings_have_the_value_of_their_table_from_either_side() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    tables::write_queen_against_king(folder.path());
    let syzygy = open(folder.path(), TableUse::default()).expect("a table");
    for (position, winner) in [
        ("8/8/7k/8/8/8/Q7/K7 w - - 0 1", Some(Some(Color::White))),
        ("8/8/7k/8/8/8/Q7/K7 b - - 0 1", Some(Some(Color::White))),
        ("8/8/7K/8/8/8/q7/k7 w - - 0 1", Some(Some(Color::Black))),
        // The queen is lost at once.
        ("8/8/8/8/8/8/2kQ4/K7 b - - 0 1", Some(None)),
        // There is no such table, and too many pieces for any.
        ("8/8/7k/8/8/8/R7/K7 w - - 0 1", None),
        ("8/8/7k/8/8/8/QR6/K7 w - - 0 1", None),
        ("no position", None),
    ] {
        assert_eq!(syzygy.winner(position), winner, "{position}");
    }
    let two_pieces = TableUse {
        pieces: Some(2),
        ..TableUse::default()
    };
    let few = open(folder.path(), two_pieces).expect("a table");
    assert_eq!(few.winner("8/8/7k/8/8/8/Q7/K7 w - - 0 1"), None);
}

#[test]
fn a_folder_without_tables_is_refused() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let failure = open(folder.path(), TableUse::default()).expect_err("an empty folder");
    assert!(
        failure.message().contains("holds no Syzygy table"),
        "{failure}"
    );
    assert!(open(&folder.path().join("missing"), TableUse::default()).is_err());
}

#[test]
fn games_may_be_ended_by_wins_or_by_draws_alone() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    tables::write_queen_against_king(folder.path());
    let won = "8/8/7k/8/8/8/Q7/K7 w - - 0 1";
    let drawn = "8/8/8/8/8/8/2kQ4/K7 b - - 0 1";
    for (adjudicate, of_won, of_drawn) in [
        (Adjudicate::All, Some(Some(Color::White)), Some(None)),
        (Adjudicate::Wins, Some(Some(Color::White)), None),
        (Adjudicate::Draws, None, Some(None)),
    ] {
        let table_use = TableUse {
            adjudicate,
            ..TableUse::default()
        };
        let syzygy = open(folder.path(), table_use).expect("a table");
        assert_eq!(syzygy.winner(won), of_won, "{adjudicate:?}");
        assert_eq!(syzygy.winner(drawn), of_drawn, "{adjudicate:?}");
    }
}
