//! The pages of runs: over HTTP, and in a browser where there is one.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpStream;
use std::process::Stdio;
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;

use super::browser::{Browser, Running, ask};
use super::support::{Place, eventually, processes_in, text};

pub struct Server {
    process: Running,
    pub address: String,
    pub token: String,
}

impl Server {
    pub fn start(place: &Place, port: &str) -> Self {
        let mut process = place
            .sprt(["serve", "--port", port, "out"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        let mut line = String::new();
        let stdout = process.stdout.take().expect("a pipe");
        BufReader::new(stdout)
            .read_line(&mut line)
            .expect("an address");
        let url = line.trim().strip_prefix("http://").expect("an address");
        let (address, token) = url.split_once("/?token=").expect("a token");
        let (token, run) = token.split_once('#').expect("the run that was named");
        assert_eq!(run, "out");
        Self {
            process: Running(process),
            address: address.to_owned(),
            token: token.to_owned(),
        }
    }

    pub fn get(&self, path: &str) -> Value {
        let token = [("x-token", self.token.as_str())];
        let (status, body) = ask(&self.address, "GET", path, &token, "");
        assert_eq!(status, 200, "{path}: {body}");
        serde_json::from_str(&body).unwrap_or(Value::Null)
    }

    fn control(&self, wanted: &str, token: &str) -> u16 {
        self.post_control(wanted, token).0
    }

    fn post_control(&self, wanted: &str, token: &str) -> (u16, String) {
        let path = format!("/api/control?run=out&{wanted}");
        ask(&self.address, "POST", &path, &[("x-token", token)], "")
    }

    /// The page's words for the run.
    fn summary(&self) -> String {
        let run = self.get("/api/run?run=out");
        run["summary"].as_str().expect("a summary").to_owned()
    }
}

/// A long match, with a clock, so that its boards are worth watching.
fn long_match(place: &Place, base: &str) -> Running {
    let child = place
        .sprt(["run", &place.engine(base), &place.engine("engine-b")])
        .args([
            "--tc",
            "60+1",
            "--bounds=-500,500",
            "--alpha",
            "1e-90",
            "--beta",
            "1e-90",
        ])
        .args(["--seed", "5", "--concurrency", "1", "--out", "out"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    eventually("the run has pairs", || {
        std::fs::read_to_string(place.path("out/pairs.jsonl")).is_ok_and(|text| text.contains('\n'))
    });
    Running(child)
}

#[test]
fn a_run_is_paused_and_stopped_only_by_who_has_the_token() {
    let place = Place::new();
    let mut played = long_match(&place, "engine-a");
    let server = Server::start(&place, "0");
    let damaged = place.path("state/runs/damaged");
    std::fs::create_dir_all(&damaged).expect("writable");
    std::fs::write(damaged.join("plan.json"), "{").expect("writable");
    let listed = server.get("/api/runs");
    assert_eq!(listed["runs"][0]["name"], "out");
    assert_eq!(listed["unreadable"][0]["name"], "damaged", "{listed}");
    assert_eq!(listed["unreadable"][0]["words"], "damaged", "{listed}");
    eventually("boards are shown", || {
        let boards = server.get("/api/boards?run=out");
        boards["boards"][0]["moves"]
            .as_array()
            .is_some_and(|moves| !moves.is_empty())
    });
    let game = server.get("/api/game?run=out&pair=0&game=1");
    let replay = &game["replay"];
    let moves = replay["moves"].as_array().expect("moves").len();
    assert_eq!(
        replay["positions"].as_array().expect("positions").len(),
        moves + 1
    );

    let foreign = ask(
        &server.address,
        "GET",
        "/api/runs",
        &[("Host", "evil.example")],
        "",
    );
    assert_eq!(foreign.0, 421);
    for path in [
        "/api/runs",
        "/api/run?run=out",
        "/api/games?run=out",
        "/api/game?run=out&pair=0&game=0",
    ] {
        assert_eq!(ask(&server.address, "GET", path, &[], "").0, 403, "{path}");
        let wrong = [("x-token", "0123456789abcdef0123456789abcdef")];
        assert_eq!(
            ask(&server.address, "GET", path, &wrong, "").0,
            403,
            "{path}"
        );
    }
    assert_eq!(
        ask(&server.address, "POST", "/api/pgn?run=out", &[], "").0,
        403
    );
    assert_eq!(server.control("stop=true", ""), 403);
    assert_eq!(server.control("stop=true", &"0".repeat(32)), 403);
    assert_eq!(server.control("concurrency=0", &server.token), 422);
    for wrong in ["concurrency=", "concurrency=1.5", "paused=maybe"] {
        let (status, answer) = server.post_control(wrong, &server.token);
        assert_eq!(status, 400, "{wrong}: {answer}");
        let answer: Value = serde_json::from_str(&answer).expect("an answer that is read");
        assert!(answer["error"].is_string(), "{wrong}");
    }
    assert!(server.summary().contains("(running)"));
    assert_eq!(server.control("paused=true", &server.token), 200);
    // Or paused by now, if the pair under way was at its end.
    assert!(server.summary().contains("(paus"));
    eventually("the pause is said", || {
        server.summary().contains("(paused)")
    });
    assert_eq!(server.get("/api/runs")["runs"][0]["words"], "paused");
    let shown = place.sprt(["show", "out"]).output().expect("it runs");
    let words = text(&shown.stderr);
    assert!(
        words.contains("paused: ") && words.contains("sprt serve /"),
        "{words}"
    );
    let pairs = || server.get("/api/run?run=out")["pairs"].as_u64();
    let mut before = pairs();
    eventually("no new pair is begun", || {
        std::thread::sleep(Duration::from_millis(600));
        let now = pairs();
        std::mem::replace(&mut before, now) == now
    });
    assert_eq!(server.control("paused=false", &server.token), 200);
    assert_eq!(server.control("concurrency=2", &server.token), 200);
    eventually("it goes on", || pairs() > before);
    let (status, answer) = server.post_control("stop=true", &server.token);
    // `sprt resume` is of no use for the matches of `tuner prove` and `ablate`.
    assert!(status == 200 && !answer.contains("sprt resume"), "{answer}");
    let status = played.0.wait().expect("it ends");
    assert_eq!(status.code(), Some(130), "interrupted, to be resumed");
    let result = server.get("/api/runs");
    assert_eq!(result["runs"][0]["words"], "interrupted");
}

#[test]
fn slots_that_are_too_many_end_after_their_pair() {
    let place = Place::new();
    let _played = long_match(&place, "engine-a");
    let server = Server::start(&place, "0");
    let boards = || {
        server.get("/api/boards?run=out")["boards"]
            .as_array()
            .map_or(0, Vec::len)
    };
    let engines = || {
        let all = processes_in(&place.path(""));
        all.iter()
            .filter(|path| path.ends_with("engine-a") || path.ends_with("engine-b"))
            .count()
    };
    assert_eq!(server.control("concurrency=4", &server.token), 200);
    eventually("four games are played", || boards() == 4 && engines() == 8);
    assert_eq!(server.control("concurrency=1", &server.token), 200);
    eventually("the engines of three slots end", || engines() == 2);
    eventually("one board is left", || boards() == 1);
    let pairs = || server.get("/api/run?run=out")["pairs"].as_u64();
    let before = pairs();
    eventually("the slot that is left goes on", || pairs() > before);
    assert_eq!(server.control("concurrency=3", &server.token), 200);
    eventually("slots come back", || boards() == 3 && engines() == 6);
}

#[test]
fn stopping_the_server_stops_no_match() {
    let place = Place::new();
    let mut played = long_match(&place, "engine-a");
    let server = Server::start(&place, "0");
    server.get("/api/boards?run=out");
    drop(server);
    let length = || std::fs::metadata(place.path("out/pairs.jsonl")).map_or(0, |file| file.len());
    let before = length();
    eventually("the match goes on", || length() > before);
    assert!(played.0.try_wait().expect("it can be asked").is_none());
}

#[test]
fn a_match_is_watched_and_stopped_in_a_browser() {
    let place = Place::new();
    let Some(browser) = Browser::start(&place) else {
        return;
    };
    let mut played = long_match(&place, "<i>x<script>alert(1)");
    let server = Server::start(&place, "0");
    browser.open(&format!(
        "http://{}/?token={}",
        server.address, server.token
    ));
    eventually("the run is on the list", || {
        browser.holds("document.querySelector('#runs a')")
    });
    assert!(
        browser.holds("!location.search"),
        "the token stays in the address bar"
    );
    // A name of the list was broken after every third letter.
    browser.resize(390);
    assert!(
        browser.fits(390)
            && browser.holds("document.querySelector('#runs tbody th').offsetWidth > 300"),
        "the list does not fit a phone"
    );
    browser.resize(1280);
    browser.run("document.querySelector('#runs a').click();");
    eventually("a board is drawn", || {
        browser.holds("document.querySelectorAll('#boards .board .square').length >= 64")
    });
    assert!(
        browser.holds("[...document.querySelectorAll('#boards .square')].every((square) => { const { width, height } = square.getBoundingClientRect(); return Math.abs(width - height) < 1.5; })"),
        "a rank without pieces is lower"
    );
    let moves = || browser.run("return document.querySelector('#boards')?.textContent;");
    let first = moves();
    eventually("moves arrive", || moves() != first);
    eventually("the report is there", || {
        browser.holds("document.querySelector('#report svg polyline')")
    });
    assert!(
        browser.holds("document.querySelector('#title').textContent.includes('<i>x<script>')"),
        "the name is not shown as text"
    );
    assert!(
        browser.holds("!document.querySelector('main i, main script')"),
        "a name became markup"
    );

    let answer = || browser.run("return document.querySelector('#answer').textContent;");
    let concurrency = |value: &str| {
        browser.run(&format!("document.querySelector('#concurrency').value = '{value}'; document.querySelector('#slots').requestSubmit();"));
    };
    concurrency("");
    eventually("what was expected is said", || {
        answer()
            .as_str()
            .is_some_and(|words| words.contains("expected a whole number"))
    });
    concurrency("1");
    eventually("the answer is said", || {
        answer()
            .as_str()
            .is_some_and(|words| words.contains("Games at a time: 1"))
    });
    eventually("games are listed", || {
        browser.holds("document.querySelector('#games .list tbody button')")
    });
    browser.run("document.querySelector('#games .list tbody button').click();");
    eventually("a game is played back", || {
        browser.holds("document.querySelector('#games .stage .board .piece')")
    });
    assert!(
        browser.holds("document.activeElement.classList.contains('board')"),
        "the arrow keys do nothing until the board is clicked"
    );
    let position = || {
        browser.run(
            "return document.querySelector('#games .stage .board').getAttribute('aria-label');",
        )
    };
    let start = position();
    browser.run("document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowLeft', bubbles: true}));");
    eventually("the arrow key makes a move", || position() != start);

    // The page says when the server is gone, and finds it again.
    let port = server
        .address
        .rsplit_once(':')
        .expect("a port")
        .1
        .to_owned();
    drop(server);
    eventually("the lost server is said", || {
        browser.holds("!document.querySelector('#lost').hidden")
    });
    let server = Server::start(&place, &port);
    eventually("it is found again", || {
        browser.holds("document.querySelector('#lost').hidden")
    });

    // The new server has a token of its own.
    browser.open(&format!(
        "http://{}/?token={}#out",
        server.address, server.token
    ));
    eventually("the buttons are there", || {
        browser.holds("!document.querySelector('#controls').hidden")
    });
    browser.run("window.confirm = () => true; document.querySelector('#stop').click();");
    let status = played.0.wait().expect("it ends");
    assert_eq!(status.code(), Some(130));
}

#[test]
fn a_half_sent_request_does_not_keep_the_server_from_ending() {
    let place = Place::new();
    let arguments = ["--nodes", "1", "--max-games", "2"];
    place.run("out", &arguments).output().expect("sprt runs");
    let mut server = Server::start(&place, "0");
    let mut begun = TcpStream::connect(&server.address).expect("a server");
    begun.write_all(b"GET / HTTP/1.1\r\nHo").expect("sent");
    // An answer that came later says that the server has seen that connection, too.
    server.get("/api/runs");
    let process = Pid::from_raw(server.process.0.id() as i32);
    kill(process, Signal::SIGINT).expect("sent");
    let mut ended = None;
    eventually("the server has ended", || {
        ended = server.process.0.try_wait().expect("a process");
        ended.is_some()
    });
    assert_eq!(ended.and_then(|status| status.code()), Some(0));
}
