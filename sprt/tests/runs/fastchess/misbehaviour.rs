//! Whatever an engine does, what the worker reads stays well formed and whole.

use std::fs;

use super::worker::verbose_comment;
use super::{Place, Played};

/// What dev does at its second move: lines in place of its own, `|` between them, `$best` for its
/// move, and `!` words for deeds that are no lines. Beside it what the worker counts of two games:
/// crashes, time losses, illegal moves.
const MISBEHAVIOUR: [(&str, [u32; 3]); 52] = [
    // Ends.
    ("!crash", [2, 0, 0]),
    ("!move-then-exit", [2, 0, 0]),
    ("!half-a-line", [2, 0, 0]),
    ("!abort", [2, 0, 0]),
    ("!close-stdout", [2, 0, 0]),
    // Silences.
    ("!stall", [2, 0, 0]),
    ("!chatter", [2, 0, 0]),
    ("!wait-for-stop", [2, 0, 0]),
    ("nothing at all", [2, 0, 0]),
    ("bestmovement $best", [2, 0, 0]),
    ("info string bestmove $best", [2, 0, 0]),
    ("readyok", [2, 0, 0]),
    // Moves that are none.
    ("bestmove", [0, 0, 2]),
    ("bestmove ", [0, 0, 2]),
    ("bestmove (none)", [0, 0, 2]),
    ("bestmove 0000", [0, 0, 2]),
    ("bestmove a1a1", [0, 0, 2]),
    ("bestmove e9e1", [0, 0, 2]),
    ("bestmove E2E4", [0, 0, 2]),
    ("bestmove null", [0, 0, 2]),
    ("bestmove resign", [0, 0, 2]),
    ("bestmove 1-0", [0, 0, 2]),
    ("bestmove 1/2-1/2", [0, 0, 2]),
    ("bestmove *", [0, 0, 2]),
    ("bestmove }", [0, 0, 2]),
    ("bestmove {}", [0, 0, 2]),
    ("bestmove [Result", [0, 0, 2]),
    ("bestmove %eval", [0, 0, 2]),
    ("bestmove ;", [0, 0, 2]),
    ("bestmove a:b:on-time:disconnect", [0, 0, 2]),
    ("bestmove caf\u{e9}\u{2654}", [0, 0, 2]),
    ("bestmove \u{1b}[31mred", [0, 0, 2]),
    ("bestmove $bestq", [0, 0, 2]),
    // Words that a reader of games could stumble over, and a good move.
    ("info string pgncomment 1-0|bestmove $best", [0, 0, 0]),
    ("info string pgncomment *|bestmove $best", [0, 0, 0]),
    (
        "info string pgncomment 1/2-1/2 0-1|bestmove $best",
        [0, 0, 0],
    ),
    ("info string pgncomment } { }|bestmove $best", [0, 0, 0]),
    (
        "info string pgncomment \"quoted\"|bestmove $best",
        [0, 0, 0],
    ),
    ("info string pgncomment caf\u{e9}|bestmove $best", [0, 0, 0]),
    (
        "info string pgncomment \u{7}\u{1b}[2J|bestmove $best",
        [0, 0, 0],
    ),
    (
        "info string pgncomment Finished game 9 (a vs b): 1-0|bestmove $best",
        [0, 0, 0],
    ),
    (
        "info string Finished game 1 (a vs b): 1-0 {x}|bestmove $best",
        [0, 0, 0],
    ),
    ("||bestmove $best", [0, 0, 0]),
    ("info depth x score cp y nodes z|bestmove $best", [0, 0, 0]),
    (
        "info depth 1 score mate 0 pv a1a1|bestmove $best",
        [0, 0, 0],
    ),
    (
        "info depth 99999999999 score cp 99999999999 nodes -1|bestmove $best",
        [0, 0, 0],
    ),
    (
        "info score cp 1 lowerbound|bestmove $best ponder",
        [0, 0, 0],
    ),
    ("bestmove $best|bestmove $best", [0, 0, 0]),
    ("bestmove $best|info depth 1 score cp 5|readyok", [0, 0, 0]),
    ("  bestmove   $best   ponder   e9e9", [0, 0, 0]),
    ("!noise", [0, 0, 0]),
    ("!crlf", [0, 0, 0]),
];

fn play(misbehaviour: &str, patience_ms: &str) -> Played {
    let place = Place::worker();
    let script = match misbehaviour.strip_prefix('!') {
        Some(script) => format!("option.Script={script}@2"),
        None => format!("option.Script=say:{misbehaviour}@2"),
    };
    let more = ["-ping-ms", patience_ms, "-startup-ms", "30000"];
    let mut command = place.short_match(1, &[&script], &[], &more);
    let output = command.output().expect("the runner starts");
    assert_eq!(
        output.status.code(),
        Some(0),
        "{misbehaviour}: {}",
        crate::support::text(&output.stderr)
    );
    place.read(&output, "PGNs/games.pgn")
}

#[test]
fn no_misbehaviour_breaks_what_the_worker_reads() {
    let work = std::sync::Mutex::new(MISBEHAVIOUR.iter());
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                loop {
                    let next = work.lock().expect("no panic").next();
                    let Some((misbehaviour, faults)) = next else {
                        return;
                    };
                    // A silent engine is waited for; one that works must not run out of time on a
                    // busy machine.
                    let patience_ms = if faults[0] > 0 { "4000" } else { "60000" };
                    let played = play(misbehaviour, patience_ms);
                    played.assert_whole(2);
                    let results = &played.results;
                    let counted = [results.crashes, results.timelosses, results.illegals];
                    assert_eq!(counted, *faults, "{misbehaviour}: {:?}", results.lines);
                    assert_eq!(results.pentanomial.iter().sum::<u32>(), 1, "{misbehaviour}");
                    if faults.iter().sum::<u32>() > 0 {
                        assert_eq!(
                            results.trinomial,
                            [2, 0, 0],
                            "{misbehaviour}: {:?}",
                            results.lines
                        );
                        assert!(
                            played.stderr.contains("X-dev"),
                            "{misbehaviour}: {}",
                            played.stderr
                        );
                    }
                }
            });
        }
    });
}

#[test]
fn a_late_move_is_a_time_loss() {
    let place = Place::worker();
    let options = [
        "option.Script=wait-for-stop@2",
        "tc=2+0.01",
        "timemargin=50",
    ];
    let mut command = place.short_match(1, &options, &[], &[]);
    let output = command.output().expect("the runner starts");
    let played = place.read(&output, "PGNs/games.pgn");
    played.assert_whole(2);
    assert_eq!(played.results.timelosses, 2, "{:?}", played.results.lines);
    for game in &played.games {
        assert_eq!(game.header("Termination"), Some("time forfeit"));
    }
}

#[test]
fn what_an_engine_says_for_trainers_stands_beside_its_move() {
    let played = play(
        "info string pgncomment wdl 1 2 3|info depth 3 seldepth 4 score cp -7 nodes 12|bestmove $best",
        "60000",
    );
    let comments: Vec<String> = played
        .games
        .iter()
        .flat_map(|game| &game.moves)
        .filter_map(|(_, comment)| verbose_comment(comment))
        .filter(|comment| comment.contains("line="))
        .collect();
    assert_eq!(comments.len(), 2, "{comments:?}");
    for comment in comments {
        assert!(comment.starts_with("-0.07/3 "), "{comment}");
        assert!(
            comment.ends_with("s, n=12, sd=4, line=wdl 1 2 3"),
            "{comment}"
        );
    }
}

#[test]
fn each_side_is_told_its_own_limit_and_the_clocks_that_run() {
    for (dev, base, dev_go, base_go) in [
        ("depth=3", "nodes=1", "go depth 3", "go nodes 1"),
        ("tc=9+0.5", "st=5", "time", "go movetime 5000"),
        ("tc=40/9+0.5", "tc=8", "movestogo", "btime"),
    ] {
        let place = Place::worker();
        let logs = ["dev.log", "base.log"].map(|name| place.path(name));
        let options = logs
            .each_ref()
            .map(|log| format!("option.Log={}", log.display()));
        let mut command = place.short_match(1, &[&options[0], dev], &[&options[1], base], &[]);
        let output = command.output().expect("the runner starts");
        place.read(&output, "PGNs/games.pgn").assert_whole(2);
        for (log, word) in logs.iter().zip([dev_go, base_go]) {
            let said = fs::read_to_string(log).expect("a log");
            assert!(
                said.lines().all(|line| line.contains(word)),
                "{dev} {base}: {said}"
            );
        }
        let said = fs::read_to_string(&logs[0]).expect("a log");
        let both_clocks = said.contains("wtime") && said.contains("btime");
        let in_one_line = said
            .lines()
            .all(|line| line.contains("wtime") && line.contains("btime"));
        match base {
            // The other side has no clock.
            "st=5" => assert!(both_clocks && !in_one_line, "{said}"),
            "tc=8" => assert!(in_one_line && said.contains("winc 0 binc 500"), "{said}"),
            _ => assert!(!both_clocks, "{said}"),
        }
    }
}
