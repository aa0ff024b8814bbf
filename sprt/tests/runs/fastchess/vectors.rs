//! Every command line that a worker sends, played as it is.

use std::collections::BTreeMap;

use super::worker::verbose_comment;
use super::{Place, Played, tables};

/// What the runner may print on stderr: the scripted engine lacks options of the real one, and a busy
/// machine may be late.
const EXPECTED: [&str; 4] = [
    "has no option",
    "expects a whole number",
    "loses on time",
    "connection stalls",
];

/// Plays a command line with scripted engines in the places that it names.
fn play(name: &str, positions: usize) -> (Played, Vec<String>) {
    let vectors: BTreeMap<String, Vec<String>> =
        serde_json::from_str(include_str!("../../data/fastchess_vectors.json")).expect("JSON");
    let mut words = vectors[name].clone();
    let place = Place::worker();
    // The folders of the worker's owner, of which one here holds tables.
    if let Some(folders) = words.iter_mut().find(|word| *word == "/tb/a:/tb/b") {
        let tables = place.path("tables");
        std::fs::create_dir(&tables).expect("a folder");
        tables::write_queen_against_king(&tables);
        *folders = tables.display().to_string();
    }
    for program in words.iter().filter_map(|word| word.strip_prefix("cmd=./")) {
        place.engine(&format!("Engines/{program}"));
    }
    let after = |prefix: &str| {
        words
            .iter()
            .rev()
            .find_map(|word| word.strip_prefix(prefix))
    };
    let book = words
        .iter()
        .find_map(|word| word.strip_prefix("file=Books/"))
        .expect("a book");
    if words.iter().any(|word| word == "format=pgn") {
        let fen = "r3k1r1/8/8/8/8/8/8/R3K1R1 w GAga - 80 50";
        let line = format!("[Event \"a\"]\n[FEN \"{fen}\"]\n\n50. Rb1 Rb8 *\n\n");
        std::fs::write(place.path("Books").join(book), line.repeat(positions)).expect("written");
    } else {
        place.book(book, positions);
    }
    let pgn = after("file=PGNs/")
        .expect("a file for the games")
        .to_owned();
    let output = place.runner(&words).output().expect("the runner starts");
    let played = place.read(&output, &format!("PGNs/{pgn}"));
    assert_eq!(output.status.code(), Some(0), "{name}: {}", played.stderr);
    (played, words)
}

fn number(words: &[String], option: &str) -> u64 {
    let place = words.iter().position(|word| word == option).expect(option);
    words[place + 1].parse().expect("a number")
}

/// The move number at which each round's book position begins.
fn openings(played: &Played) -> BTreeMap<u64, Vec<&str>> {
    let mut rounds: BTreeMap<u64, Vec<&str>> = BTreeMap::new();
    for game in &played.games {
        let round = game.header("Round").and_then(|round| round.parse().ok());
        let fen = game.header("FEN").expect("a start position");
        rounds.entry(round.expect("a round")).or_default().push(fen);
    }
    rounds
}

fn assert_played(name: &str, positions: usize) -> Played {
    let (played, words) = play(name, positions);
    let (rounds, games) = (number(&words, "-rounds"), number(&words, "-games"));
    played.assert_whole(rounds * games);
    for (round, openings) in openings(&played) {
        assert_eq!(openings.len() as u64, games, "{name}, round {round}");
        assert!(
            openings.iter().all(|fen| *fen == openings[0]),
            "{name}, round {round}"
        );
    }
    for game in &played.games {
        let played = game.moves.iter().filter(|(_, comment)| comment != "book");
        for (san, comment) in played {
            assert!(
                verbose_comment(comment).is_some() || comment.is_empty(),
                "{name}: {san} {{{comment}}}"
            );
        }
    }
    let told_of = |line: &&str| !EXPECTED.iter().any(|word| line.contains(word));
    let unexpected: Vec<&str> = played.stderr.lines().filter(told_of).collect();
    assert_eq!(unexpected, Vec::<&str>::new(), "{name}");
    played
}

#[test]
fn tests_at_fixed_nodes() {
    assert_played("test, fixed nodes", 40);
    assert_played("test, small book", 3);
}

#[test]
fn tunes_of_one_vector_and_of_several() {
    let played = assert_played("SPSA, single, all parameters", 20);
    // The scripted engine has none of them; a tune of an engine that lacks one must not stand still
    // in silence.
    assert!(
        played.stderr.contains("has no option `RfpMaxDepth`"),
        "{}",
        played.stderr
    );
    assert_played("SPSA, multiple", 20);
}

#[test]
fn datagen_wraps_round_a_small_book_and_alternates_sides() {
    let played = assert_played("datagen, no book, no reverses", 32);
    for (game, line) in played
        .results
        .told
        .keys()
        .zip(sorted(&played.results.lines))
    {
        let white = if game % 2 == 1 {
            "(Whetstone-dev vs"
        } else {
            "(Whetstone-base vs"
        };
        assert!(line.contains(white), "{line}");
    }
    let rounds = openings(&played);
    let first = rounds[&1][0].rsplit(' ').next();
    assert_eq!(first, Some("17"), "the start is the seventeenth position");

    let played = assert_played("datagen, book and reverses, depth", 8);
    let rounds = openings(&played);
    assert_eq!(rounds[&1], rounds[&9]);
    assert_ne!(rounds[&1], rounds[&2]);
}

fn sorted(lines: &[String]) -> Vec<&String> {
    let number = |line: &&String| -> u64 {
        let word = line.split(' ').nth(2).expect("a number");
        word.parse().expect("a number")
    };
    let mut lines: Vec<&String> = lines.iter().collect();
    lines.sort_by_key(number);
    lines
}

#[test]
fn clocks_of_every_kind() {
    let played = assert_played("clock", 60);
    assert_eq!(played.games[0].header("TimeControl"), Some("6.8+0.07"));
    let played = assert_played("moves and clock against time a move, two engines", 60);
    let controls = |game: &super::WrittenGame| {
        let control = |color| game.header(color).map(str::to_owned);
        [control("WhiteTimeControl"), control("BlackTimeControl")]
    };
    let mut both = controls(&played.games[0]).map(Option::unwrap_or_default);
    both.sort();
    assert_eq!(both, ["0.09/move", "40/8.5+0.09"]);
}

#[test]
fn tables_and_fischer_random() {
    assert_played("Syzygy", 60);
    let played = assert_played("Fischer random, PGN book", 60);
    assert_eq!(played.games[0].header("Variant"), Some("Chess960"));
    assert_eq!(played.games[0].moves[0].1, "book");
}
