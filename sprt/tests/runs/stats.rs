//! `sprt stats` on the games of a run and on files.

use std::fs;

use crate::support::{Place, json, text};

#[test]
fn the_games_of_a_run_are_counted_as_its_result_has_them() {
    let place = Place::new();
    let played = place
        .run(
            "run",
            &[
                "--nodes",
                "5",
                "--max-games",
                "8",
                "--new-option",
                "Losses=50",
            ],
        )
        .output()
        .expect("sprt runs");
    let result = json(&played);
    let output = place.output(["stats", "run", "--json", "--page", "page.html"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let counted = json(&output);
    assert_eq!(
        (&counted["games"], &counted["broken"]),
        (&result["games"], &0.into())
    );
    let player = |name: &str| {
        let players = counted["players"].as_array().expect("players");
        let found = players.iter().find(|player| player["name"] == name);
        found.unwrap_or_else(|| panic!("{name}: {counted}")).clone()
    };
    let new = player("engine-b");
    for count in ["wins", "losses", "draws"] {
        assert_eq!(new[count], result[count], "{count}");
    }
    assert_eq!(new["all"]["nodes"], 5.0);
    assert_eq!(new["all"]["depth"], 1.0);
    let windows: u64 = new["windows"]
        .as_array()
        .expect("windows")
        .iter()
        .map(|it| it["moves"].as_u64().unwrap_or(0))
        .sum();
    assert_eq!(new["all"]["moves"], windows);
    let reasons = counted["reasons"].as_object().expect("reasons");
    let ended: u64 = reasons.values().filter_map(serde_json::Value::as_u64).sum();
    assert_eq!(counted["games"], ended);
    let page = fs::read_to_string(place.path("page.html")).expect("a page");
    assert!(page.contains("<svg") && page.contains("Depth"), "{page}");

    let table = place.output(["stats", "run"]);
    let said = text(&table.stdout);
    for words in [
        "engine-a",
        "moves 1-10",
        "how games ended",
        "half-moves, mean",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
}

#[test]
fn games_are_counted_that_come_through_a_pipe_but_not_judged() {
    let place = Place::new();
    let game = "[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n";
    fs::write(place.path("games.pgn"), game).expect("written");
    let piped = |command: &str| {
        let command = format!("cat games.pgn | {} {command}", env!("CARGO_BIN_EXE_sprt"));
        let output = std::process::Command::new("sh")
            .args(["-c", &command])
            .current_dir(place.path(""))
            .env("WHETSTONE_STATE", place.path("state"))
            .output();
        output.expect("sh runs")
    };
    for name in ["-", "/dev/stdin"] {
        let counted = piped(&format!("stats {name} --json"));
        assert_eq!(json(&counted)["games"], 1, "{}", text(&counted.stderr));
        let judged = piped(&format!(
            "blunders {name} --judge {}",
            place.engine("judge")
        ));
        let said = text(&judged.stderr);
        assert!(
            said.contains("expected a file") && said.contains("hint:"),
            "{said}"
        );
        assert_eq!(judged.status.code(), Some(2), "{said}");
    }
}

#[test]
fn games_in_an_archive_are_counted() {
    let place = Place::new();
    let file = fs::File::create(place.path("games.zip")).expect("writable");
    let mut archive = zip::ZipWriter::new(file);
    let options = zip::write::SimpleFileOptions::default();
    archive.start_file("games.pgn", options).expect("a member");
    let game = b"[White \"A\"]\n\n1. e4 e5 1-0\n";
    std::io::Write::write_all(&mut archive, game).expect("writable");
    archive.finish().expect("complete");
    let output = place.output(["stats", "games.zip", "--json"]);
    assert_eq!(json(&output)["games"], 1, "{}", text(&output.stderr));
}

#[test]
fn broken_games_are_reported_and_none_at_all_is_an_error() {
    let place = Place::new();
    let file = place.path("games.pgn");
    let game =
        |moves: &str| format!("[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n{moves} 1-0\n\n");
    fs::write(
        &file,
        [game("1. e4 e5"), game("1. e5"), game("1. d4 {torn")].concat(),
    )
    .expect("written");
    let output = place.output(["stats", "games.pgn", "--json"]);
    let said = text(&output.stderr);
    assert_eq!(json(&output)["broken"], 2, "{said}");
    assert!(
        said.contains("game 2 is left out: half-move 1, `e5`, is illegal"),
        "{said}"
    );
    assert!(
        said.contains("game 3 is left out: unterminated comment"),
        "{said}"
    );

    fs::write(place.path("other.pgn"), "no games").expect("written");
    fs::write(place.path("utf16.pgn"), b"\xff\xfe[\0E\0").expect("written");
    fs::remove_file(&file).expect("removed");
    for (argument, words) in [
        ("other.pgn", "no game to count"),
        ("nothing.pgn", "`nothing.pgn` is no file"),
        (".", "there is no `./games.pgn`"),
        ("utf16.pgn", "`utf16.pgn` is UTF-16, expected lines of text"),
    ] {
        let output = place.output(["stats", argument]);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(words) && said.contains("hint: "), "{said}");
    }
}
