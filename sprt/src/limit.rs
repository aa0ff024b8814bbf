//! How long an engine may think about a move.
//!
//! Read from the command line in the field's usual forms, kept in the plan, and turned into the
//! `go` command. All times are in milliseconds.

use std::fmt;
use std::time::Duration;

use foundation::Failure;
use serde::{Deserialize, Serialize};

/// The limit of every move of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Limit {
    Clock(TimeControl),
    Nodes(u64),
    Depth(u32),
    /// Milliseconds.
    Movetime(u64),
}

/// A chess clock: `moves` in `base`, again and again, or the whole game in `base`; plus an
/// increment after each move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeControl {
    pub moves: Option<u32>,
    pub base_ms: u64,
    pub increment_ms: u64,
}

/// A player's limit, and how much later than that a move may come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SideLimit {
    pub limit: Limit,
    pub margin: Duration,
}

/// What both clocks show, for the `go` command; `None` where a player has no clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct Clocks {
    pub white: Option<Face>,
    pub black: Option<Face>,
    /// Moves until the mover's clock is filled up again.
    pub moves_to_go: Option<u32>,
}

/// What a clock shows.
#[derive(Clone, Copy, Debug)]
pub struct Face {
    pub left: Duration,
    pub increment_ms: u64,
}

impl Limit {
    /// Appends UCI's `go` command with its line end.
    pub fn write_go(&self, clocks: Clocks, line: &mut String) {
        crate::engine::uci::write_go(self, clocks, line);
    }

    /// Whether time does not matter.
    pub fn has_no_clock(&self) -> bool {
        matches!(self, Self::Nodes(_) | Self::Depth(_))
    }

    /// The flags that give this limit, without their dashes.
    pub fn flags(&self) -> Vec<(&'static str, String)> {
        vec![match self {
            Self::Clock(control) => ("tc", control.to_string()),
            Self::Nodes(nodes) => ("nodes", nodes.to_string()),
            Self::Depth(depth) => ("depth", depth.to_string()),
            Self::Movetime(ms) => ("movetime", ms.to_string()),
        }]
    }

    /// The words of OpenBench's block: `8.0+0.08s`, `40/60.0+0.60s`, `N=5000`.
    pub fn openbench(&self) -> String {
        match self {
            Self::Nodes(nodes) => format!("N={nodes}"),
            Self::Depth(depth) => format!("D={depth}"),
            Self::Movetime(ms) => format!("MT={ms}"),
            Self::Clock(control) => {
                let moves = control
                    .moves
                    .map_or_else(String::new, |moves| format!("{moves}/"));
                let (base, increment) = (seconds(control.base_ms), seconds(control.increment_ms));
                format!("{moves}{base:.1}+{increment:.2}s")
            }
        }
    }

    /// The words of PGN's `TimeControl` tag.
    pub fn pgn(&self) -> String {
        match self {
            Self::Nodes(_) | Self::Depth(_) => "-".to_owned(),
            Self::Movetime(ms) => format!("{}/move", seconds(*ms)),
            Self::Clock(control) => control.to_string(),
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nodes(nodes) => write!(formatter, "{nodes} nodes a move"),
            Self::Depth(depth) => write!(formatter, "depth {depth}"),
            Self::Movetime(ms) => write!(formatter, "{ms} ms a move"),
            Self::Clock(control) => {
                if let Some(moves) = control.moves {
                    write!(formatter, "{moves} moves in ")?;
                }
                write!(formatter, "{} s", seconds(control.base_ms))?;
                match control.increment_ms {
                    0 => Ok(()),
                    increment => write!(formatter, " + {} s a move", seconds(increment)),
                }
            }
        }
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(formatter, "{moves}/")?;
        }
        write!(formatter, "{}", seconds(self.base_ms))?;
        if self.increment_ms > 0 {
            write!(formatter, "+{}", seconds(self.increment_ms))?;
        }
        Ok(())
    }
}

fn seconds(ms: u64) -> f64 {
    ms as f64 / 1000.0
}

impl std::str::FromStr for TimeControl {
    type Err = Failure;

    /// `[moves/]base[+increment]`, in seconds, `base` also as `minutes:seconds`; a trailing `s` is
    /// allowed.
    fn from_str(text: &str) -> Result<Self, Failure> {
        let wrong = |what: &str| {
            Failure::unable(format!("`{text}` is not a time control: {what}"))
                .hint("expected [MOVES/]SECONDS[+INCREMENT], such as 8+0.08 or 40/60+0.6; for other limits see --nodes, --depth and --movetime")
        };
        let bare = text.trim();
        let bare = bare.strip_suffix('s').unwrap_or(bare);
        let (moves, rest) = match bare.split_once('/') {
            None => (None, bare),
            Some((moves, rest)) => match moves.parse::<u32>() {
                Ok(moves) if moves > 0 => (Some(moves), rest),
                _ => return Err(wrong(&format!("`{moves}` is not a number of moves"))),
            },
        };
        let (base, increment) = rest.split_once('+').unwrap_or((rest, "0"));
        let base_ms = match base.split_once(':') {
            None => milliseconds(base),
            Some((minutes, seconds)) => minutes
                .parse::<u32>()
                .ok()
                .zip(sexagesimal(seconds))
                .map(|(minutes, ms)| u64::from(minutes) * 60_000 + ms),
        }
        .ok_or_else(|| wrong(&format!("`{base}` is not a time in seconds")))?;
        let increment_ms = milliseconds(increment)
            .ok_or_else(|| wrong(&format!("`{increment}` is not an increment in seconds")))?;
        // The increment is there before the first move.
        if base_ms == 0 && increment_ms == 0 {
            return Err(wrong("there is no time to make the first move"));
        }
        Ok(Self {
            moves,
            base_ms,
            increment_ms,
        })
    }
}

/// The seconds after minutes, which are two digits as on a clock: who types `8:0.08` means
/// `8+0.08`.
fn sexagesimal(text: &str) -> Option<u64> {
    let whole = text.split('.').next().unwrap_or_default();
    milliseconds(text).filter(|&ms| whole.len() == 2 && ms < 60_000)
}

/// Seconds with decimals to milliseconds; a week at most, so that sums never overflow.
fn milliseconds(text: &str) -> Option<u64> {
    if !text
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'.')
    {
        return None;
    }
    let seconds: f64 = text.parse().ok()?;
    (0.0..=604_800.0)
        .contains(&seconds)
        .then(|| (seconds * 1000.0).round() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn usual_time_controls_are_read() {
        let read = |text: &str| {
            text.parse::<TimeControl>()
                .map(|tc| (tc.moves, tc.base_ms, tc.increment_ms))
        };
        assert_eq!(read("8+0.08"), Ok((None, 8000, 80)));
        assert_eq!(read("40/60+0.6"), Ok((Some(40), 60_000, 600)));
        assert_eq!(read("1:30+1s"), Ok((None, 90_000, 1000)));
        assert_eq!(read("0.5"), Ok((None, 500, 0)));
        assert_eq!(read("0+1"), Ok((None, 0, 1000)));
    }

    #[test]
    fn a_slip_in_a_time_control_was_eight_minutes() {
        for text in ["8:0.08", "8:8", "1:60", "1:000"] {
            let failure = text.parse::<TimeControl>().expect_err(text);
            assert!(failure.message().contains("not a time"), "{failure}");
        }
        let words = Limit::Clock("40/8+0.08".parse().expect("a time control")).to_string();
        assert_eq!(words, "40 moves in 8 s + 0.08 s a move");
    }

    #[test]
    fn a_bad_time_control_is_refused_with_what_was_got_and_what_was_expected() {
        for text in [
            "", "8+", "inf", "-1+1", "0/8+1", "8+0.08+1", "x/8", "1e99", "nan", "0+0", "8 + 0.08",
        ] {
            let failure = text.parse::<TimeControl>().expect_err(text);
            assert!(
                failure.message().contains(&format!("`{text}`")),
                "{failure}"
            );
            assert!(
                failure
                    .next_step()
                    .is_some_and(|hint| hint.contains("8+0.08"))
            );
        }
    }

    #[test]
    fn limits_are_printed_in_openbench_words() {
        let clock = |text: &str| Limit::Clock(text.parse().expect("a time control"));
        assert_eq!(clock("8+0.08").openbench(), "8.0+0.08s");
        assert_eq!(clock("40/60+0.6").openbench(), "40/60.0+0.60s");
        assert_eq!(Limit::Nodes(5000).openbench(), "N=5000");
        assert_eq!(clock("40/60+0.6").pgn(), "40/60+0.6");
    }

    proptest! {
        #[test]
        fn no_text_panics(text in ".{0,20}") {
            let _ = text.parse::<TimeControl>();
        }

        #[test]
        fn what_is_printed_is_read_back(moves in proptest::option::of(1u32..200), base in 1u64..10_000_000, inc in 0u64..100_000) {
            let control = TimeControl { moves, base_ms: base, increment_ms: inc };
            prop_assert_eq!(control.to_string().parse::<TimeControl>(), Ok(control));
        }
    }
}
