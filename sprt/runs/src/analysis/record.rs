//! Games read back from a run's `games.pgn`: what our own writer put there, in no particular game's
//! notation.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;

use foundation::{Failure, failure::OrUnable};
use serde::Serialize;

use crate::pair_record::PairLine;
use crate::run_folder::games_path;

/// The games of one pair are shorter than this, whatever engines say.
const MOST_BYTES: u64 = 8 << 20;

/// A game with what its record says about it.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct RecordedGame {
    pub tags: Vec<(String, String)>,
    pub moves: Vec<RecordedMove>,
    /// What follows the moves: `1-0`, `0-1`, `1/2-1/2` or `*`.
    #[serde(skip)]
    pub result: Option<String>,
}

/// A move and what its engine said about it.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct RecordedMove {
    pub text: String,
    pub is_book: bool,
    /// From the mover's view, in pawns or moves to mate.
    pub score: Option<String>,
    pub depth: Option<u32>,
    pub seconds: Option<f64>,
    pub nodes: Option<u64>,
    /// The rest of the comment; at the last move, how the game ended.
    pub note: String,
}

/// The games of some pairs, as they were written.
pub(crate) fn read_pairs(
    games: &Path,
    lines: &[PairLine],
    pairs: Range<usize>,
) -> Result<String, Failure> {
    let wrong = || format!("read games from `{}`", games.display());
    let end_of = |pair: usize| lines.get(pair).map_or(0, |line| line.games_end);
    let end = pairs.end.min(lines.len());
    let start = pairs.start.checked_sub(1).map_or(0, end_of);
    let length = end.checked_sub(1).map_or(0, end_of).saturating_sub(start);
    let mut file = File::open(games).or_unable(wrong())?;
    file.seek(SeekFrom::Start(start)).or_unable(wrong())?;
    let mut bytes = Vec::new();
    let read = file.take(length).read_to_end(&mut bytes);
    if (read.or_unable(wrong())? as u64) < length {
        return Err(Failure::unable(format!(
            "`{}` ends before byte {}, where games are that the journal counts",
            games.display(),
            start + length
        )));
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The games of a pair, where the line before its own may be missing. Games lie one after another,
/// so those of a pair are the last before its end.
pub fn read_text(run: &Path, line: &PairLine) -> Result<String, Failure> {
    let path = games_path(run);
    let wrong = || format!("read games from `{}`", path.display());
    let mut file = File::open(&path).or_unable(wrong())?;
    // Where the pair begins is not known without the line before; far enough back, it is in there.
    let mut reach = 64 << 10;
    loop {
        let start = line.games_end.saturating_sub(reach);
        let length = (line.games_end - start) as usize;
        let mut bytes = vec![0; length];
        file.seek(SeekFrom::Start(start)).or_unable(wrong())?;
        file.read_exact(&mut bytes).or_unable(wrong())?;
        let starts: Vec<usize> = memchr::memmem::find_iter(&bytes, b"[Event \"").collect();
        let games = line.games.len();
        if starts.len() > games || start == 0 {
            let from = starts
                .len()
                .checked_sub(games)
                .map_or(0, |first| starts[first]);
            return Ok(String::from_utf8_lossy(&bytes[from..]).into_owned());
        }
        if reach > MOST_BYTES {
            return Err(Failure::unable(format!(
                "`{}` does not hold the games before byte {}",
                path.display(),
                line.games_end
            )));
        }
        reach *= 4;
    }
}

/// All games of a text in our own form.
pub fn parse(text: &str) -> Vec<RecordedGame> {
    let mut games: Vec<RecordedGame> = Vec::new();
    let mut movetext = String::new();
    let mut among_tags = false;
    for line in text.lines() {
        if let Some((name, value)) = tag(line) {
            if !among_tags {
                finish(&mut games, &mut movetext);
                games.push(RecordedGame::default());
            }
            among_tags = true;
            if let Some(game) = games.last_mut() {
                game.tags.push((name, value));
            }
        } else {
            among_tags = false;
            movetext.push_str(line);
            movetext.push(' ');
        }
    }
    finish(&mut games, &mut movetext);
    games
}

fn finish(games: &mut [RecordedGame], movetext: &mut String) {
    if let Some(game) = games.last_mut() {
        (game.moves, game.result) = moves(movetext);
    }
    movetext.clear();
}

/// `[Name "value"]`
fn tag(line: &str) -> Option<(String, String)> {
    let (name, value) = line
        .trim()
        .strip_prefix('[')?
        .strip_suffix("\"]")?
        .split_once(" \"")?;
    let mut plain = String::with_capacity(value.len());
    let mut letters = value.chars();
    while let Some(letter) = letters.next() {
        plain.extend(if letter == '\\' {
            letters.next()
        } else {
            Some(letter)
        });
    }
    Some((name.to_owned(), plain))
}

/// The moves, and the result after them.
fn moves(mut text: &str) -> (Vec<RecordedMove>, Option<String>) {
    let mut moves: Vec<RecordedMove> = Vec::new();
    let mut result = None;
    loop {
        text = text.trim_start();
        if let Some(comment) = text.strip_prefix('{') {
            let (words, rest) = comment.split_once('}').unwrap_or((comment, ""));
            if let Some(played) = moves.last_mut() {
                played.read_note(words);
            }
            text = rest;
            continue;
        }
        let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
        if word.is_empty() {
            return (moves, result);
        }
        if matches!(word, "1-0" | "0-1" | "1/2-1/2" | "*") {
            result = Some(word.to_owned());
        } else if !word.ends_with('.') {
            moves.push(RecordedMove {
                text: word.to_owned(),
                ..RecordedMove::default()
            });
        }
        text = rest;
    }
}

impl RecordedMove {
    /// Reads a comment: `book`, or `+0.31/12 0.084s, n=48213, sd=19, White mates`; or as
    /// Leiserchess's autotester has it, nanoseconds, depth and nodes: `84000000 12 48213`.
    pub fn read_note(&mut self, words: &str) {
        if let Some([nanoseconds, depth, nodes]) = three_numbers(words) {
            self.is_book = [nanoseconds, depth, nodes] == [0; 3];
            self.seconds = Some(nanoseconds as f64 / 1e9);
            self.depth = u32::try_from(depth).ok();
            self.nodes = Some(nodes);
            return;
        }
        let (first, mut rest) = words.split_once(", ").unwrap_or((words, ""));
        if first == "book" {
            self.is_book = true;
        } else if let Some((judged, seconds)) = judged_and_seconds(first) {
            let (score, depth) = judged.split_once('/').unwrap_or((judged, ""));
            self.score = (!score.is_empty()).then(|| score.to_owned());
            self.depth = depth.parse().ok();
            self.seconds = Some(seconds);
        } else {
            words.clone_into(&mut self.note);
            return;
        }
        while let Some((field, after)) = field(rest) {
            if let Some(nodes) = field.strip_prefix("n=") {
                self.nodes = nodes.parse().ok();
            }
            rest = after;
        }
        if !rest.is_empty() {
            rest.clone_into(&mut self.note);
        }
    }
}

/// `+0.31/12` and 0.084 of `+0.31/12 0.084s`.
fn judged_and_seconds(words: &str) -> Option<(&str, f64)> {
    let (judged, time) = words.split_once('s')?.0.rsplit_once(' ')?;
    Some((judged, time.parse().ok()?))
}

fn three_numbers(words: &str) -> Option<[u64; 3]> {
    let mut numbers = words.split(' ').map(str::parse);
    let three = [numbers.next()?, numbers.next()?, numbers.next()?];
    match three {
        [Ok(a), Ok(b), Ok(c)] if numbers.next().is_none() => Some([a, b, c]),
        _ => None,
    }
}

/// What is recorded for every move, such as `sd=19`, and does not say how the game ended, with what
/// follows it. A value in quotes may hold anything but quotes.
fn field(words: &str) -> Option<(&str, &str)> {
    let (name, value) = words.split_once('=')?;
    if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return None;
    }
    let quoted = value.strip_prefix('"').and_then(|line| line.find('"'));
    let start = name.len() + 1 + quoted.map_or(0, |end| end + 2);
    let end = words[start..]
        .find(", ")
        .map_or(words.len(), |comma| start + comma);
    let after = words[end..].strip_prefix(", ").unwrap_or_default();
    Some((&words[..end], after))
}

impl RecordedGame {
    pub fn tag(&self, name: &str) -> Option<&str> {
        let mut tags = self.tags.iter();
        tags.find(|(known, _)| known == name)
            .map(|(_, value)| value.as_str())
    }

    /// Which colour begins follows from the position where there is one.
    pub(crate) fn black_begins(&self) -> bool {
        let side = self.tag("FEN").and_then(|fen| fen.split(' ').nth(1));
        side.is_some_and(|side| side.eq_ignore_ascii_case("b"))
    }

    /// Position or moves from which the engines played.
    pub fn opening(&self) -> String {
        let book = self.moves.iter().take_while(|played| played.is_book);
        let moves: Vec<&str> = book.map(|played| played.text.as_str()).collect();
        match self.tag("FEN") {
            Some(position) => [position, &moves.join(" ")].join(" ").trim_end().to_owned(),
            None => moves.join(" "),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const GAME: &str = "[Event \"sprt\"]\n[White \"a \\\"b\\\"\"]\n[Result \"1-0\"]\n\n\
        1. e4 {book} e5 {book} 2. Qh5 {+0.31/12 0.084s, n=48213,\nsd=19} Ke7 {-M2/3 0.001s, n=7} 3. Qxe5#\n\
        {+M1/1 0.000s, White mates} 1-0\n\n";

    #[test]
    fn a_record_is_read_back() {
        let games = parse(&GAME.repeat(2));
        assert_eq!(games.len(), 2);
        let game = &games[1];
        assert_eq!(game.tag("White"), Some("a \"b\""));
        assert_eq!(game.opening(), "e4 e5");
        assert_eq!(game.result.as_deref(), Some("1-0"));
        let texts: Vec<&str> = game
            .moves
            .iter()
            .map(|played| played.text.as_str())
            .collect();
        assert_eq!(texts, ["e4", "e5", "Qh5", "Ke7", "Qxe5#"]);
        let queen = &game.moves[2];
        assert_eq!(
            (
                queen.score.as_deref(),
                queen.depth,
                queen.seconds,
                queen.nodes
            ),
            (Some("+0.31"), Some(12), Some(0.084), Some(48213))
        );
        assert_eq!(game.moves[4].note, "White mates");
    }

    #[test]
    fn commas_belong_to_how_a_game_ended_and_to_lines_of_engines() {
        let read = |words: &str| {
            let mut played = RecordedMove::default();
            played.read_note(words);
            (played.nodes, played.note)
        };
        let ended = "White makes an illegal move: 0000: it has legal moves, but takes it for over";
        assert_eq!(
            read(&format!("+0.31/12 0.084s, n=7, sd=19, {ended}")),
            (Some(7), ended.to_owned())
        );
        assert_eq!(read("a draw, 1,5 to 2, n=3").1, "a draw, 1,5 to 2, n=3");
        let line =
            "-M2/3 0.001s, n=100, line=\"info string hash 5, n=x, a\", pv=\"e2e4\", White mates";
        assert_eq!(read(line), (Some(100), "White mates".to_owned()));
        assert_eq!(read("-M2/3 0.001s, n=100, line=\"a, b").0, Some(100));
    }

    #[test]
    fn notes_of_the_autotester_are_read() {
        let text =
            "[White \"A\"]\n\n1. g4g5 {0 0 0} e6e7 {116073 3 500} {Black zaps the King} 0-1\n";
        let moves = parse(text).remove(0).moves;
        assert!(moves[0].is_book && !moves[1].is_book);
        let second = &moves[1];
        assert_eq!(
            (second.seconds, second.depth, second.nodes),
            (Some(0.000_116_073), Some(3), Some(500))
        );
        assert_eq!(second.note, "Black zaps the King");
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "[\\[\\]{} \"a-z0-9.\n/]{0,80}") {
            let _ = parse(&text);
        }
    }
}
