//! The matches that the README tells its readers to type are understood, and ready to be played.

use std::fs;
use std::io::Write as _;
use std::path::Path;

use crate::revisions::{git, repository};
use crate::support::{Place, text};

const POSITION: &str = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm Ra8#; id \"wac.1\";\n";

/// Commands of their own tests, mostly with words that stand for something.
const OTHERS: [&str; 15] = [
    "blunders",
    "book",
    "calc",
    "check",
    "convert",
    "fastchess",
    "list",
    "openbench",
    "play",
    "plan",
    "report",
    "resume",
    "serve",
    "stats",
    "verify",
];

/// Calls of `sprt` in code, without comments.
fn commands() -> Vec<String> {
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md");
    let readme = fs::read_to_string(readme).expect("the README");
    let pieces = readme.split(['\n', '`']).map(str::trim);
    let calls = pieces.filter(|piece| piece.starts_with("sprt ") && !piece.contains(['|', '…']));
    calls
        .map(|call| {
            call.split(" #")
                .next()
                .unwrap_or_default()
                .trim()
                .to_owned()
        })
        .filter(|call| {
            let first = call.split(' ').nth(1).unwrap_or_default();
            !OTHERS.contains(&first)
        })
        .collect()
}

#[test]
fn each_match_of_the_readme_is_ready_to_be_played() {
    let place = Place::new();
    repository(&place, "first\n\nBench: 4321");
    git(&place, &["tag", "v1.2"]);
    let folder = place.path("repo");
    for name in [
        "old",
        "new",
        "engine",
        "mine",
        "stockfish",
        "stash",
        "weiss",
    ] {
        fs::copy(env!("CARGO_BIN_EXE_scripted-engine"), folder.join(name)).expect("an engine");
    }
    fs::write(folder.join("wac.epd"), POSITION).expect("written");
    let book = fs::File::create(folder.join("openings.epd.zip")).expect("a book");
    let mut book = zip::ZipWriter::new(book);
    book.start_file("openings.epd", zip::write::SimpleFileOptions::default())
        .expect("a file");
    book.write_all(POSITION.as_bytes()).expect("written");
    book.finish().expect("a whole book");
    let programs = std::env::var("PATH").expect("a path");
    let commands = commands();
    assert!(commands.len() >= 8, "{commands:?}");
    for command in commands {
        let words = command.replace("BASE", "main").replace("NEW", ".");
        let words: Vec<&str> = words.split(' ').skip(1).collect();
        let output = place
            .sprt(words.iter().chain(&["--dry-run"]))
            .current_dir(&folder)
            .env("PATH", format!("{}:{programs}", folder.display()))
            .output()
            .expect("sprt runs");
        assert_eq!(
            output.status.code(),
            Some(0),
            "{command}: {}",
            text(&output.stderr)
        );
    }
}
