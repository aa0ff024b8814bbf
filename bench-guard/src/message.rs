//! The commit-message grammar of a bench, exactly as an OpenBench server applies it.
//!
//! The server reads the message of the tip commit with `(?:BENCH|NODES)[ :=]+([0-9,]+)`, ignoring
//! case in the Unicode sense (of all letters involved only `S` has a fold outside ASCII, the long s
//! `ſ`), without anchors and without word boundaries. The last match wins, all commas are dropped,
//! the rest is an integer. If there is no match, only commas, zero or a number of more than 4300
//! digits, the server refuses. This module accepts what the server accepts, and no more; what is
//! legal but dangerous is reported by [`BenchMatches::warnings`].

mod draft;
mod reading;
mod squash;

pub(crate) use draft::{Cleanup, Draft};
pub(crate) use reading::{Reading, is_engine_name, label};
pub(crate) use squash::Squash;

use std::{fmt, ops::Range};

use memchr::memchr2_iter;

/// Python refuses to convert more digits than this; leading zeros count.
const MOST_DIGITS: usize = 4300;

/// The largest value that fits the column of the server's database on every backend.
const LARGEST_STORED: u64 = i32::MAX as u64;

/// What OpenBench would read from `message` and accept as a bench; the last match wins.
///
/// Zero, an unparsable match and no match at all are refused. So is, beyond the grammar, a number
/// that does not fit 64 bits: the server's database cannot store it, and no bench comes near it.
pub fn server_bench(message: &str) -> Option<u64> {
    BenchMatches::of(message).bench()
}

/// One match of the server's expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Match {
    /// The bytes of the message it covers: word, separators, digits and commas.
    pub span: Range<usize>,
    /// Digits and commas as written.
    pub number: String,
}

impl Match {
    fn digits(&self) -> String {
        self.number.chars().filter(|c| *c != ',').collect()
    }

    fn value(&self) -> Value {
        let digits = self.digits();
        let significant = digits.trim_start_matches('0');
        if digits.is_empty() || digits.len() > MOST_DIGITS {
            Value::Unparsable
        } else if significant.is_empty() {
            Value::Zero
        } else {
            significant
                .parse()
                .map_or_else(|_| Value::Huge(significant.to_owned()), Value::Bench)
        }
    }
}

/// What the last match means to the server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// No match: refused.
    Absent,
    /// Only commas, or more digits than Python converts: refused.
    Unparsable,
    /// Refused.
    Zero,
    /// Accepted.
    Bench(u64),
    /// Accepted by the grammar, but beyond 64 bits, so the database fails on it.
    Huge(String),
}

/// Every match in a message, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BenchMatches<'a> {
    message: &'a str,
    pub matches: Vec<Match>,
}

impl<'a> BenchMatches<'a> {
    pub fn of(message: &'a str) -> Self {
        let bytes = message.as_bytes();
        let mut matches = Vec::new();
        // No match begins inside another one.
        for first in [[b'b', b'B'], [b'n', b'N']] {
            for start in memchr2_iter(first[0], first[1], bytes) {
                if let Some((number, end)) = match_at(bytes, start) {
                    matches.push(Match {
                        span: start..end,
                        number: message[number..end].to_owned(),
                    });
                }
            }
        }
        matches.sort_by_key(|it| it.span.start);
        Self { message, matches }
    }

    /// What the server makes of the last match.
    pub fn value(&self) -> Value {
        self.matches.last().map_or(Value::Absent, Match::value)
    }

    /// See [`server_bench`].
    pub(crate) fn bench(&self) -> Option<u64> {
        match self.value() {
            Value::Bench(bench) => Some(bench),
            _ => None,
        }
    }

    /// The line that the bench is read from, if it contains more than the bench.
    pub(crate) fn prose(&self) -> Option<String> {
        let last = self.matches.last()?;
        let (before, after) = (
            &self.message[..last.span.start],
            &self.message[last.span.end..],
        );
        let before = before.rsplit('\n').next().unwrap_or_default();
        let after = after.split('\n').next().unwrap_or_default();
        let found = &self.message[last.span.clone()];
        let more = !before.trim().is_empty() || !after.trim().is_empty();
        more.then(|| {
            let line = format!("{before}{found}{after}");
            line.trim().chars().take(100).collect()
        })
    }

    /// What is legal but likely not meant, the gravest first.
    pub fn warnings(&self) -> Vec<Warning> {
        let Some(last) = self.matches.last() else {
            return Vec::new();
        };
        let mut warnings = Vec::new();
        let values: Vec<Value> = self.matches.iter().map(Match::value).collect();
        if let Some(other) = values
            .iter()
            .rev()
            .find(|value| Some(*value) != values.last())
        {
            warnings.push(Warning::SeveralBenches {
                count: values.len(),
                read: shortened(&last.number),
                other: match other {
                    Value::Bench(bench) => bench.to_string(),
                    Value::Huge(digits) => shortened(digits),
                    Value::Zero => "0".to_owned(),
                    Value::Unparsable | Value::Absent => "nothing the server can parse".to_owned(),
                },
            });
        }
        match last.value() {
            Value::Zero => warnings.push(Warning::Zero),
            Value::Unparsable => warnings.push(Warning::Unparsable(shortened(&last.number))),
            Value::Bench(bench) if bench > LARGEST_STORED => {
                warnings.push(Warning::TooLarge(bench.to_string()));
            }
            Value::Huge(digits) => warnings.push(Warning::TooLarge(shortened(&digits))),
            _ => {}
        }
        let before = &self.message[..last.span.start];
        let after = &self.message[last.span.end..];
        if before
            .chars()
            .next_back()
            .is_some_and(char::is_alphanumeric)
        {
            let word_start = before
                .char_indices()
                .rev()
                .take_while(|(_, c)| c.is_alphanumeric())
                .last()
                .map_or(before.len(), |(at, _)| at);
            warnings.push(Warning::InsideWord(
                self.message[word_start..last.span.end].to_owned(),
            ));
        }
        if continues_number(after) {
            let rest: String = after.chars().take_while(|c| *c != '\n').take(12).collect();
            warnings.push(Warning::CutShort {
                read: shortened(&last.number),
                rest,
            });
        }
        if !before.contains('\n') && self.message.lines().next().is_some_and(is_merge_or_revert) {
            warnings.push(Warning::InMergeSubject);
        } else if let Some(line) = self.prose() {
            warnings.push(Warning::NotOnItsOwnLine {
                read: shortened(&last.number),
                line,
            });
        }
        warnings
    }
}

/// The subjects git itself writes for merges and reverts; they quote other messages, with their
/// benches.
pub(crate) fn is_merge_or_revert(subject: &str) -> bool {
    subject.starts_with("Merge ") || is_revert(subject)
}

/// The subjects of `git revert`, and of the revert of a revert.
pub(crate) fn is_revert(subject: &str) -> bool {
    subject.starts_with("Revert \"") || subject.starts_with("Reapply \"")
}

/// Something legal but dangerous about the match that the server takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Warning {
    SeveralBenches {
        count: usize,
        read: String,
        other: String,
    },
    Zero,
    Unparsable(String),
    TooLarge(String),
    InsideWord(String),
    CutShort {
        read: String,
        rest: String,
    },
    InMergeSubject,
    NotOnItsOwnLine {
        read: String,
        line: String,
    },
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SeveralBenches { count, read, other } => write!(
                f,
                "the message has {count} benches: the server takes the last one, `{read}`, not {other}"
            ),
            Self::Zero => f.write_str("the server refuses a bench of zero"),
            Self::Unparsable(number) => {
                write!(
                    f,
                    "the server cannot parse `{number}`, the last bench it finds"
                )
            }
            Self::TooLarge(number) => write!(
                f,
                "{number} is beyond {LARGEST_STORED}, the most that every database of a server stores"
            ),
            Self::InsideWord(word) => {
                write!(f, "the bench is read from inside a word: `{word}`")
            }
            Self::CutShort { read, rest } => {
                write!(f, "the server reads {read} and stops before `{rest}`")
            }
            Self::InMergeSubject => f.write_str(
                "the bench stands in the subject of a merge or revert, which quotes another commit",
            ),
            Self::NotOnItsOwnLine { read, line } => write!(
                f,
                "the server reads {read} from the words `{line}`; write the bench on a line of its own"
            ),
        }
    }
}

/// Where the number of a match beginning at `start` begins and where it ends.
fn match_at(bytes: &[u8], start: usize) -> Option<(usize, usize)> {
    let rest = &bytes[start..];
    let word = word_length(rest)?;
    let separators = run_length(&rest[word..], |b| matches!(b, b' ' | b':' | b'='));
    let number = run_length(&rest[word + separators..], |b| {
        b.is_ascii_digit() || b == b','
    });
    let begin = start + word + separators;
    (separators > 0 && number > 0).then_some((begin, begin + number))
}

fn word_length(bytes: &[u8]) -> Option<usize> {
    const LONG_S: &[u8] = "ſ".as_bytes();
    let starts = |word: &[u8]| {
        bytes
            .get(..word.len())
            .is_some_and(|head| head.eq_ignore_ascii_case(word))
    };
    if starts(b"bench") || starts(b"nodes") {
        Some(5)
    } else if starts(b"node") && bytes[4..].starts_with(LONG_S) {
        Some(4 + LONG_S.len())
    } else {
        None
    }
}

fn run_length(bytes: &[u8], wanted: impl Fn(u8) -> bool) -> usize {
    bytes.iter().take_while(|b| wanted(**b)).count()
}

/// Whether what follows the digits looks like more of the same number: `1e6`, `12.5`, `1_000`, `1
/// 234 567`.
fn continues_number(after: &str) -> bool {
    let mut chars = after.chars();
    match chars.next() {
        Some('_') => true,
        Some('.' | ' ' | '\'') => chars.next().is_some_and(|c| c.is_ascii_digit()),
        Some(first) => first.is_alphanumeric(),
        None => false,
    }
}

fn shortened(number: &str) -> String {
    match number.get(..24) {
        Some(head) if number.len() > 24 => format!("{head}… ({} characters)", number.len()),
        _ => number.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_match_wins_even_when_it_is_broken() {
        assert_eq!(server_bench("bench 1\nbench 2"), Some(2));
        assert_eq!(server_bench("bench 5\nbench ,"), None);
        assert_eq!(server_bench("Bench: 0"), None);
        assert_eq!(server_bench("NODEſ 5"), Some(5));
        assert_eq!(server_bench("bench 99999999999999999999"), None);
        assert!(matches!(
            BenchMatches::of("bench 99999999999999999999").value(),
            Value::Huge(_)
        ));
    }

    #[test]
    fn each_danger_is_reported() {
        let warnings = |message: &str| {
            let texts: Vec<String> = BenchMatches::of(message)
                .warnings()
                .iter()
                .map(ToString::to_string)
                .collect();
            texts.join("; ")
        };
        assert_eq!(warnings("Title\n\nBench: 302398\n"), "");
        assert_eq!(warnings("bench 100\nbench 100"), "");
        assert!(warnings("bench 100\n\nthen the workbench 3").contains("has 2 benches"));
        assert!(warnings("bench 1\nbench 2\nbench 3").contains("has 3 benches"));
        assert!(warnings("workbench 3").contains("inside a word: `workbench 3`"));
        assert!(warnings("bench 1e6").contains("stops before `e6`"));
        assert!(warnings("bench 1 234 567").contains("stops before ` 234 567`"));
        assert!(warnings("Bench: 0").contains("zero"));
        assert!(warnings("bench 2147483648").contains("beyond 2147483647"));
        assert!(warnings("Merge branch 'a' bench 5").contains("subject of a merge"));
        assert!(warnings("faster, bench 5").contains("line of its own"));
        assert_eq!(warnings("no number here"), "");
    }
}
