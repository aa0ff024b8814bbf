//! A finished game as PGN, in the form that other match runners write and that programs read back.
//!
//! Pure text from a plain struct: dates, names and results are given. Whatever engines said is
//! cleaned so that no tag or comment can end before its time, and lines are broken at blanks before
//! column 80.

use std::fmt::Write as _;
use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use foundation::{Failure, failure::OrUnable};

use super::append::append_games;
use super::{Event, Reporter, RunEnd};
use crate::arena::{EndKind, FinishedGame, FinishedPair, PlayedMove, Player as Side};
use crate::game::{Color, Record, Variant};
use crate::run_directory::games_path;

/// Longest line of move text.
const COLUMNS: usize = 80;

/// All there is to write about a game.
#[derive(Clone, Debug)]
struct GameText<'a> {
    event: &'a str,
    site: &'a str,
    /// Number of the pair, from 1.
    round: u64,
    white: Player<'a>,
    black: Player<'a>,
    /// `None` is a draw.
    winner: Option<Color>,
    /// In words: `White mates`.
    reason: &'a str,
    end: EndKind,
    /// The variant's name in PGN (`Chess960`); `None` for standard chess.
    variant: Option<&'a str>,
    record: &'a Record,
    /// How many moves of the record belong to the opening.
    book_moves: usize,
    /// One for each move after the opening.
    moves: &'a [PlayedMove],
    /// `2026.11.20`
    date: &'a str,
    /// `2026-11-20T17:25:10 +0000`
    start_time: &'a str,
    end_time: &'a str,
    duration: Duration,
}

/// A side of a game.
#[derive(Clone, Copy, Debug)]
struct Player<'a> {
    /// Its name in the match.
    name: &'a str,
    /// What the engine calls itself and its author; empty if it does not say.
    engine_name: &'a str,
    engine_author: &'a str,
    /// In PGN's words: `8+0.08`, or `-` for none.
    time_control: &'a str,
}

/// Appends the games of the run to a file at the end.
pub struct Copy(pub PathBuf);

/// Finds out before hours of play that there is no such folder, or no right to write to it.
pub fn check(file: &Path) -> Result<(), Failure> {
    OpenOptions::new()
        .append(true)
        .create(true)
        .open(file)
        .map(drop)
        .or_unable(format_args!("write games to `{}`", file.display()))
        .map_err(|failure| failure.hint("name a file that you may write to with --pgn"))
}

impl Reporter for Copy {
    fn hear(&mut self, event: &Event<'_>) -> Result<(), Failure> {
        if let Event::RunFinished(finished) = event
            && finished.end != RunEnd::Failed
        {
            append_games(&games_path(finished.state.run), &self.0)?;
        }
        Ok(())
    }
}

/// What the tags of all games of a match have in common.
#[derive(Clone, Debug)]
pub struct Heading {
    pub event: String,
    pub site: String,
}

impl Default for Heading {
    fn default() -> Self {
        Self {
            event: "sprt".to_owned(),
            site: "?".to_owned(),
        }
    }
}

/// Writes the games of each pair to a file as soon as the pair is over.
pub(crate) struct Appended {
    file: File,
    name: String,
    variant: &'static dyn Variant,
    heading: Heading,
}

impl Appended {
    /// Opens the file, which is there from now on, and `append`s to what it holds.
    ///
    /// # Errors
    /// It cannot be written.
    pub(crate) fn open(
        path: &Path,
        append: bool,
        variant: &'static dyn Variant,
        heading: Heading,
    ) -> Result<Self, Failure> {
        let name = path.display().to_string();
        let mut options = OpenOptions::new();
        let file = options
            .create(true)
            .append(append)
            .write(true)
            .truncate(!append)
            .open(path)
            .or_unable(format_args!("write games to `{name}`"))?;
        Ok(Self {
            file,
            name,
            variant,
            heading,
        })
    }
}

impl Reporter for Appended {
    fn hear(&mut self, event: &Event<'_>) -> Result<(), Failure> {
        if let Event::PairFinished(pair) = event {
            let text = write_pair(self.variant, &self.heading, pair)?;
            self.file
                .write_all(text.as_bytes())
                .or_unable(format_args!("write games to `{}`", self.name))?;
        }
        Ok(())
    }
}

/// All games of a pair.
pub fn write_pair(
    variant: &dyn Variant,
    heading: &Heading,
    pair: &FinishedPair,
) -> Result<String, Failure> {
    pair.games
        .iter()
        .map(|game| write_game(variant, heading, pair.pair + 1, game))
        .collect()
}

/// A game of the pair with number `round`, from 1.
fn write_game(
    variant: &dyn Variant,
    heading: &Heading,
    round: u64,
    game: &FinishedGame,
) -> Result<String, Failure> {
    let moves: Vec<&str> = game
        .moves
        .iter()
        .map(|played| played.text.as_str())
        .collect();
    let record = variant.record(&game.opening, &moves)?;
    let (end, winner) = (game.end.kind(), game.end.winner());
    let mut reason = game.end.text();
    if let (EndKind::IllegalMove, Some(tried)) = (end, game.end.detail()) {
        reason = format!("{reason}: {tried}");
    }
    let controls = [&game.white, &game.black].map(|side| side.limit.pgn());
    let full = "%Y-%m-%dT%H:%M:%S +0000";
    Ok(write(&GameText {
        event: &heading.event,
        site: &heading.site,
        round,
        white: player(&game.white, &controls[0]),
        black: player(&game.black, &controls[1]),
        winner,
        reason: &reason,
        end,
        variant: variant.pgn_name(),
        record: &record,
        book_moves: game.opening.moves.len(),
        moves: &game.moves,
        date: &moment(game.started, "%Y.%m.%d"),
        start_time: &moment(game.started, full),
        end_time: &moment(game.started + game.duration, full),
        duration: game.duration,
    }))
}

fn player<'a>(side: &'a Side, time_control: &'a str) -> Player<'a> {
    Player {
        name: &side.name,
        engine_name: &side.engine_name,
        engine_author: &side.engine_author,
        time_control,
    }
}

/// A moment in universal time; outside the years that calendars know, the beginning of 1970.
fn moment(time: SystemTime, format: &str) -> String {
    let time = jiff::Timestamp::try_from(time).unwrap_or_default();
    time.strftime(format).to_string()
}

/// The game with a blank line after its tags and another after its moves, so that games can be
/// strung together.
fn write(game: &GameText<'_>) -> String {
    let mut text = String::with_capacity(1024 + 48 * game.record.moves.len());
    write_tags(game, &mut text);
    text.push('\n');
    write_moves(game, &mut text);
    text.push_str("\n\n");
    text
}

fn write_tags(game: &GameText<'_>, text: &mut String) {
    let mut tag = |name: &str, value: &str| {
        // Writing to a `String` cannot fail.
        let _ = writeln!(text, "[{name} \"{}\"]", escaped(value));
    };
    tag("Event", game.event);
    tag("Site", game.site);
    tag("Date", game.date);
    tag("Round", &game.round.to_string());
    tag("White", game.white.name);
    tag("Black", game.black.name);
    tag("Result", result(game.winner));
    for (color, player) in [("White", game.white), ("Black", game.black)] {
        if !player.engine_name.is_empty() {
            tag(&format!("Engine{color}Name"), player.engine_name);
        }
        if !player.engine_author.is_empty() {
            tag(&format!("Engine{color}Author"), player.engine_author);
        }
    }
    if let Some(start) = &game.record.start {
        tag("SetUp", "1");
        tag("FEN", start);
    }
    if let Some(variant) = game.variant {
        tag("Variant", variant);
    }
    let seconds = game.duration.as_secs();
    let (minutes, hours) = (seconds / 60, seconds / 3600);
    tag(
        "GameDuration",
        &format!("{hours:02}:{:02}:{:02}", minutes % 60, seconds % 60),
    );
    tag("GameStartTime", game.start_time);
    tag("GameEndTime", game.end_time);
    tag("PlyCount", &game.record.moves.len().to_string());
    tag("Termination", termination(game.end));
    if game.white.time_control == game.black.time_control {
        tag("TimeControl", game.white.time_control);
    } else {
        tag("WhiteTimeControl", game.white.time_control);
        tag("BlackTimeControl", game.black.time_control);
    }
}

fn write_moves(game: &GameText<'_>, text: &mut String) {
    let mut lines = Lines { text, column: 0 };
    let (mut number, mut color) = game.record.first_move;
    let moves = &game.record.moves;
    // Nobody moved: the reason is all there is to say.
    if moves.is_empty() {
        lines.words(&format!("{{{}}}", comment_words(game.reason)));
    }
    for (index, played) in moves.iter().enumerate() {
        match color {
            Color::White => lines.words(&format!("{number}.")),
            Color::Black if index == 0 => lines.words(&format!("{number}...")),
            Color::Black => {}
        }
        lines.words(played);
        let mut comment = match index.checked_sub(game.book_moves) {
            None => "book".to_owned(),
            Some(own) => game.moves.get(own).map(note_words).unwrap_or_default(),
        };
        if index + 1 == moves.len() {
            if !comment.is_empty() {
                comment.push_str(", ");
            }
            comment.push_str(&comment_words(game.reason));
        }
        if !comment.is_empty() {
            lines.words(&format!("{{{comment}}}"));
        }
        if color == Color::Black {
            number = number.saturating_add(1);
        }
        color = color.opponent();
    }
    lines.words(result(game.winner));
}

/// `+0.31/12 0.084s, n=48213, sd=19, line="info string …"`
fn note_words(played: &PlayedMove) -> String {
    let mut words = played
        .info
        .score
        .map(|score| score.to_string())
        .unwrap_or_default();
    // Writing to a `String` cannot fail.
    let _ = write!(
        words,
        "/{} {:.3}s",
        played.info.depth.unwrap_or(0),
        played.time.as_secs_f64()
    );
    if let Some(nodes) = played.info.nodes {
        let _ = write!(words, ", n={nodes}");
    }
    if let Some(depth) = played.info.selective_depth {
        let _ = write!(words, ", sd={depth}");
    }
    for line in &played.lines {
        let line = comment_words(line).replace('"', "'");
        let _ = write!(words, ", line=\"{line}\"");
    }
    words
}

/// What ended a game, in PGN's words.
fn termination(end: EndKind) -> &'static str {
    match end {
        EndKind::Rules => "normal",
        EndKind::Adjudication => "adjudication",
        EndKind::TimeLoss => "time forfeit",
        EndKind::Crash | EndKind::Stall => "abandoned",
        EndKind::IllegalMove => "illegal move",
    }
}

fn result(winner: Option<Color>) -> &'static str {
    match winner {
        None => "1/2-1/2",
        Some(Color::White) => "1-0",
        Some(Color::Black) => "0-1",
    }
}

/// A tag's value: one line, quotes and backslashes escaped.
fn escaped(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    for character in one_line(value) {
        if matches!(character, '"' | '\\') {
            text.push('\\');
        }
        text.push(character);
    }
    text
}

/// What may stand inside a comment, in which a line may begin at any word: braces begin and end
/// comments, at the beginning of a line a bracket looks like a tag, and `%` makes the line an
/// escape. A result is written with an underscore, because some readers take the first result in
/// the moves, comments or not, for that of the game.
fn comment_words(value: &str) -> String {
    let text: String = one_line(value)
        .map(|character| match character {
            '{' | '[' => '(',
            '}' | ']' => ')',
            '%' => ' ',
            '*' => 'x',
            other => other,
        })
        .collect();
    text.replace("1/2-1/2", "1/2_1/2")
        .replace("1-0", "1_0")
        .replace("0-1", "0_1")
}

fn one_line(value: &str) -> impl Iterator<Item = char> {
    value.chars().map(|character| {
        if character.is_control() {
            ' '
        } else {
            character
        }
    })
}

/// Breaks move text into lines.
struct Lines<'a> {
    text: &'a mut String,
    column: usize,
}

impl Lines<'_> {
    fn words(&mut self, words: &str) {
        for word in words.split(' ').filter(|word| !word.is_empty()) {
            let width = word.chars().count();
            if self.column > 0 {
                let breaks = self.column + 1 + width > COLUMNS;
                self.text.push(if breaks { '\n' } else { ' ' });
                self.column = if breaks { 0 } else { self.column + 1 };
            }
            self.text.push_str(word);
            self.column += width;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::engine::{EngineScore, Info};
    use crate::game::chess::pgn::parse_game;
    use crate::game::chess::{CHESS960, ChessVariant, STANDARD, fen::parse_fen};
    use crate::game::{Game, Variant};
    use crate::openings::Opening;
    use shakmaty::{CastlingMode, Position};

    const PLAYER: Player<'static> = Player {
        name: "new",
        engine_name: "Whetstone 0.1",
        engine_author: "us",
        time_control: "8+0.08",
    };

    fn game(record: &Record) -> GameText<'_> {
        GameText {
            event: "sprt",
            site: "?",
            round: 7,
            white: PLAYER,
            black: Player {
                name: "base",
                engine_author: "",
                ..PLAYER
            },
            winner: Some(Color::White),
            reason: "White mates",
            end: EndKind::Rules,
            variant: None,
            record,
            book_moves: 0,
            moves: &[],
            date: "2026.11.20",
            start_time: "2026-11-20T17:25:10 +0000",
            end_time: "2026-11-20T17:25:21 +0000",
            duration: Duration::from_secs(3671),
        }
    }

    fn record(moves: &str) -> Record {
        Record {
            start: None,
            moves: moves.split_whitespace().map(str::to_owned).collect(),
            first_move: (1, Color::White),
            last_position: String::new(),
        }
    }

    fn silent() -> PlayedMove {
        PlayedMove {
            text: String::new(),
            info: Info::default(),
            time: Duration::ZERO,
            left: None,
            lines: Vec::new(),
        }
    }

    fn note(score: EngineScore) -> PlayedMove {
        PlayedMove {
            info: Info {
                score: Some(score),
                depth: Some(12),
                selective_depth: Some(19),
                nodes: Some(48213),
                ..Info::default()
            },
            time: Duration::from_micros(84_400),
            ..silent()
        }
    }

    #[test]
    fn a_whole_game_is_written_as_match_runners_write_it() {
        let record = record("e4 e5 Qh5 Nc6 Bc4 Nf6 Qxf7#");
        let notes = [
            note(EngineScore::Cp(31)),
            silent(),
            note(EngineScore::Mate(1)),
        ];
        let text = write(&GameText {
            book_moves: 4,
            moves: &notes,
            ..game(&record)
        });
        assert_eq!(
            text,
            r#"[Event "sprt"]
[Site "?"]
[Date "2026.11.20"]
[Round "7"]
[White "new"]
[Black "base"]
[Result "1-0"]
[EngineWhiteName "Whetstone 0.1"]
[EngineWhiteAuthor "us"]
[EngineBlackName "Whetstone 0.1"]
[GameDuration "01:01:11"]
[GameStartTime "2026-11-20T17:25:10 +0000"]
[GameEndTime "2026-11-20T17:25:21 +0000"]
[PlyCount "7"]
[Termination "normal"]
[TimeControl "8+0.08"]

1. e4 {book} e5 {book} 2. Qh5 {book} Nc6 {book} 3. Bc4 {+0.31/12 0.084s,
n=48213, sd=19} Nf6 {/0 0.000s} 4. Qxf7# {+M1/12 0.084s, n=48213, sd=19, White
mates} 1-0

"#
        );
    }

    #[test]
    fn a_start_with_black_to_move_has_its_number_and_position() {
        let start = "4k3/8/8/8/8/8/4p3/3QK3 b - - 3 40";
        let record = Record {
            start: Some(start.to_owned()),
            moves: vec!["exd1=Q+".to_owned(), "Kxd1".to_owned()],
            first_move: (40, Color::Black),
            last_position: String::new(),
        };
        let reason = "Draw by insufficient mating material";
        let text = write(&GameText {
            winner: None,
            reason,
            variant: Some("Chess960"),
            ..game(&record)
        });
        assert!(text.contains(
            "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4p3/3QK3 b - - 3 40\"]\n[Variant \"Chess960\"]\n"
        ));
        assert!(
            text.ends_with(
                "\n\n40... exd1=Q+ 41. Kxd1 {Draw by insufficient mating material} 1/2-1/2\n\n"
            ),
            "{text}"
        );
    }

    #[test]
    fn a_game_without_a_move_is_its_reason() {
        let record = record("");
        let reason = "White makes an illegal move: e1}\ne9{";
        let text = write(&GameText {
            winner: Some(Color::Black),
            reason,
            end: EndKind::IllegalMove,
            ..game(&record)
        });
        assert!(text.contains("[Termination \"illegal move\"]"));
        assert!(
            text.ends_with("\n\n{White makes an illegal move: e1) e9(} 0-1\n\n"),
            "{text}"
        );
    }

    #[test]
    fn lines_of_an_engine_are_kept_without_what_a_reader_would_take_for_something_else() {
        let record = record("e4");
        let mut played = note(EngineScore::Cp(0));
        played.lines = vec!["info string pgncomment \"a\" {b} 1-0-1 * 1/2-1/2".to_owned()];
        let text = write(&GameText {
            moves: &[played],
            ..game(&record)
        });
        let (_, moves) = text.split_once("\n\n").expect("a blank line");
        let moves = moves.replace('\n', " ");
        let expected =
            "sd=19, line=\"info string pgncomment 'a' (b) 1_0_1 x 1/2_1/2\", White mates} 1-0";
        assert!(moves.contains(expected), "{moves}");
    }

    #[test]
    fn different_clocks_have_a_tag_each() {
        let record = record("e4");
        let white = Player {
            time_control: "40/10+0.1",
            ..PLAYER
        };
        let text = write(&GameText {
            white,
            ..game(&record)
        });
        assert!(
            text.contains("[WhiteTimeControl \"40/10+0.1\"]\n[BlackTimeControl \"8+0.08\"]\n\n")
        );
    }

    #[test]
    fn no_line_of_moves_begins_as_an_escape_or_a_tag() {
        let record = record("e4");
        for width in 40..80 {
            let reason = format!("{} %eval [%clk 1] x", "y".repeat(width));
            let text = write(&GameText {
                reason: &reason,
                ..game(&record)
            });
            let (_, moves) = text.split_once("\n\n").expect("a blank line");
            assert!(
                !moves.lines().any(|line| line.starts_with(['%', '['])),
                "{moves}"
            );
        }
    }

    /// Plays a random game, writes it, reads it back with another program's reader, and compares.
    fn there_and_back(variant: ChessVariant, start: &str, choices: &[u16], name: &str) {
        let mode = ChessVariant::castling_mode(variant.name()).expect("chess");
        let opening = Opening {
            start: Some(start.to_owned()),
            moves: Vec::new(),
        };
        let mut referee: Box<dyn Game> = variant.start(&opening).expect("playable");
        let mut mirror = parse_fen(start, mode).expect("legal");
        let mut notes = Vec::new();
        let mut spoken = Vec::new();
        for choice in choices {
            if referee.ending().is_some() {
                break;
            }
            let legal = mirror.legal_moves();
            let chosen = legal[usize::from(*choice) % legal.len()];
            spoken.push(chosen.to_uci(mode).to_string());
            referee.play(&spoken[spoken.len() - 1]).expect("legal");
            mirror.play_unchecked(chosen);
            notes.push(note(EngineScore::Cp(i32::from(*choice) - 32_000)));
        }
        let record = referee.record();
        let white = Player {
            name,
            engine_name: name,
            ..PLAYER
        };
        let reason = format!("White disconnects: {name}");
        let text = write(&GameText {
            white,
            moves: &notes,
            reason: &reason,
            ..game(&record)
        });
        let (tags, moves) = text
            .split_once("\n\n")
            .expect("a blank line after the tags");
        assert!(
            tags.lines()
                .all(|line| line.starts_with('[') && line.ends_with("\"]")),
            "{tags}"
        );
        assert!(moves.ends_with("\n\n") && !moves.trim_end().contains("\n\n"));
        assert!(
            moves
                .lines()
                .all(|line| line.chars().count() <= COLUMNS || !line.contains(' ')),
            "{moves}"
        );
        let read = parse_game(text.as_bytes(), mode, None).expect("legal");
        assert_eq!(read.start, record.start);
        assert_eq!(read.moves, spoken);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        #[test]
        fn games_are_read_back_whatever_engines_are_called(
            choices in prop::collection::vec(any::<u16>(), 0..160),
            name in "[ -~\\n\\t\u{e9}]{0,24}",
        ) {
            let classical = crate::game::chess::fen::CLASSICAL;
            there_and_back(STANDARD, classical, &choices, &name);
            there_and_back(STANDARD, "8/PPPk4/8/8/8/8/4Kppp/8 b - - 0 1", &choices, &name);
            let start = "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1";
            there_and_back(CHESS960, start, &choices, &name);
        }
    }

    #[test]
    fn castling_mode_of_a_variant_is_known_by_its_name() {
        assert_eq!(
            ChessVariant::castling_mode("chess960"),
            Some(CastlingMode::Chess960)
        );
        assert_eq!(ChessVariant::castling_mode("leiserchess"), None);
    }
}
