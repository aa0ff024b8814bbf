//! What stands in the records of games: tags, notation, and what is told of each move.

use std::fmt::Write as _;

use clap::ValueEnum;
use foundation::Failure;
use regex::bytes::Regex;
use serde::{Deserialize, Serialize};

use referee::arena::{MatchSetup, PlayedMove};

/// How games are written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Style {
    pub event: String,
    pub site: String,
    pub notation: Notation,
    /// What is told of each move beside score, depth, time and nodes.
    pub fields: Vec<Field>,
    /// Regular expressions: of the lines of each search, the last that matches is told.
    pub lines: Vec<String>,
}

impl Default for Style {
    fn default() -> Self {
        Self {
            event: "sprt".to_owned(),
            site: "?".to_owned(),
            notation: Notation::San,
            fields: Vec::new(),
            lines: Vec::new(),
        }
    }
}

/// How moves are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Notation {
    /// Nf3, as PGN has it
    #[default]
    San,
    /// Ng1-f3
    Lan,
    /// g1f3
    Uci,
}

/// Something to be told of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Field {
    /// Nodes a second
    Nps,
    /// Permille of the hash table in use
    Hashfull,
    /// Hits in endgame tables
    Tbhits,
    /// What the clock shows after the move
    Timeleft,
    /// Measured minus reported time
    Latency,
    /// The line that the engine expects
    Pv,
}

/// What is asked of the records.
#[derive(clap::Args, Clone, Debug, Default)]
#[command(next_help_heading = "Records")]
pub struct StyleFlags {
    /// Event of the games [default: sprt]
    #[arg(long, value_name = "NAME")]
    event: Option<String>,
    /// Site of the games [default: ?]
    #[arg(long, value_name = "NAME")]
    site: Option<String>,
    /// Notation of moves; many readers of PGN understand nothing but san [default: san]
    #[arg(long, value_enum, value_name = "NOTATION")]
    pgn_notation: Option<Notation>,
    /// What to tell of each move beside score, depth, time and nodes, separated by commas
    #[arg(long, value_enum, value_name = "FIELDS", value_delimiter = ',')]
    pgn_fields: Vec<Field>,
    /// Tell the last line of each search that matches this regular expression; may be repeated
    #[arg(long, value_name = "REGEX")]
    pgn_lines: Vec<String>,
}

impl StyleFlags {
    /// # Errors
    /// A pattern is no regular expression.
    pub fn resolve(&self) -> Result<Style, Failure> {
        for pattern in &self.pgn_lines {
            Regex::new(pattern)
                .map_err(|error| Failure::unable(format!("--pgn-lines `{pattern}`: {error}")))?;
        }
        let usual = Style::default();
        Ok(Style {
            event: self.event.clone().unwrap_or(usual.event),
            site: self.site.clone().unwrap_or(usual.site),
            notation: self.pgn_notation.unwrap_or_default(),
            fields: self.pgn_fields.clone(),
            lines: self.pgn_lines.clone(),
        })
    }
}

impl Style {
    /// The flags that give this style, without their dashes.
    pub fn flags(&self) -> Vec<(&'static str, String)> {
        let usual = Self::default();
        let name_of = |value: Option<clap::builder::PossibleValue>| {
            value.map_or_else(String::new, |value| value.get_name().to_owned())
        };
        let mut flags = Vec::new();
        if self.event != usual.event {
            flags.push(("event", self.event.clone()));
        }
        if self.site != usual.site {
            flags.push(("site", self.site.clone()));
        }
        if self.notation != usual.notation {
            let notation = name_of(self.notation.to_possible_value());
            flags.push(("pgn-notation", notation));
        }
        if !self.fields.is_empty() {
            let fields = self.fields.iter();
            let names: Vec<String> = fields
                .map(|field| name_of(field.to_possible_value()))
                .collect();
            flags.push(("pgn-fields", names.join(",")));
        }
        let lines = self.lines.iter();
        flags.extend(lines.map(|pattern| ("pgn-lines", pattern.clone())));
        flags
    }

    /// Has the arena keep the lines of engines that records of this style show.
    pub(crate) fn keep_lines(&self, setup: &mut MatchSetup) {
        setup.rules.keep_lines = self.fields.contains(&Field::Pv);
        for launch in [&mut setup.base, &mut setup.new] {
            launch.keep_lines.clone_from(&self.lines);
        }
    }

    pub fn is_usual(&self) -> bool {
        *self == Self::default()
    }

    /// Appends what is told of a move beside the usual: `, nps=1200000, timeleft=7.210s`.
    pub(super) fn write_fields(&self, played: &PlayedMove, words: &mut String) {
        let info = &played.info;
        for field in &self.fields {
            let (name, value) = match field {
                Field::Nps => ("nps", info.nps.map(|it| it.to_string())),
                Field::Hashfull => ("hashfull", info.hashfull.map(|it| it.to_string())),
                Field::Tbhits => ("tbhits", info.tbhits.map(|it| it.to_string())),
                Field::Timeleft => (
                    "timeleft",
                    played.left.map(|it| format!("{:.3}s", it.as_secs_f64())),
                ),
                Field::Latency => (
                    "latency",
                    played
                        .latency_us()
                        .map(|us| format!("{:.3}s", us as f64 / 1e6)),
                ),
                Field::Pv => ("pv", played.line.as_deref().map(quoted)),
            };
            if let Some(value) = value {
                // Writing to a `String` cannot fail.
                let _ = write!(words, ", {name}={value}");
            }
        }
    }
}

fn quoted(line: &str) -> String {
    format!("\"{}\"", super::comment_words(line).replace('"', "'"))
}

/// A move in long algebraic notation, from the short one and the engines': `Ng1-f3`, `e7xd8=Q+`.
pub(super) fn long(san: &str, uci: &str) -> String {
    let (Some(from), Some(to)) = (uci.get(..2), uci.get(2..4)) else {
        return san.to_owned();
    };
    if san.starts_with('O') || san.contains('@') {
        return san.to_owned();
    }
    let piece = san.chars().next().filter(char::is_ascii_uppercase);
    let capture = if san.contains('x') { 'x' } else { '-' };
    let end = san.find(['=', '+', '#']).map_or("", |place| &san[place..]);
    let piece = piece.map_or_else(String::new, String::from);
    format!("{piece}{from}{capture}{to}{end}")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn long_notation_has_both_squares() {
        for (san, uci, expected) in [
            ("e4", "e2e4", "e2-e4"),
            ("Nbd7+", "b8d7", "Nb8-d7+"),
            ("exd8=Q#", "e7d8q", "e7xd8=Q#"),
            ("O-O-O+", "e1c1", "O-O-O+"),
            ("R1xa3", "a1a3", "Ra1xa3"),
        ] {
            assert_eq!(long(san, uci), expected);
        }
    }

    #[test]
    fn a_pattern_that_is_none_is_refused() {
        let flags = StyleFlags {
            pgn_lines: vec!["(".to_owned()],
            ..StyleFlags::default()
        };
        let failure = flags.resolve().expect_err("no pattern");
        assert!(failure.message().contains("--pgn-lines"), "{failure}");
        assert!(
            StyleFlags::default()
                .resolve()
                .expect("the usual")
                .is_usual()
        );
    }

    proptest! {
        #[test]
        fn no_texts_panic(san in "\\PC{0,8}", uci in "\\PC{0,6}") {
            let _ = long(&san, &uci);
        }
    }
}
