//! `sprt fastchess` as an OpenBench worker starts it, reads it and ends it.

mod ends;
mod misbehaviour;
mod vectors;
mod worker;

use std::fs;
use std::process::{Command, Output};

use foundation::file_crc32::FileCrc32;

use crate::support::{Place, text};
use crate::syzygy::tables;
use worker::{Results, WrittenGame};

/// The outcome of a match.
struct Played {
    results: Results,
    games: Vec<WrittenGame>,
    stderr: String,
}

impl Place {
    /// The folder of a worker: engines, books, and a place for games.
    fn worker() -> Self {
        let place = Self::new();
        for folder in ["Engines", "Books", "PGNs"] {
            fs::create_dir(place.path(folder)).expect("a folder");
        }
        place
    }

    /// A book of positions that differ in their move counters.
    fn book(&self, name: &str, positions: usize) {
        let line =
            |number| format!("4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - hmvc 0; fmvn {number};\n");
        let lines: String = (1..=positions).map(line).collect();
        fs::write(self.path("Books").join(name), lines).expect("written");
    }

    /// The runner under the name that a worker looks for.
    fn runner<I: AsRef<str>>(&self, words: impl IntoIterator<Item = I>) -> Command {
        let name = self.path("fastchess-ob");
        if !name.exists() {
            fs::hard_link(env!("CARGO_BIN_EXE_sprt"), &name)
                .or_else(|_| fs::copy(env!("CARGO_BIN_EXE_sprt"), &name).map(drop))
                .expect("a copy of the runner");
        }
        let mut command = Command::new(name);
        command
            .current_dir(self.path(""))
            .env("WHETSTONE_CACHE", self.path("cache"))
            .args(words.into_iter().map(|word| word.as_ref().to_owned()));
        command
    }

    /// A short match in which each side has words of its own; at one node a move where they set no
    /// limit.
    fn short_match(&self, rounds: u32, dev: &[&str], base: &[&str], more: &[&str]) -> Command {
        for name in ["dev", "base"] {
            self.engine(&format!("Engines/{name}"));
        }
        self.book("book.epd", 5);
        let rounds = rounds.to_string();
        let side = |name: &'static str, own: &[&str]| {
            let mut words: Vec<String> = ["-engine", "dir=Engines/"].map(str::to_owned).to_vec();
            words.push(format!("cmd=./{name}"));
            words.push(format!("name=X-{name}"));
            words.extend(own.iter().map(|word| (*word).to_owned()));
            let limits = ["tc=", "st=", "nodes=", "depth="];
            if !own
                .iter()
                .any(|word| limits.iter().any(|limit| word.starts_with(limit)))
            {
                words.push("nodes=1".to_owned());
            }
            words
        };
        let mut words: Vec<String> =
            "-recover -variant standard -testEnv -concurrency 2 -games 2 -rounds"
                .split(' ')
                .map(str::to_owned)
                .collect();
        words.push(rounds);
        words.extend(side("dev", dev));
        words.extend(side("base", base));
        words.extend(
            [
                "-each",
                "proto=uci",
                "-draw",
                "movenumber=4",
                "movecount=2",
                "score=10",
                "-openings",
                "file=Books/book.epd",
                "format=epd",
                "order=random",
                "start=1",
                "-srand",
                "7",
                "-pgnout",
                "file=PGNs/games.pgn",
                "seldepth=true",
                "nodes=true",
                "match_line=^info string pgncomment .*",
            ]
            .map(str::to_owned),
        );
        words.extend(more.iter().map(|word| (*word).to_owned()));
        self.runner(words)
    }

    /// What a worker makes of stdout and of the games' file.
    fn read(&self, output: &Output, pgn: &str) -> Played {
        let stderr = text(&output.stderr);
        let results = Results::read(&output.stdout)
            .unwrap_or_else(|why| panic!("{why}: {}\n{stderr}", text(&output.stdout)));
        let games = fs::read_to_string(self.path(pgn)).expect("the games' file exists");
        Played {
            results,
            games: worker::read_games(&games),
            stderr,
        }
    }
}

impl Played {
    /// Both accounts of the match agree, and hold so many games.
    fn assert_whole(&self, games: u64) {
        let told: Vec<&str> = self.results.told.values().map(String::as_str).collect();
        let mut written: Vec<&str> = self.games.iter().map(|game| game.result.as_str()).collect();
        assert_eq!(told.len() as u64, games, "{}", self.stderr);
        assert_eq!(self.results.halves, 0, "no half pair");
        let mut told = told;
        told.sort_unstable();
        written.sort_unstable();
        assert_eq!(told, written, "the games' file tells what stdout tells");
        for game in &self.games {
            assert_eq!(game.header("Result"), Some(game.result.as_str()));
        }
    }
}

#[test]
fn the_version_is_one_that_a_worker_takes() {
    let place = Place::worker();
    for option in ["--version", "version", "-v", "-version"] {
        let output = place.runner([option]).output().expect("the runner starts");
        let version = worker::version(&text(&output.stdout)).expect("a version");
        assert!(version >= vec![1, 8, 1], "{option}: {version:?}");
        assert_eq!(version.len(), 3, "{option}");
    }
    let by_word = place
        .sprt(["fastchess", "--version"])
        .output()
        .expect("sprt starts");
    assert!(worker::version(&text(&by_word.stdout)).is_some());
}

#[test]
fn what_cannot_be_played_is_reported_on_stderr_alone() {
    let place = Place::worker();
    for (words, told) in [
        ("-recover", "got 0 engines"),
        (
            "-engine cmd=none name=a nodes=1 dir=Engines -engine cmd=none name=b nodes=1",
            "no such engine",
        ),
        ("-concurrency x", "-concurrency"),
    ] {
        let output = place
            .runner(words.split(' '))
            .output()
            .expect("the runner starts");
        assert_eq!(output.status.code(), Some(2), "{words}");
        assert!(
            output.stdout.is_empty(),
            "{words}: {}",
            text(&output.stdout)
        );
        assert!(
            text(&output.stderr).contains(told),
            "{words}: {}",
            text(&output.stderr)
        );
    }
}

#[test]
fn tables_end_games_in_their_own_words() {
    let place = Place::worker();
    let folder = place.path("tables");
    fs::create_dir(&folder).expect("a folder");
    tables::write_queen_against_king(&folder);
    let more = ["-tb", &folder.display().to_string(), "-tbpieces", "5"];
    let mut command = place.short_match(1, &[], &[], &more);
    // Every legal move takes the queen.
    let line = "k7/8/8/8/8/8/1q6/K1Q5 w - - hmvc 0; fmvn 1;\n";
    fs::write(place.path("Books/book.epd"), line).expect("written");
    let output = command.output().expect("the runner starts");
    let played = place.read(&output, "PGNs/games.pgn");
    played.assert_whole(2);
    for line in &played.results.lines {
        assert!(
            line.ends_with(": 1-0 {White wins by adjudication: SyzygyTB}"),
            "{line}"
        );
    }
}

#[test]
fn a_folder_without_tables_is_an_error_before_the_first_game() {
    let place = Place::worker();
    let folder = place.path("tables");
    fs::create_dir(&folder).expect("a folder");
    let more = ["-tb", &folder.display().to_string()];
    let output = place
        .short_match(1, &[], &[], &more)
        .output()
        .expect("the runner starts");
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty(), "{}", text(&output.stdout));
    let said = text(&output.stderr);
    assert!(
        said.contains("-tb: ") && said.contains("holds no Syzygy table"),
        "{said}"
    );
}

#[test]
fn a_book_that_is_missing_leaves_the_file_that_a_worker_looks_for() {
    let place = Place::worker();
    let mut command = place.short_match(1, &[], &[], &[]);
    fs::remove_file(place.path("Books/book.epd")).expect("removed");
    let output = command.output().expect("the runner starts");
    assert_eq!(output.status.code(), Some(2));
    let games = fs::read_to_string(place.path("PGNs/games.pgn"));
    assert_eq!(games.expect("the games' file exists"), "");
}

#[test]
fn a_rule_of_no_moves_is_read_as_of_one() {
    let place = Place::worker();
    let more = ["-resign", "movecount=0", "score=30000"];
    let mut command = place.short_match(1, &[], &[], &more);
    let output = command.output().expect("the runner starts");
    let played = place.read(&output, "PGNs/games.pgn");
    played.assert_whole(2);
    let told = "`movecount=0` after -resign is read as 1";
    assert!(played.stderr.contains(told), "{}", played.stderr);
}

#[test]
fn the_checksum_of_the_games_is_printed_after_each_round() {
    let place = Place::worker();
    let mut command = place.short_match(2, &[], &[], &["-crc32", "pgn=true"]);
    let output = command.output().expect("the runner starts");
    let mut file = FileCrc32::open(&place.path("PGNs/games.pgn")).expect("games");
    let expected = format!(
        "File PGNs/games.pgn has CRC32: {:#x}",
        file.checksum().expect("read")
    );
    let told = text(&output.stdout);
    let mut lines = told.lines().filter(|line| line.contains("CRC32"));
    assert_eq!(lines.clone().count(), 2, "{told}");
    assert_eq!(lines.next_back(), Some(expected.as_str()), "{told}");
}

#[test]
fn options_of_engines_are_reported_only_where_they_are_asked_for() {
    let place = Place::worker();
    let options = ["option.Hash=8", "option.Style=wild"];
    let asked = [
        "-pgnout",
        "file=PGNs/games.pgn",
        "append=false",
        "options=true",
    ];
    for (more, tags) in [(&[][..], 0), (&asked, 1)] {
        let command = &mut place.short_match(1, &options, &[], more);
        let output = command.output().expect("the runner starts");
        place.read(&output, "PGNs/games.pgn").assert_whole(2);
        let pgn = fs::read_to_string(place.path("PGNs/games.pgn")).expect("games");
        // What an engine does not take it was not set.
        let tag = "[WhiteOptions \"Hash=8\"]";
        assert_eq!(pgn.matches(tag).count(), tags, "{pgn}");
        assert_eq!(pgn.matches("Options").count(), 2 * tags, "{pgn}");
    }
}
