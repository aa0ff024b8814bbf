//! Endings that tables decide.

use crate::support::{Place, text};

#[path = "../syzygy_tables.rs"]
pub mod tables;

/// Whatever White does, it takes the rook, and a queen is left against a king.
const BOOK: &str = "8/8/7k/8/8/8/Q7/Kr6 w - - 0 1\n";

#[test]
fn an_ending_that_is_in_the_tables_is_adjudicated() {
    let place = Place::new();
    std::fs::write(place.path("book.epd"), BOOK).expect("written");
    let tables = place.path("tables");
    std::fs::create_dir(&tables).expect("a folder");
    let run = |out: &str| {
        let arguments = ["--nodes", "1", "--max-games", "2", "--book", "book.epd"];
        let syzygy = ["--syzygy", "tables"];
        let mut command = place.run(out, &arguments);
        command.args(syzygy).output().expect("sprt runs")
    };
    let output = run("none");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("holds no Syzygy table"));

    tables::write_queen_against_king(&tables);
    let output = run("run");
    assert_eq!(output.status.code(), Some(4), "{}", text(&output.stderr));
    let pair: serde_json::Value =
        serde_json::from_str(place.journal("run").trim()).expect("a pair");
    for game in pair["games"].as_array().expect("games") {
        assert_eq!(
            game["text"], "White wins by adjudication: SyzygyTB",
            "{game}"
        );
        assert_eq!(
            (&game["end"], &game["plies"]),
            (&"adjudication".into(), &1.into())
        );
    }
}
