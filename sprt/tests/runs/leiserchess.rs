//! Leiserchess, played by two engines that know one game: how it is judged, recorded and refused.

use crate::support::{Place, json, text};

/// The sample game of the rules, which Lavender wins.
pub const SAMPLE: &str = "\
    g4g5 e6e7 g5g4 e7e6 g4L b3L g4h5 b4R f3e4 d5e4f5 f2e3 f5g5 \
    h5g6 g5h4 h0g0 c4R e3e4 b3b2 g0f0 d6d7 d5c5b5 h4g3f2 e2f2g2 c4b3 \
    e4d5R d7L d5e6e7 b2b1 e1d0 e4d3 b5c4 d5c4c3 d5R e2f3 g2g3 f3g3g2 \
    f3e4 d7L e4d3c4 a7b7 c4b5 e4d5d6 h4g5 g2f3 e4f3e2 e4f3 e2f3g3 b7a7 \
    b5a4 b4a4b5 b4b5a6 d7e7f6 g5f6e5 a7L g6g5f5 d6d7L f0e1 d7c7 e1e0 b4c3 \
    f5g6f6 b3c2 f6f5 c2d1c0 c2b2 b1a1 d0c0R a1b2c1 e5e6 c3c2 a1b1 c1L \
    b1R d0R e0L c1b2 b1b2c1 b1a1 c1b2 a1b2a3 e6U a3R e6d5 a7R \
    f5e6 c2U a1b1 c7U e0f0 c2d2 b1c1 c7b7 d5L d2e3 f0g1 e3f3 \
    g1h1 f3g3 e6f5 g3h3";

/// An engine that plays `game`, whatever it is asked, with either colour.
fn engine(place: &Place, name: &str, game: &str) -> String {
    let script = r#"n=0
while read -r line; do
    set -- $line
    case "$line" in
    uci) echo "id name Sample"; echo uciok ;;
    isready) echo readyok ;;
    *moves*) n=$(($# - 3)) ;;
    position*) n=0 ;;
    go*)
        set -- GAME
        shift $n
        echo "info depth 1 score cp 0 nodes 5 pv $1"
        echo "bestmove $1" ;;
    quit) exit ;;
    esac
done"#;
    place.script(name, &script.replace("GAME", game))
}

fn run(place: &Place, engines: [&str; 2], book: &str) -> std::process::Output {
    std::fs::write(place.path("book.dta"), book).expect("a book");
    let settings = "--variant leiserchess --book book.dta --nodes 5 --games 4 --json --out run";
    let mut command = place.sprt(engines);
    command.args(settings.split(' '));
    command.output().expect("sprt runs")
}

#[test]
fn a_game_is_played_to_the_zap_of_a_king_and_recorded() {
    let place = Place::new();
    let engines = ["a", "b"].map(|name| engine(&place, name, SAMPLE));
    let output = run(
        &place,
        engines.each_ref().map(String::as_str),
        "g4g5 e6e7\n",
    );
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let result = json(&output);
    assert_eq!((&result["wins"], &result["losses"]), (&2.into(), &2.into()));
    let record = std::fs::read_to_string(place.path("run/games.pgn")).expect("a record");
    assert_eq!(record.matches("[Variant \"Leiserchess2018\"]").count(), 4);
    assert_eq!(record.matches("[Result \"0-1\"]").count(), 4);
    assert!(
        record.contains("1. g4g5 {book} e6e7 {book} 2. g5g4 {"),
        "{record}"
    );
    assert!(record.contains("Black zaps the King"), "{record}");
    assert!(!record.contains("[FEN "), "{record}");
}

#[test]
fn limits_of_nodes_are_refused_where_an_engine_ignores_them() {
    // As the course's player: a book, then searches of one ply, whatever is asked. It knows the
    // sample game only, so other lines end in an illegal move.
    let place = Place::new();
    let plain = engine(&place, "plain", SAMPLE);
    let script = std::fs::read_to_string(&plain).expect("a script");
    let script = script.replacen("#!/bin/sh\n", "", 1).replace(
        "info depth 1 score cp 0 nodes 5 pv $1",
        "info depth 1 move_no 1 time (microsec) 50 nodes $((n < 2 ? 0 : 250 + n)) nps 7\n\
         info score cp 3 pv $1",
    );
    let deaf = place.script("deaf", &script);
    let run = |limit: &str| {
        let settings = "--variant leiserchess --book book.dta --max-games 2 --out run";
        let mut command = place.sprt([&deaf, &deaf]);
        command.args(settings.split(' ')).args(limit.split(' '));
        command.output().expect("sprt runs")
    };
    std::fs::write(place.path("book.dta"), "g4g5 e6e7\n").expect("a book");
    let refused = run("--nodes 2000");
    let said = text(&refused.stderr);
    assert_eq!(refused.status.code(), Some(2), "{said}");
    assert!(
        said.contains("`deaf` ignores limits of nodes: it searched 252 for `go nodes 2000`")
            && said.contains("hint: choose another limit, such as --depth or --tc"),
        "{said}"
    );
    assert!(!place.path("run").exists());
    let played = run("--depth 1");
    assert_eq!(played.status.code(), Some(4), "{}", text(&played.stderr));
    // Depth and nodes are those of the line before the score's.
    let record = std::fs::read_to_string(place.path("run/games.pgn")).expect("a record");
    let record = record.replace('\n', " ");
    assert!(
        record.contains("+0.03/1 ") && record.contains("n=25"),
        "{record}"
    );
}

#[test]
fn a_move_that_ko_forbids_loses_the_game() {
    let place = Place::new();
    // White undoes the swap that Black has just made.
    let game = "f3e4 d5e4e5 d5e5e4";
    let engines = ["a", "b"].map(|name| engine(&place, name, game));
    let engines = engines.each_ref().map(String::as_str);
    let output = run(&place, engines, "f3e4\n");
    assert_eq!(output.status.code(), Some(3), "{}", text(&output.stderr));
    let result = json(&output);
    assert_eq!((&result["wins"], &result["losses"]), (&2.into(), &2.into()));
    assert_eq!(result["faults"]["base"]["illegal_moves"], 2, "{result}");
    let record = std::fs::read_to_string(place.path("run/games.pgn")).expect("a record");
    assert_eq!(record.matches("[Result \"0-1\"]").count(), 4);
}

#[test]
fn the_book_of_another_year_is_refused_before_the_first_game() {
    let place = Place::new();
    let engines = ["a", "b"].map(|name| engine(&place, name, SAMPLE));
    let engines = engines.each_ref().map(String::as_str);
    let output = run(&place, engines, "g4g5 e6e7\nh4g5 a3a2\n");
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
    let said = text(&output.stderr);
    assert!(
        said.contains("line 2") && said.contains("`h4g5`, is illegal"),
        "{said}"
    );
}

#[test]
fn statistics_are_made_of_its_records_in_both_forms_of_comments() {
    let place = Place::new();
    let engines = ["a", "b"].map(|name| engine(&place, name, SAMPLE));
    std::fs::write(place.path("book.dta"), "g4g5 e6e7\n").expect("a book");
    for form in ["full", "autotester"] {
        let settings = "--variant leiserchess --book book.dta --nodes 5 --games 4";
        let mut command = place.sprt(&engines);
        command.args(settings.split(' '));
        command.args(["--pgn-comments", form, "--out", form, "--pgn", "copy.pgn"]);
        let output = command.output().expect("sprt runs");
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        let output = place.sprt(["stats", form, "--json"]).output();
        let counted = json(&output.expect("sprt runs"));
        assert_eq!(
            (&counted["games"], &counted["broken"]),
            (&4.into(), &0.into())
        );
        let own = &counted["players"][0];
        assert_eq!(
            (&own["wins"], &own["losses"]),
            (&2.into(), &2.into()),
            "{own}"
        );
        assert_eq!(
            (&own["all"]["nodes"], &own["all"]["depth"]),
            (&5.0.into(), &1.0.into())
        );
        assert_eq!(
            own["all"]["moves"], 196,
            "two of 100 plies are out of the book"
        );
    }
    let record = std::fs::read_to_string(place.path("autotester/games.pgn")).expect("a record");
    assert!(
        record.contains("1. g4g5 {0 0 0} e6e7 {0 0 0} 2. g5g4 {"),
        "{record}"
    );
    assert!(record.contains(" 1 5} 0-1"), "{record}");
    // As the course's tester writes it: without a tag for the game.
    let bare = record.replace("[Variant \"Leiserchess2018\"]\n", "");
    std::fs::write(place.path("bare.pgn"), bare).expect("written");
    let named = [
        "stats",
        "bare.pgn",
        "--variant",
        "leiserchess-staff",
        "--json",
    ];
    let counted = json(&place.output(named));
    assert_eq!(
        (&counted["games"], &counted["broken"]),
        (&4.into(), &0.into())
    );
}

#[test]
fn a_suite_of_its_positions_is_searched() {
    let place = Place::new();
    let engine = engine(&place, "a", SAMPLE);
    let opening = "ss7/3nwse3/2nwse4/1nwse3NW1/1se3NWSE1/4NWSE2/3NWSE3/7NN W";
    let suite = format!(
        "{opening} bm g4g5; id \"right.1\";\n{opening} am g4g5; id \"wrong.1\";\n{opening} bm h0h0;\n"
    );
    std::fs::write(place.path("own.epd"), suite).expect("a suite");
    let output = place
        .sprt([
            "suite",
            &engine,
            "--suite",
            "own.epd",
            "--variant",
            "leiserchess",
        ])
        .args(["--nodes", "5", "--json", "--out", "run"])
        .output()
        .expect("sprt runs");
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(
        said.contains("line 3 is left out: the solution `h0h0` is illegal"),
        "{said}"
    );
    let result = json(&output);
    let position = &result["positions"][0];
    assert_eq!(position["answers"][0]["solved"], true, "{position}");
    assert_eq!(position["picture"]["pieces"]["h0"], "lwK0", "{position}");
}

#[test]
fn mistakes_in_its_games_are_judged_and_made_a_suite() {
    let place = Place::new();
    // It sees five pawns for whoever is to move and plays what comes first; so each move is a
    // mistake, and with a second line that is worse, each position has one best move.
    let script = r#"while read -r line; do
    case "$line" in
    uci) echo "id name Judge"; echo "option name MultiPV type spin default 1 min 1 max 9"; echo uciok ;;
    isready) echo readyok ;;
    position*) case "$line" in *" W"*|*startpos) best=h0L ;; *) best=a7L ;; esac ;;
    go*)
        echo "info depth 1 multipv 1 score cp 500 nodes 5 pv $best"
        echo "info depth 1 multipv 2 score cp 0 nodes 5 pv $best"
        echo "bestmove $best" ;;
    quit) exit ;;
    esac
done"#;
    let judge = place.script("judge", script);
    let game = "[White \"A\"]\n[Black \"B\"]\n[Result \"*\"]\n[Variant \"Leiserchess2018\"]\n\n\
        1. g4g5 {book} e6e7 {+0.31/12 0.084s, n=48213} 2. g5g4 {+0.31/12 0.084s, n=48213} *\n";
    std::fs::write(place.path("games.pgn"), game).expect("written");
    let judged = |command: &[&str]| {
        let mut line = place.sprt(command);
        line.args([
            "games.pgn",
            "--judge",
            &judge,
            "--nodes",
            "5",
            "--epd",
            "made.epd",
        ]);
        let output = line.output().expect("sprt runs");
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        std::fs::read_to_string(place.path("made.epd")).expect("a suite")
    };
    let wrong = judged(&["blunders"]);
    assert_eq!(wrong.lines().count(), 2, "{wrong}");
    assert!(wrong.contains(" B am e6e7; id \"B opening.1\""), "{wrong}");
    let made = judged(&["suite", "make"]);
    assert!(
        made.contains(" B bm a7L; id \"opening, quiet move.001\""),
        "{made}"
    );
    let arguments = [
        "suite",
        &judge,
        "--suite",
        "made.epd",
        "--variant",
        "leiserchess",
    ];
    let output = place.sprt(arguments).args(["--nodes", "5"]).output();
    let output = output.expect("sprt runs");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
}
