//! How long an engine may think about a move.
//!
//! Read from the command line in the field's usual forms and kept in the plan. A dialect words it as
//! a command. All times are in milliseconds.

mod control;

use foundation::counted;
use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::Color;
use control::seconds;
pub use control::{Stage, TimeControl};

/// The limit of every move of a match. At least one limit is set, and at most one of clock and move
/// time; an engine must move when it reaches the first of its limits.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Limit {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock: Option<TimeControl>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub movetime: Option<u64>,
}

/// A player's limit, and how much later than that a move may come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SideLimit {
    pub limit: Limit,
    pub margin: Duration,
}

/// What both clocks show, for the `go` command; `None` where a player has no clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct Clocks {
    pub white: Option<Face>,
    pub black: Option<Face>,
    /// Moves until the mover's next stage begins.
    pub moves_to_go: Option<u32>,
}

/// What a clock shows.
#[derive(Clone, Copy, Debug)]
pub struct Face {
    pub left: Duration,
    pub increment_ms: u64,
}

impl Clocks {
    /// The same after `mover` has used this much of its time.
    #[must_use]
    pub fn after(mut self, mover: Color, spent: Duration) -> Self {
        let face = match mover {
            Color::White => &mut self.white,
            Color::Black => &mut self.black,
        };
        if let Some(face) = face {
            face.left = face.left.saturating_sub(spent);
        }
        self
    }
}

impl Limit {
    /// The limit of a match where none is given: 8+0.08.
    pub fn usual() -> Self {
        Self::clock(Stage {
            moves: None,
            base_ms: 8000,
            increment_ms: 80,
        })
    }

    pub fn clock(control: impl Into<TimeControl>) -> Self {
        Self {
            clock: Some(control.into()),
            ..Self::default()
        }
    }

    pub fn nodes(nodes: u64) -> Self {
        Self {
            nodes: Some(nodes),
            ..Self::default()
        }
    }

    pub fn depth(depth: u32) -> Self {
        Self {
            depth: Some(depth),
            ..Self::default()
        }
    }

    pub fn movetime(ms: u64) -> Self {
        Self {
            movetime: Some(ms),
            ..Self::default()
        }
    }

    /// Whether time does not matter.
    pub fn has_no_clock(&self) -> bool {
        self.clock.is_none() && self.movetime.is_none()
    }

    /// The same with so many times the nodes and the time; `None` with a limit of plies, which has
    /// no such multiple.
    pub fn times(&self, factor: u64) -> Option<Self> {
        let many = |amount: u64| amount.saturating_mul(factor);
        self.depth.is_none().then(|| Self {
            clock: self.clock.as_ref().map(|clock| clock.times(factor)),
            nodes: self.nodes.map(many),
            depth: None,
            movetime: self.movetime.map(many),
        })
    }

    /// The flags that give this limit, without their dashes.
    pub fn flags(&self) -> Vec<(&'static str, String)> {
        let Self {
            clock,
            nodes,
            depth,
            movetime,
        } = self;
        let flags = [
            ("tc", clock.as_ref().map(ToString::to_string)),
            ("nodes", nodes.map(|nodes| nodes.to_string())),
            ("depth", depth.map(|depth| depth.to_string())),
            ("movetime", movetime.map(|ms| ms.to_string())),
        ];
        flags
            .into_iter()
            .filter_map(|(name, value)| Some((name, value?)))
            .collect()
    }

    /// As OpenBench's block writes it: `8.0+0.08s`, `40/60.0+0.60s`, `N=5000`, `8.0+0.08s N=5000`.
    pub fn openbench(&self) -> String {
        joined(
            " ",
            [
                self.clock.as_ref().map(TimeControl::openbench),
                self.nodes.map(|nodes| format!("N={nodes}")),
                self.depth.map(|depth| format!("D={depth}")),
                self.movetime.map(|ms| format!("MT={ms}")),
            ],
        )
    }

    /// As PGN's `TimeControl` tag writes it.
    pub fn pgn(&self) -> String {
        match (&self.clock, self.movetime) {
            (Some(control), _) => control.pgn(),
            (None, Some(ms)) => format!("{}/move", seconds(ms)),
            (None, None) => "-".to_owned(),
        }
    }
}

fn joined(between: &str, parts: [Option<String>; 4]) -> String {
    parts
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(between)
}

impl fmt::Display for Limit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&joined(
            ", at most ",
            [
                self.clock.as_ref().map(TimeControl::prose),
                self.movetime.map(|ms| format!("{ms} ms a move")),
                self.nodes
                    .map(|nodes| format!("{} a move", counted(nodes, "node"))),
                self.depth.map(|depth| format!("depth {depth}")),
            ],
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(text: &str) -> Limit {
        Limit::clock(text.parse::<TimeControl>().expect("a time control"))
    }

    #[test]
    fn limits_are_printed_in_openbench_words() {
        assert_eq!(clock("8+0.08").openbench(), "8.0+0.08s");
        assert_eq!(clock("40/60+0.6").openbench(), "40/60.0+0.60s");
        assert_eq!(Limit::nodes(5000).openbench(), "N=5000");
        assert_eq!(clock("40/60+0.6").pgn(), "40/60+0.6");
    }

    #[test]
    fn limits_beside_each_other_are_all_reported() {
        let both = Limit {
            nodes: Some(5000),
            ..clock("8+0.08")
        };
        assert_eq!(both.openbench(), "8.0+0.08s N=5000");
        assert_eq!(
            both.to_string(),
            "8 s + 0.08 s a move, at most 5000 nodes a move"
        );
        assert_eq!(both.pgn(), "8+0.08");
        let flags: Vec<_> = both
            .flags()
            .iter()
            .map(|(n, v)| format!("{n} {v}"))
            .collect();
        assert_eq!(flags, ["tc 8+0.08", "nodes 5000"]);
        assert!(!both.has_no_clock());
    }

    #[test]
    fn nodes_and_time_have_multiples_but_plies_do_not() {
        let times = |limit: Limit| limit.times(4).map(|longer| longer.openbench());
        let is = |words: &str| Some(words.to_owned());
        assert_eq!(
            times(clock("40/60+0.6,8+0.08")),
            is("40/240.0+2.40,32.0+0.32s")
        );
        assert_eq!(times(clock("hg60")), is("hg240s"));
        let both = Limit {
            movetime: Some(50),
            ..Limit::nodes(500)
        };
        assert_eq!(times(both), is("N=2000 MT=200"));
        assert_eq!(times(Limit::depth(5)), None);
    }

    #[test]
    fn limits_of_an_earlier_release_are_read() {
        for (json, limit) in [
            (r#"{"nodes":5000}"#, Limit::nodes(5000)),
            (r#"{"depth":5}"#, Limit::depth(5)),
            (r#"{"movetime":50}"#, Limit::movetime(50)),
            (
                r#"{"clock":{"moves":null,"base_ms":8000,"increment_ms":80}}"#,
                clock("8+0.08"),
            ),
        ] {
            assert_eq!(serde_json::from_str::<Limit>(json).expect(json), limit);
            assert_eq!(serde_json::to_string(&limit).expect("JSON"), json);
        }
    }
}
