//! UCI as players of Leiserchess speak it.
//!
//! The course's player (MIT 6.172, 2018) differs from UCI in a few points, and one wording suits
//! both it and engines of plain UCI: `go` has the mover's clock as `time` and `inc` beside UCI's;
//! spin options are announced with their present value; a won game is scored as 32000 centipawns
//! less the plies to its end, on a line of its own after the one with depth and nodes. That player
//! complains about `ucinewgame` and `stop`, which does no harm.

use std::fmt::Write as _;

use engine_client::{
    Color, Dialect, EngineScore, Info, Introduction, OtherProtocol, ScoreQuality, Search, UCI,
    UciOption,
};

/// The wording for all engines of the game.
pub(super) static LEISERCHESS_UCI: LeiserchessUci = LeiserchessUci;

#[derive(Debug)]
pub(super) struct LeiserchessUci;

/// Score of a game that is won now.
const WIN: i32 = 32_000;
/// Scores beyond tell the plies to the end of the game.
const DECIDED: i32 = 31_000;

impl Dialect for LeiserchessUci {
    fn introduction(&self, line: &str) -> Introduction {
        match without_value(line) {
            Some(line) => UCI.introduction(&line),
            None => UCI.introduction(line),
        }
    }

    fn search(&self, search: &Search<'_>, lines: &mut String) {
        UCI.search(search, lines);
        let face = match search.mover {
            Color::White => search.clocks.white,
            Color::Black => search.clocks.black,
        };
        if let Some(face) = face.filter(|_| search.limit.clock.is_some()) {
            let end = lines.trim_end_matches('\n').len();
            lines.truncate(end);
            let left = face.left.as_millis().max(1);
            // Writing to a `String` cannot fail.
            let _ = writeln!(lines, " time {left} inc {}", face.increment_ms);
        }
    }

    fn info(&self, line: &[u8], mover: Color) -> Info {
        let mut info = UCI.info(line, mover);
        if let Some(EngineScore::Cp(score)) = info.score
            && score.abs() > DECIDED
        {
            let moves = ((WIN - score.abs() + 1) / 2).max(1);
            info.score = Some(EngineScore::Mate(moves * score.signum()));
        }
        info
    }

    fn name(&self) -> &'static str {
        UCI.name()
    }

    fn hello(&self) -> &'static str {
        UCI.hello()
    }

    fn welcome(&self) -> &'static str {
        UCI.welcome()
    }

    fn other_protocol(&self) -> Option<OtherProtocol> {
        UCI.other_protocol()
    }

    fn set_option(&self, option: &UciOption, value: &str, lines: &mut String) {
        UCI.set_option(option, value, lines);
    }

    fn new_game(&self) -> &'static str {
        UCI.new_game()
    }

    fn ping(&self) -> &'static str {
        UCI.ping()
    }

    fn pong(&self) -> &'static str {
        UCI.pong()
    }

    fn ponder(&self, search: &Search<'_>, lines: &mut String) {
        UCI.ponder(search, lines);
    }

    fn ponder_hit(&self) -> Option<&'static str> {
        UCI.ponder_hit()
    }

    fn expected_reply<'a>(&self, line: &'a [u8]) -> Option<&'a [u8]> {
        UCI.expected_reply(line)
    }

    fn stop(&self) -> &'static str {
        UCI.stop()
    }

    fn quit(&self) -> &'static str {
        UCI.quit()
    }

    fn best_move<'a>(&self, line: &'a [u8]) -> Option<&'a [u8]> {
        UCI.best_move(line)
    }

    fn score_quality(&self, line: &[u8]) -> ScoreQuality {
        UCI.score_quality(line)
    }

    fn is_head(&self, line: &[u8]) -> bool {
        line.starts_with(b"info depth ") && UCI.score_quality(line) == ScoreQuality::Missing
    }

    fn line_of<'a>(&self, line: &'a [u8]) -> Option<&'a [u8]> {
        UCI.line_of(line)
    }
}

/// `option name N type spin value 3 default 3 …` without its value.
fn without_value(line: &str) -> Option<String> {
    const MARK: &str = " type spin value ";
    let (before, rest) = line.split_once(MARK)?;
    let (_, after) = rest.split_once(' ')?;
    Some(format!("{before} type spin {after}"))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use engine_client::{Clocks, Face, Heads, Limit, OptionKind, Stage};

    fn go(mover: Color, limit: &Limit) -> String {
        let face = |seconds| {
            Some(Face {
                left: Duration::from_secs(seconds),
                increment_ms: 50,
            })
        };
        let mut lines = String::new();
        let search = Search {
            position: "startpos",
            mover,
            limit,
            clocks: Clocks {
                white: face(7),
                black: face(6),
                moves_to_go: None,
            },
        };
        LEISERCHESS_UCI.search(&search, &mut lines);
        lines
    }

    #[test]
    fn the_mover_is_told_its_clock_in_both_wordings() {
        let clock = Limit::clock(Stage {
            moves: None,
            base_ms: 8000,
            increment_ms: 50,
        });
        let both = "position startpos\ngo wtime 7000 btime 6000 winc 50 binc 50";
        assert_eq!(
            go(Color::White, &clock),
            format!("{both} time 7000 inc 50\n")
        );
        assert_eq!(
            go(Color::Black, &clock),
            format!("{both} time 6000 inc 50\n")
        );
        let depth = go(Color::White, &Limit::depth(4));
        assert_eq!(depth, "position startpos\ngo depth 4\n");
    }

    #[test]
    fn options_of_the_courses_player_are_understood() {
        let line = "option name kface type spin value 5000 default 5000 min 0 max 10000";
        let Introduction::Option(option) = LEISERCHESS_UCI.introduction(line) else {
            panic!("an option");
        };
        assert_eq!(option.name, "kface");
        let (default, min, max) = (5000, 0, 10000);
        assert_eq!(option.kind, OptionKind::Spin { default, min, max });
    }

    #[test]
    fn depth_and_nodes_stand_on_the_line_before_the_score() {
        let head = "info depth 3 move_no 12 time (microsec) 34788 nodes 20103 nps 577867";
        let scored = "info score cp -8 pv g3h4 b3L";
        assert!(LEISERCHESS_UCI.is_head(head.as_bytes()));
        for other in [
            scored,
            "info depth 3 score cp 5 nodes 7",
            "info string x",
            "",
        ] {
            assert!(!LEISERCHESS_UCI.is_head(other.as_bytes()), "{other}");
        }
        let both = format!("{head} {scored}");
        let mut heads = Heads::default();
        let joined = [scored, head, scored, head, "bestmove g3h4", scored]
            .map(|line| heads.join(&LEISERCHESS_UCI, line).map(String::from));
        let expected = [scored, "", &both, "", "bestmove g3h4", scored];
        assert_eq!(joined.map(Option::unwrap_or_default), expected);
        let info = LEISERCHESS_UCI.info(both.as_bytes(), Color::White);
        assert_eq!((info.depth, info.nodes), (Some(3), Some(20103)));
        assert_eq!(info.score, Some(EngineScore::Cp(-8)));
        assert_eq!(info.reported_ms, None);
        let line = LEISERCHESS_UCI.line_of(both.as_bytes());
        assert_eq!(line, Some(&b"g3h4 b3L"[..]));
    }

    #[test]
    fn wins_are_reported_in_moves_and_the_rest_in_centipawns() {
        let score = |line: &str| LEISERCHESS_UCI.info(line.as_bytes(), Color::White).score;
        for (line, expected) in [
            ("info score cp 12 pv g4L", EngineScore::Cp(12)),
            ("info score cp -30999 pv g4L", EngineScore::Cp(-30999)),
            ("info score cp 31999 pv g4L", EngineScore::Mate(1)),
            ("info score cp 31997 pv g4L", EngineScore::Mate(2)),
            ("info score cp -31998 pv g4L", EngineScore::Mate(-1)),
            ("info depth 3 score mate 2", EngineScore::Mate(2)),
        ] {
            assert_eq!(score(line), Some(expected), "{line}");
        }
        let book = "info depth +inf move_no 1 time (microsec) 0 nodes +inf nps +inf";
        assert_eq!(
            LEISERCHESS_UCI.info(book.as_bytes(), Color::White),
            Info::default()
        );
    }
}
