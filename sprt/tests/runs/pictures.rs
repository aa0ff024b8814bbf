//! The boards in the documents, as the page draws them on which people play.

use std::path::Path;

use super::browser::Browser;
use super::play::Game;
use super::support::{Place, eventually};

/// The board of the page as a picture of its own, with its pieces and its style.
const ALONE: &str = r"
    const board = document.querySelector('#board svg').cloneNode(true);
    board.removeAttribute('class');
    board.setAttribute('width', '320');
    board.setAttribute('height', '320');
    for (const piece of board.querySelectorAll('[data-piece]')) piece.removeAttribute('data-piece');
    for (const square of board.querySelectorAll('[data-square]')) square.removeAttribute('data-square');
    const shapes = new Set([...board.querySelectorAll('use')].map((use) => use.getAttribute('href')));
    const style = document.createElementNS(board.namespaceURI, 'style');
    const css = await (await fetch('/page.css')).text();
    const rules = css.split('\n').filter((line) => /^\.board \.|^symbol/.test(line));
    style.textContent = rules.join('\n').replaceAll('.board ', '');
    board.prepend(style, ...[...shapes].map((shape) => document.querySelector(shape).cloneNode(true)));
    return new XMLSerializer().serializeToString(board).replace(/></g, '>\n<') + '\n';
";

#[test]
fn pictures_of_the_documents_are_what_the_page_draws() {
    let place = Place::new();
    let Some(browser) = Browser::start(&place) else {
        return;
    };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/pictures");
    let start = "ss7/3nwse3/2nwse4/1nwse3NW1/1se3NWSE1/4NWSE2/3NWSE3/7NN W";
    let tactics = "ssse3SW2/3sw4/5se1sw/ne1nw5/6SESW/2NE1NE3/6NW1/7NN W";
    for (name, position, played) in [
        ("start", start, ""),
        ("beam", tactics, "c2R"),
        ("zap", tactics, "c2b1"),
    ] {
        let options = ["--variant", "leiserchess", "--position", position];
        let game = Game::start(&place, "", &options);
        browser.open(&game.url);
        eventually("a board is drawn", || {
            browser.holds("table && document.querySelector('#board .piece')")
        });
        if !played.is_empty() {
            browser.run(&format!(
                "send1({{ action: 'move', text: '{played}', version: table.version }});"
            ));
            eventually("the shot is drawn", || {
                browser.holds("document.querySelector('#board .beam')")
            });
        }
        let drawn = browser.wait_for(ALONE);
        let drawn = drawn.as_str().expect("a picture");
        let file = folder.join(format!("leiserchess-{name}.svg"));
        if std::env::var_os("WHETSTONE_UPDATE").is_some() {
            std::fs::write(&file, drawn).expect("written");
        }
        let kept = std::fs::read_to_string(&file).unwrap_or_default();
        assert!(
            kept == drawn,
            "{} is out of date: WHETSTONE_UPDATE=1 cargo test -p sprt --test runs pictures",
            file.display()
        );
    }
}
