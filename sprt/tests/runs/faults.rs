//! What engines do wrong, and how the game ends: real processes, each misbehaviour once.

use std::os::unix::process::CommandExt;
use std::process::Stdio;

use crate::support::{Place, eventually, json, kill_group, processes_in, text};

const ONE_NODE: [&str; 2] = ["--nodes", "1"];

/// A short match in which the new engine misbehaves at its second move.
fn match_with(script: &str, limit: [&str; 2]) -> serde_json::Value {
    let place = Place::new();
    // An engine that does move may need long for it on a busy machine.
    let hangs = ["stall", "chatter", "wait-for-stop", "twice-and-stall"].contains(&script);
    let patience = if hangs { "2" } else { "20" };
    let script = format!("Script={script}@2");
    let arguments = [
        "--new-option",
        &script,
        "--max-games",
        "2",
        "--move-timeout",
        patience,
    ];
    let output = place
        .run("run", &arguments)
        .args(limit)
        .output()
        .expect("sprt runs");
    let journal: serde_json::Value =
        serde_json::from_str(place.journal("run").trim()).expect("one pair");
    let mut result = json(&output);
    result["games_played"] = journal["games"].clone();
    result
}

fn assert_spoiled(script: &str, limit: [&str; 2], count: &str, words: &str) {
    let result = match_with(script, limit);
    assert_eq!(result["losses"], 2, "{script}: {result}");
    assert_eq!(result["faults"]["new"][count], 2, "{script}: {result}");
    for (game, loser) in [(0, "White"), (1, "Black")] {
        let played = &result["games_played"][game];
        assert_eq!(
            played["text"],
            format!("{loser}{words}"),
            "{script}: {played}"
        );
    }
    let base = result["faults"]["base"].as_object().expect("counts");
    assert!(base.values().all(|count| count == 0), "{script}: {result}");
}

fn assert_no_faults(script: &str, result: &serde_json::Value) {
    assert_eq!(result["games"], 2);
    for side in ["base", "new"] {
        let counts = result["faults"][side].as_object().expect("counts");
        assert!(
            counts.values().all(|count| count == 0),
            "{script}: {result}"
        );
    }
}

#[test]
fn a_crash_is_lost_and_reported_with_the_last_words_on_stderr() {
    assert_spoiled("crash", ONE_NODE, "crashes", " disconnects");
    let detail = match_with("crash", ONE_NODE)["games_played"][0]["detail"].clone();
    let detail = detail.as_str().expect("a detail");
    assert!(
        detail.contains('7') && detail.contains("scripted: out of luck"),
        "{detail}"
    );
}

#[test]
fn illegal_moves_and_no_moves_are_lost() {
    for script in ["illegal", "none", "no-move"] {
        assert_spoiled(script, ONE_NODE, "illegal_moves", " makes an illegal move");
    }
}

#[test]
fn an_engine_that_is_silent_under_a_nodes_limit_stalls_and_does_not_hold_the_slot() {
    for script in ["stall", "chatter", "wait-for-stop"] {
        assert_spoiled(script, ONE_NODE, "stalls", "'s connection stalls");
    }
}

#[test]
fn who_is_late_under_a_clock_loses_on_time_with_the_amount_and_who_is_silent_has_stalled() {
    let clock = ["--new-tc", "1"];
    for script in ["wait-for-stop", "chatter"] {
        assert_spoiled(script, clock, "time_losses", " loses on time");
        let detail = match_with(script, clock)["games_played"][0]["detail"].clone();
        assert!(
            detail.as_str().is_some_and(|it| it.contains(" ms over")),
            "{script}: {detail}"
        );
    }
    // The second one hangs before it is asked for its next move.
    for script in ["stall", "twice-and-stall"] {
        assert_spoiled(script, clock, "stalls", "'s connection stalls");
    }
}

#[test]
fn a_second_bestmove_is_not_the_answer_to_the_next_question() {
    let result = match_with("twice", ONE_NODE);
    assert_no_faults("twice", &result);
}

#[test]
fn a_score_that_comes_after_its_search_does_not_count_for_the_next() {
    let place = Place::new();
    let output = place
        .run("run", &["--max-games", "2", "--resign-adj", "none"])
        .args(["--new-option", "Script=twice-and-more@all"])
        .args(ONE_NODE)
        .output()
        .expect("sprt runs");
    assert_no_faults("twice-and-more", &json(&output));
    let games = std::fs::read_to_string(place.path("run/games.pgn")).expect("games");
    assert!(!games.contains("-9.00"), "{games}");
}

#[test]
fn an_indented_bestmove_is_read_and_bestmovement_is_none() {
    let result = match_with("indented", ONE_NODE);
    assert_no_faults("indented", &result);
}

#[test]
fn a_move_of_a_hundred_kilobytes_is_cut() {
    let result = match_with("endless-word", ONE_NODE);
    assert_eq!(result["faults"]["new"]["illegal_moves"], 2, "{result}");
    let detail = result["games_played"][0]["detail"].as_str().map(str::len);
    assert!(detail.is_some_and(|length| length < 200), "{detail:?}");
}

#[test]
fn an_engine_that_ends_and_leaves_a_child_with_its_output_has_crashed() {
    assert_spoiled("leave-child", ONE_NODE, "crashes", " disconnects");
}

#[test]
fn children_in_sessions_of_their_own_are_gone_when_the_run_is() {
    for script in ["leave-child", "keep-child"] {
        let place = Place::new();
        let option = format!("Script={script}@2");
        let output = place
            .run("run", &["--new-option", &option, "--max-games", "2"])
            .args(ONE_NODE)
            .output()
            .expect("sprt runs");
        let code = output.status.code();
        assert!(matches!(code, Some(3 | 4)), "{}", text(&output.stderr));
        let left = processes_in(place.path("").as_path());
        assert!(left.is_empty(), "{script}: {left:?}");
    }
}

#[test]
fn children_in_sessions_of_their_own_die_with_a_runner_that_is_killed() {
    let place = Place::new();
    let mut child = place
        .run("run", &["--new-option", "Script=keep-child@1"])
        .args(["--base-option", "Script=stall@2", "--tc", "600"])
        .process_group(0)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("sprt runs");
    eventually("two engines and a child run", || {
        place.path("run").exists() && processes_in(place.path("").as_path()).len() >= 3
    });
    kill_group(&child);
    let _ = child.wait();
    eventually("all of them are gone", || {
        processes_in(place.path("").as_path()).is_empty()
    });
}

#[test]
fn an_engine_that_does_not_keep_the_limit_is_found_before_the_first_game() {
    let place = Place::new();
    let run = |name: &str, nodes: &str, out: &str| {
        place
            .sprt([&place.engine("engine-a"), &place.engine(name)])
            .args(["--nodes", nodes, "--max-games", "2", "--out", out])
            .output()
            .expect("sprt runs")
    };
    let output = run("endless", "10", "out-1");
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{message}");
    assert!(
        message.contains("`endless` is still searching after 4711 nodes and 5 s for `go nodes 10`")
            && message.contains("--depth or --tc"),
        "{message}"
    );
    assert!(!place.path("out-1").exists());

    let output = run("greedy", "2000", "out-2");
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(4), "{message}");
    assert!(
        message.contains("`greedy` does not keep `go nodes 2000`: it searched 297633 nodes"),
        "{message}"
    );
}

#[test]
fn a_limit_of_more_nodes_than_are_tried_is_compared_with_a_smaller_one() {
    let place = Place::new();
    let base = place.engine("base");
    let said = |new: &str, nodes: &str, more: &[&str]| {
        let mut command = place.sprt(["run", &base, new, "--nodes", nodes, "--games", "2"]);
        text(&command.args(more).output().expect("sprt runs").stderr)
    };
    let ignores = "ignores limits of nodes";
    let heard = said(&place.engine("exact"), "3000000", &[]);
    assert!(!heard.contains(ignores), "{heard}");
    // It reports nodes only after each finished depth.
    let rare = place.script(
        "rare",
        "while read -r word rest; do case $word in\n\
         uci) echo uciok;;\n\
         isready) echo readyok;;\n\
         go) echo \"info depth 9 score cp 1 nodes $((${rest##* } * 3 / 10))\"\n\
         echo bestmove none;;\n\
         quit) exit;;\nesac; done",
    );
    for nodes in ["600000", "2000000"] {
        let heard = said(&rare, nodes, &[]);
        assert!(
            heard.contains("illegal move") && !heard.contains(ignores),
            "{heard}"
        );
    }
    let script = "Script=say:info depth 9 score cp 1 nodes 300000|bestmove $best@all";
    let heard = said(
        &place.engine("deaf-to-it"),
        "3000000",
        &["--new-option", script],
    );
    assert!(
        heard.contains("it searched 300000 for `go nodes 1000000` and 300000 for `go nodes 37500`"),
        "{heard}"
    );
}

#[test]
fn an_engine_for_xboard_is_named_as_such() {
    let place = Place::new();
    let xboard = place.script(
        "xboard-engine",
        "while read -r word rest; do case $word in\n\
         protover) echo 'feature myname=\"x\" done=1';;\n\
         xboard) ;;\n\
         *) echo \"Error (unknown command): $word\";;\nesac; done",
    );
    let output = place
        .sprt([&place.engine("engine-a"), &xboard])
        .args(["--nodes", "1", "--out", "run"])
        .output()
        .expect("sprt runs");
    assert_eq!(output.status.code(), Some(3));
    let message = text(&output.stderr);
    assert!(message.contains("is an xboard engine"), "{message}");
}

#[test]
fn chess960_is_switched_off_for_standard_chess() {
    let place = Place::new();
    let (engine, log) = (place.engine("engine-a"), place.path("input"));
    let spied = place.script("spied", &format!("tee {} | {engine}", log.display()));
    let output = place
        .sprt([&engine, &spied])
        .args(["--nodes", "1", "--max-games", "2", "--out", "run"])
        .output()
        .expect("sprt runs");
    assert_eq!(output.status.code(), Some(4), "{}", text(&output.stderr));
    let input = std::fs::read_to_string(log).expect("what the engine was told");
    assert!(
        input.contains("setoption name UCI_Chess960 value false\n"),
        "{input}"
    );
}

#[test]
fn a_move_counts_although_its_engine_ends_right_after_it() {
    for script in ["move-then-exit", "half-a-line"] {
        // It is to move again later, and then it is gone; the move itself was taken.
        assert_spoiled(script, ONE_NODE, "crashes", " disconnects");
        let plies = match_with(script, ONE_NODE)["games_played"][0]["plies"].as_u64();
        let crash_plies = match_with("crash", ONE_NODE)["games_played"][0]["plies"].as_u64();
        assert_eq!(
            plies.zip(crash_plies).map(|(exit, crash)| exit - crash),
            Some(2),
            "{script}"
        );
    }
}

#[test]
fn carriage_returns_and_noise_are_no_faults() {
    for script in ["crlf", "noise"] {
        let result = match_with(script, ONE_NODE);
        assert_no_faults(script, &result);
    }
}

#[test]
fn an_engine_that_does_not_start_ends_the_run_before_it_begins() {
    let place = Place::new();
    let run = |name: &str, seconds: &str| {
        place
            .sprt([&place.engine("good"), &place.engine(name)])
            .args([
                "--nodes",
                "1",
                "--startup-timeout",
                seconds,
                "--out",
                "run",
                "--max-games",
                "2",
            ])
            .output()
            .expect("sprt runs")
    };
    let output = run("no-uciok", "1");
    assert_eq!(output.status.code(), Some(3));
    assert!(
        text(&output.stderr).contains("no `uciok` within 1s"),
        "{}",
        text(&output.stderr)
    );
    assert!(!place.path("run").exists());
    assert_eq!(run("slow-uciok", "1").status.code(), Some(3));
    assert_eq!(run("slow-uciok", "10").status.code(), Some(4));
}

#[test]
fn crashes_in_every_game_end_the_run_without_a_verdict() {
    let place = Place::new();
    let arguments = ["--nodes", "1", "--base-option", "Script=crash@2"];
    let output = place.run("run", &arguments).output().expect("sprt runs");
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{said}");
    for words in [
        "no verdict: an engine spoiled a game in each of the last five pairs",
        "engine-a spoiled games: 10 crashes",
        "last fault: pair 5: Black disconnects",
        "scripted: out of luck",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
    let result = json(&output);
    assert_eq!(result["verdict"], "undecided");
    assert_eq!(result["no_verdict"], "faults-in-a-row");
    let shown = place.output(["show", "run"]);
    assert_eq!(shown.status.code(), Some(3));
    assert!(text(&shown.stdout).ends_with("Fault | base: 10 new: 0\n"));
}

#[test]
fn a_run_that_is_to_stop_ends_with_its_first_fault() {
    let place = Place::new();
    let arguments = [
        "--nodes",
        "1",
        "--new-option",
        "Script=illegal@2",
        "--on-fault",
        "stop",
    ];
    let output = place.run("run", &arguments).output().expect("sprt runs");
    assert_eq!(output.status.code(), Some(3), "{}", text(&output.stderr));
    assert_eq!(json(&output)["no_verdict"], "fault");
    assert_eq!(place.journal("run").lines().count(), 1);
}

/// The bare king of one side cannot win; the pawn of the other can.
const PAWN_ENDING: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - hmvc 0; fmvn 1;\n";

#[test]
fn a_flag_that_falls_against_a_bare_king_is_a_draw_and_a_fault_all_the_same() {
    assert_half_drawn("wait-for-stop");
    // Who is silent has let it fall as well.
    assert_half_drawn("stall");
}

fn assert_half_drawn(script: &str) {
    let place = Place::new();
    std::fs::write(place.path("book.epd"), PAWN_ENDING).expect("written");
    let output = place
        .run("run", &["--new-option", &format!("Script={script}@2")])
        .args(["--book", "book.epd", "--new-tc", "1"])
        .args(["--max-games", "2"])
        .output()
        .expect("sprt runs");
    let result = json(&output);
    // With the pawn NEW draws, with the bare king it loses.
    assert_eq!(
        (&result["draws"], &result["losses"]),
        (&1.into(), &1.into())
    );
    let faults =
        |side: &str| ["time_losses", "stalls"].map(|it| result["faults"][side][it].as_u64());
    let silent = u64::from(script == "stall");
    assert_eq!(faults("new"), [Some(2 - silent), Some(silent)], "{result}");
    assert_eq!(faults("base"), [Some(0); 2], "{result}");
    let games = std::fs::read_to_string(place.path("run/games.pgn")).expect("games");
    let games = games.replace('\n', " ");
    assert!(
        games.contains("Draw by timeout vs insufficient material"),
        "{games}"
    );
    let drawn = games
        .split("[Event ")
        .find(|game| game.contains("[Result \"1/2-1/2\"]"));
    assert!(drawn.is_some_and(|game| game.contains("[Termination \"time forfeit\"]")));
    assert!(
        text(&output.stderr).contains("(new)"),
        "{}",
        text(&output.stderr)
    );
}

#[test]
fn a_spoiled_match_of_fixed_length_has_no_elo_and_no_success() {
    for length in ["--games", "--max-games"] {
        let place = Place::new();
        let output = place
            .run("run", &["--nodes", "1", length, "8"])
            .args(["--new-option", "Script=crash@2"])
            .output()
            .expect("sprt runs");
        let result = json(&output);
        assert_eq!(output.status.code(), Some(3), "{length}: {result}");
        for figure in ["elo", "unbiased_elo"] {
            assert!(result[figure]["value"].is_null(), "{length}: {result}");
        }
        assert!(result["nelo"].is_null() && result["los"].is_null());
        let shown = place.output(["show", "run"]);
        let block = text(&shown.stdout);
        assert!(!block.contains("Elo"), "{block}");
        assert!(block.contains("Fault | base: 0 new: 8"), "{block}");
        let said = text(&shown.stderr);
        assert!(said.contains("no verdict"), "{said}");
    }
}
