//! Splits a record of games (PGN) into the texts of its games, whatever is played in them.
//!
//! A game begins at the first tag after moves, at another `Event` tag, or at moves after a result.
//! Blank lines end no game, nor do lines of a comment that look like tags. What stands before the
//! first tag in comments belongs to no game. A line that is not UTF-8 is read as Windows-1252, which
//! holds PGN's own Latin-1.

use std::borrow::Cow;
use std::io::{self, BufRead, Read as _};
use std::mem;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Bytes that are kept of a game.
const LONGEST: usize = 16 << 20;

/// What Windows-1252 has where Latin-1 has control characters.
const WINDOWS_1252: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// A game of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameText {
    /// Its tags, an empty line, and its moves without empty lines.
    pub text: String,
    /// Where it begins, in bytes.
    pub offset: u64,
    /// What makes the text unfit to be read, in words that follow "it is left out".
    pub problem: Option<&'static str>,
}

/// Reads a record game by game.
pub struct GameTexts<R> {
    source: R,
    /// Bytes read before the line that comes next.
    offset: u64,
    draft: Draft,
    is_over: bool,
}

impl<R: BufRead> GameTexts<R> {
    pub fn new(source: R) -> Self {
        Self {
            source,
            offset: 0,
            draft: Draft::default(),
            is_over: false,
        }
    }

    fn next_game(&mut self) -> io::Result<Option<GameText>> {
        let mut bytes = Vec::new();
        while !self.is_over {
            bytes.clear();
            let source = self.source.by_ref();
            let length = source.take(LONGEST as u64).read_until(b'\n', &mut bytes)?;
            self.is_over = length == 0;
            let offset = self.offset;
            self.offset += length as u64;
            let line = decode(bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&bytes));
            let mut ended = None;
            if self.is_over || self.draft.ends_before(&line) {
                ended = mem::take(&mut self.draft).finish();
            }
            self.draft.add(&line, offset);
            if ended.is_some() {
                return Ok(ended);
            }
        }
        Ok(None)
    }
}

impl<R: BufRead> Iterator for GameTexts<R> {
    type Item = io::Result<GameText>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_game().transpose()
    }
}

/// A line as UTF-8.
fn decode(line: &[u8]) -> Cow<'_, str> {
    match str::from_utf8(line) {
        Ok(text) => text.into(),
        Err(_) => line.iter().map(|byte| of_windows_1252(*byte)).collect(),
    }
}

fn of_windows_1252(byte: u8) -> char {
    match byte {
        0x80..=0x9f => WINDOWS_1252[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

/// `[Event "x"]`; a comment may put a bracket at the beginning of a line too, as in `[%eval 0.3]`.
fn is_tag(line: &str) -> bool {
    begins_as_tag(line) && line.contains('"') && line.ends_with(']')
}

fn begins_as_tag(line: &str) -> bool {
    let mut bytes = line.bytes();
    bytes.next() == Some(b'[') && bytes.next().is_some_and(|byte| byte.is_ascii_alphabetic())
}

fn is_event(line: &str) -> bool {
    line.starts_with("[Event ")
}

/// What a power failure leaves in a file counts as blank.
fn trim(line: &str) -> &str {
    line.trim_matches(|letter: char| letter.is_whitespace() || letter == '\0')
}

/// What has been read of a game.
#[derive(Default)]
struct Draft {
    tags: String,
    moves: String,
    offset: Option<u64>,
    place: Place,
    /// Whether moves or a result were seen, and a result.
    has_words: bool,
    has_result: bool,
    is_after_blank: bool,
}

impl Draft {
    /// Whether the game was over before this line.
    fn ends_before(&self, line: &str) -> bool {
        let line = trim(line);
        if self.place.is_comment {
            // The game was torn within a comment.
            return self.is_after_blank && is_event(line) && is_tag(line);
        }
        if is_tag(line) {
            return self.has_words || is_event(line) && self.tags.contains("[Event ");
        }
        if !self.has_result || line.is_empty() || line.starts_with('%') {
            return false;
        }
        let said = self.place.clone().walk(line);
        said.has_moves || self.is_after_blank && !said.has_result
    }

    fn add(&mut self, line: &str, offset: u64) {
        let is_escape = !self.place.is_comment && line.starts_with('%');
        let line = trim(line);
        if line.is_empty() || is_escape {
            self.is_after_blank |= line.is_empty();
            return;
        }
        self.is_after_blank = false;
        if !self.place.is_comment && !self.has_words && begins_as_tag(line) {
            if self.tags.is_empty() {
                self.offset = Some(offset);
                self.moves.clear();
            }
            push_line(&mut self.tags, line);
            return;
        }
        self.offset.get_or_insert(offset);
        let said = self.place.walk(line);
        self.has_words |= said.has_moves || said.has_result;
        self.has_result |= said.has_result;
        push_line(&mut self.moves, line);
    }

    /// `None` where there was nothing but comments.
    fn finish(self) -> Option<GameText> {
        let is_game = self.has_words || self.place.is_comment || !self.tags.is_empty();
        let problem = if self.place.is_comment {
            Some("unterminated comment")
        } else if self.place.depth > 0 {
            Some("unterminated variation")
        } else if self.tags.len().max(self.moves.len()) >= LONGEST {
            Some("longer than 16 MiB")
        } else {
            None
        };
        is_game.then(|| GameText {
            text: [self.tags, self.moves].join("\n"),
            offset: self.offset.unwrap_or_default(),
            problem,
        })
    }
}

fn push_line(text: &mut String, line: &str) {
    if text.len() < LONGEST {
        text.push_str(line);
        text.push('\n');
    }
}

/// Where in the moves of a game a line begins.
#[derive(Clone, Default)]
struct Place {
    is_comment: bool,
    /// Variations around the place.
    depth: usize,
}

/// What stands in a line outside of comments.
#[derive(Default)]
struct Said {
    has_moves: bool,
    /// Of the game itself, not of a variation.
    has_result: bool,
}

impl Place {
    /// Goes on to the end of the line.
    fn walk(&mut self, line: &str) -> Said {
        let mut said = Said::default();
        let mut rest = line;
        loop {
            if self.is_comment {
                let Some((_, after)) = rest.split_once('}') else {
                    return said;
                };
                self.is_comment = false;
                rest = after;
            }
            let end = rest.find(['{', '(', ')', ';']).unwrap_or(rest.len());
            for word in rest[..end].split_whitespace() {
                let is_result = self.depth == 0 && is_result(word);
                said.has_result |= is_result;
                said.has_moves |= !is_result;
            }
            match rest.as_bytes().get(end) {
                Some(b'{') => self.is_comment = true,
                Some(b'(') => self.depth += 1,
                Some(b')') => self.depth = self.depth.saturating_sub(1),
                _ => return said,
            }
            rest = &rest[end + 1..];
        }
    }
}

/// Also with the dashes and halves of books.
fn is_result(word: &str) -> bool {
    if word.is_ascii() {
        return matches!(word, "1-0" | "0-1" | "1/2-1/2" | "1/2") || word.ends_with('*');
    }
    let plain = word.replace(['–', '—'], "-").replace('½', "1/2");
    plain.is_ascii() && is_result(&plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TAGS: &str = "[Event \"E\"]\n[White \"A\"]\n\n";

    fn games(bytes: &[u8]) -> Vec<GameText> {
        // A buffer of a few bytes cuts every line.
        let source = io::BufReader::with_capacity(3, bytes);
        let games: io::Result<Vec<_>> = GameTexts::new(source).collect();
        games.expect("in memory")
    }

    fn texts(text: &str) -> Vec<String> {
        let games = games(text.as_bytes()).into_iter();
        games.map(|game| game.text).collect()
    }

    #[test]
    fn each_game_is_one_however_it_is_laid_out() {
        let game = format!("{TAGS}1. e4 e5 1-0\n");
        for text in [
            format!("{game}\n{game}"),
            format!("{game}{game}"),
            format!("\u{feff}{game}\n\u{feff}{game}"),
            format!("{{by hand}}\n; and\n\n{game}\n{{more}}\n{game}"),
            format!("% by hand\n{game}\0\0\0\n{game}").replace('\n', "\r\n"),
            format!("{TAGS}1. e4\n\n\ne5 1-0\n\n\n{TAGS}1. e4 e5\n%z\n1-0"),
        ] {
            let moves = |text: String| text.replace("e4\ne5", "e4 e5").replace("e5\n1", "e5 1");
            let found: Vec<String> = texts(&text).into_iter().map(moves).collect();
            assert_eq!(found, [game.as_str(); 2], "{text:?}");
        }
    }

    #[test]
    fn neither_blanks_nor_brackets_in_comments_end_a_game() {
        for moves in [
            "{note}\n\n1. e4 1-0",
            "1. e4 {\n[Event \"fake\"]\n} e5 1-0",
            "1. e4 {two\n\nparagraphs} e5 1-0 {and\n\nmore} 1-0",
            "1. e4 (1. d4 1-0\n\nd5 ; )\n) e5 *\n1-0\n{a zugzwang}",
        ] {
            let found = games(format!("{TAGS}{moves}\n\n{TAGS}1. d4 *\n").as_bytes());
            let first = format!("{TAGS}{}\n", moves.replace("\n\n", "\n"));
            assert_eq!(found.len(), 2, "{found:?}");
            assert_eq!((&found[0].text, found[0].problem), (&first, None));
        }
    }

    #[test]
    fn games_without_tags_end_with_their_results_and_without_moves_at_the_next_event() {
        let found = texts("1. e4 1–0\n\n1. d4 1/2-1/2 {so}\n1. c4 *\n");
        assert_eq!(
            found,
            ["\n1. e4 1–0\n", "\n1. d4 1/2-1/2 {so}\n", "\n1. c4 *\n"]
        );
        let found = texts(&format!("{TAGS}{TAGS}[Black \"B\"]\n1. e4 *\n"));
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[1].contains("\"B\"]\n\n1. e4"), "{found:?}");
        assert!(texts("{nothing}\n\n; but comments\n").is_empty());
    }

    #[test]
    fn what_is_not_closed_is_reported_and_spoils_no_other_game() {
        for (moves, problem) in [
            ("1. e4 {torn", "unterminated comment"),
            ("1. e4 (1. d4 d5 1-0", "unterminated variation"),
        ] {
            let found = games(format!("{TAGS}{moves}\n\n{TAGS}1. d4 *\n").as_bytes());
            let problems: Vec<_> = found.iter().map(|game| game.problem).collect();
            assert_eq!(problems, [Some(problem), None], "{found:?}");
            assert_eq!(found[1].offset as usize, TAGS.len() + moves.len() + 2);
        }
    }

    #[test]
    fn a_line_that_is_not_utf_8_is_latin() {
        let found = games(
            b"[White \"M\xfcller\"]\n[Black \"M\xc3\xb6ller\"]\n[Site \"\x80\"]\n\n1. e4 *\n",
        );
        let tags = "[White \"Müller\"]\n[Black \"Möller\"]\n[Site \"€\"]\n\n";
        assert!(found[0].text.starts_with(tags), "{found:?}");
    }
}
