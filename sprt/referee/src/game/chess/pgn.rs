//! Books of games: the first moves of each game of a PGN file.

use std::ops::ControlFlow::{self, Break, Continue};

use foundation::Failure;
use foundation::move_words::{mark_words, unknown_word};
use pgn_reader::{RawComment, RawTag, Reader, SanPlus, Visitor};
use shakmaty::{CastlingMode, Chess, Position};

use crate::game::chess::fen::parse_fen;
use crate::game::chess::study;
use crate::game::{Opening, first_game};

/// Reads the first `plies` moves (all of them with `None`) of the game that `text` begins with.
///
/// # Errors
/// The start position is impossible or a move is illegal.
pub fn parse_game(text: &[u8], mode: CastlingMode, plies: Option<u32>) -> Result<Opening, Failure> {
    let mut line = FirstMoves {
        mode,
        limit: plies.map_or(usize::MAX, |plies| plies as usize),
    };
    let text = first_game(text)?;
    let marked = mark_words(&text);
    let tags = text.split("\n\n").next().unwrap_or_default();
    let mut reader = Reader::build(marked.as_slice())
        .set_supported_tag_line_length(tags.len())
        .set_supported_comment_length(marked.len())
        .finish();
    match reader.read_game(&mut line) {
        Ok(Some(result)) => result,
        Ok(None) => Err(Failure::unable("there is no game")),
        Err(error) => Err(Failure::unable(format!("this is no PGN: {error}"))),
    }
}

struct FirstMoves {
    mode: CastlingMode,
    limit: usize,
}

impl FirstMoves {
    fn play(&self, line: &mut Line, said: &str) -> ControlFlow<Reading> {
        let moves = &mut line.opening.moves;
        if moves.len() >= self.limit {
            return Break(Ok(std::mem::take(&mut line.opening)));
        }
        match study::find(&line.position, said) {
            Ok(played) => {
                moves.push(played.to_uci(self.mode).to_string());
                line.position.play_unchecked(played);
                Continue(())
            }
            Err(why) => {
                let number = moves.len() + 1;
                let what = format!("half-move {number}, `{said}`, {why}");
                Break(Err(Failure::unable(what)))
            }
        }
    }
}

/// What has been read of a game.
struct Line {
    opening: Opening,
    position: Chess,
}

type Reading = Result<Opening, Failure>;

impl Visitor for FirstMoves {
    type Tags = Option<String>;
    type Movetext = Line;
    type Output = Reading;

    fn begin_tags(&mut self) -> ControlFlow<Reading, Self::Tags> {
        Continue(None)
    }

    fn tag(
        &mut self,
        fen: &mut Self::Tags,
        name: &[u8],
        value: RawTag<'_>,
    ) -> ControlFlow<Reading> {
        if name == b"FEN" {
            *fen = Some(value.decode_utf8_lossy().into_owned());
        }
        Continue(())
    }

    fn begin_movetext(&mut self, start: Self::Tags) -> ControlFlow<Reading, Line> {
        let position = match &start {
            None => Chess::default(),
            Some(fen) => match parse_fen(fen, self.mode) {
                Ok(position) => position,
                Err(failure) => return Break(Err(failure)),
            },
        };
        Continue(Line {
            opening: Opening {
                start,
                moves: Vec::new(),
            },
            position,
        })
    }

    fn san(&mut self, line: &mut Line, san: SanPlus) -> ControlFlow<Reading> {
        self.play(line, &san.to_string())
    }

    fn comment(&mut self, line: &mut Line, comment: RawComment<'_>) -> ControlFlow<Reading> {
        match unknown_word(comment.as_bytes()) {
            Some(word) => self.play(line, &word),
            None => Continue(()),
        }
    }

    fn end_game(&mut self, line: Line) -> Reading {
        Ok(line.opening)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    use crate::game::game_starts;

    const STANDARD: CastlingMode = CastlingMode::Standard;

    const TWO_GAMES: &str = "\u{feff}[Event \"a\"]\n[Result \"*\"]\n\n1. e4 {comment\n[%eval 0.3]\n} e5 (1... c5 2. Nf3) 2. Nf3 $1 Nc6 *\n\n\
        [Event \"b\"]\r\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\r\n[SetUp \"1\"]\r\n\r\n1. O-O Ke7 1-0\r\n";

    #[test]
    fn games_are_found_and_their_first_moves_read() {
        let text = TWO_GAMES.trim_start_matches('\u{feff}').as_bytes();
        let starts = game_starts(text);
        assert_eq!(starts.len(), 2);
        let first = parse_game(text, STANDARD, Some(3)).expect("legal");
        assert_eq!(
            (first.start, first.moves),
            (None, vec!["e2e4".into(), "e7e5".into(), "g1f3".into()])
        );
        let second = parse_game(&text[starts[1] as usize..], STANDARD, None).expect("legal");
        assert_eq!(
            second.start.as_deref(),
            Some("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
        );
        assert_eq!(second.moves, ["e1g1", "e8e7"]);
    }

    #[test]
    fn illegal_moves_and_positions_are_refused() {
        let message = |text: &str| {
            let failure = parse_game(text.as_bytes(), STANDARD, None).expect_err(text);
            failure.message().to_owned()
        };
        assert!(message("1. e4 e5 2. Ke3 *").contains("half-move 3, `Ke3`, is illegal"));
        assert!(message("[FEN \"x\"]\n\n1. e4 *").contains("`x` is no chess position"));
        assert!(message("").contains("no game"));
    }

    #[test]
    fn other_notations_are_read_and_other_words_refused() {
        for text in [
            "1. e2-e4 e7-e5 2. Ng1-f3 Nb8-c6 3. Bf1-b5 a7-a6 4. Bb5xc6+ d7xc6 *",
            "1. e2e4 e7e5 2. g1f3 b8c6 3. f1b5 a7a6 4. b5c6 d7c6 *",
            "% made by hand\n[Event \"a\"]\n\n1. e4 e5 2. Nf3 Nc6\n% more\n3. Bb5 a6 4. Bxc6 dxc6 *",
        ] {
            let read = parse_game(text.as_bytes(), STANDARD, None).expect(text);
            let moves = [
                "e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5c6", "d7c6",
            ];
            assert_eq!(read.moves, moves);
        }
        for (text, what) in [
            ("1. e4 e5 2. Sf3 Sc6 *", "half-move 3, `Sf3`, is no move"),
            ("1. P-K4 P-K4 *", "half-move 1, `P-K4`, is no move"),
            (
                "1. e2-e4 e7-e5 2. Ng1-f4 *",
                "half-move 3, `Ng1-f4`, is illegal",
            ),
        ] {
            let failure = parse_game(text.as_bytes(), STANDARD, None).expect_err(text);
            assert_eq!(failure.message(), what);
        }
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "\\PC{0,80}|[]\\[\"{}()a-h1-8NBRQKO+#. \n*$;%-]{0,120}", plies in prop::option::of(0u32..9)) {
            let starts = game_starts(text.as_bytes());
            for start in starts {
                let _ = parse_game(&text.as_bytes()[start as usize..], STANDARD, plies);
            }
        }
    }
}
