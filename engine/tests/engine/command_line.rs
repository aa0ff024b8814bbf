//! Commands as arguments of the program.

use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::uci::words;

#[test]
fn words_on_the_command_line_are_commands() {
    assert_eq!(words(&["go", "perft", "3"]), words(&["go perft 3"]));
    let (ok, lines) = words(&["perft", "3"]);
    assert!(ok && lines == ["8902"]);
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let (ok, lines) = words(&["perft", "2", fen]);
    assert!(ok && lines == ["2039"], "{lines:?}");
    let (ok, lines) = words(&["position startpos", "go depth 3"]);
    assert!(ok && lines.last().unwrap().starts_with("bestmove "));
    for endless in ["go", "go infinite", "go ponder depth 3", "go mate 3"] {
        let (ok, lines) = words(&[endless]);
        assert!(!ok && lines.len() == 1, "{lines:?}");
        assert!(
            lines[0].contains("expected a limit such as 'depth 12'"),
            "{lines:?}"
        );
    }
    // A mistake is one, although a move is found.
    for wrong in ["go mate 0", "go btime 1000", "go depth 2 nodes x"] {
        let (ok, lines) = words(&[wrong]);
        assert!(!ok && lines[0].starts_with("info string go"), "{lines:?}");
        assert!(lines.last().unwrap().starts_with("bestmove "), "{lines:?}");
    }
    assert!(!words(&["frobnicate"]).0);
}

#[test]
fn openings_are_generated_as_openbench_reads_them() {
    let (ok, lines) = words(&["genfens 5 seed 42 book None ", "quit"]);
    assert!(ok);
    let fens: Vec<&str> = lines
        .iter()
        .filter_map(|line| line.strip_prefix("info string genfens "))
        .collect();
    assert_eq!(fens.len(), 5);
    for fen in &fens {
        assert_eq!(fen.split(' ').count(), 6, "{fen}");
        engine::position::Position::from_fen(fen).unwrap();
    }
    assert_eq!(
        words(&["genfens 5 seed 42 book None", "quit"]).1,
        lines,
        "the seed decides"
    );
    assert_ne!(words(&["genfens 5 seed 43 book None", "quit"]).1, lines);
}

#[test]
fn openings_from_a_book_keep_its_move_counters_and_unknown_words_are_reported() {
    let folder = std::env::temp_dir().join(format!("whetstone-genfens-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let book = folder.join("book.epd");
    let line = "rnbqkb1r/pp2pppp/3p1n2/8/3NP3/8/PPP2PPP/RNBQKB1R w KQkq - hmvc 1; fmvn 5;\n";
    std::fs::write(&book, line.repeat(20_000)).unwrap();
    let command = format!("genfens 3 seed 7 book {} dfrc=1 ", book.display());
    let (ok, lines) = words(&[&command, "quit"]);
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(ok);
    assert_eq!(
        lines[0],
        "info string genfens: unknown argument 'dfrc=1', ignored"
    );
    assert_eq!(lines.len(), 4);
    for line in &lines[1..] {
        // Four or five plies after White's fifth move.
        let number = line.rsplit(' ').next().unwrap();
        assert_eq!(number, "7", "{line}");
    }
}

#[test]
fn bench_ends_with_its_signature_and_repeats_it() {
    let run = || {
        let (ok, lines) = words(&["bench", "3"]);
        assert!(ok);
        let last: Vec<String> = lines
            .last()
            .unwrap()
            .split(' ')
            .map(str::to_owned)
            .collect();
        assert_eq!(
            (last.len(), last[1].as_str(), last[3].as_str()),
            (4, "nodes", "nps")
        );
        last[0].parse::<u64>().unwrap()
    };
    let first = run();
    assert!(first > 1_000);
    // Several at once, as a worker runs them.
    let others: Vec<_> = (0..4).map(|_| thread::spawn(run)).collect();
    for other in others {
        assert_eq!(other.join().unwrap(), first);
    }
}

#[test]
fn data_generation_continues_after_a_kill_and_ends_with_the_same_data() {
    let folder = std::env::temp_dir().join(format!("datagen-kill-{}", std::process::id()));
    let generate = |name: &str, kill_after: Option<Duration>| {
        let path = folder.join(name);
        let mut child = Command::new(env!("CARGO_BIN_EXE_engine"))
            .arg(format!(
                "datagen out {} games 60 nodes 100 seed 3 threads 2",
                path.display()
            ))
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        if let Some(delay) = kill_after {
            thread::sleep(delay);
            let _ = child.kill();
        }
        let status = child.wait().unwrap();
        assert!(kill_after.is_some() || status.success());
        std::fs::read(path.join("000000.positions")).unwrap_or_default()
    };
    let expected = generate("whole", None);
    for _ in 0..4 {
        let so_far = generate("killed", Some(Duration::from_millis(150)));
        assert!(so_far.len() <= expected.len());
    }
    assert!(generate("killed", None) == expected);
    std::fs::remove_dir_all(&folder).unwrap();
}
