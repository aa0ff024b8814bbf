//! Games of chess as PGN, read one after another: no more than one is kept.
//!
//! Comments after moves are read as match runners write them: `{+0.31/12 0.084s, n=48213}`,
//! `{book}`. A game that breaks the rules is reported and skipped.

use std::fs::File;
use std::io::{BufRead as _, BufReader, ErrorKind, Read};
use std::ops::ControlFlow::{self, Break, Continue};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;
use foundation::{Failure, failure::OrUnable};
use pgn_reader::{KnownOutcome, Outcome, RawComment, RawTag, Reader, SanPlus, Visitor};
use runs::analysis::record::RecordedMove;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Color, Move, Position as _};
use strum::VariantArray;

/// Bytes that are read at a time.
const BUFFER: usize = 1 << 18;

/// The longest line of a tag in bytes: `WhiteOptions` names every option of an engine.
const LONGEST_TAG: usize = 1 << 16;
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// A game and what its record says about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Game {
    /// White's name and Black's.
    pub players: [String; 2],
    /// Their options, as `WhiteOptions` and `BlackOptions` have them; empty where they have not.
    pub options: [String; 2],
    pub result: Option<KnownOutcome>,
    /// How it ended: the words after the last move, or else the tag `Termination`.
    pub reason: Option<String>,
    /// The tags `ECO` and `Opening`.
    pub opening: Option<String>,
    pub start: Chess,
    pub castling: CastlingMode,
    pub moves: Vec<GameMove>,
}

/// A move of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct GameMove {
    pub played: Move,
    pub mover: Color,
    /// How far the game had come when it was made.
    pub phase: Phase,
    pub note: RecordedMove,
}

/// By what is left on the board besides pawns and kings: a queen counts 4, a rook 2, a bishop or
/// knight 1, both sides' together, 24 at the beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, VariantArray)]
pub enum Phase {
    /// 20 and more
    Opening,
    /// 9 to 19
    Middlegame,
    /// 8 and less
    Endgame,
}

impl Phase {
    pub const ALL: &'static [Self] = Self::VARIANTS;

    pub(crate) fn of(position: &Chess) -> Self {
        let board = position.board();
        let heavy = 4 * board.queens().count() + 2 * board.rooks().count();
        match heavy + board.bishops().count() + board.knights().count() {
            0..=8 => Self::Endgame,
            9..=19 => Self::Middlegame,
            _ => Self::Opening,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Opening => "opening",
            Self::Middlegame => "middlegame",
            Self::Endgame => "endgame",
        }
    }
}

/// Hands every game of a file to `each`, or what is wrong with it, with its number from 1. Files
/// that end in gzip's form are unpacked on the way.
///
/// # Errors
/// The file cannot be read.
pub fn read(path: &Path, mut each: impl FnMut(u64, Result<Game, String>)) -> Result<u64, Failure> {
    let reading = || format!("read games from `{}`", path.display());
    let file = File::open(path).or_unable(reading())?;
    let mut file = BufReader::with_capacity(BUFFER, file);
    let is_packed = file.fill_buf().or_unable(reading())?.starts_with(&GZIP);
    let source: Box<dyn Read> = if is_packed {
        Box::new(MultiGzDecoder::new(file))
    } else {
        Box::new(file)
    };
    let mut reader = Reader::build(source)
        .set_supported_tag_line_length(LONGEST_TAG)
        .finish();
    let mut number = 0;
    loop {
        let game = match reader.read_game(&mut Games) {
            Ok(None) => return Ok(number),
            Ok(Some(game)) => game,
            // What follows cannot be told from a part of this game, as where a file was torn.
            Err(error) if error.kind() == ErrorKind::InvalidData => {
                each(
                    number + 1,
                    Err(format!("{error}; what follows is not read")),
                );
                return Ok(number + 1);
            }
            Err(error) => return Err(error).or_unable(reading()),
        };
        number += 1;
        each(number, game);
    }
}

struct Games;

/// What has been read of a game.
struct Unfinished {
    game: Game,
    position: Chess,
}

/// Tags that matter.
#[derive(Default)]
struct Tags {
    players: [String; 2],
    options: [String; 2],
    fen: Option<String>,
    variant: String,
    result: Option<KnownOutcome>,
    termination: Option<String>,
    eco: String,
    opening: String,
}

type Reading = Result<Game, String>;

impl Visitor for Games {
    type Tags = Tags;
    type Movetext = Unfinished;
    type Output = Reading;

    fn begin_tags(&mut self) -> ControlFlow<Reading, Tags> {
        Continue(Tags::default())
    }

    fn tag(&mut self, tags: &mut Tags, name: &[u8], value: RawTag<'_>) -> ControlFlow<Reading> {
        let value = || value.decode_utf8_lossy().into_owned();
        match name {
            b"White" => tags.players[0] = value(),
            b"Black" => tags.players[1] = value(),
            b"WhiteOptions" => tags.options[0] = value(),
            b"BlackOptions" => tags.options[1] = value(),
            b"FEN" => tags.fen = Some(value()),
            b"Variant" => tags.variant = value(),
            b"Result" => {
                tags.result = match Outcome::from_ascii(value().as_bytes()) {
                    Ok(Outcome::Known(result)) => Some(result),
                    _ => None,
                };
            }
            b"Termination" => tags.termination = Some(value()),
            b"ECO" => tags.eco = value(),
            b"Opening" => tags.opening = value(),
            _ => {}
        }
        Continue(())
    }

    fn begin_movetext(&mut self, tags: Tags) -> ControlFlow<Reading, Unfinished> {
        let castling = match tags.variant.to_ascii_lowercase().as_str() {
            "" | "standard" | "chess" | "from position" => CastlingMode::Standard,
            "chess960" | "fischerandom" | "fischerrandom" => CastlingMode::Chess960,
            other => return Break(Err(format!("a game of the variant `{other}`"))),
        };
        let start = match &tags.fen {
            None => Chess::default(),
            Some(text) => {
                let fen = Fen::from_ascii(text.as_bytes()).map_err(|error| error.to_string());
                let position = fen.and_then(|fen| {
                    fen.into_position(castling)
                        .map_err(|error| error.to_string())
                });
                match position {
                    Ok(position) => position,
                    Err(why) => return Break(Err(format!("the start position `{text}`: {why}"))),
                }
            }
        };
        let opening = format!("{} {}", tags.eco, tags.opening).trim().to_owned();
        Continue(Unfinished {
            position: start.clone(),
            game: Game {
                players: tags.players,
                options: tags.options,
                result: tags.result,
                reason: tags.termination,
                opening: (!opening.is_empty()).then_some(opening),
                start,
                castling,
                moves: Vec::new(),
            },
        })
    }

    fn san(&mut self, read: &mut Unfinished, san: SanPlus) -> ControlFlow<Reading> {
        let Ok(played) = san.san.to_move(&read.position) else {
            let number = read.game.moves.len() + 1;
            return Break(Err(format!("half-move {number}, `{san}`, is illegal")));
        };
        read.game.moves.push(GameMove {
            played,
            mover: read.position.turn(),
            phase: Phase::of(&read.position),
            note: RecordedMove::default(),
        });
        read.position.play_unchecked(played);
        Continue(())
    }

    fn comment(&mut self, read: &mut Unfinished, comment: RawComment<'_>) -> ControlFlow<Reading> {
        if let Some(last) = read.game.moves.last_mut() {
            let words = String::from_utf8_lossy(comment.as_bytes());
            if words.contains(['\n', '\r']) {
                last.note
                    .read_note(&words.replace("\r\n", " ").replace('\n', " "));
            } else {
                last.note.read_note(words.trim());
            }
        }
        Continue(())
    }

    fn outcome(&mut self, read: &mut Unfinished, outcome: Outcome) -> ControlFlow<Reading> {
        if let Outcome::Known(result) = outcome {
            read.game.result = Some(result);
        }
        Continue(())
    }

    fn end_game(&mut self, mut read: Unfinished) -> Reading {
        if read.game.moves.is_empty() && read.game.players.iter().all(String::is_empty) {
            return Err("it has neither players nor moves".to_owned());
        }
        let said = read.game.moves.last().map(|last| last.note.note.as_str());
        if let Some(words) = said.filter(|words| !words.is_empty()) {
            read.game.reason = Some(words.to_owned());
        }
        Ok(read.game)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    pub(crate) fn games(text: &[u8]) -> Vec<Reading> {
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(file.path(), text).expect("written");
        let mut games = Vec::new();
        read(file.path(), |_, game| games.push(game)).expect("read");
        games
    }

    const GAME: &str = "[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n[ECO \"C20\"]\n[Termination \"normal\"]\n\n\
        1. e4 {book} e5 {book} 2. Qh5 {+0.31/12 0.084s, n=48213,\nsd=19} Ke7 {-M2/3 0.001s, n=7} 3. Qxe5#\n\
        {+M1/1 0.000s, White mates} 1-0\n\n";

    #[test]
    fn notes_of_moves_and_the_end_are_read() {
        let games = games(GAME.as_bytes());
        let [Ok(game)] = &games[..] else {
            panic!("{games:?}");
        };
        assert_eq!((game.players[0].as_str(), game.moves.len()), ("A", 5));
        assert_eq!(game.reason.as_deref(), Some("White mates"));
        assert_eq!(game.opening.as_deref(), Some("C20"));
        assert_eq!(
            game.result.and_then(KnownOutcome::winner),
            Some(Color::White)
        );
        let second = &game.moves[2];
        assert_eq!(
            (second.note.nodes, second.note.depth, second.note.seconds),
            (Some(48213), Some(12), Some(0.084))
        );
        assert!(game.moves[0].note.is_book && second.phase == Phase::Opening);
    }

    #[test]
    fn a_broken_game_does_not_spoil_those_around_it() {
        let broken = GAME.replace("2. Qh5", "2. Qh6");
        let other = GAME.replace("[ECO", "[Variant \"Atomic\"]\n[ECO");
        let games = games([GAME, &broken, &other, GAME].concat().as_bytes());
        let is_ok: Vec<bool> = games.iter().map(Result::is_ok).collect();
        assert_eq!(is_ok, [true, false, false, true], "{games:?}");
        let why = games[1].as_ref().expect_err("an illegal move");
        assert!(why.contains("half-move 3, `Qh6`"), "{why}");
    }

    #[test]
    fn a_torn_end_leaves_the_games_before_it() {
        let torn = &GAME[..GAME.len() - 30];
        let games = games([GAME, torn].concat().as_bytes());
        assert_eq!(games.len(), 2, "{games:?}");
        let why = games[1].as_ref().expect_err("torn");
        assert!(
            games[0].is_ok() && why.contains("unterminated comment"),
            "{why}"
        );
    }

    #[test]
    fn long_tags_are_read_wherever_they_stand() {
        let options = "MoveCountLimit3=10; ".repeat(40);
        let game = GAME.replace("[ECO", &format!("[WhiteOptions \"{options}\"]\n[ECO"));
        let games = games(game.repeat(1000).as_bytes());
        assert!(games.len() == 1000 && games.iter().all(Result::is_ok));
    }

    #[test]
    fn a_compressed_file_is_unpacked_on_the_way() {
        use std::io::Write as _;
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packed.write_all(GAME.repeat(3).as_bytes()).expect("packed");
        assert_eq!(games(&packed.finish().expect("packed")).len(), 3);
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "(\\[White \"x\"\\]\n\n)?[a-hKQRBNO0-9x+#=. {}();*\n-]{0,200}") {
            let _ = games(text.as_bytes());
        }
    }
}
