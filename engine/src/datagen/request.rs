//! The arguments of `datagen`: pairs of a keyword and a value, in any order.

use std::path::PathBuf;

use crate::arguments::{self, number};
use crate::workers;

const USAGE: &str = "expected 'out FOLDER games N|positions N [nodes N] [seed S] [threads N] \
                     [book FILE|None]'";
const KEYWORDS: [&str; 7] = [
    "out",
    "games",
    "positions",
    "nodes",
    "seed",
    "threads",
    "book",
];
const DEFAULT_NODES: u32 = 5_000;

/// When to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    Games(u64),
    /// In the folder at the beginning, and of this run.
    Positions(u64),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    pub folder: PathBuf,
    pub bound: Bound,
    /// No iteration is started after this many nodes.
    pub nodes: u32,
    pub seed: u64,
    pub threads: usize,
    pub book: Option<String>,
}

pub fn parse(words: &[&str]) -> Result<Request, String> {
    let mut folder = None;
    let mut bound = None;
    let mut request = Request {
        folder: PathBuf::new(),
        bound: Bound::Games(0),
        nodes: DEFAULT_NODES,
        seed: 1,
        threads: 1,
        book: None,
    };
    for (keyword, value) in arguments::pairs(words, &KEYWORDS, USAGE)? {
        match keyword {
            "out" if !value.is_empty() => folder = Some(PathBuf::from(value)),
            "book" => request.book = (!value.eq_ignore_ascii_case("none")).then_some(value),
            "games" | "positions" if bound.is_some() => {
                return Err("expected either 'games N' or 'positions N', got two".into());
            }
            "games" => bound = Some(Bound::Games(number(keyword, &value, 1, u64::MAX / 2)?)),
            "positions" => bound = Some(Bound::Positions(number(keyword, &value, 1, u64::MAX)?)),
            "nodes" => request.nodes = number(keyword, &value, 1, u32::MAX)?,
            "seed" => request.seed = number(keyword, &value, 0, u64::MAX)?,
            "threads" => request.threads = number(keyword, &value, 1, workers::MAX)?,
            _ => return Err(format!("'{keyword}' has no value; {USAGE}")),
        }
    }
    match (folder, bound) {
        (Some(folder), Some(bound)) => Ok(Request {
            folder,
            bound,
            ..request
        }),
        _ => Err(USAGE.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<Request, String> {
        parse(&text.split_whitespace().collect::<Vec<_>>())
    }

    #[test]
    fn every_argument_is_read() {
        let text = "seed 7 out my data/gen 0 positions 1000 nodes 400 threads 2 book my book.epd";
        let expected = Request {
            folder: PathBuf::from("my data/gen 0"),
            bound: Bound::Positions(1_000),
            nodes: 400,
            seed: 7,
            threads: 2,
            book: Some("my book.epd".to_owned()),
        };
        assert_eq!(parsed(text), Ok(expected));
        let request = parsed("out x games 3 book None").unwrap();
        assert_eq!((request.bound, request.book), (Bound::Games(3), None));
    }

    #[test]
    fn what_is_missing_or_wrong_is_reported() {
        for (text, told) in [
            ("", "expected 'out FOLDER"),
            ("out x", "expected 'out FOLDER"),
            ("games 5", "expected 'out FOLDER"),
            ("out games 5", "expected 'out FOLDER"),
            ("out x games 5 positions 5", "got two"),
            ("out x games many", "got 'many'"),
            ("out x games 0", "got '0'"),
            ("out x games 5 threads 0", "from 1 to 1024"),
            ("out x games 5 nodes", "got ''"),
            ("frobnicate out x games 5", "unknown argument 'frobnicate'"),
        ] {
            let error = parsed(text).unwrap_err();
            assert!(error.contains(told), "{text}: {error}");
        }
    }
}
