//! UCI, as chess engines speak it.

use std::fmt::Write as _;

use crate::{
    Clocks, Color, Dialect, Info, Introduction, Limit, OptionKind, OtherProtocol, ScoreQuality,
    Search, UciOption,
};

mod info_line;

use info_line::{line_of, score_quality};

/// The wording of UCI.
pub static UCI: Uci = Uci;

#[derive(Debug)]
pub struct Uci;

/// What xboard engines answer to a command that they do not know.
const XBOARD_REFUSALS: [&str; 2] = ["Error (unknown command)", "Illegal move"];

impl Dialect for Uci {
    fn name(&self) -> &'static str {
        "UCI"
    }

    fn hello(&self) -> &'static str {
        "uci\n"
    }

    fn welcome(&self) -> &'static str {
        "uciok"
    }

    fn introduction(&self, line: &str) -> Introduction {
        let line = line.trim();
        if line == "uciok" {
            Introduction::Done
        } else if let Some(name) = line.strip_prefix("id name ") {
            Introduction::Name(name.trim().to_owned())
        } else if let Some(author) = line.strip_prefix("id author ") {
            Introduction::Author(author.trim().to_owned())
        } else if let Some(option) = line.strip_prefix("option ") {
            UciOption::parse(option).map_or(Introduction::Other, Introduction::Option)
        } else if XBOARD_REFUSALS.iter().any(|words| line.starts_with(words)) {
            Introduction::Refused
        } else {
            Introduction::Other
        }
    }

    fn other_protocol(&self) -> Option<OtherProtocol> {
        Some(OtherProtocol {
            name: "xboard",
            question: "xboard\nprotover 2\n",
            answer: "feature ",
        })
    }

    fn set_option(&self, option: &UciOption, value: &str, lines: &mut String) {
        // Writing to a `String` cannot fail.
        let _ = match option.kind {
            OptionKind::Button => writeln!(lines, "setoption name {}", option.name),
            _ => writeln!(lines, "setoption name {} value {value}", option.name),
        };
    }

    fn new_game(&self) -> &'static str {
        "ucinewgame\n"
    }

    fn ping(&self) -> &'static str {
        "isready\n"
    }

    fn pong(&self) -> &'static str {
        "readyok"
    }

    fn search(&self, search: &Search<'_>, lines: &mut String) {
        for part in ["position ", search.position, "\n"] {
            lines.push_str(part);
        }
        write_go(search.limit, search.clocks, lines);
    }

    fn ponder(&self, search: &Search<'_>, lines: &mut String) {
        // Writing to a `String` cannot fail.
        let _ = writeln!(lines, "position {}", search.position);
        write_command("go ponder", search.limit, search.clocks, lines);
    }

    fn ponder_hit(&self) -> Option<&'static str> {
        Some("ponderhit\n")
    }

    fn expected_reply<'a>(&self, line: &'a [u8]) -> Option<&'a [u8]> {
        let words = line.split(u8::is_ascii_whitespace);
        let mut words = words.filter(|word| !word.is_empty());
        let [first, _, third] = [words.next()?, words.next()?, words.next()?];
        let is_told = first == b"bestmove" && third == b"ponder";
        words.next().filter(|_| is_told)
    }

    fn stop(&self) -> &'static str {
        "stop\n"
    }

    fn quit(&self) -> &'static str {
        "quit\n"
    }

    fn best_move<'a>(&self, line: &'a [u8]) -> Option<&'a [u8]> {
        let rest = line.trim_ascii_start().strip_prefix(b"bestmove")?;
        match rest {
            [] => Some(rest),
            [first, ..] if first.is_ascii_whitespace() => {
                let mut words = rest.split(u8::is_ascii_whitespace);
                Some(words.find(|word| !word.is_empty()).unwrap_or_default())
            }
            _ => None,
        }
    }

    fn score_quality(&self, line: &[u8]) -> ScoreQuality {
        score_quality(line.trim_ascii_start())
    }

    fn info(&self, line: &[u8], _mover: Color) -> Info {
        Info::parse(line)
    }

    fn line_of<'a>(&self, line: &'a [u8]) -> Option<&'a [u8]> {
        line_of(line)
    }
}

/// Appends the `go` command with its line end.
pub fn write_go(limit: &Limit, clocks: Clocks, line: &mut String) {
    write_command("go", limit, clocks, line);
}

/// Appends `go` or `go ponder` with what the engine may use.
fn write_command(go: &str, limit: &Limit, clocks: Clocks, line: &mut String) {
    // Writing to a `String` cannot fail.
    line.push_str(go);
    if limit.clock.is_some() {
        let sides = [('w', clocks.white), ('b', clocks.black)];
        let timed = || {
            sides
                .into_iter()
                .filter_map(|(side, face)| Some((side, face?)))
        };
        for (side, face) in timed() {
            let _ = write!(line, " {side}time {}", face.left.as_millis().max(1));
        }
        for (side, face) in timed() {
            let _ = write!(line, " {side}inc {}", face.increment_ms);
        }
        if let Some(moves) = clocks.moves_to_go {
            let _ = write!(line, " movestogo {moves}");
        }
    }
    if let Some(ms) = limit.movetime {
        let _ = write!(line, " movetime {ms}");
    }
    if let Some(nodes) = limit.nodes {
        let _ = write!(line, " nodes {nodes}");
    }
    if let Some(depth) = limit.depth {
        let _ = write!(line, " depth {depth}");
    }
    line.push('\n');
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::{Face, Stage};

    #[test]
    fn go_names_what_the_engine_may_use() {
        let face = |left, increment_ms| Some(Face { left, increment_ms });
        let clocks = Clocks {
            white: face(Duration::from_secs(7), 80),
            black: face(Duration::from_micros(6_999_900), 90),
            moves_to_go: Some(3),
        };
        let go = |limit: Limit| {
            let mut lines = String::new();
            let search = Search {
                position: "startpos",
                mover: Color::White,
                limit: &limit,
                clocks,
            };
            UCI.search(&search, &mut lines);
            lines
        };
        let control = Limit::clock(Stage {
            moves: Some(40),
            base_ms: 8000,
            increment_ms: 80,
        });
        let both = Limit {
            nodes: Some(5),
            depth: Some(6),
            ..control.clone()
        };
        for (limit, words) in [
            (control, "wtime 7000 btime 6999 winc 80 binc 90 movestogo 3"),
            (
                both,
                "wtime 7000 btime 6999 winc 80 binc 90 movestogo 3 nodes 5 depth 6",
            ),
            (Limit::nodes(5), "nodes 5"),
            (Limit::depth(5), "depth 5"),
            (Limit::movetime(5), "movetime 5"),
        ] {
            assert_eq!(go(limit), format!("position startpos\ngo {words}\n"));
        }
    }

    #[test]
    fn a_side_without_a_clock_is_not_spoken_of() {
        let clocks = Clocks {
            white: Some(Face {
                left: Duration::from_secs(7),
                increment_ms: 80,
            }),
            ..Clocks::default()
        };
        let control = Stage {
            moves: None,
            base_ms: 8000,
            increment_ms: 80,
        };
        let mut line = String::new();
        write_go(&Limit::clock(control), clocks, &mut line);
        assert_eq!(line, "go wtime 7000 winc 80\n");
    }

    #[test]
    fn a_move_is_the_word_after_bestmove_and_bestmovement_is_none() {
        for (line, word) in [
            ("bestmove e2e4", "e2e4"),
            ("  bestmove e2e4", "e2e4"),
            ("\tbestmove   e2e4 ponder e7e5", "e2e4"),
            ("bestmove", ""),
            ("bestmove ", ""),
            ("bestmove (none)", "(none)"),
        ] {
            assert_eq!(
                UCI.best_move(line.as_bytes()),
                Some(word.as_bytes()),
                "{line}"
            );
        }
        for line in [
            "bestmovement e2e4",
            "bestmovee2e4",
            "info bestmove e2e4",
            "",
        ] {
            assert_eq!(UCI.best_move(line.as_bytes()), None, "{line}");
            assert_eq!(
                UCI.score_quality(line.as_bytes()),
                ScoreQuality::Missing,
                "{line}"
            );
        }
    }

    #[test]
    fn the_expected_reply_is_the_word_after_ponder() {
        for (line, reply) in [
            ("bestmove e2e4 ponder e7e5", Some("e7e5")),
            ("  bestmove  e2e4\tponder e7e5 ", Some("e7e5")),
            ("bestmove e2e4", None),
            ("bestmove e2e4 ponder", None),
            ("bestmove e2e4 e7e5", None),
            ("bestmove ponder e7e5", None),
            ("bestmove", None),
        ] {
            let expected = reply.map(str::as_bytes);
            assert_eq!(UCI.expected_reply(line.as_bytes()), expected, "{line}");
        }
    }

    #[test]
    fn a_pondering_engine_gets_the_limit_that_counts_after_a_hit() {
        let face = |ms| {
            Some(Face {
                left: Duration::from_millis(ms),
                increment_ms: 80,
            })
        };
        let stage = Stage {
            moves: None,
            base_ms: 8000,
            increment_ms: 80,
        };
        let search = Search {
            position: "startpos moves e2e4 e7e5",
            mover: Color::White,
            limit: &Limit::clock(stage),
            clocks: Clocks {
                white: face(7000),
                black: face(8000),
                moves_to_go: None,
            },
        };
        let mut lines = String::new();
        UCI.ponder(&search, &mut lines);
        assert_eq!(
            lines,
            "position startpos moves e2e4 e7e5\n\
             go ponder wtime 7000 btime 8000 winc 80 binc 80\n"
        );
    }

    #[test]
    fn an_introduction_is_read_line_by_line() {
        assert_eq!(UCI.introduction(" uciok\r"), Introduction::Done);
        assert_eq!(
            UCI.introduction("id name  Engine 1"),
            Introduction::Name("Engine 1".into())
        );
        assert_eq!(
            UCI.introduction("id author us"),
            Introduction::Author("us".into())
        );
        assert!(matches!(
            UCI.introduction("option name Clear Hash type button"),
            Introduction::Option(option) if option.name == "Clear Hash"
        ));
        assert_eq!(UCI.introduction("info string hello"), Introduction::Other);
    }
}
