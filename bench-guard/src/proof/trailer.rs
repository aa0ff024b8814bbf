//! The text of a proof: a trailer of a commit message, written and read. Pure.
//!
//! ```text
//! SPRT-Proof: run
//!  new=9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
//!  base=60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752
//!  limit=8.0+0.08s options=Hash/16,Threads/1
//!  test=0,5,0.05,0.05,normalized penta=28,858,1839,983,33
//!  book=… seed=42 journal=… games=…
//!  sum=0123456789abcdef
//! ```
//!
//! Lines that begin with a blank continue the trailer, as in git's own. Words may be wrapped
//! differently; each appears once. In names and values of options and in the limit, every character
//! other than a letter, a digit or one of `._+-` is written as `%` and two hexadecimal digits, so
//! that OpenBench's expression never finds a bench in a proof.

use std::{collections::BTreeMap, fmt, str::FromStr};

use clap::ValueEnum as _;
use foundation::digest;
use stats::{Model, Test};

/// What the trailer begins with; case is ignored.
const KEY: &str = "SPRT-Proof:";

/// A test that was played, and what it was played with.
#[derive(Debug, Clone, PartialEq)]
pub struct Proof {
    pub source: Source,
    /// The engine, where it is not the main one of its repository.
    pub engine: Option<String>,
    /// Digest of the build inputs of the engine under test.
    pub new: String,
    /// Digest of those of its opponent.
    pub base: String,
    /// The time or nodes in OpenBench's words, like `8.0+0.08s` or `N=5000`.
    pub limit: String,
    /// UCI options that both engines were given, in this order.
    pub options: Vec<(String, String)>,
    pub test: Test,
    /// Pairs by points of the engine under test, from none to two.
    pub penta: [u64; 5],
}

/// Who played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// `sprt`, whose run has these files.
    Run {
        /// SHA-256 of the book.
        book: String,
        seed: u64,
        /// SHA-256 of `pairs.jsonl`.
        journal: String,
        /// SHA-256 of `games.pgn`.
        games: String,
    },
    /// The workers of an OpenBench server, which has the test at this address.
    OpenBench { test: String },
}

impl Proof {
    /// The proofs of a message, each with the line it begins in, counted from 1. Text that begins
    /// like a proof and cannot be read gives the reason.
    pub fn find(message: &str) -> Vec<(usize, Result<Self, String>)> {
        let mut lines = message.lines().zip(1..).peekable();
        let mut found = Vec::new();
        while let Some((line, number)) = lines.next() {
            let is_key = |head: &str| head.eq_ignore_ascii_case(KEY);
            let Some(head) = line.get(..KEY.len()).filter(|head| is_key(head)) else {
                continue;
            };
            let mut text = line[head.len()..].to_owned();
            while let Some((more, _)) = lines.next_if(|(line, _)| line.starts_with([' ', '\t'])) {
                text.push(' ');
                text.push_str(more);
            }
            found.push((number, Self::parse(&text)));
        }
        found
    }

    /// What stands behind the key.
    fn parse(text: &str) -> Result<Self, String> {
        let mut words = text.split_whitespace();
        let kind = words.next().unwrap_or_default();
        let mut fields = Fields::read(words)?;
        let source = match kind {
            "run" => Source::Run {
                book: fields.digest("book")?,
                seed: fields.number("seed")?,
                journal: fields.digest("journal")?,
                games: fields.digest("games")?,
            },
            "openbench" => Source::OpenBench {
                test: fields.decoded("url")?,
            },
            other => {
                return Err(format!(
                    "`{other}` is no kind of proof, expected `run` or `openbench`"
                ));
            }
        };
        let proof = Self {
            source,
            engine: fields.optional("engine"),
            new: fields.digest("new")?,
            base: fields.digest("base")?,
            limit: fields.decoded("limit")?,
            options: fields.options()?,
            test: fields.test()?,
            penta: fields.penta()?,
        };
        let sum = fields.take("sum")?;
        fields.finish()?;
        let expected = proof.sum();
        if sum == expected {
            Ok(proof)
        } else {
            Err(format!(
                "its words give the sum {expected}, not {sum}: some have been changed"
            ))
        }
    }

    /// The words that are not the sum, in lines.
    fn lines(&self) -> Vec<String> {
        let options: Vec<String> = self
            .options
            .iter()
            .map(|(name, value)| format!("{}/{}", encoded(name), encoded(value)))
            .collect();
        let Test {
            elo0,
            elo1,
            alpha,
            beta,
            model,
            ..
        } = self.test;
        let penta: Vec<String> = self.penta.iter().map(u64::to_string).collect();
        let mut lines = Vec::new();
        lines.extend(
            self.engine
                .as_ref()
                .map(|engine| format!("engine={engine}")),
        );
        lines.push(format!("new={}", self.new));
        lines.push(format!("base={}", self.base));
        let limit = encoded(&self.limit);
        lines.push(if options.is_empty() {
            format!("limit={limit}")
        } else {
            format!("limit={limit} options={}", options.join(","))
        });
        let model = model.name();
        lines.push(format!(
            "test={elo0},{elo1},{alpha},{beta},{model} penta={}",
            penta.join(",")
        ));
        match &self.source {
            Source::Run {
                book,
                seed,
                journal,
                games,
            } => {
                lines.push(format!("seed={seed}"));
                lines.push(format!("book={book}"));
                lines.push(format!("journal={journal}"));
                lines.push(format!("games={games}"));
            }
            Source::OpenBench { test } => lines.push(format!("url={}", encoded(test))),
        }
        lines
    }

    fn kind(&self) -> &'static str {
        match self.source {
            Source::Run { .. } => "run",
            Source::OpenBench { .. } => "openbench",
        }
    }

    /// A digest of all other words, which tells a typing mistake from a proof. It does not keep
    /// anybody from writing another one: the proof lies in what the words are compared with.
    fn sum(&self) -> String {
        digest::of_parts(&[self.kind().to_owned(), self.lines().join(" ")])
    }
}

impl fmt::Display for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{KEY} {}", self.kind())?;
        for line in self.lines() {
            write!(f, "\n {line}")?;
        }
        write!(f, "\n sum={}", self.sum())
    }
}

/// The words of a trailer, by name.
struct Fields<'a>(BTreeMap<&'a str, &'a str>);

impl<'a> Fields<'a> {
    fn read(words: impl Iterator<Item = &'a str>) -> Result<Self, String> {
        let mut fields = BTreeMap::new();
        for word in words {
            let (name, value) = word
                .split_once('=')
                .ok_or_else(|| format!("it has `{word}`, expected words like `seed=42`"))?;
            if fields.insert(name, value).is_some() {
                return Err(format!("it has `{name}` twice"));
            }
        }
        Ok(Self(fields))
    }

    fn optional(&mut self, name: &str) -> Option<String> {
        self.0.remove(name).map(str::to_owned)
    }

    fn take(&mut self, name: &str) -> Result<&'a str, String> {
        self.0
            .remove(name)
            .ok_or_else(|| format!("it has no `{name}`"))
    }

    fn parsed<T>(
        &mut self,
        name: &str,
        what: &str,
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<T, String> {
        let text = self.take(name)?;
        read(text).ok_or_else(|| format!("`{name}` is `{text}`, expected {what}"))
    }

    fn digest(&mut self, name: &str) -> Result<String, String> {
        let is_digest = |text: &str| {
            text.len() == 64 && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
        };
        self.parsed(name, "64 hexadecimal digits", |text| {
            is_digest(text).then(|| text.to_owned())
        })
    }

    fn number(&mut self, name: &str) -> Result<u64, String> {
        self.parsed(name, "a whole number", |text| text.parse().ok())
    }

    fn decoded(&mut self, name: &str) -> Result<String, String> {
        self.parsed(name, "a text like `8.0+0.08s`", decoded)
    }

    fn options(&mut self) -> Result<Vec<(String, String)>, String> {
        if !self.0.contains_key("options") {
            return Ok(Vec::new());
        }
        let option = |text: &str| {
            let (name, value) = text.split_once('/')?;
            Some((decoded(name)?, decoded(value)?))
        };
        self.parsed("options", "a list like `Hash/16,Threads/1`", |text| {
            text.split(',').map(option).collect()
        })
    }

    fn test(&mut self) -> Result<Test, String> {
        self.parsed(
            "test",
            "bounds, error probabilities and model, like `0,5,0.05,0.05,normalized`",
            |text| {
                let (numbers, model) = text.rsplit_once(',')?;
                let [elo0, elo1, alpha, beta] = list(numbers)?;
                let model = Model::from_str(model, false).ok()?;
                Test::new(elo0, elo1, alpha, beta, model).ok()
            },
        )
    }

    fn penta(&mut self) -> Result<[u64; 5], String> {
        self.parsed("penta", "five numbers of pairs", list)
    }

    fn finish(self) -> Result<(), String> {
        match self.0.first_key_value() {
            None => Ok(()),
            Some((name, _)) => Err(format!("it has `{name}`, which this release does not know")),
        }
    }
}

fn list<T: FromStr, const N: usize>(text: &str) -> Option<[T; N]> {
    let values: Option<Vec<T>> = text.split(',').map(|word| word.parse().ok()).collect();
    values?.try_into().ok()
}

fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"._+-".contains(&byte)
}

fn encoded(text: &str) -> String {
    text.bytes()
        .map(|byte| {
            if is_plain(byte) {
                char::from(byte).to_string()
            } else {
                format!("%{byte:02X}")
            }
        })
        .collect()
}

/// `None` where the text was not written by [`encoded`].
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        if *first == b'%' {
            let (digits, after) = after.split_at_checked(2)?;
            bytes.push(u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?);
            rest = after;
        } else {
            bytes.push(*first);
            rest = after;
        }
    }
    let decoded = String::from_utf8(bytes).ok()?;
    (encoded(&decoded) == text).then_some(decoded)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::message::BenchMatches;
    use stats::block::find_blocks;

    fn proof() -> Proof {
        Proof {
            source: Source::Run {
                book: "b".repeat(64),
                seed: 42,
                journal: "c".repeat(64),
                games: "d".repeat(64),
            },
            engine: None,
            new: "1".repeat(64),
            base: "2".repeat(64),
            limit: "8.0+0.08s".to_owned(),
            options: vec![("Hash".to_owned(), "16".to_owned())],
            test: Test::new(0.0, 5.0, 0.05, 0.05, Model::Normalized).expect("a test"),
            penta: [28, 858, 1839, 983, 33],
        }
    }

    fn only(message: &str) -> Result<Proof, String> {
        let mut found = Proof::find(message);
        assert_eq!(found.len(), 1, "{message}");
        found.remove(0).1
    }

    #[test]
    fn a_proof_is_found_among_other_trailers() {
        let message = format!("Gain\n\n{}\nBench: 5\n", proof());
        assert_eq!(Proof::find(&message), [(3, Ok(proof()))]);
        assert_eq!(BenchMatches::of(&message).bench(), Some(5));
    }

    #[test]
    fn another_line_length_makes_no_other_proof() {
        let written = proof().to_string();
        assert_eq!(only(&written.replace("\n ", "\n\t  ")), Ok(proof()));
        assert_eq!(only(&written.replace("\n ", " ")), Ok(proof()));
    }

    #[test]
    fn what_cannot_be_read_says_why() {
        let written = proof().to_string();
        for (from, to, why) in [
            ("run", "hearsay", "no kind of proof"),
            ("seed=42", "seed=43", "sum"),
            ("seed=42", "seed=42 seed=42", "twice"),
            ("seed=42", "", "no `seed`"),
            ("seed=42", "seed=42 luck=1", "`luck`"),
            ("seed=42", "seed=-1", "whole number"),
            ("1111", "111g", "hexadecimal"),
            ("0,5,", "5,0,", "bounds"),
            ("Hash/16", "Hash", "options"),
            ("28,", "", "five numbers"),
        ] {
            let changed = written.replacen(from, to, 1);
            let reason = only(&changed).expect_err(&changed);
            assert!(reason.contains(why), "{changed}: {reason}");
        }
    }

    fn any_text() -> impl Strategy<Value = String> {
        prop_oneof![
            "[ -~]{0,12}",
            "(bench|nodes|NODE\u{17f}|[ :=/%,]|[0-9]){0,6}",
            "\\PC{0,8}"
        ]
    }

    prop_compose! {
        fn any_proof()(
            is_run in any::<bool>(),
            digests in prop::array::uniform5("[0-9a-f]{64}"),
            seed in any::<u64>(),
            address in any_text(),
            engine in prop::option::of("[a-z][a-z0-9-]{0,8}"),
            limit in any_text(),
            options in prop::collection::vec((any_text(), any_text()), 0..4),
            // Few digits: a further one may be changed where that leaves the number the same.
            elo0 in -1000..1000,
            width in 1..1000,
            rates in prop::array::uniform2(1..400),
            model in 0..3_usize,
            penta in any::<[u64; 5]>(),
        ) -> Proof {
            let [new, base, book, journal, games] = digests;
            let model = Model::value_variants()[model];
            let bounds = [elo0, elo0 + width].map(|hundredths| f64::from(hundredths) / 100.0);
            let rates = rates.map(|thousandths| f64::from(thousandths) / 1000.0);
            Proof {
                source: if is_run {
                    Source::Run { book, seed, journal, games }
                } else {
                    Source::OpenBench { test: address }
                },
                engine,
                new,
                base,
                limit,
                options,
                test: Test::new(bounds[0], bounds[1], rates[0], rates[1], model).expect("a test"),
                penta,
            }
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(proof in any_proof()) {
            prop_assert_eq!(only(&proof.to_string()), Ok(proof));
        }

        #[test]
        fn no_proof_is_taken_for_a_bench_or_a_block(proof in any_proof()) {
            let written = proof.to_string();
            prop_assert_eq!(BenchMatches::of(&written).matches, []);
            prop_assert_eq!(find_blocks(&written).map(|blocks| blocks.len()), Ok(0));
        }

        #[test]
        fn one_changed_character_is_noticed(
            proof in any_proof(), place in any::<prop::sample::Index>(), sign in "[ -~]",
        ) {
            let mut written = proof.to_string();
            let at = KEY.len() + place.index(written.len() - KEY.len());
            prop_assume!(written.is_ascii() && written.as_bytes()[at] != sign.as_bytes()[0]);
            let was_blank = matches!(written.as_bytes()[at], b' ' | b'\n');
            written.replace_range(at..=at, &sign);
            // Where a line was wrapped, another blank says the same, and `+.05` is 0.05.
            prop_assume!(!(was_blank && sign == " ") && sign != "+");
            prop_assert_ne!(only(&written), Ok(proof));
        }

        #[test]
        fn no_text_is_too_odd(text in "(SPRT-Proof: |run|openbench|[a-z]{1,5}=|[0-9,/%]| |\n|\\PC){0,30}") {
            let _ = Proof::find(&text);
        }
    }
}
