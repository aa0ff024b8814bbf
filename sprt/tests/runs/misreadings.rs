//! What a user reads when an engine's answer was not understood: the line that came, the likely
//! cause, and what is expected.

use crate::support::{Place, text};

/// What is said on stderr of a match of two games in which `new` is spoiled.
fn said(place: &Place, new: &str, more: &[&str]) -> String {
    let output = place
        .sprt(["run", &place.engine("base"), new])
        .args(["--nodes", "1", "--seed", "7", "--games", "2"])
        .args(["--concurrency", "1", "--move-timeout", "1"])
        .args(more)
        .output()
        .expect("sprt runs");
    text(&output.stderr)
}

#[test]
fn a_move_that_was_misread_is_shown_with_the_likely_cause() {
    let place = Place::new();
    let engine = place.engine("new");
    for (script, words) in [
        (
            "say:bestmove: $best",
            "`bestmove: ",
            "expected `bestmove`, a blank and the move",
        ),
        (
            "say:bestmove$best",
            "`bestmove",
            "expected `bestmove`, a blank and the move",
        ),
        ("say:BESTMOVE $best", "`BESTMOVE ", "UCI is in lower case"),
        (
            "say:move $best",
            "`move ",
            "this is how xboard engines answer",
        ),
        (
            "say:b\u{435}stmove $best",
            "`b\\u{435}stmove",
            "is not an ASCII letter",
        ),
        (
            "say:\u{feff}bestmove $best",
            "`\\u{feff}bestmove",
            "byte order mark",
        ),
        ("say:bestmove$zeros", "`bestmove\\u{0}", "NUL"),
        ("say:bestmove $BEST", "", "moves are written in lower case"),
        (
            "say:bestmove (none)",
            "(none)",
            "the engine takes the game for over",
        ),
        ("say:bestmove Nf3", "Nf3", "this is algebraic notation"),
        ("half-a-line-and-stall", "`bestmove ", "it has no line end"),
    ]
    .map(|(script, shown, cause)| (script, [shown, cause]))
    {
        let option = format!("Script={script}@2");
        let said = said(&place, &engine, &["--new-option", &option]);
        for words in words {
            assert!(
                said.contains(words),
                "{script}: expected `{words}` in: {said}"
            );
        }
    }
}

#[test]
fn what_came_instead_of_a_move_is_shown_under_a_clock_too() {
    let place = Place::new();
    let engine = place.engine("new");
    let option = "Script=say:bestmove: $best@2";
    let said = said(&place, &engine, &["--new-option", option, "--new-tc", "1"]);
    for words in [
        "loses on time",
        " ms over; no answer",
        "`bestmove: ",
        "a blank and the move",
    ] {
        assert!(said.contains(words), "expected `{words}` in: {said}");
    }
}

#[test]
fn an_introduction_that_was_misread_is_shown_with_the_likely_cause() {
    let place = Place::new();
    for (answer, shown, cause) in [
        (
            "uciok and more\\n",
            "`uciok and more`",
            "expected `uciok` alone on its line",
        ),
        ("UCIOK\\n", "`UCIOK`", "UCI is in lower case"),
        (
            "\\357\\273\\277uciok\\n",
            "`\\u{feff}uciok`",
            "byte order mark",
        ),
        ("uciok\\000\\n", "`uciok\\u{0}`", "NUL"),
        ("uciok", "`uciok`", "it has no line end"),
    ] {
        let new = place.script("new", &format!("read -r line; printf '{answer}'; sleep 60"));
        let said = said(&place, &new, &["--startup-timeout", "3"]);
        for words in ["no `uciok` within 3s", shown, cause] {
            assert!(
                said.contains(words),
                "{answer}: expected `{words}` in: {said}"
            );
        }
    }
}

#[test]
fn the_checks_of_an_engine_have_the_same_hints() {
    let place = Place::new();
    let engine = place.engine("engine");
    for (script, cause) in [
        ("say:BESTMOVE $best", "UCI is in lower case"),
        ("say:bestmove $BEST", "moves are written in lower case"),
        ("say:bestmove e1h1", "is no legal move"),
    ] {
        let option = format!("Script={script}@all");
        let output = place
            .sprt([
                "check",
                &engine,
                "--step",
                "position-startpos",
                "--timeout",
                "1",
            ])
            .args(["--option", &option])
            .output()
            .expect("sprt runs");
        let said = text(&output.stdout);
        assert!(said.contains(cause), "{script}: {said}");
    }
}

#[test]
fn castling_as_king_takes_rook_is_explained() {
    let place = Place::new();
    // White can castle on its first move, and does so in the wrong words.
    std::fs::write(
        place.path("castle.epd"),
        "r3k2r/pppq1ppp/8/8/8/8/PPPQ1PPP/R3K2R w KQkq - 0 1\n",
    )
    .expect("a book");
    let book = place.path("castle.epd").display().to_string();
    let arguments = [
        "--new-option",
        "Script=say:bestmove e1h1@2",
        "--book",
        &book,
    ];
    let said = said(&place, &place.engine("new"), &arguments);
    assert!(
        said.contains("castling is written `e1g1`; as king takes rook only with UCI_Chess960"),
        "{said}"
    );
}

#[test]
fn the_least_hash_of_an_engine_is_taken_where_it_is_more_than_usual() {
    let place = Place::new();
    let new = place.script(
        "new",
        &format!(
            "{} | sed -u 's/Hash type spin default [0-9]* min [0-9]*/Hash type spin default 64 min 32/'",
            place.engine("inner")
        ),
    );
    let said = said(&place, &new, &["--out", "run"]);
    assert!(
        said.contains("`new` takes no less than 32 MiB of hash"),
        "{said}"
    );
    let plan = std::fs::read_to_string(place.path("run").join("plan.json")).expect("a plan");
    assert!(plan.contains("\"32\"") && plan.contains("\"16\""), "{plan}");
}

#[test]
fn hash_for_an_engine_that_has_none_is_not_in_its_plan() {
    let place = Place::new();
    let inner = place.engine("inner");
    let new = place.script("new", &format!("{inner} | sed -u '/option name Hash/d'"));
    let said = said(&place, &new, &["--out", "run", "--hash", "64"]);
    let words = "`new` has no option Hash, and plays without Hash=64";
    assert_eq!(said.matches("has no option").count(), 1, "{said}");
    assert!(said.contains(words), "{said}");
    let plan = std::fs::read_to_string(place.path("run").join("plan.json")).expect("a plan");
    assert_eq!(plan.matches("\"64\"").count(), 1, "{plan}");
}

#[test]
fn numbers_options_and_commands_are_understood_or_explained() {
    let place = Place::new();
    let engine = place.engine("good");
    let run = |arguments: &[&str]| {
        let output = place.output(arguments);
        (
            output.status.code(),
            text(&output.stdout),
            text(&output.stderr),
        )
    };
    let match_of = |more: &[&str]| run(&[&["run", &engine, &engine], more].concat());
    let (code, plan, said) = match_of(&["--nodes", "20k", "--games", "1k", "--dry-run"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(
        plan.contains("\"nodes\": 20000") && plan.contains("\"max_pairs\": 500"),
        "{plan}"
    );
    for (flags, words) in [
        (
            ["--nodes", "-5"],
            "error: --nodes -5: expected a whole number from 0, such as",
        ),
        (
            ["--nodes", "1e6"],
            "error: --nodes 1e6: expected a whole number",
        ),
        (
            ["--seed", "-1"],
            "error: --seed -1: expected a whole number",
        ),
        (["--option", "hahs=1"], "did you mean `Hash`?"),
        (["--new-option", "tread=1"], "did you mean `Threads`?"),
    ] {
        let (code, _, said) = match_of(&flags);
        assert_eq!(code, Some(2), "{said}");
        assert!(
            said.contains(words) && said.contains("hint:"),
            "{flags:?}: {said}"
        );
    }
    let (code, _, said) = run(&["rnu", &engine, &engine]);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("did you mean `run`?"), "{said}");
}
