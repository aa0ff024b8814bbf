//! Files of Leiserchess's autotester, and the faults of the old one that this one must not have.

use crate::leiserchess::SAMPLE;
use crate::support::{Place, json, text};

/// An engine that plays the sample game with either colour and runs `extra` before each answer, when
/// `$n` is the number of plies so far.
fn player(place: &Place, name: &str, extra: &str) {
    let script = r#"n=0
while read -r line; do
    set -- $line
    case "$line" in
    uci)
        echo "id name Sample"
        echo "option name mobility type spin value 800 default 800 min 0 max 10000"
        echo uciok ;;
    isready) echo readyok ;;
    *moves*) n=$(($# - 3)) ;;
    position*) n=0 ;;
    go*)
        set -- GAME
        shift $n
        EXTRA
        echo "info depth 1 move_no 1 time (microsec) 5 nodes +inf nps +inf"
        echo "info score cp 0 pv $1"
        echo "bestmove $1" ;;
    quit) exit ;;
    *) echo "Illegal command.  Use 'help' to see possible options." ;;
    esac
done"#;
    let script = script.replace("GAME", SAMPLE).replace("EXTRA", extra);
    place.script(name, &script);
}

/// As the lecture prints it.
const LECTURE: &str = "cpus = 12
book = ../tests/book.dta
game_rounds = 500
title = basic

# now we have the player definitions
# --

player = reference
invoke = ../player/leiserchess
fis = 20 0.5

player = with_change
invoke = ../player/leiserchess_with_change
fis = 20 0.5
";

/// The result of so many games, with an exit code.
fn autotest(
    place: &Place,
    config: &str,
    extra: [&str; 2],
    (games, code): (&str, i32),
) -> serde_json::Value {
    for folder in ["tests", "player"] {
        std::fs::create_dir_all(place.path(folder)).expect("a folder");
    }
    player(place, "player/leiserchess", extra[0]);
    player(place, "player/leiserchess_with_change", extra[1]);
    // All of the game but its last two moves.
    let moves: Vec<&str> = SAMPLE.split_whitespace().collect();
    let book = moves[..moves.len() - 2].join(" ");
    std::fs::write(place.path("tests/book.dta"), book + "\n").expect("a book");
    std::fs::write(place.path("tests/basic.txt"), config).expect("a configuration");
    let arguments = [
        "tournament",
        "tests/basic.txt",
        "--games",
        games,
        "--json",
        "--out",
        "run",
    ];
    let output = place.output(arguments);
    assert_eq!(output.status.code(), Some(code), "{}", text(&output.stderr));
    json(&output)
}

#[test]
fn the_configuration_of_the_lecture_is_played_as_it_is_printed() {
    let place = Place::new();
    let result = autotest(&place, LECTURE, ["", ""], ("4", 0));
    assert_eq!(
        (&result["title"], &result["games"]),
        (&"basic".into(), &4.into())
    );
    let plan = std::fs::read(place.path("run/plan.json")).expect("a plan");
    let plan: serde_json::Value = serde_json::from_slice(&plan).expect("JSON");
    assert_eq!(plan["variant"], "leiserchess-staff");
    assert_eq!(plan["concurrency"], 12);
    assert_eq!(plan["adjudication"]["max_moves"], 400);
    let record = std::fs::read_to_string(place.path("run/games.pgn")).expect("a record");
    assert_eq!(record.matches("Black zaps the King").count(), 4, "{record}");
}

#[test]
fn games_are_counted_in_all_and_not_for_each_pairing() {
    let place = Place::new();
    let config = LECTURE.replace("game_rounds = 500", "game_rounds = 4")
        + "\nplayer = third\ninvoke = ../player/leiserchess\ndepth = 2\nmobility = 3\n";
    let result = autotest(&place, &config, ["", ""], ("4", 0));
    assert_eq!(result["games"], 4);
}

/// The old tester did not notice that a clock had run out before the next move, or not at all.
#[test]
fn a_king_zapped_after_the_flag_has_fallen_does_not_count() {
    let place = Place::new();
    // The last move of the game, which zaps the king, is Black's.
    let level = LECTURE.rfind("fis = 20 0.5").expect("a level");
    let config = format!("{}fis = 2 0\n", &LECTURE[..level]);
    // It answers `stop` when its time is up.
    let late = "[ $n = 99 ] && read -r line";
    let result = autotest(&place, &config, ["", late], ("2", 3));
    let record = std::fs::read_to_string(place.path("run/games.pgn")).expect("a record");
    assert_eq!(record.matches("Black zaps the King").count(), 1, "{record}");
    assert_eq!(record.matches("[Result \"1-0\"]").count(), 1, "{record}");
    assert_eq!(result["games"], 2);
}

/// The old tester never read what its bots said on stderr, and waited with them.
#[test]
fn a_player_that_talks_on_stderr_plays_on() {
    let place = Place::new();
    let chatty = "head -c 20000 /dev/zero >&2";
    let result = autotest(&place, LECTURE, [chatty, chatty], ("2", 0));
    assert_eq!(result["games"], 2);
}

/// The old tester waited for a bot that hung, and played on with the sides out of step where the
/// clock of one had run out.
#[test]
fn a_player_that_hangs_loses_and_the_next_game_is_played() {
    let place = Place::new();
    let level = LECTURE.rfind("fis = 20 0.5").expect("a level");
    let config = format!("{}fis = 1 0\n", &LECTURE[..level]);
    let hangs = "[ $n -ge 98 ] && exec sleep 60";
    let result = autotest(&place, &config, ["", hangs], ("4", 3));
    assert_eq!(result["games"], 4);
    let record = std::fs::read_to_string(place.path("run/games.pgn")).expect("a record");
    let lost = record.matches("connection stalls").count();
    assert_eq!(lost, 4, "{record}");
    assert_eq!(record.matches("[Result \"0-1\"]").count(), 2, "{record}");
    assert_eq!(result["engines"][1]["losses"], 4, "{result}");
}

/// The old tester ended with a trace of its stack.
#[test]
fn a_player_that_does_not_start_is_named_before_the_first_game() {
    let place = Place::new();
    let config = LECTURE.replace("leiserchess_with_change", "crashing");
    std::fs::create_dir_all(place.path("player")).expect("a folder");
    place.script("player/crashing", "exit 1");
    player(&place, "player/leiserchess", "");
    std::fs::create_dir_all(place.path("tests")).expect("a folder");
    std::fs::write(place.path("tests/book.dta"), "g4g5 e6e7\n").expect("a book");
    std::fs::write(place.path("tests/basic.txt"), config).expect("a configuration");
    let arguments = ["tournament", "tests/basic.txt", "--out", "run"];
    let output = place.output(arguments);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(
        said.contains("basic.txt`, line 13: `with_change`"),
        "{said}"
    );
    assert!(!place.path("run").exists());
}
