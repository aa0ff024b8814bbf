//! The comment after a move: score, depth, time, nodes, and what else is asked for.

use std::fmt::Write as _;

use referee::arena::PlayedMove;

use super::clean::comment_words;
use crate::plan::{Field, RecordStyle};

/// `+0.31/12 0.084s, n=48213, sd=19, line="info string …"`
pub(crate) fn note_words(style: &RecordStyle, played: &PlayedMove) -> String {
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

fn quoted(line: &str) -> String {
    format!("\"{}\"", comment_words(line).replace('"', "'"))
}
