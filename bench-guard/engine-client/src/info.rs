//! The last `info` line before a move: as much of it as adjudication and records need.

use serde::{Deserialize, Serialize};

use crate::EngineScore;

/// What an engine reported about the move that it was going to make. Fields that it did not report
/// are missing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Info {
    /// From the mover's point of view.
    pub score: Option<EngineScore>,
    pub depth: Option<u32>,
    pub selective_depth: Option<u32>,
    pub nodes: Option<u64>,
    /// Permille of the hash table in use.
    pub hashfull: Option<u32>,
    /// Positions found in endgame tables.
    pub tbhits: Option<u64>,
    /// Nodes a second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nps: Option<u64>,
    /// Milliseconds that the search has taken by the engine's own clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reported_ms: Option<u64>,
}

impl Info {
    /// Reads a line; fields it cannot read are missing.
    pub fn parse(line: &[u8]) -> Self {
        let mut info = Self::default();
        let mut words = line
            .split(|&byte| byte == b' ')
            .filter(|word| !word.is_empty());
        while let Some(word) = words.next() {
            match word {
                b"depth" => info.depth = words.next().and_then(number),
                b"seldepth" => info.selective_depth = words.next().and_then(number),
                b"nodes" => info.nodes = words.next().and_then(number),
                b"hashfull" => info.hashfull = words.next().and_then(number),
                b"nps" => info.nps = words.next().and_then(number),
                b"time" => info.reported_ms = words.next().and_then(number),
                b"tbhits" => info.tbhits = words.next().and_then(number),
                b"score" => {
                    info.score = match (words.next(), words.next().and_then(number)) {
                        (Some(b"cp"), Some(centipawns)) => Some(EngineScore::Cp(centipawns)),
                        (Some(b"mate"), Some(moves)) => Some(EngineScore::Mate(moves)),
                        _ => None,
                    };
                }
                // What follows is free text, in which some engines hide their nodes.
                b"string" => {
                    if info.nodes.is_none() {
                        let mut hidden = words.skip_while(|word| *word != b"nodes");
                        info.nodes = hidden.nth(1).and_then(number);
                    }
                    break;
                }
                _ => {}
            }
        }
        info
    }
}

fn number<T: std::str::FromStr>(word: &[u8]) -> Option<T> {
    std::str::from_utf8(word).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_usual_line_is_read() {
        let line = b"info depth 12 seldepth 18 multipv 1 score cp -31 nodes 48213 nps 1 hashfull 5 tbhits 7 time 84 pv e2e4";
        let info = Info::parse(line);
        assert_eq!(info.score, Some(EngineScore::Cp(-31)));
        assert_eq!(
            (info.depth, info.selective_depth, info.nodes),
            (Some(12), Some(18), Some(48213))
        );
        assert_eq!((info.hashfull, info.tbhits), (Some(5), Some(7)));
        assert_eq!((info.nps, info.reported_ms), (Some(1), Some(84)));
        let mate = Info::parse(b"info depth 3 score mate -4 nodes 3").score;
        assert_eq!(mate, Some(EngineScore::Mate(-4)));
    }

    #[test]
    fn fields_after_moves_are_read() {
        let info = Info::parse(b"info depth 9 pv g1f3 d7d5 score cp -900 nodes 5");
        assert_eq!(
            (info.score, info.nodes, info.depth),
            (Some(EngineScore::Cp(-900)), Some(5), Some(9))
        );
    }

    #[test]
    fn nodes_after_free_text_are_read_where_there_are_none_before() {
        let nodes = |line: &str| Info::parse(line.as_bytes()).nodes;
        assert_eq!(
            nodes("info depth 17 score cp 19 string stable ebf 1.84 nodes 4470390 nps 5"),
            Some(4470390)
        );
        assert_eq!(nodes("info score cp 1 nodes 3 string nodes 9"), Some(3));
        assert_eq!(nodes("info score cp 1 pv e2e4 e7e5 nodes"), None);
    }

    proptest! {
        #[test]
        fn no_line_panics(line in proptest::collection::vec(any::<u8>(), 0..60)) {
            let _ = Info::parse(&line);
        }
    }
}
