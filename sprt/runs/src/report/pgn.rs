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

use foundation::file_crc32::FileCrc32;
use foundation::{Failure, Printer, failure::OrUnable, run_folder};

use super::append::append_games;
use super::{Event, Reporter, RunEnd};
use crate::plan::{Comments, Notation, RecordStyle};
use crate::run_folder::games_path;
use engine_client::Color;
use referee::arena::{EndKind, FinishedGame, FinishedPair, PlayedMove, Player as Side};
use referee::game::{Record, Variant};

mod clean;
mod engine_tags;
mod notation;
mod notes;

use self::clean::{comment_words, escaped};
pub use self::engine_tags::EngineTags;
use self::engine_tags::Tag;
use self::notation::long;
use self::notes::{book_words, note_words};

/// Longest line of move text.
const COLUMNS: usize = 80;

/// All there is to write about a game.
#[derive(Clone, Debug)]
struct GameText<'a> {
    event: &'a str,
    site: &'a str,
    style: &'a RecordStyle,
    /// Number of the pair, from 1.
    round: u64,
    white: Player<'a>,
    black: Player<'a>,
    /// `None` is a draw.
    winner: Option<Color>,
    is_over: bool,
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
    tags: &'a [Tag],
}

/// Appends the games of the run to a file at the end.
pub struct Copy {
    pub file: PathBuf,
    /// Where the checksum of the file is printed, if it is.
    pub checksum: Option<Printer>,
}

impl Reporter for Copy {
    fn on_event(&mut self, event: &Event<'_>) -> Result<(), Failure> {
        match event {
            Event::Finished(state, end) if *end != RunEnd::Failed => {
                append_games(&games_path(state.run()), &self.file)?;
                if let Some(printer) = self.checksum {
                    let shown = self.file.display();
                    let file = FileCrc32::open(&self.file);
                    let checksum = file
                        .and_then(|mut file| file.checksum())
                        .or_unable(format_args!("read `{shown}`"))?;
                    printer.note(&format!("CRC-32 of `{shown}`: {checksum:08x}"));
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

/// How the games of a match are written.
pub struct GameWriter {
    pub variant: &'static dyn Variant,
    pub style: RecordStyle,
    pub tags: EngineTags,
}

/// Writes the games of each pair to a file as soon as the pair is over.
pub struct Appended {
    file: File,
    name: String,
    pub writer: GameWriter,
}

impl Appended {
    /// Opens the file, which is there from now on, and `append`s to what it holds.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn open(path: &Path, append: bool, writer: GameWriter) -> Result<Self, Failure> {
        run_folder::refuse_record(path)?;
        let name = path.display().to_string();
        let mut options = OpenOptions::new();
        let unable = format!("write games to `{name}`");
        let options = options.create(true).append(append).write(true);
        let opened = options.truncate(!append).open(path);
        let mut file = opened.or_unable(&unable)?;
        super::append::end_last(&mut file, path, b"\n\n").or_unable(&unable)?;
        Ok(Self { file, name, writer })
    }
}

impl Reporter for Appended {
    fn on_event(&mut self, event: &Event<'_>) -> Result<(), Failure> {
        if let Event::PairFinished(pair) = event {
            let text = self.writer.pair(pair)?;
            self.file
                .write_all(text.as_bytes())
                .or_unable(format_args!("write games to `{}`", self.name))?;
        }
        Ok(())
    }
}

impl GameWriter {
    /// All games of a pair.
    ///
    /// # Errors
    /// The moves of one break the rules.
    pub(crate) fn pair(&self, pair: &FinishedPair) -> Result<String, Failure> {
        pair.games
            .iter()
            .map(|game| self.write(pair.pair + 1, game, true))
            .collect()
    }

    /// A game that is no part of a run; its result is not known unless it is over.
    ///
    /// # Errors
    /// Its moves break the rules.
    pub fn game(&self, game: &FinishedGame, is_over: bool) -> Result<String, Failure> {
        self.write(1, game, is_over)
    }

    /// A game of the pair with number `round`, from 1.
    fn write(&self, round: u64, game: &FinishedGame, is_over: bool) -> Result<String, Failure> {
        let Self {
            variant,
            style,
            tags,
        } = self;
        let moves: Vec<&str> = game
            .moves
            .iter()
            .map(|played| played.text.as_str())
            .collect();
        let mut record = variant.record(&game.opening, &moves)?;
        if style.notation != Notation::San {
            let texts = game.opening.moves.iter().map(String::as_str).chain(moves);
            for (said, text) in record.moves.iter_mut().zip(texts) {
                *said = match style.notation {
                    Notation::Lan => long(said, text),
                    Notation::San | Notation::Uci => text.to_owned(),
                };
            }
        }
        let (end, winner) = (game.end.kind(), game.end.winner());
        let mut reason = game.end.text();
        if let (EndKind::IllegalMove, Some(tried)) = (end, game.end.detail()) {
            reason = format!("{reason}: {tried}");
        }
        let controls = [&game.white, &game.black].map(|side| side.limit.pgn());
        let full = "%Y-%m-%dT%H:%M:%S +0000";
        Ok(write(&GameText {
            event: &style.event,
            site: &style.site,
            style,
            round,
            white: player(&game.white, &controls[0], tags),
            black: player(&game.black, &controls[1], tags),
            winner,
            is_over,
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
}

fn player<'a>(side: &'a Side, time_control: &'a str, tags: &'a EngineTags) -> Player<'a> {
    Player {
        name: &side.name,
        engine_name: &side.engine_name,
        engine_author: &side.engine_author,
        time_control,
        tags: tags.of(&side.name),
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
    tag("Result", result(game));
    let players = [("White", game.white), ("Black", game.black)];
    let is_minimal = game.style.minimal;
    for (color, player) in players.into_iter().filter(|_| !is_minimal) {
        if !player.engine_name.is_empty() {
            tag(&format!("Engine{color}Name"), player.engine_name);
        }
        if !player.engine_author.is_empty() {
            tag(&format!("Engine{color}Author"), player.engine_author);
        }
        for (name, value) in player.tags {
            tag(&format!("{color}{name}"), value);
        }
    }
    if let Some(start) = &game.record.start {
        tag("SetUp", "1");
        tag("FEN", start);
    }
    if let Some(variant) = game.variant {
        tag("Variant", variant);
    }
    if is_minimal {
        return;
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
    let is_minimal = game.style.minimal;
    if moves.is_empty() && !is_minimal {
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
            None => book_words(game.style).to_owned(),
            Some(own) => game
                .moves
                .get(own)
                .map(|played| note_words(game.style, played))
                .unwrap_or_default(),
        };
        if is_minimal {
            comment.clear();
        } else if game.style.comments == Comments::Autotester {
            // Its readers take three words after a brace, all on one line.
            lines.word(&format!("{{{comment}}}"));
            comment.clear();
            if index + 1 == moves.len() && termination(game.end) != "normal" {
                let reason = comment_words(game.reason);
                lines.word(&format!("{{{reason}}} {}", result(game)));
                return;
            }
        } else if index + 1 == moves.len() {
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
    lines.words(result(game));
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

fn result(game: &GameText<'_>) -> &'static str {
    match game.winner {
        _ if !game.is_over => "*",
        Some(Color::White) => "1-0",
        Some(Color::Black) => "0-1",
        None => "1/2-1/2",
    }
}

/// Breaks move text into lines.
struct Lines<'a> {
    text: &'a mut String,
    column: usize,
}

impl Lines<'_> {
    fn words(&mut self, words: &str) {
        for word in words.split(' ').filter(|word| !word.is_empty()) {
            self.word(word);
        }
    }

    /// What stays on one line.
    fn word(&mut self, word: &str) {
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

#[cfg(test)]
mod tests;
