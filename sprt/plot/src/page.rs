//! The common parts of the tools' pages: the frame, and what draws boards and games.
//!
//! A page loads nothing: it contains style, scripts and pieces, and its content security policy
//! forbids everything else.

use crate::text::escape;

/// Style sheet of boards, games and lists of them.
pub const BOARD_STYLE: &str = include_str!("page/board.css");

/// SVG shapes of the pieces of all games that can be drawn, for the body of a page.
pub const PIECES: &str = concat!(
    include_str!("page/chess.svg"),
    include_str!("page/leiserchess.svg")
);

/// Scripts by name, in dependency order: a board, a graph, a game, lists of games and positions.
pub const SCRIPTS: [(&str, &str); 5] = [
    ("board.js", include_str!("page/board.js")),
    ("graph.js", include_str!("page/graph.js")),
    ("viewer.js", include_str!("page/viewer.js")),
    ("games.js", include_str!("page/games.js")),
    ("positions.js", include_str!("page/positions.js")),
];

/// The script that shows packed games or positions on a standalone page.
const REPORT: &str = include_str!("page/report.js");

/// A standalone page. `body` is HTML in which all names are escaped.
pub fn page(title: &str, body: &str) -> String {
    page_with_head(title, "", body)
}

/// A standalone page with additional elements in its head, such as a refresh.
pub fn page_with_head(title: &str, head: &str, body: &str) -> String {
    whole(title, crate::STYLE, head, body, "")
}

/// A standalone page with games to replay. `games` is gzipped JSON as base64, `name` the name of
/// saved files, `note` the text above the list.
pub fn page_with_games(title: &str, body: &str, games: &str, name: &str, note: &str) -> String {
    let packed = format!(
        "id=\"packed-games\" data-name=\"{}\" data-note=\"{}\">{games}",
        escape(name),
        escape(note)
    );
    page_with_packed(title, body, "games", &packed)
}

/// A standalone page with the positions of a suite and the answers at them. `result` is gzipped JSON
/// as base64: the object that `sprt suite --json` prints.
pub fn page_with_suite(title: &str, body: &str, result: &str) -> String {
    let packed = format!("id=\"packed-suite\">{result}");
    page_with_packed(title, body, "positions", &packed)
}

/// `packed` is the end of an opening tag and what follows it, to be shown in `section`.
fn page_with_packed(title: &str, body: &str, section: &str, packed: &str) -> String {
    let scripts: String = SCRIPTS.iter().map(|(_, script)| *script).collect();
    let body = format!(
        "{body}<section id=\"{section}\"><p class=\"note\">Unpacking the {section}.</p></section>\n"
    );
    let tail = format!(
        "{PIECES}<script type=\"text/plain\" {packed}</script>\n<script>{scripts}{REPORT}</script>\n"
    );
    whole(
        title,
        &[crate::STYLE, BOARD_STYLE].concat(),
        "",
        &body,
        &tail,
    )
}

/// `tail` follows all visible content.
fn whole(title: &str, style: &str, head: &str, body: &str, tail: &str) -> String {
    let title = escape(title);
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
         style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\
         <title>{title}</title><style>{style}</style>{head}</head><body><main class=\"wide\">\n\
         <h1>{title}</h1>\n{body}</main>\n{tail}</body></html>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_text_and_nothing_is_loaded() {
        let page = page_with_games("<b>", "", "QQ==", "\"><script>", "'&");
        assert!(page.contains("<title>&lt;b&gt;</title>"));
        assert!(
            !page.contains("\"><script>alert")
                && page.contains("data-name=\"&quot;&gt;&lt;script&gt;\"")
        );
        assert!(page.contains("default-src 'none'"));
        // No script closes its own element.
        for (name, script) in SCRIPTS {
            assert!(!script.contains("</"), "{name}");
        }
    }
}
