//! What the record of a game contains: names, the notation of moves, and what is noted for each.

use clap::ValueEnum;
use foundation::Failure;
use regex_lite::Regex;
use serde::{Deserialize, Serialize};

use super::value_name::value_name;
use referee::arena::MatchSetup;

/// The contents of the records of games; their form is the reporter's business.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RecordStyle {
    pub event: String,
    pub site: String,
    pub notation: Notation,
    #[serde(skip_serializing_if = "foundation::is_default")]
    pub comments: Comments,
    /// What is recorded for each move besides score, depth, time and nodes.
    pub fields: Vec<Field>,
    /// Regular expressions: the last line of each search that matches is recorded.
    pub lines: Vec<String>,
    /// Whether a record has no more than the seven tags that PGN demands, its start position and
    /// its moves.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub minimal: bool,
}

impl Default for RecordStyle {
    fn default() -> Self {
        Self {
            event: "sprt".to_owned(),
            site: "?".to_owned(),
            notation: Notation::San,
            comments: Comments::Full,
            fields: Vec::new(),
            lines: Vec::new(),
            minimal: false,
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

/// The form of the comment after a move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Comments {
    /// +0.31/12 0.084s, n=48213
    #[default]
    Full,
    /// 84000000 12 48213: nanoseconds, depth and nodes, as Leiserchess's autotester writes them
    Autotester,
}

/// An item of the comment after a move.
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

/// The flags of a [`RecordStyle`].
#[derive(clap::Args, Clone, Debug, Default)]
#[command(next_help_heading = "Records")]
pub struct RecordFlags {
    /// Event of the games [default: sprt]
    #[arg(long, value_name = "NAME")]
    event: Option<String>,
    /// Site of the games [default: ?]
    #[arg(long, value_name = "NAME")]
    site: Option<String>,
    /// Notation of moves; many readers of PGN understand nothing but san [default: san]
    #[arg(long, value_enum, value_name = "NOTATION")]
    pgn_notation: Option<Notation>,
    /// Comments after moves; pgnstats of the course on Leiserchess reads those of its autotester
    /// [default: full]
    #[arg(long, value_enum, value_name = "FORM")]
    pgn_comments: Option<Comments>,
    /// What to record for each move besides score, depth, time and nodes, separated by commas
    #[arg(long, value_enum, value_name = "FIELDS", value_delimiter = ',')]
    pgn_fields: Vec<Field>,
    /// Record the last line of each search that matches this regular expression; may be repeated
    #[arg(long, value_name = "REGEX")]
    pgn_lines: Vec<String>,
    /// Record moves without comments and no more tags than PGN demands; pages then have no
    /// evaluations and times
    #[arg(long)]
    pgn_min: bool,
}

impl RecordFlags {
    /// # Errors
    /// A pattern is no regular expression, or comments have no place for what they are to hold.
    pub fn resolve(&self) -> Result<RecordStyle, Failure> {
        let wants_more = !self.pgn_fields.is_empty() || !self.pgn_lines.is_empty();
        if wants_more && self.pgn_comments == Some(Comments::Autotester) {
            return Err(Failure::unable(
                "--pgn-comments autotester records time, depth and nodes, and no --pgn-fields or --pgn-lines",
            )
            .hint("leave out one of them"));
        }
        for pattern in &self.pgn_lines {
            Regex::new(pattern)
                .map_err(|error| Failure::unable(format!("--pgn-lines `{pattern}`: {error}")))?;
        }
        let usual = RecordStyle::default();
        Ok(RecordStyle {
            event: self.event.clone().unwrap_or(usual.event),
            site: self.site.clone().unwrap_or(usual.site),
            notation: self.pgn_notation.unwrap_or_default(),
            comments: self.pgn_comments.unwrap_or_default(),
            fields: self.pgn_fields.clone(),
            lines: self.pgn_lines.clone(),
            minimal: self.pgn_min,
        })
    }
}

impl RecordStyle {
    /// The flags that give this style, without their dashes.
    pub fn flags(&self) -> Vec<(&'static str, String)> {
        let usual = Self::default();
        let mut flags = Vec::new();
        if self.event != usual.event {
            flags.push(("event", self.event.clone()));
        }
        if self.site != usual.site {
            flags.push(("site", self.site.clone()));
        }
        if self.notation != usual.notation {
            flags.push(("pgn-notation", value_name(&self.notation)));
        }
        if self.comments != usual.comments {
            flags.push(("pgn-comments", value_name(&self.comments)));
        }
        if !self.fields.is_empty() {
            let names: Vec<String> = self.fields.iter().map(value_name).collect();
            flags.push(("pgn-fields", names.join(",")));
        }
        let lines = self.lines.iter();
        flags.extend(lines.map(|pattern| ("pgn-lines", pattern.clone())));
        if self.minimal {
            flags.push(("pgn-min", String::new()));
        }
        flags
    }

    /// Has the arena keep the lines of engines that records of this style show.
    pub fn keep_lines(&self, setup: &mut MatchSetup) {
        setup.rules.keep_lines = self.fields.contains(&Field::Pv);
        for launch in [&mut setup.base, &mut setup.new] {
            launch.keep_lines.clone_from(&self.lines);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_recorded_is_refused() {
        let flags = RecordFlags {
            pgn_lines: vec!["(".to_owned()],
            ..RecordFlags::default()
        };
        let failure = flags.resolve().expect_err("no pattern");
        assert!(failure.message().contains("--pgn-lines"), "{failure}");
        let flags = RecordFlags {
            pgn_comments: Some(Comments::Autotester),
            pgn_fields: vec![Field::Pv],
            ..RecordFlags::default()
        };
        let failure = flags.resolve().expect_err("no place for it");
        assert!(failure.message().contains("--pgn-fields"), "{failure}");
        let usual = RecordFlags::default().resolve();
        assert_eq!(usual, Ok(RecordStyle::default()));
    }
}
