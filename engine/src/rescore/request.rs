//! The arguments of `rescore`: pairs of a keyword and a value, in any order.

use std::path::PathBuf;

use crate::arguments::{self, number};
use crate::workers;

const USAGE: &str =
    "expected 'from FOLDER out FOLDER [nodes N] [every N] [leaf true|false] [threads N]'";
const KEYWORDS: [&str; 6] = ["from", "out", "nodes", "every", "leaf", "threads"];

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    pub from: PathBuf,
    pub out: PathBuf,
    /// No iteration starts after this many nodes.
    pub nodes: u32,
    /// Of the positions that a trainer uses, one in this many is searched.
    pub every: usize,
    /// What is written is the end of its principal variation.
    pub leaf: bool,
    pub threads: usize,
}

pub fn parse(words: &[&str]) -> Result<Request, String> {
    let (mut from, mut out) = (None, None);
    let (mut nodes, mut every, mut leaf, mut threads) = (3_000, 16, false, 1);
    for (keyword, value) in arguments::pairs(words, &KEYWORDS, USAGE)? {
        match keyword {
            "from" if !value.is_empty() => from = Some(PathBuf::from(value)),
            "out" if !value.is_empty() => out = Some(PathBuf::from(value)),
            "nodes" => nodes = number(keyword, &value, 1, u32::MAX)?,
            "every" => every = number(keyword, &value, 1, 1_000)?,
            "leaf" => {
                leaf = (value.parse())
                    .map_err(|_| format!("leaf: expected 'true' or 'false', got '{value}'"))?;
            }
            "threads" => threads = number(keyword, &value, 1, workers::MAX)?,
            _ => return Err(format!("'{keyword}' has no value; {USAGE}")),
        }
    }
    match (from, out) {
        (Some(from), Some(out)) if from != out => Ok(Request {
            from,
            out,
            nodes,
            every,
            leaf,
            threads,
        }),
        (Some(_), Some(_)) => Err("expected two folders, got the same one twice".to_owned()),
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
        let expected = Request {
            from: PathBuf::from("my data/gen 1"),
            out: PathBuf::from("deep"),
            nodes: 400,
            every: 3,
            leaf: true,
            threads: 2,
        };
        let text = "every 3 from my data/gen 1 threads 2 leaf true out deep nodes 400";
        assert_eq!(parsed(text), Ok(expected));
        let request = parsed("from a out b").unwrap();
        assert_eq!(
            (request.nodes, request.every, request.leaf, request.threads),
            (3_000, 16, false, 1)
        );
    }

    #[test]
    fn what_is_missing_or_wrong_is_reported() {
        for (text, told) in [
            ("", "expected 'from FOLDER"),
            ("from a", "expected 'from FOLDER"),
            ("from a out a", "two folders"),
            (
                "from a out b every 0",
                "every: expected a number from 1 to 1000, got '0'",
            ),
            ("from a out b nodes", "got ''"),
            (
                "from a out b leaf 1",
                "leaf: expected 'true' or 'false', got '1'",
            ),
            ("frobnicate", "unknown argument 'frobnicate'"),
        ] {
            let error = parsed(text).unwrap_err();
            assert!(error.contains(told), "{text}: {error}");
        }
    }
}
