//! Where games start: books in every format, and start positions without one.

use std::collections::BTreeSet;
use std::fs;

use shakmaty::zobrist::Zobrist64;
use shakmaty::{Chess, EnPassantMode, Position, Square, uci::UciMove};

use crate::support::{Place, json, text};

/// A Polyglot book of lines, every move with the same weight.
fn polyglot(lines: &[&str]) -> Vec<u8> {
    let mut entries = BTreeSet::new();
    for line in lines {
        let mut position = Chess::default();
        for text in line.split_whitespace() {
            let said: UciMove = text.parse().expect("a move");
            let played = said.to_move(&position).expect("legal");
            let Zobrist64(key) = position.zobrist_hash(EnPassantMode::PseudoLegal);
            let square = |square: Square| u16::from(square.rank()) << 3 | u16::from(square.file());
            let from = square(played.from().expect("no drop"));
            entries.insert((key, from << 6 | square(played.to())));
            position.play_unchecked(played);
        }
    }
    let bytes = |(key, word): (u64, u16)| {
        let mut entry = key.to_be_bytes().to_vec();
        entry.extend(word.to_be_bytes());
        entry.extend([0, 1, 0, 0, 0, 0]);
        entry
    };
    entries.into_iter().flat_map(bytes).collect()
}

#[test]
fn the_lines_of_a_polyglot_book_are_openings() {
    let place = Place::new();
    let book = polyglot(&["e2e4 e7e5 g1f3", "e2e4 c7c5 g1f3", "d2d4 d7d5 c2c4"]);
    fs::write(place.path("book.bin"), book).expect("written");
    let openings = |out: &str, more: &[&str]| {
        let arguments = ["--nodes", "1", "--games", "6", "--book", "book.bin"];
        let output = place
            .run(out, &arguments)
            .args(more)
            .output()
            .expect("sprt runs");
        assert_eq!(json(&output)["games"], 6, "{}", text(&output.stderr));
        place.openings(out).into_iter().collect::<BTreeSet<_>>()
    };
    let set = |lines: &[&str]| {
        lines
            .iter()
            .map(|line| (*line).to_owned())
            .collect::<BTreeSet<_>>()
    };
    // Without a limit, lines are played to the end of the book.
    let all = ["1. e4 e5 2. Nf3", "1. e4 c5 2. Nf3", "1. d4 d5 2. c4"];
    assert_eq!(openings("all", &[]), set(&all));
    let first = ["1. e4 e5", "1. e4 c5", "1. d4 d5"];
    assert_eq!(openings("two", &["--book-plies", "2"]), set(&first));
    assert_eq!(
        openings("one", &["--book-plies", "1"]),
        set(&["1. e4", "1. d4"])
    );

    fs::write(place.path("book.bin"), polyglot(&["e2e4"])).expect("written");
    let changed = place.output(["resume", "all", "--max-games", "8"]);
    assert_eq!(changed.status.code(), Some(2));
    assert!(text(&changed.stderr).contains("has changed since the run began"));
}

#[test]
fn in_double_chess960_each_side_has_a_back_rank_of_its_own() {
    let place = Place::new();
    let arguments = [
        "--nodes",
        "1",
        "--games",
        "6",
        "--variant",
        "dfrc",
        "--log",
        "logs",
    ];
    let output = place.run("run", &arguments).output().expect("sprt runs");
    let result = json(&output);
    assert_eq!(result["games"], 6, "{}", text(&output.stderr));
    assert_eq!(result["faults"]["new"]["illegal_moves"], 0);
    let pgn = fs::read_to_string(place.path("run/games.pgn")).expect("games");
    assert_eq!(pgn.matches("[Variant \"Chess960\"]").count(), 6);
    let starts = pgn.lines().filter_map(|line| line.strip_prefix("[FEN \""));
    let ranks: Vec<(String, String)> = starts
        .map(|fen| {
            let placement = fen.split(' ').next().unwrap_or_default();
            let ranks: Vec<&str> = placement.split('/').collect();
            (ranks[0].to_uppercase(), ranks[7].to_owned())
        })
        .collect();
    assert_eq!(ranks.len(), 6);
    // One of 960 has the same rank on both sides.
    assert!(
        ranks.iter().any(|(black, white)| black != white),
        "{ranks:?}"
    );
    assert!(ranks.chunks(2).all(|pair| pair[0] == pair[1]));
    let log = fs::read_to_string(place.path("logs/game-1-engine-b.log")).expect("a log");
    assert!(log.contains("> setoption name UCI_Chess960 value true"));
}

#[test]
fn a_test_at_fixed_nodes_ends_when_its_openings_are_used_up() {
    let place = Place::new();
    fs::write(place.path("two.txt"), "e2e4 e7e5\nd2d4 d7d5\n".repeat(2)).expect("written");
    let play = |out: &str, limit: &[&str], length: &[&str]| {
        let output = place
            .run(out, limit)
            .args(["--book", "two.txt", "--book-order", "sequential"])
            .args(["--base-option", "Losses=50"])
            .args(length)
            .output()
            .expect("sprt runs");
        (json(&output), output.status.code(), text(&output.stderr))
    };
    let (result, code, said) = play("test", &["--nodes", "50"], &["--max-games", "400"]);
    assert_eq!(
        (code, &result["verdict"]),
        (Some(4), &"undecided".into()),
        "{said}"
    );
    assert_eq!(
        (&result["games"], &result["openings_used_up"]),
        (&4.into(), &true.into())
    );
    assert!(
        said.contains("the book gives 2 openings before one comes again, and at 50 nodes"),
        "{said}"
    );
    assert!(
        said.contains("after 4 games: all openings of the book are played"),
        "{said}"
    );
    let again = place.output(["resume", "test", "--max-games", "800"]);
    assert_eq!(again.status.code(), Some(4), "{}", text(&again.stderr));
    assert_eq!(place.journal("test").lines().count(), 2);

    let (result, _, said) = play("fixed", &["--nodes", "50"], &["--games", "8"]);
    assert_eq!(result["games"], 8);
    assert!(said.contains("2 of 4 pairs are copies"), "{said}");
    let (result, _, said) = play("clock", &["--tc", "1+0.1"], &["--max-games", "8"]);
    assert_eq!(
        (&result["games"], said.contains("copies")),
        (&8.into(), false),
        "{said}"
    );
    // The second of its openings leads to the position of the first, and is left out.
    let lines = "e2e4 e7e5 g1f3\ng1f3 e7e5 e2e4\nd2d4 d7d5\n";
    fs::write(place.path("two.txt"), lines).expect("written");
    let (result, code, said) = play("again", &["--nodes", "50"], &["--max-games", "400"]);
    assert_eq!((code, &result["games"]), (Some(4), &4.into()), "{said}");
    let pgn = fs::read_to_string(place.path("again/games.pgn")).expect("games");
    assert_eq!(pgn.matches("1. d4 ").count(), 2, "{pgn}");
}

#[test]
fn a_whole_book_is_counted_whatever_is_broken() {
    let place = Place::new();
    let game = |moves: &str| format!("[Event \"a\"]\n\n{moves} *\n\n");
    let games = ["1. e5", "{note}\n\n1. e4", "1. e4", "1. e4 (1. d4"].map(game);
    fs::write(place.path("book.pgn"), games.concat()).expect("written");
    let checked = place.output(["book", "check", "book.pgn"]);
    let (counts, said) = (text(&checked.stdout), text(&checked.stderr));
    assert_eq!(checked.status.code(), Some(1), "{said}");
    assert!(
        counts.contains("book.pgn: 4 openings, 2 broken, 1 repeated"),
        "{counts}"
    );
    for words in [
        "game 1 at line 1: half-move 1, `e5`, is illegal",
        "game 4 at line 15: unterminated variation",
    ] {
        assert!(said.contains(words), "{said}");
    }
}

#[test]
fn a_name_for_games_is_refused_for_a_book_of_positions() {
    let place = Place::new();
    let made = place.output(["book", "make", "--engine", "x", "-o", "y.pgn"]);
    let said = text(&made.stderr);
    assert_eq!(made.status.code(), Some(2), "{said}");
    assert!(said.contains("a file that ends in .epd"), "{said}");
}

#[test]
fn variants_without_random_openings_are_refused_with_those_that_have_some() {
    let place = Place::new();
    let made = place.output([
        "book",
        "make",
        "--variant",
        "chess960",
        "--engine",
        "x",
        "-o",
        "y.epd",
    ]);
    let said = text(&made.stderr);
    assert_eq!(made.status.code(), Some(2), "{said}");
    assert!(
        said.contains("expected standard") && said.contains("has a book built in"),
        "{said}"
    );
}
