//! The last `info` line before a move: as much of it as adjudication and records need.

use crate::score::Score;

/// What an engine said about the move it was going to make. Missing fields were not said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// From the mover's point of view.
    pub score: Option<Score>,
    pub depth: Option<u32>,
    pub selective_depth: Option<u32>,
    pub nodes: Option<u64>,
}

impl Info {
    /// Whether a line may hold the score of the best move: cheap, since it is asked of every line.
    pub fn is_scored(line: &[u8]) -> bool {
        line.starts_with(b"info ")
            && memchr::memmem::find(line, b" score ").is_some()
            && !line.starts_with(b"info string")
    }

    /// Whether the score of a line is a bound only, or not of the best move.
    pub fn is_second_rate(line: &[u8]) -> bool {
        let has = |word: &[u8]| memchr::memmem::find(line, word).is_some();
        has(b" lowerbound") || has(b" upperbound") || (has(b" multipv ") && !has(b" multipv 1 "))
    }

    /// Reads a line; fields it cannot read are missing.
    pub fn parse(line: &[u8]) -> Self {
        let text = String::from_utf8_lossy(line);
        let mut info = Self::default();
        let mut words = text.split_ascii_whitespace();
        while let Some(word) = words.next() {
            match word {
                "depth" => info.depth = words.next().and_then(|word| word.parse().ok()),
                "seldepth" => {
                    info.selective_depth = words.next().and_then(|word| word.parse().ok());
                }
                "nodes" => info.nodes = words.next().and_then(|word| word.parse().ok()),
                "score" => {
                    info.score = match (words.next(), words.next().map(str::parse)) {
                        (Some("cp"), Some(Ok(centipawns))) => Some(Score::Cp(centipawns)),
                        (Some("mate"), Some(Ok(moves))) => Some(Score::Mate(moves)),
                        _ => None,
                    };
                }
                // What follows is a line of moves or free text.
                "pv" | "string" | "refutation" | "currline" => break,
                _ => {}
            }
        }
        info
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_usual_line_is_read() {
        let line = b"info depth 12 seldepth 18 multipv 1 score cp -31 nodes 48213 nps 1 hashfull 5 time 84 pv e2e4 nodes";
        assert!(Info::is_scored(line) && !Info::is_second_rate(line));
        let info = Info::parse(line);
        assert_eq!(info.score, Some(Score::Cp(-31)));
        assert_eq!(
            (info.depth, info.selective_depth, info.nodes),
            (Some(12), Some(18), Some(48213))
        );
    }

    #[test]
    fn bounds_second_lines_and_strings_are_told_apart() {
        assert!(Info::is_second_rate(
            b"info depth 3 score cp 5 lowerbound nodes 3"
        ));
        assert!(Info::is_second_rate(
            b"info depth 3 multipv 2 score cp 5 nodes 3"
        ));
        assert!(!Info::is_second_rate(
            b"info depth 3 multipv 1 score cp 5 nodes 3"
        ));
        assert!(!Info::is_scored(b"info string a score of 5"));
        assert!(!Info::is_scored(b"info depth 3 currmove e2e4"));
        assert_eq!(
            Info::parse(b"info depth 3 score mate -4 nodes 3").score,
            Some(Score::Mate(-4))
        );
    }

    proptest! {
        #[test]
        fn no_line_panics(line in proptest::collection::vec(any::<u8>(), 0..60)) {
            let _ = (Info::is_scored(&line), Info::is_second_rate(&line), Info::parse(&line));
        }
    }
}
