//! Games as PGN, read one after another: no more than one is kept.
//!
//! Comments after moves are read as match runners write them: `{+0.31/12 0.084s, n=48213}`,
//! `{book}`. A game that breaks the rules is reported and skipped. Moves of chess are in SAN; those of
//! other games are as our own records have them.

use std::fs::File;
use std::io::{BufRead, BufReader, Cursor, Read as _};
use std::ops::ControlFlow::{self, Break, Continue};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;
use foundation::game_texts::{GameText, GameTexts};
use foundation::move_words::{mark_words, unknown_word};
use foundation::{Failure, failure::OrUnable, text};
use pgn_reader::{Outcome, RawComment, RawTag, Reader, SanPlus, Visitor};
use referee::game::chess::ChessVariant;
use referee::game::{self, Variant, variants};
use referee::openings;
use runs::analysis::record::{self, RecordedGame, RecordedMove};

use super::game::{Game, Reading, Tags, known};

/// Bytes that are read at a time.
const BUFFER: usize = 1 << 18;
const GZIP: [u8; 2] = [0x1f, 0x8b];
const ZIP: &[u8] = b"PK\x03\x04";

/// A file of games, out of its archive.
///
/// # Errors
/// It cannot be read, or holds no text.
pub fn open(path: &Path) -> Result<Box<dyn BufRead>, Failure> {
    let shown = path.display();
    let reading = || format!("read games from `{shown}`");
    let file = File::open(path).or_unable(reading())?;
    let mut file = BufReader::with_capacity(BUFFER, file);
    let head = file.fill_buf().or_unable(reading())?;
    let mut source: Box<dyn BufRead> = if head.starts_with(&GZIP) {
        let unpacked = MultiGzDecoder::new(file);
        Box::new(BufReader::with_capacity(BUFFER, unpacked))
    } else if head.starts_with(ZIP) {
        let mut archive = Vec::new();
        file.read_to_end(&mut archive).or_unable(reading())?;
        let unpacked = openings::file::unpack(&shown.to_string(), archive)?;
        Box::new(Cursor::new(unpacked.bytes))
    } else {
        Box::new(file)
    };
    let head = source.fill_buf().or_unable(reading())?;
    text::check(&format!("`{shown}`"), head, "PGN, also as .gz or .zip")?;
    Ok(source)
}

/// The variant of a file of games, as the tags of its first game have it; chess where they are
/// silent.
///
/// # Errors
/// The file cannot be read.
pub fn variant_of(path: &Path) -> Result<&'static dyn Variant, Failure> {
    let reading = || format!("read games from `{}`", path.display());
    let first = GameTexts::new(open(path)?).next().transpose();
    variant_in(first.or_unable(reading())?.as_ref())
}

/// The variant of games of which this is the first.
fn variant_in(first: Option<&GameText>) -> Result<&'static dyn Variant, Failure> {
    let name = first.and_then(|game| game::tag(&game.text, "Variant"));
    match name.and_then(variants::named_in_pgn) {
        Some(variant) => Ok(variant),
        None => game::find(variants::USUAL),
    }
}

/// Hands every game of a file to `each`, or what is wrong with it, with its number from 1. Archives
/// of gzip and zip are unpacked on the way, and pipes are read once. Without a variant, the first
/// game's tags name it; with one, games of chess that have no such tag are of that one.
///
/// # Errors
/// The file cannot be read.
pub fn read(
    path: &Path,
    variant: Option<&'static dyn Variant>,
    mut each: impl FnMut(u64, Reading),
) -> Result<u64, Failure> {
    let reading = || format!("read games from `{}`", path.display());
    let mut texts = GameTexts::new(open(path)?).peekable();
    let first = texts.peek().and_then(|game| game.as_ref().ok());
    let of_file = variant.map_or_else(|| variant_in(first), Ok)?;
    let is_chess = ChessVariant::castling_mode(of_file.name()).is_some();
    let mut number = 0;
    for game in texts {
        let game = game.or_unable(reading())?;
        let games = match game.problem {
            Some(problem) => vec![Err(problem.to_owned())],
            None if is_chess => read_chess(&game.text, variant),
            None => read_records(&game.text, of_file),
        };
        for game in games {
            number += 1;
            each(number, game);
        }
    }
    Ok(number)
}

/// Reads a game, or several where a line of its moves looks like a tag.
fn read_chess(text: &str, asked: Option<&'static dyn Variant>) -> Vec<Reading> {
    let marked = mark_words(text);
    let tags = text.split("\n\n").next().unwrap_or_default();
    let mut reader = Reader::build(marked.as_slice())
        .set_supported_tag_line_length(tags.len())
        .set_supported_comment_length(marked.len())
        .finish();
    let mut games = Games { asked };
    let mut read = Vec::new();
    loop {
        match reader.read_game(&mut games) {
            Ok(None) => return read,
            Ok(Some(game)) => read.push(game),
            Err(error) => {
                read.push(Err(error.to_string()));
                return read;
            }
        }
    }
}

/// Reads a game whose record has the engines' notation.
fn read_records(text: &str, variant: &'static dyn Variant) -> Vec<Reading> {
    let records = record::parse(text).into_iter();
    records.map(|game| recorded(game, variant)).collect()
}

fn recorded(record: RecordedGame, variant: &'static dyn Variant) -> Reading {
    let mut tags = Tags::default();
    for (name, value) in record.tags {
        tags.add(name.as_bytes(), value);
    }
    if !tags.variant.is_empty() && !variant.is_named_in_pgn(&tags.variant) {
        return Err(format!("a game of the variant `{}`", tags.variant));
    }
    let mut game = Game::of(tags, variant);
    let mut board = game.begin().map_err(|failure| in_a_line(&failure))?;
    for note in record.moves {
        game.make(&mut *board, note)?;
    }
    if let Some(known) = known(record.result.unwrap_or_default().as_bytes()) {
        game.end(known)?;
    }
    game.finish()
}

/// Games of chess; those that name no variant are of the one that was asked for.
struct Games {
    asked: Option<&'static dyn Variant>,
}

impl Games {
    fn variant(&self, tag: &str) -> Option<&'static dyn Variant> {
        let is_asked = |variant: &&dyn Variant| tag.is_empty() || variant.is_named_in_pgn(tag);
        let name = if tag.is_empty() { variants::USUAL } else { tag };
        let is_chess =
            |variant: &&dyn Variant| ChessVariant::castling_mode(variant.name()).is_some();
        let named = || variants::named_in_pgn(name).filter(is_chess);
        self.asked.filter(is_asked).or_else(named)
    }
}

/// What has been read of a game.
struct Unfinished {
    game: Game,
    board: Box<dyn game::Game>,
}

impl Unfinished {
    fn make(&mut self, text: String) -> ControlFlow<Reading> {
        let note = RecordedMove {
            text,
            ..RecordedMove::default()
        };
        match self.game.make(&mut *self.board, note) {
            Ok(()) => Continue(()),
            Err(why) => Break(Err(why)),
        }
    }
}

/// A failure and what to do about it.
fn in_a_line(failure: &Failure) -> String {
    failure.to_string().replace("\nhint: ", "; ")
}

impl Visitor for Games {
    type Tags = Tags;
    type Movetext = Unfinished;
    type Output = Reading;

    fn begin_tags(&mut self) -> ControlFlow<Reading, Tags> {
        Continue(Tags::default())
    }

    fn tag(&mut self, tags: &mut Tags, name: &[u8], value: RawTag<'_>) -> ControlFlow<Reading> {
        tags.add(name, value.decode_utf8_lossy().into_owned());
        Continue(())
    }

    fn begin_movetext(&mut self, tags: Tags) -> ControlFlow<Reading, Unfinished> {
        let Some(variant) = self.variant(&tags.variant) else {
            return Break(Err(format!("a game of the variant `{}`", tags.variant)));
        };
        let game = Game::of(tags, variant);
        match game.begin() {
            Ok(board) => Continue(Unfinished { game, board }),
            Err(failure) => Break(Err(in_a_line(&failure))),
        }
    }

    fn san(&mut self, read: &mut Unfinished, san: SanPlus) -> ControlFlow<Reading> {
        read.make(san.to_string())
    }

    fn comment(&mut self, read: &mut Unfinished, comment: RawComment<'_>) -> ControlFlow<Reading> {
        if let Some(word) = unknown_word(comment.as_bytes()) {
            return read.make(word);
        }
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
        let Outcome::Known(known) = outcome else {
            return Continue(());
        };
        read.game
            .end(known)
            .map_or_else(|why| Break(Err(why)), Continue)
    }

    fn end_game(&mut self, read: Unfinished) -> Reading {
        read.game.finish()
    }
}

#[cfg(test)]
mod tests {
    use engine_client::Color;
    use proptest::prelude::*;
    use referee::game::Phase;

    use super::*;
    use crate::games::game::winner;

    pub(crate) fn games(text: &[u8]) -> Vec<Reading> {
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(file.path(), text).expect("written");
        let mut games = Vec::new();
        read(file.path(), None, |_, game| games.push(game)).expect("read");
        games
    }

    #[test]
    fn a_game_is_of_the_variant_of_its_tag_or_of_the_one_asked_for() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        let of = |tag: &str, asked: Option<&str>| {
            let text = format!("[White \"A\"]\n{tag}\n1. e4 1-0\n");
            std::fs::write(file.path(), text).expect("written");
            let asked = asked.map(|name| game::find(name).expect("a variant"));
            let mut found = None;
            let each = |_, reading: Reading| found = Some(reading.map(|game| game.variant.name()));
            read(file.path(), asked, each).expect("read");
            found.expect("a game")
        };
        for (tag, asked, variant) in [
            ("", None, "standard"),
            ("", Some("chess960"), "chess960"),
            ("[Variant \"From Position\"]\n", None, "standard"),
            ("[Variant \"fischerandom\"]\n", None, "chess960"),
            ("[Variant \"Chess 960\"]\n", None, "chess960"),
            ("[Variant \"Chess960\"]\n", Some("dfrc"), "dfrc"),
            ("[Variant \"Chess960\"]\n", Some("standard"), "chess960"),
        ] {
            assert_eq!(of(tag, asked).as_deref(), Ok(variant), "{tag}{asked:?}");
        }
        assert!(of("[Variant \"atomic\"]\n", None).is_err());
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
        assert_eq!(game.result.and_then(winner), Some(Color::White));
        let second = &game.moves[2];
        assert_eq!(
            (second.note.nodes, second.note.depth, second.note.seconds),
            (Some(48213), Some(12), Some(0.084))
        );
        assert!(game.moves[0].note.is_book && second.phase == Phase::Opening);
    }

    #[test]
    fn commands_in_comments_do_not_say_how_a_game_ended() {
        let ended = |comment: &str| {
            let game = GAME.replace("{+M1/1 0.000s, White mates}", comment);
            let game = games(game.as_bytes()).remove(0).expect("a game");
            game.reason.unwrap_or_default()
        };
        assert_eq!(ended("{ [%eval 0.2] [%clk 0:02:59] }"), "normal");
        assert_eq!(ended("{[%clk 0:02:59] Black resigns}"), "Black resigns");
        assert_eq!(ended("{[%clk 0:02}"), "normal");
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
    fn a_result_that_is_not_that_of_its_tag_is_reported() {
        let tagged = |tag: &str| {
            let game = GAME.replace("Result \"1-0\"", &format!("Result \"{tag}\""));
            games(game.as_bytes()).remove(0).map(|game| game.result)
        };
        let why = tagged("0-1").expect_err("a contradiction");
        assert_eq!(why, "the tag `Result` is 0-1, but the moves end with 1-0");
        for tag in ["1-0", "*", "?"] {
            let won = tagged(tag).expect(tag).and_then(winner);
            assert_eq!(won, Some(Color::White), "{tag}");
        }
    }

    #[test]
    fn names_in_latin_1_stay_apart() {
        let games = games(b"[White \"M\xfcller\"]\n[Black \"M\xf6ller\"]\n\n1. e4 1-0\n");
        let game = games[0].as_ref().expect("read");
        assert_eq!(game.players, ["Müller", "Möller"]);
    }

    #[test]
    fn a_note_between_tags_and_moves_is_no_game() {
        let noted = GAME.replace("\n\n1.", "\n\n{note}\n\n1.");
        let games = games(noted.repeat(2).as_bytes());
        let lengths = games
            .iter()
            .map(|game| Some(game.as_ref().ok()?.moves.len()));
        assert_eq!(lengths.collect::<Vec<_>>(), [Some(5), Some(5)], "{games:?}");
    }

    #[test]
    fn a_position_of_chess960_without_its_tag_says_what_to_do() {
        let game =
            "[FEN \"bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1\"]\n\n1. f3 *\n";
        let why = games(game.as_bytes()).remove(0).expect_err("not standard");
        assert!(
            why.ends_with("; for Chess960 positions, add `--variant chess960`"),
            "{why}"
        );
    }

    #[test]
    fn moves_in_other_notations_are_read_and_unknown_words_named() {
        let long = GAME
            .replace("1. e4", "1. e2-e4")
            .replace("2. Qh5", "2. d1h5");
        let german = GAME.replace("2. Qh5", "2. Dh5");
        let games = games([&long, &german, GAME].concat().as_bytes());
        let is_ok: Vec<bool> = games.iter().map(Result::is_ok).collect();
        assert_eq!(is_ok, [true, false, true], "{games:?}");
        let game = games[0].as_ref().expect("read");
        assert_eq!((game.moves.len(), game.moves[2].note.depth), (5, Some(12)));
        let why = games[1].as_ref().expect_err("an unknown word");
        assert!(why.contains("half-move 3, `Dh5`"), "{why}");
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

    #[test]
    fn a_game_that_is_not_chess_is_read_by_its_own_rules() {
        let game = "[White \"A\"]\n[Black \"B\"]\n[Result \"0-1\"]\n[Variant \"Leiserchess2018\"]\n\n\
            1. g4g5 {book} e6e7 {+0.31/12 0.084s, n=48213,\nsd=19} 2. g4L {116073 3 500} 0-1\n\n";
        let broken = game.replace("g4L", "g4g4").replace("g4g5", "g4h5");
        let other = game.replace("Leiserchess2018", "Chess960");
        let blanks = game.replace("2. g4L", "2. g5L").replace("]\n", "] \n");
        let read = games([game, &broken, &other, &blanks].concat().as_bytes());
        let [Err(first), Err(second), Err(other), Ok(last)] = &read[..] else {
            panic!("{read:?}");
        };
        assert_eq!(other, "a game of the variant `Chess960`");
        assert!(first.contains("half-move 3, `g4L`, is illegal"), "{first}");
        assert!(second.contains("half-move 3, `g4g4`"), "{second}");
        assert_eq!(last.result.and_then(winner), Some(Color::Black));
        let why = "the tag `Result` is 1-0, but the moves end with 0-1".to_owned();
        for (tag, expected) in [("*", Ok(Some(Color::Black))), ("1-0", Err(why))] {
            let tagged = blanks.replace("Result \"0-1\"", &format!("Result \"{tag}\""));
            let won = games(tagged.as_bytes()).remove(0);
            assert_eq!(won.map(|game| game.result.and_then(winner)), expected);
        }
        let costs = last.moves.iter().map(|it| (it.note.nodes, it.note.depth));
        assert_eq!(
            costs.collect::<Vec<_>>(),
            [(None, None), (Some(48213), Some(12)), (Some(500), Some(3))]
        );
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "(\\[White \"x\"\\]\n\n)?[a-hKQRBNO0-9x+#=. {}();*\n-]{0,200}") {
            let _ = games(text.as_bytes());
        }
    }
}
