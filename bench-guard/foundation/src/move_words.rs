//! Words of a record of games (PGN) that are no moves in standard notation (SAN).
//!
//! A reader of SAN passes over what it does not know, and with it over moves in other notations:
//! `Ng1-f3`, `g1f3`, `Sf3`. [`mark_words`] hands a game on with such words as comments of a form
//! that [`unknown_word`] knows, so that the reader meets each in its place.

/// Begins the comment that stands for a word.
const MARK: u8 = 1;
/// Letters of an unknown word that are shown.
const LONGEST: usize = 40;

/// The word for which a comment stands.
pub fn unknown_word(comment: &[u8]) -> Option<String> {
    let word = comment.strip_prefix(&[MARK])?;
    let word = String::from_utf8_lossy(word);
    Some(
        word.chars()
            .take(LONGEST)
            .filter(|it| !it.is_control())
            .collect(),
    )
}

/// The text of a game in which unknown words are comments.
pub fn mark_words(game: &str) -> Vec<u8> {
    let mut words = MoveWords::default();
    for byte in game.bytes() {
        words.take(byte);
    }
    words.end_word();
    words.ready
}

struct MoveWords {
    place: Place,
    /// Whether the next byte begins a line, but for blanks.
    is_line_blank: bool,
    /// Variations around the place.
    depth: usize,
    word: Vec<u8>,
    ready: Vec<u8>,
}

impl Default for MoveWords {
    fn default() -> Self {
        Self {
            place: Place::Moves,
            is_line_blank: true,
            depth: 0,
            word: Vec::new(),
            ready: Vec::new(),
        }
    }
}

#[derive(Clone, Copy)]
enum Place {
    Moves,
    Tag,
    Comment,
    RestOfLine,
}

impl MoveWords {
    fn take(&mut self, byte: u8) {
        match self.place {
            Place::Moves => self.take_from_moves(byte),
            Place::Comment => {
                self.ready.push(byte);
                if byte == b'}' {
                    self.place = Place::Moves;
                }
            }
            Place::Tag | Place::RestOfLine => {
                self.ready.push(byte);
                if byte == b'\n' {
                    (self.place, self.is_line_blank) = (Place::Moves, true);
                }
            }
        }
    }

    fn take_from_moves(&mut self, byte: u8) {
        let is_number = self.word.iter().all(u8::is_ascii_digit);
        let ends_word = match byte {
            b'[' if self.is_line_blank => {
                self.place = Place::Tag;
                self.depth = 0;
                true
            }
            b'{' => {
                self.place = Place::Comment;
                true
            }
            b';' => {
                self.place = Place::RestOfLine;
                true
            }
            b'.' => is_number,
            b'(' | b')' | b'}' | b'!' | b'?' | b'*' => true,
            other => other.is_ascii_whitespace(),
        };
        self.is_line_blank = byte == b'\n' || self.is_line_blank && byte.is_ascii_whitespace();
        if ends_word {
            self.end_word();
            self.ready.push(byte);
            match byte {
                b'(' => self.depth += 1,
                b')' => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
        } else {
            // A number may stand before its move without a dot.
            if byte == b'$' || is_number && byte.is_ascii_alphabetic() {
                self.end_word();
            }
            self.word.push(byte);
        }
    }

    fn end_word(&mut self) {
        if self.depth == 0 {
            complete_promotion(&mut self.word);
        }
        let is_known = self.depth > 0 || is_known(&self.word);
        if is_known {
            self.ready.append(&mut self.word);
        } else {
            self.ready.extend([b'{', MARK]);
            self.ready.append(&mut self.word);
            self.ready.push(b'}');
        }
    }
}

/// Whether a reader of SAN does what it should with a word: a move, its number, a result, a mark.
fn is_known(word: &[u8]) -> bool {
    match word {
        [] | b"1-0" | b"0-1" | b"1/2" | b"1/2-1/2" | b"--" | b"e.p." | b"ep" | b"N" | b"D" => true,
        [b'$', number @ ..] => number.iter().all(u8::is_ascii_digit),
        // Glyphs such as `+-`.
        _ if !word.iter().any(u8::is_ascii_alphanumeric) => true,
        // Results with dashes and halves of their own, numbers with an ellipsis.
        _ if !word.is_ascii() && !word.iter().any(u8::is_ascii_alphabetic) => true,
        _ => word.iter().all(u8::is_ascii_digit) || is_san(word),
    }
}

/// Makes `e8=Q` of `e8Q`.
fn complete_promotion(word: &mut Vec<u8>) {
    let end = word.len() - usize::from(matches!(word.last(), Some(b'+' | b'#')));
    if let [b'a'..=b'h', .., b'1' | b'8', b'Q' | b'R' | b'B' | b'N'] = word[..end] {
        word.insert(end - 1, b'=');
    }
}

fn is_san(word: &[u8]) -> bool {
    let word = word
        .strip_suffix(b"+")
        .or(word.strip_suffix(b"#"))
        .unwrap_or(word);
    if matches!(word, b"O-O" | b"O-O-O" | b"0-0" | b"0-0-0") {
        return true;
    }
    let (is_pawn, word) = match word {
        [b'K' | b'Q' | b'R' | b'B' | b'N', rest @ ..] => (false, rest),
        [rest @ .., b'=', b'Q' | b'R' | b'B' | b'N'] => (true, rest),
        _ => (true, word),
    };
    let [from @ .., b'a'..=b'h', b'1'..=b'8'] = word else {
        return false;
    };
    let (takes, from) = match from {
        [from @ .., b'x'] => (true, from),
        from => (false, from),
    };
    match from {
        [] => !is_pawn || !takes,
        [b'a'..=b'h'] => !is_pawn || takes,
        // Of a pawn, both are the notation of engines, in which the piece is not named.
        [b'1'..=b'8'] | [b'a'..=b'h', b'1'..=b'8'] => !is_pawn,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> String {
        let read = String::from_utf8(mark_words(text)).expect("text");
        read.replace('\u{1}', "?")
    }

    #[test]
    fn what_a_reader_of_san_knows_stays_as_it_is() {
        for text in [
            "[Event \"g1f3\"]\n[Site \"Ng1-f3\"]\n\n1. e4 {g1f3} e5 2.Nf3 Nbd7 3... R1xa3+ (3. g1f3 (x) {)} Sf3) $12 exd8=Q#!? \
             O-O O-O-O+ 0-0 12.Qh4xe1 ; Sf3\n4 Ng1f3 *\n",
            "1. e4 +- e5 -+ 2. Nf3 = Nc6 += 3. Bb5 \u{221e} \u{b1} a6 N 4. Ba4 D Qxf7!+ 2\u{2026} exd6 ep *",
            "1. e4 1-0\n\n1. e4 1/2-1/2\n\n1. e4 \u{bd}-\u{bd} 1\u{2013}0\n\n1. exd6 e.p. 0-1",
        ] {
            assert_eq!(read(text), text);
        }
    }

    #[test]
    fn words_that_it_would_pass_over_are_comments() {
        let text = "1. e2-e4 e7e5 2. Ng1-f3! Sc6 3.P-K4 e4++ (x) 4. dc8X";
        let marked = "1. {?e2-e4} {?e7e5} 2. {?Ng1-f3}! {?Sc6} 3.{?P-K4} {?e4++} (x) 4. {?dc8X}";
        assert_eq!(read(text), marked);
        assert_eq!(unknown_word(b"\x01Sc6").as_deref(), Some("Sc6"));
        assert_eq!(unknown_word(b"Sc6"), None);
    }

    #[test]
    fn promotions_get_the_sign_that_they_lack() {
        let text = "7. e8Q exd8N+ 8.a1R# Nb8Q";
        assert_eq!(read(text), "7. e8=Q exd8=N+ 8.a1=R# {?Nb8Q}");
    }
}
