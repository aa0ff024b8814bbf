//! Command lines of other match runners, printed as ours and played.

use std::process::Output;

use foundation::file_crc32::FileCrc32;

use crate::support::{Place, text};

fn run(place: &Place, words: &[&str]) -> Output {
    place.output(words)
}

/// `-engine` for each of these names.
fn engines(place: &Place, names: &[&str]) -> Vec<String> {
    let engine = |name: &&str| ["-engine".to_owned(), format!("cmd={}", place.engine(name))];
    names.iter().flat_map(engine).collect()
}

#[test]
fn a_test_in_fastchess_s_words_is_played_with_its_verdict() {
    let place = Place::new();
    let mut words = vec!["fastchess".to_owned()];
    words.extend(engines(&place, &["new", "base"]));
    let more = "-each nodes=1 -srand 7 -sprt elo0=0 elo1=5 alpha=0.05 beta=0.05 -rounds 3 \
                -concurrency 2 -pgnout file=games.pgn";
    words.extend(more.split_whitespace().map(str::to_owned));
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let output = run(&place, &words);
    let (block, said) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(4), "{said}");
    assert!(said.contains("played as: sprt run "), "{said}");
    assert!(
        block.contains("LLR   |") && block.contains("[0.00, 5.00]") && block.contains("N: 6"),
        "{block}"
    );
    let games = std::fs::read_to_string(place.path("games.pgn")).expect("games");
    assert_eq!(games.matches("[Event ").count(), 6);
}

#[test]
fn a_dialogue_and_final_positions_in_fastchess_s_words_are_written() {
    let place = Place::new();
    let mut words = vec!["fastchess".to_owned()];
    words.extend(engines(&place, &["new", "base"]));
    let more = "-each nodes=1 -srand 7 -rounds 1 -epdout file=ends.epd -log file=x engine=true compress=true \
                -pgnout file=games.pgn min=true";
    words.extend(more.split_whitespace().map(str::to_owned));
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let output = run(&place, &words);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let positions = std::fs::read_to_string(place.path("ends.epd")).expect("positions");
    assert_eq!(positions.lines().count(), 2);
    assert!(place.path("logs/game-1-new.log.gz").is_file());
    let minimal = |words: &[&str], file: &str| {
        let output = run(&place, words);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        let games = std::fs::read_to_string(place.path(file)).expect("games");
        games.contains("[Round ") && !games.contains('{') && !games.contains("[TimeControl ")
    };
    let out = words
        .iter()
        .position(|word| *word == "-epdout")
        .expect("one");
    let plain = [&words[..out], &["-pgnout", "file=plain.pgn", "min=true"]].concat();
    assert!(minimal(&plain, "plain.pgn"));
    let saved = [&words[..out], &["-config", "file=state.json"]].concat();
    let output = run(&place, &saved);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).contains("sprt resume RUN"),
        "{}",
        text(&output.stderr)
    );
}

#[test]
fn three_engines_are_played_as_a_tournament() {
    let place = Place::new();
    let mut words = vec!["fastchess".to_owned()];
    words.extend(engines(&place, &["a", "b", "c"]));
    let more = "-tournament gauntlet -seeds 1 -each nodes=1 -rounds 1 -srand 7 -concurrency 2";
    words.extend(more.split_whitespace().map(str::to_owned));
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let output = run(&place, &words);
    let (table, said) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains("played as: sprt tournament "), "{said}");
    assert!(
        table.contains('a') && said.contains("4 games"),
        "{table}{said}"
    );
}

#[test]
fn a_converted_command_can_be_pasted() {
    let place = Place::new();
    let line = format!(
        "cutechess-cli -engine cmd={} name='the new' -engine cmd={} -each nodes=1 -rounds 2 \
         -noswap -srand 7 -concurrency 1 -pgnout g.pgn min -crc32 pgn=true",
        place.engine("new"),
        place.engine("base")
    );
    let output = run(&place, &["convert", &line]);
    let command = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let words = shlex::split(command.trim()).expect("words");
    assert_eq!(words[..2], ["sprt", "run"]);
    let words: Vec<&str> = words[1..].iter().map(String::as_str).collect();
    let output = run(&place, &words);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let mut file = FileCrc32::open(&place.path("g.pgn")).expect("games");
    let checksum = file.checksum().expect("read");
    let told = format!("CRC-32 of `g.pgn`: {checksum:08x}");
    assert!(text(&output.stderr).contains(&told), "{told}");
    let games = std::fs::read_to_string(place.path("g.pgn")).expect("games");
    // Nobody changes colours, and there is nothing but tags and moves.
    assert_eq!(games.matches("[White \"the_new\"]").count(), 2, "{games}");
    assert!(
        !games.contains('{') && !games.contains("[TimeControl"),
        "{games}"
    );
}

#[test]
fn a_command_line_that_cannot_be_converted_is_refused_with_the_reason() {
    let place = Place::new();
    for (line, why) in [
        ("stockfish bench", "`stockfish` is no match runner"),
        ("fastchess -engine cmd=a", "got 1 engines"),
        (
            "fastchess -engine cmd=a -engine cmd=b -newflag",
            "-newflag: this option is not known",
        ),
        ("fastchess -engine 'cmd=a", "a quote"),
    ] {
        let output = run(&place, &["convert", line]);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(why), "{line}: {said}");
    }
}
