//! How pages look and whether everybody can use them: three widths, light and dark, by keyboard
//! alone, and by the rules of axe-core.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::browser::{ARROWS, Browser, ENTER, TAB, say};
use super::play::Game;
use super::serve::Server;
use super::suite;
use super::support::{Place, eventually, text};

/// The version that `.ci/run` installs.
const AXE: &str = "4.10.3";
/// Where it is installed, from the folder of the crate.
const AXE_FOLDER: &str = "../target/axe/node_modules/axe-core";

/// The source of axe-core. `None`, said on stderr, where it is not installed; in CI that is a
/// failure.
fn axe() -> Option<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(AXE_FOLDER);
    let package = std::fs::read_to_string(folder.join("package.json")).unwrap_or_default();
    let package: Value = serde_json::from_str(&package).unwrap_or_default();
    if package["version"] == AXE {
        return std::fs::read_to_string(folder.join("axe.min.js")).ok();
    }
    let is_ci = std::env::var("CI").is_ok_and(|value| value == "true");
    assert!(!is_ci, "axe-core {AXE} is not installed; .ci/run does that");
    say(&format!(
        "skipped: no axe-core {AXE} (npm install --no-save --prefix target/axe axe-core@{AXE})"
    ));
    None
}

/// What is serious by axe-core's rules, in words.
fn trouble(browser: &Browser, axe: &str) -> Vec<String> {
    browser.run(&format!("if (!window.axe) {{ {axe} }}"));
    let found = browser
        .wait_for("return (await axe.run(document, { resultTypes: ['violations'] })).violations;");
    let found = found
        .as_array()
        .unwrap_or_else(|| panic!("axe-core: {found}"));
    let is_serious = |it: &&Value| matches!(it["impact"].as_str(), Some("serious" | "critical"));
    let words = |it: &Value| {
        let place = &it["nodes"][0];
        format!(
            "{} ({}): {}: {}",
            it["id"], it["impact"], place["html"], place["failureSummary"]
        )
    };
    found.iter().filter(is_serious).map(words).collect()
}

/// A match whose engines have names that mean something to browsers.
fn played(place: &Place) -> PathBuf {
    let names = ["<i>x<script>alert(1)", "\u{202e}turned \"&amp;'"];
    let [base, new] = names.map(|name| place.engine(name));
    let status = place
        .sprt(["run", &base, &new, "--max-games", "12", "--seed", "7", "-q"])
        .args([
            "--nodes",
            "1",
            "--draw-adj",
            "movenumber=12,movecount=2,score=500",
            "--out",
            "out",
        ])
        .output()
        .expect("it runs")
        .status;
    assert_eq!(status.code(), Some(4));
    let page = place.path("page.html");
    let status = place.sprt(["report", "out", "--out", "page.html"]).status();
    assert!(status.expect("it runs").success());
    page
}

#[test]
fn pages_fit_every_width_in_light_and_dark_and_can_be_used_by_all() {
    let place = Place::new();
    let Some(browser) = Browser::start(&place) else {
        return;
    };
    let axe = axe();
    let page = played(&place);
    tournament(&place);
    suite::loss(&place, "<i>weak\u{202e}", "state/runs/suite");
    let suite_page = place.path("state/runs/suite/report.html");
    let status = place.sprt(["report", "suite"]).status();
    assert!(status.expect("it runs").success());
    // A position has to be opened.
    let is_open = "document.querySelector('#positions .board .piece') || document.querySelector('#positions .list tbody button')?.click()";
    let swap = "6nn1/8/3nw4/3NW4/8/8/8/7NN W";
    let game = Game::start(
        &place,
        &place.engine("a<b>"),
        &["--position", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"],
    );
    let persons = Game::start(
        &place,
        "",
        &["--variant", "leiserchess", "--position", swap],
    );
    let server = Server::start(&place, "0");
    let list = format!("http://{}/?token={}", server.address, server.token);
    let pages = [
        (list.clone(), "document.querySelector('#runs a')"),
        (
            format!("{list}#out&game=3&ply=12"),
            "document.querySelector('#games .stage .board .piece') && document.querySelector('#report svg')",
        ),
        (
            format!("file://{}#game=2&ply=5", page.display()),
            "document.querySelector('#games .stage .board .piece')",
        ),
        (
            format!("{list}#cup"),
            "document.querySelector('#games .list tbody button') && document.querySelector('#summary .ratings circle')",
        ),
        (format!("{list}#suite"), is_open),
        (format!("file://{}", suite_page.display()), is_open),
        (game.url.clone(), "document.querySelector('#board .piece')"),
        (
            persons.url.clone(),
            "document.querySelector('#board .piece')",
        ),
    ];
    for (url, is_drawn) in &pages {
        for width in [1280, 800, 390] {
            browser.resize(width);
            browser.open("about:blank");
            browser.open(url);
            eventually(is_drawn, || browser.holds(is_drawn));
            assert!(browser.fits(width), "{url} is wider than {width} pixels");
            assert!(
                browser.holds("!document.querySelector('main i, main script')"),
                "a name became markup"
            );
            assert!(
                browser.holds("!document.body.textContent.includes('\\u202e')"),
                "a name turned the text"
            );
            for is_dark in [false, true] {
                browser.darken(is_dark);
                if let Some(axe) = &axe {
                    let trouble = trouble(&browser, axe);
                    assert!(
                        trouble.is_empty(),
                        "{url} at {width}, dark {is_dark}: {trouble:#?}"
                    );
                }
                if let Some(folder) = std::env::var_os("WHETSTONE_SCREENSHOTS") {
                    let name = url
                        .rsplit(['/', '#'])
                        .next()
                        .unwrap_or_default()
                        .replace(['?', '=', '&'], "-");
                    let file = format!("{}-{width}-{is_dark}.png", &name[..name.len().min(20)]);
                    browser.screenshot(&Path::new(&folder).join(file));
                }
            }
        }
    }
}

/// A cup of three engines in the state folder.
fn tournament(place: &Place) {
    let mut command = place.sprt(["tournament", "--nodes", "1", "--seed", "7", "--rounds", "2"]);
    for name in ["anna", "boris", "<b>carla"] {
        command.args(["--engine", &format!("'{}'", place.engine(name))]);
    }
    let cup = place.path("state/runs/cup");
    let output = command.arg("--out").arg(cup).output().expect("it runs");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
}

#[test]
fn a_cell_of_the_cross_table_leads_to_its_games() {
    let place = Place::new();
    let Some(browser) = Browser::start(&place) else {
        return;
    };
    played(&place);
    tournament(&place);
    let server = Server::start(&place, "0");
    browser.resize(1280);
    browser.open(&format!(
        "http://{}/?token={}#cup",
        server.address, server.token
    ));
    eventually("the table and the games are there", || {
        browser.holds("document.querySelector('#report [data-players] button') && games && games.found && games.found.length === 12")
    });
    browser.run("document.querySelector('#report [data-players] button').click();");
    assert_eq!(browser.run("return games.found.length;"), 4);
    assert_eq!(
        browser.run("return new Set(games.found.map(pairingOf)).size;"),
        1
    );
    assert!(
        browser.holds("!document.querySelector('main b b')"),
        "a name became markup"
    );
}

#[test]
fn mistakes_that_a_judge_found_are_marked() {
    let place = Place::new();
    played(&place);
    // It sees five pawns for whoever is to move: every move loses most of its chances.
    let excited = "Script=say:info depth 1 score cp 500 nodes 1 pv $best|bestmove $best@all";
    let judge = place.engine("judge");
    let output = place
        .sprt([
            "blunders", "out", "--judge", &judge, "--option", excited, "-q",
        ])
        .output()
        .expect("it runs");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let server = Server::start(&place, "0");
    for (pair, game) in [(0, 0), (3, 1)] {
        let game = server.get(&format!("/api/game?run=out&pair={pair}&game={game}"));
        let moves = game["replay"]["moves"].as_array().expect("moves");
        let is_marked = |played: &Value| played["mistake"].is_string();
        let own = moves.iter().filter(|played| played["is_book"] == false);
        // The last position is a draw by adjudication, and judged like the others.
        assert!(
            own.clone().count() > 5 && own.clone().all(is_marked),
            "{game}"
        );
        assert!(
            moves
                .iter()
                .filter(|played| played["is_book"] == true)
                .all(|played| !is_marked(played))
        );
        let words = own
            .clone()
            .next()
            .map(|played| played["mistake"].clone())
            .unwrap_or_default();
        assert!(
            words.as_str().is_some_and(
                |it| it.starts_with("blunder: 86% winning chances became 14%; judge prefers")
            ),
            "{words}"
        );
    }
    // A report carries the marks, too.
    let Some(browser) = Browser::start(&place) else {
        return;
    };
    let status = place
        .sprt(["report", "out", "--out", "marked.html"])
        .status();
    assert!(status.expect("it runs").success());
    browser.open(&format!(
        "file://{}#game=1&ply=20",
        place.path("marked.html").display()
    ));
    eventually("a mistake is marked on moves, graph and board", || {
        browser.holds("document.querySelector('.moves .mistake') && document.querySelector('.graph .mistake') && document.querySelector('.board .badge')")
    });
}

#[test]
fn a_report_says_how_many_games_it_carries() {
    let place = Place::new();
    played(&place);
    for (size, games, words) in [
        (
            "0.001",
            true,
            " of 12 games; `sprt report --games-size` carries more",
        ),
        ("4", true, "All games of the run: 12."),
        ("0", false, ""),
    ] {
        let output = place
            .sprt(["report", "out", "--out", "part.html", "--games-size", size])
            .output()
            .expect("it runs");
        assert!(output.status.success());
        let page = std::fs::read_to_string(place.path("part.html")).expect("a page");
        assert_eq!(page.contains("id=\"packed-games\""), games, "{size}");
        assert!(page.contains(words), "{size}");
        assert!(
            !page.contains(" src=") && !page.contains("<link"),
            "it loads something"
        );
    }
    let output = place
        .sprt(["report", "out", "--games-size=-1"])
        .output()
        .expect("it runs");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("--games-size: expected MiB, got -1"));
}

/// Presses Tab until what has the focus is what is wanted.
fn tab_to(browser: &Browser, selector: &str) {
    for _ in 0..80 {
        browser.press(TAB);
        if browser.holds(&format!("document.activeElement.matches(\"{selector}\")")) {
            return;
        }
    }
    panic!("Tab does not reach `{selector}`");
}

#[test]
fn a_game_is_found_and_played_back_by_keyboard_alone() {
    let place = Place::new();
    let Some(browser) = Browser::start(&place) else {
        return;
    };
    played(&place);
    let server = Server::start(&place, "0");
    browser.resize(1280);
    browser.open(&format!(
        "http://{}/?token={}",
        server.address, server.token
    ));
    eventually("the run is listed", || {
        browser.holds("document.querySelector('#runs a')")
    });
    tab_to(&browser, "#runs a");
    browser.press(ENTER);
    eventually("games are listed", || {
        browser.holds("document.querySelector('#games .list tbody button')")
    });
    tab_to(&browser, "#games input[type=search]");
    browser.press("no such thing");
    eventually("nothing is found", || {
        browser.holds("document.querySelector('#games').textContent.includes('0 of 12 games')")
    });
    browser.run("document.querySelector('#games form').reset(); games.update();");
    tab_to(&browser, "#games .list tbody button");
    browser.press(ENTER);
    eventually("a board is drawn", || {
        browser.holds("document.activeElement.matches('#games .board')")
    });
    let ply = || {
        browser.run(
            "return new URLSearchParams(location.hash.split('&').slice(1).join('&')).get('ply');",
        )
    };
    let end = ply();
    browser.press(ARROWS[0]);
    assert_ne!(ply(), end);
    browser.press("\u{e011}"); // Home
    assert_eq!(ply(), "0");
    // The address leads to this position.
    let place = browser.run("return location.hash;");
    assert_eq!(place, "#out&game=1&ply=0");
}

#[test]
fn games_are_filtered_saved_and_walked_through_by_opening() {
    let place = Place::new();
    let Some(browser) = Browser::start(&place) else {
        return;
    };
    played(&place);
    let server = Server::start(&place, "0");
    browser.open(&format!(
        "http://{}/?token={}#out",
        server.address, server.token
    ));
    eventually("games are listed", || {
        browser.holds("games && games.found && games.found.length === 12")
    });
    let count = || browser.run("return games.found.length;");
    browser.run("games.form.elements.least.value = '30'; games.update();");
    let long =
        browser.run("return games.source.entries.filter((entry) => entry.plies >= 30).length;");
    assert_eq!(count(), long);
    browser.run("games.form.reset(); games.update();");
    browser.run("document.querySelector('.tree summary').click(); document.querySelector('.tree tbody button').click();");
    let shown = browser.run("return [games.path.length, games.found.length];");
    assert_eq!(shown[0], 1);
    assert!(
        shown[1]
            .as_u64()
            .is_some_and(|games| (1..=12).contains(&games)),
        "{shown}"
    );
    browser.run("games.walk([]);");
    for (which, expected) in [
        ("null", 12),
        ("games.found.slice(0, 3)", 3),
        ("[games.found[0]]", 1),
    ] {
        let text = browser.wait_for(&format!("return await games.source.pgn({which});"));
        let text = text.as_str().expect("PGN");
        assert_eq!(text.matches("[Event \"").count(), expected, "{which}");
        let record = std::fs::read_to_string(place.path("out/games.pgn")).expect("a record");
        assert!(record.contains(text), "{which}");
    }
}
