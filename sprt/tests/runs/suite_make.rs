//! `sprt suite make`, with a judge that knows one trap.

use std::fs;
use std::process::Output;

use crate::support::{Place, json, text};

/// Black walks into the mate of the second game; the first has no mistake.
const GAMES: &str = "[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n\n\
    [White \"A\"]\n[Black \"B\"]\n\n1. e4 {book} e5 {book} 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n";

/// Sees the mate in one, and the move that prevents it; for two moves it has to be asked.
const JUDGE: &str = "two=
while read -r line; do case $line in
  uci) echo 'option name MultiPV type spin default 1 min 1 max 9'; echo uciok;;
  isready) echo readyok;; quit) exit;;
  *'MultiPV value 2') two=yes;;
  position*startpos) best=e2e4 score='cp 0' second='cp 0';;
  position*'2B1P3/8/PPPP1PPP/RNB1K1NR b'*) best=g7g6 score='cp 0' second='mate -1' ;;
  position*'2B1P3/8/PPPP1PPP/RNB1K1NR w'*) best=h5f7 score='mate 1' second='cp 50';;
  position*) best=0000 score='cp 0' second='cp 0';;
  go*) echo \"info depth 9 multipv 1 score $score nodes 9 pv $best\"
       [ \"$two\" ] && echo \"info depth 9 multipv 2 score $second nodes 9 pv a2a3\"
       echo \"bestmove $best\";;
esac; done";

fn make(place: &Place, more: &[&str]) -> Output {
    fs::write(place.path("games.pgn"), GAMES).expect("written");
    let judge = place.script("judge", JUDGE);
    let mut command = place.sprt(["suite", "make", "games.pgn", "--judge", &judge]);
    command.args(more).output().expect("sprt runs")
}

const SUITE: &str = "\
r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - bm g6; id \"opening, defence.001\"; c1 \"game 2: 50% against 0%\";
r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - bm Qxf7#; id \"opening, mate.001\"; c1 \"game 2: 100% against 55%\";
";

#[test]
fn positions_before_and_after_a_mistake_become_a_suite_that_can_be_searched() {
    let place = Place::new();
    let printed = make(&place, &[]);
    let said = text(&printed.stderr);
    assert_eq!(printed.status.code(), Some(0), "{said}");
    assert_eq!(text(&printed.stdout), SUITE);
    assert!(
        said.contains("2 puzzles of 2 positions before and after mistakes"),
        "{said}"
    );

    let written = make(&place, &["--epd", "made.epd"]);
    assert_eq!(
        fs::read_to_string(place.path("made.epd")).expect("a suite"),
        SUITE
    );
    assert!(
        text(&written.stdout).contains("opening, mate"),
        "{}",
        text(&written.stdout)
    );
    let judge = place.script("judge", JUDGE);
    let solved = place.output(["suite", &judge, "--suite", "made.epd", "--strict", "--json"]);
    assert_eq!(
        json(&solved)["engines"][0]["all"]["solved"],
        2,
        "{}",
        text(&solved.stderr)
    );
}

#[test]
fn a_suite_that_was_cut_short_in_the_making_continues_and_ends_the_same() {
    let place = Place::new();
    let whole = make(&place, &["--out", "run"]);
    assert_eq!(whole.status.code(), Some(0), "{}", text(&whole.stderr));
    for (journal, left) in [
        ("run/verifications.jsonl", 3),
        ("run/blunders/judgements.jsonl", 2),
    ] {
        let path = place.path(journal);
        let lines = fs::read_to_string(&path).expect("a journal");
        assert!(lines.lines().count() > left, "{lines}");
        let cut: Vec<&str> = lines.lines().take(left).collect();
        fs::write(&path, cut.join("\n") + "\n{\"fen\":").expect("written");
        let shown = place.output(["show", "run"]);
        assert_eq!(shown.status.code(), Some(4), "{}", text(&shown.stderr));
        let resumed = place.output(["resume", "run"]);
        assert_eq!(resumed.status.code(), Some(0), "{}", text(&resumed.stderr));
        assert_eq!(text(&resumed.stdout), SUITE);
    }
    make(&place, &["--out", "planned", "--epd", "planned.epd"]);
    fs::remove_file(place.path("planned.epd")).expect("removed");
    for (arguments, file) in [
        (&["resume", "planned"][..], "planned.epd"),
        (&["resume", "run", "--epd", "other.epd"], "other.epd"),
    ] {
        let written = place.output(arguments);
        assert_eq!(written.status.code(), Some(0), "{}", text(&written.stderr));
        let suite = fs::read_to_string(place.path(file)).expect("a suite");
        assert_eq!(suite.trim_end(), SUITE.trim_end());
    }
    let shown = place.output(["show", "run"]);
    assert_eq!(
        (shown.status.code(), text(&shown.stdout)),
        (Some(0), SUITE.to_owned())
    );
}

#[test]
fn games_without_mistakes_make_no_suite() {
    let place = Place::new();
    let output = make(&place, &["--loss", "60"]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    assert_eq!(text(&output.stdout).trim(), "");
    let wide = make(&place, &["--gap", "48"]);
    assert_eq!(
        text(&wide.stdout).lines().count(),
        1,
        "{}",
        text(&wide.stdout)
    );
    assert!(
        text(&wide.stderr).contains("1 have no clearly best move"),
        "{}",
        text(&wide.stderr)
    );
}

#[test]
fn what_cannot_be_made_is_refused_before_work_begins() {
    let place = Place::new();
    for (more, words) in [
        (&["--loss", "0"][..], "--loss 0"),
        (&["--gap", "100"], "--gap 100"),
        (&["--nodes", "50", "--again", "50"], "--again 50"),
        (&["--player", "nobody"], "no move to judge"),
        (&["--option", "Nothing=1"], "Nothing"),
    ] {
        let output = make(&place, &[more, &["--out", "none"]].concat());
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(words), "{words}: {said}");
        assert!(!place.path("none").exists());
    }
    let simple = place.script(
        "simple",
        &JUDGE.replace("option name MultiPV", "option name Other"),
    );
    let output = place.output([
        "suite",
        "make",
        "games.pgn",
        "--judge",
        &simple,
        "--out",
        "none",
    ]);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(
        said.contains("MultiPV") && !place.path("none").exists(),
        "{said}"
    );
}

#[test]
fn made_suites_are_listed() {
    let place = Place::new();
    make(&place, &[]);
    let list = json(&place.output(["list", "--json"]));
    let made = &list["made_suites"][0];
    assert_eq!(
        (&made["positions"], &made["complete"], &made["state"]),
        (&2.into(), &true.into(), &"finished".into())
    );
    assert_eq!(list["unreadable"].as_array().map(Vec::len), Some(0));
}

#[test]
fn a_suite_that_is_made_refuses_flags_that_it_does_not_have() {
    let place = Place::new();
    let output = make(&place, &["--out", "run"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let refused: &[&[&str]] = &[
        &["resume", "run", "--pgn", "file"],
        &["resume", "run", "--log", "file"],
        &["resume", "run", "--events", "file"],
        &["show", "run", "--format", "markdown"],
        &["resume", "run", "--json"],
        &["show", "run", "--json"],
    ];
    place.refuses("a suite that is being made", refused);
}
