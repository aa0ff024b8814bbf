//! The comment after a move: score, depth, time, nodes, and what else is asked for; or time, depth
//! and nodes as bare numbers.

use std::fmt::Write as _;

use referee::arena::PlayedMove;

use super::clean::comment_words;
use crate::plan::{Comments, Field, RecordStyle};

/// `+0.31/12 0.084s, n=48213, sd=19, line="info string …"`, or `84000000 12 48213`
pub(crate) fn note_words(style: &RecordStyle, played: &PlayedMove) -> String {
    if style.comments == Comments::Autotester {
        let (depth, nodes) = (played.info.depth, played.info.nodes);
        return format!(
            "{} {} {}",
            played.time.as_nanos(),
            depth.unwrap_or(0),
            nodes.unwrap_or(0)
        );
    }
    let mut words = played
        .info
        .score
        .map(|score| score.to_string())
        .unwrap_or_default();
    // Writing to a `String` cannot fail.
    let _ = write!(
        words,
        "/{} {:.3}s",
        played.info.depth.unwrap_or(0),
        played.time.as_secs_f64()
    );
    if let Some(nodes) = played.info.nodes {
        let _ = write!(words, ", n={nodes}");
    }
    if let Some(depth) = played.info.selective_depth {
        let _ = write!(words, ", sd={depth}");
    }
    write_fields(style, played, &mut words);
    for line in &played.lines {
        let _ = write!(words, ", line={}", quoted(line));
    }
    words
}

/// Appends what is recorded for a move besides the usual: `, nps=1200000, timeleft=7.210s`.
fn write_fields(style: &RecordStyle, played: &PlayedMove, words: &mut String) {
    let info = &played.info;
    for field in &style.fields {
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

/// What a move of the book has for a comment.
pub(super) fn book_words(style: &RecordStyle) -> &'static str {
    match style.comments {
        Comments::Full => "book",
        Comments::Autotester => "0 0 0",
    }
}

fn quoted(line: &str) -> String {
    format!("\"{}\"", comment_words(line).replace('"', "'"))
}
