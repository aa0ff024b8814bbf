//! How pages look and whether everybody can use them: three widths, light and dark, by keyboard
//! alone, and by the rules of axe-core.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::browser::{ARROWS, Browser, ENTER, TAB, say};
use super::serve::Server;
use super::support::{Place, eventually};

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
    ];
    for (url, is_drawn) in &pages {
        for width in [1280, 800, 390] {
            browser.resize(width);
            browser.open("about:blank");
            browser.open(url);
            eventually(is_drawn, || browser.holds(is_drawn));
            assert!(
                browser.holds("document.documentElement.scrollWidth <= innerWidth"),
                "{url} is wider than {width} pixels"
            );
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
