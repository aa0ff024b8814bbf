//! `sprt play`: both games to their ends, by pointer and by keyboard, on a phone and on a screen.

use std::io::{BufRead as _, BufReader};
use std::process::Stdio;

use serde_json::Value;

use super::browser::{ARROWS, Browser, ENTER, ESCAPE, Running, TAB, ask};
use super::support::{Place, eventually, json, text};

/// An engine that plays `moves`, the first at its first move and so on, whatever it is asked.
fn engine(place: &Place, name: &str, moves: &str) -> String {
    let script = r#"n=0
while read -r line; do
    case "$line" in
    uci) echo "id name Fixed"; echo uciok ;;
    isready) echo readyok ;;
    *moves*) set -- ${line#*moves }; n=$(($# / 2)) ;;
    position*) n=0 ;;
    go*)
        set -- MOVES
        shift $n
        echo "info depth 3 score cp 12 nodes 5 nps 100 pv $1"
        echo "bestmove $1" ;;
    quit) exit ;;
    esac
done"#;
    // Before the first game it is tried with a search from the usual start.
    place.script(name, &script.replace("MOVES", moves))
}

pub struct Game {
    _process: Running,
    pub url: String,
}

impl Game {
    /// Without an engine, where its name is empty, two persons play.
    pub fn start(place: &Place, engine: &str, more: &[&str]) -> Self {
        let mut process = place
            .sprt(["play", "--no-browser", "--nodes", "10"])
            .args((!engine.is_empty()).then_some(engine))
            .args(more)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        let mut url = String::new();
        let stdout = process.stdout.take().expect("a pipe");
        BufReader::new(stdout)
            .read_line(&mut url)
            .expect("an address");
        Self {
            _process: Running(process),
            url: url.trim().to_owned(),
        }
    }

    fn address(&self) -> (&str, &str) {
        let url = self.url.strip_prefix("http://").expect("an address");
        url.split_once("/?token=").expect("a token")
    }

    fn asked(&self, method: &str, path: &str) -> (u16, String) {
        let (address, token) = self.address();
        ask(address, method, path, &[("x-token", token)], "")
    }

    fn state(&self) -> Value {
        let (status, body) = self.asked("GET", "/api/play");
        assert_eq!(status, 200, "{body}");
        serde_json::from_str(&body).expect("JSON")
    }
}

/// A square's place in the window.
fn place_of(browser: &Browser, square: &str) -> (i64, i64) {
    let place = browser.run(&format!(
        "document.querySelector('#board').scrollIntoView({{ block: 'center' }}); \
         const {{ x, y, width, height }} = document.querySelector('[data-square={square}]').getBoundingClientRect(); \
         return [x + width / 2, y + height / 2];"
    ));
    let number = |index: usize| place[index].as_f64().expect("a number") as i64;
    (number(0), number(1))
}

/// A way to make moves; each is given as its steps, such as `d4 d5 L`.
type Way = fn(&Browser, &[&str]);

fn drag(browser: &Browser, steps: &[&str]) {
    let (from, to) = (place_of(browser, steps[0]), place_of(browser, steps[1]));
    browser.drag(from, to);
    finish(browser, &steps[2..]);
}

fn tap(browser: &Browser, steps: &[&str]) {
    let squares = steps.iter().take_while(|step| step.len() == 2).count();
    for square in &steps[..squares] {
        browser.tap(place_of(browser, square));
    }
    finish(browser, &steps[squares..]);
}

/// The letter that ends a move is a button.
fn finish(browser: &Browser, letters: &[&str]) {
    for letter in letters {
        let words = match *letter {
            "L" => "turn left",
            "R" => "turn right",
            "q" => "queen",
            other => other,
        };
        eventually("the button is there", || {
            browser.holds(&format!(
                "[...document.querySelectorAll('#letters button')].some((it) => it.textContent === '{words}')"
            ))
        });
        browser.run(&format!(
            "[...document.querySelectorAll('#letters button')].find((it) => it.textContent === '{words}').click();"
        ));
    }
}

fn keys(browser: &Browser, steps: &[&str]) {
    if !browser.holds("document.activeElement.id === 'board'") {
        browser.run("document.activeElement.blur();");
        browser.press(TAB);
        assert!(
            browser.holds("document.activeElement.id === 'board'"),
            "the board is not the first that Tab reaches"
        );
    }
    for step in steps {
        if step.len() == 1 {
            browser.press(&step.to_lowercase());
            continue;
        }
        if browser.holds("cursor === null") {
            browser.press(ARROWS[0]);
        }
        for _ in 0..16 {
            let at = browser.run("return cursor;");
            let at = at.as_str().expect("a square").as_bytes().to_vec();
            let step = step.as_bytes();
            let key = match (at[0].cmp(&step[0]), at[1].cmp(&step[1])) {
                (std::cmp::Ordering::Greater, _) => ARROWS[0],
                (std::cmp::Ordering::Less, _) => ARROWS[2],
                (_, std::cmp::Ordering::Less) => ARROWS[1],
                (_, std::cmp::Ordering::Greater) => ARROWS[3],
                _ => break,
            };
            browser.press(key);
        }
        browser.press(ENTER);
    }
}

fn typed(browser: &Browser, steps: &[&str]) {
    browser.run("document.querySelector('#typed').focus();");
    browser.press(&steps.concat());
    browser.press(ENTER);
}

fn is_persons_turn(browser: &Browser) -> bool {
    browser.holds("table && table.is_persons_turn")
}

/// Plays moves until the game is over, and returns the page's words for its end.
fn play(browser: &Browser, way: Way, moves: &[&[&str]]) -> String {
    for (index, steps) in moves.iter().enumerate() {
        eventually("it is the person's turn", || is_persons_turn(browser));
        way(browser, steps);
        let made = 2 * index + 1;
        eventually(&format!("{steps:?} is made"), || {
            browser.holds(&format!("table.moves.length >= {made}"))
        });
    }
    eventually("the game is over", || browser.holds("table.result"));
    let words = browser.run("return document.querySelector('#result').textContent;");
    words.as_str().expect("words").replace('\u{2011}', "-")
}

#[test]
fn a_bayesian_test_without_draws_and_losses_says_once_that_it_may_not_end() {
    let place = Place::new();
    let told = |model: &str| {
        let output = place
            .run(model, &["--nodes", "1", "--max-games", "120"])
            .args(["--base-option", "Losses=100", "--model", model])
            .args(["--alpha", "1e-60", "--beta", "1e-60"])
            .output()
            .expect("sprt runs");
        assert_eq!(json(&output)["games"], 120, "{}", text(&output.stderr));
        text(&output.stderr)
    };
    let bayesian = told("bayesian");
    let warning = "the bayesian model has no LLR";
    assert_eq!(bayesian.matches(warning).count(), 1, "{bayesian}");
    assert!(bayesian.contains("--model normalized"), "{bayesian}");
    assert!(!told("normalized").contains(warning));
}

#[test]
fn chess_is_played_to_its_end_by_pointer_and_by_keyboard() {
    let place = Place::new();
    let Some(browser) = Browser::start(&place) else {
        return;
    };
    let engine = engine(&place, "<b>fixed", "e7e5 b8c6 g8f6");
    let moves: [&[&str]; 4] = [&["e2", "e4"], &["f1", "c4"], &["d1", "h5"], &["h5", "f7"]];
    for (width, way) in [
        (390, tap as Way),
        (390, keys),
        (1280, drag),
        (1280, keys),
        (1280, typed),
    ] {
        let game = Game::start(&place, &engine, &[]);
        browser.resize(width);
        browser.open(&game.url);
        eventually("a board is drawn", || {
            browser.holds("table && document.querySelector('#board .piece')")
        });
        assert_eq!(play(&browser, way, &moves), "1-0 White mates", "{width}");
        assert!(browser.fits(width), "{width}");
        assert!(browser.holds(
            "!document.querySelector('main b b') && document.body.textContent.includes('<b>fixed')"
        ));
        assert!(
            browser.holds("document.querySelector('#moves').textContent.includes('(+0.12/3)')")
        );
        let (status, record) = game.asked("GET", "/api/play/pgn");
        assert_eq!(status, 200);
        assert!(
            record.contains("[Result \"1-0\"]") && record.contains("4. Qxf7# {"),
            "{record}"
        );
    }
    // A pawn that is promoted, on a board that is turned.
    let game = Game::start(
        &place,
        &engine,
        &["--position", "k7/7P/1K6/8/8/8/8/8 w - - 0 1"],
    );
    browser.open(&game.url);
    eventually("a board is drawn", || is_persons_turn(&browser));
    browser.run("document.querySelector('#turn').click();");
    assert_eq!(
        play(&browser, tap, &[&["h7", "h8", "q"]]),
        "1-0 White mates"
    );
}

/// Tangerine changes places with a pawn, Lavender's King walks into the beam, and is shot.
const SWAP: &str = "6nn1/8/3nw4/3NW4/8/8/8/7NN W";

#[test]
fn leiserchess_is_played_to_its_end_by_pointer_and_by_keyboard() {
    let place = Place::new();
    let Some(browser) = Browser::start(&place) else {
        return;
    };
    let engine = engine(&place, "walker", "g7h7");
    let options = ["--variant", "leiserchess", "--position", SWAP];
    let moves: [&[&str]; 2] = [&["d4", "d5", "L"], &["d5", "R"]];
    for (width, way) in [
        (390, tap as Way),
        (390, keys),
        (1280, tap),
        (1280, keys),
        (1280, typed),
    ] {
        let game = Game::start(&place, &engine, &options);
        browser.resize(width);
        browser.open(&game.url);
        eventually("a board is drawn", || {
            browser.holds("table && document.querySelector('#board .piece')")
        });
        assert_eq!(
            play(&browser, way, &moves),
            "1-0 White zaps the King",
            "{width}"
        );
        eventually("the shot is drawn", || {
            browser.holds("document.querySelector('#board .beam') && document.querySelector('#board .victim')")
        });
        assert!(browser.fits(width), "{width}");
    }
}

#[test]
fn a_swap_that_is_not_finished_is_shown_and_taken_back() {
    let place = Place::new();
    let Some(browser) = Browser::start(&place) else {
        return;
    };
    let engine = engine(&place, "walker", "g7h7");
    let game = Game::start(
        &place,
        &engine,
        &["--variant", "leiserchess", "--position", SWAP],
    );
    browser.resize(1280);
    browser.open(&game.url);
    eventually("a board is drawn", || is_persons_turn(&browser));
    let stands_on = |square: &str| {
        browser.run(&format!(
            "return document.querySelector('[data-piece={square}]').getAttribute('href');"
        ))
    };
    drag(&browser, &["d4", "d5"]);
    assert_eq!(
        (stands_on("d5"), stands_on("d4")),
        ("#lwP".into(), "#lbP".into())
    );
    assert!(browser.holds("document.querySelector('#said').textContent.includes('Unfinished')"));
    assert!(browser.holds("document.querySelectorAll('#board .target').length > 3"));
    assert!(game.state()["moves"].as_array().expect("moves").is_empty());
    browser.press(ESCAPE);
    assert_eq!(
        (stands_on("d5"), stands_on("d4")),
        ("#lbP".into(), "#lwP".into())
    );
    browser.press(ESCAPE);
    assert!(browser.holds("input.picked.length === 0"));
    // A move that is made is taken back with the engine's answer.
    typed(&browser, &["d4d5L"]);
    eventually("the engine answers", || {
        browser.holds("table.moves.length === 2 && table.is_persons_turn")
    });
    browser.run("document.querySelector('#undo').click();");
    eventually("both moves are taken back", || {
        browser.holds("table.moves.length === 0")
    });
    assert_eq!(game.state()["position"], SWAP);
}

#[test]
fn who_lets_its_king_be_shot_is_warned_before() {
    let place = Place::new();
    let Some(browser) = Browser::start(&place) else {
        return;
    };
    let engine = engine(&place, "shooter", "h7R");
    let position = "7ee/8/8/3NW4/8/8/8/7WW W";
    let game = Game::start(
        &place,
        &engine,
        &["--variant", "leiserchess", "--position", position],
    );
    browser.resize(390);
    browser.open(&game.url);
    eventually("a board is drawn", || is_persons_turn(&browser));
    for way in [tap as Way, keys, typed] {
        way(&browser, &["d4", "R"]);
        eventually("the warning is there", || {
            browser.holds("!document.querySelector('#warning').hidden")
        });
        assert!(
            browser.holds(
                "document.querySelector('#danger').textContent.includes('King can be shot')"
            )
        );
        browser.press(ESCAPE);
        eventually("it is withdrawn", || {
            browser.holds("document.querySelector('#warning').hidden")
        });
        browser.run("document.querySelector('#back').click();");
        assert!(game.state()["moves"].as_array().expect("moves").is_empty());
    }
    tap(&browser, &["d4", "R"]);
    browser.run("document.querySelector('#dare').click();");
    eventually("it was no empty warning", || {
        browser.holds("table.result === '0-1'")
    });
}

#[test]
fn a_page_names_no_program_and_plays_for_nobody_else() {
    let place = Place::new();
    let game = Game::start(&place, &engine(&place, "fixed", "e7e5"), &[]);
    let (address, _) = game.address();
    for (method, path) in [
        ("GET", "/api/play"),
        ("GET", "/api/play/pgn"),
        ("POST", "/api/play?action=undo"),
    ] {
        assert_eq!(ask(address, method, path, &[], "").0, 403, "{path}");
    }
    for wrong in [
        "action=new&white=/bin/sh&black=1",
        "action=new&white=2&black=1",
        "action=new&white=1&black=person&text=8/8",
        "action=move&text=e2e5&version=0",
        "action=undo",
    ] {
        let (status, answer) = game.asked("POST", &format!("/api/play?{wrong}"));
        assert_eq!(status, 422, "{wrong}: {answer}");
        assert!(answer.contains("error"), "{answer}");
    }
    assert_eq!(game.asked("POST", "/api/play?action=dance").0, 400);
    let state = game.state();
    assert_eq!(state["engines"], serde_json::json!(["fixed"]));
    assert_eq!(state["legal"].as_array().map(Vec::len), Some(20));
}

#[test]
fn an_engine_that_fails_loses_and_a_new_game_is_begun_with_it() {
    let place = Place::new();
    // Its second move is illegal.
    let game = Game::start(&place, &engine(&place, "fixed", "e7e5 e5e7"), &[]);
    let make = |text: &str| {
        let version = game.state()["version"].clone();
        game.asked(
            "POST",
            &format!("/api/play?action=move&text={text}&version={version}"),
        )
    };
    assert_eq!(make("e2e4").0, 200);
    eventually("it answers", || game.state()["is_persons_turn"] == true);
    assert_eq!(make("d2d4").0, 200);
    eventually("it fails", || game.state()["result"] == "1-0");
    let trouble = game.state()["trouble"].clone();
    assert!(
        trouble.as_str().is_some_and(|words| words.contains("e5e7")),
        "{trouble}"
    );
    let (status, _) = game.asked("POST", "/api/play?action=new&white=person&black=1");
    assert_eq!(status, 200);
    assert_eq!(make("d2d4").0, 200);
    eventually("it answers again", || {
        game.state()["is_persons_turn"] == true
    });
}

#[test]
fn what_cannot_be_played_is_said_before_a_page_is_served() {
    let place = Place::new();
    for (arguments, words) in [
        (&["no-such-engine"][..], "no-such-engine"),
        (&["--variant", "go"], "unknown variant `go`"),
        (&["--position", "8/8"], "8/8"),
    ] {
        let output = place
            .sprt(["play", "--no-browser"])
            .args(arguments)
            .output()
            .expect("it runs");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let said = text(&output.stderr);
        assert!(said.contains(words) && output.stdout.is_empty(), "{said}");
    }
}
