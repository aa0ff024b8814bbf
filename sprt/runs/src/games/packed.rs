//! Games packed into a page that stands alone: JSON, compressed, as letters.

use std::io::Write;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;
use foundation::{Failure, failure::OrUnable};
use serde::Serialize;

use super::{GameEntry, GamesReader, Mistakes, Replay};

/// Compressed games that a page carries unless more are asked for.
pub const MOST_BYTES: usize = 4 << 20;

/// Bytes of JSON after which the compressor writes what it has.
const FLUSH_AFTER: usize = 16 << 10;

/// The first games of a run, as many as the limit allows.
pub struct Packed {
    /// Base64 of gzip of a JSON list.
    pub text: String,
    /// How many games are packed, and how many the run has.
    pub games: u64,
    pub of: u64,
}

/// A text packed as games are.
pub fn pack(text: &str) -> Result<String, Failure> {
    let wrong = "pack a text";
    let mut pack = GzEncoder::new(Vec::new(), Compression::default());
    pack.write_all(text.as_bytes()).or_unable(wrong)?;
    Ok(STANDARD.encode(pack.finish().or_unable(wrong)?))
}

#[derive(Serialize)]
struct PackedGame<'a> {
    entry: &'a GameEntry,
    replay: Replay,
}

impl Packed {
    /// Which games the page has.
    pub(crate) fn words(&self) -> String {
        if self.games == self.of {
            return format!("All games of the run: {}.", self.of);
        }
        format!(
            "The first {} of {} games; `sprt report --games-size` carries more, `sprt serve` shows all.",
            self.games, self.of
        )
    }

    /// Whole pairs, until they take up `most_bytes` as they are compressed.
    pub fn of(
        reader: &GamesReader,
        mistakes: &Mistakes,
        most_bytes: usize,
    ) -> Result<Self, Failure> {
        let wrong = "pack the games";
        let mut pack = GzEncoder::new(Vec::new(), Compression::default());
        pack.write_all(b"[").or_unable(wrong)?;
        let (mut games, mut unwritten) = (0, 0);
        for pair in 0..reader.pairs() {
            let mut text = Vec::new();
            for (entry, mut replay) in reader.replays(pair, mistakes)? {
                // They are long, and can be derived from the pictures.
                replay.positions.clear();
                if games > 0 {
                    text.push(b',');
                }
                serde_json::to_writer(
                    &mut text,
                    &PackedGame {
                        entry: &entry,
                        replay,
                    },
                )
                .or_unable(wrong)?;
                games += 1;
            }
            pack.write_all(&text).or_unable(wrong)?;
            unwritten += text.len();
            // The compressed length is known only after a flush, which takes room itself.
            if unwritten >= FLUSH_AFTER {
                pack.flush().or_unable(wrong)?;
                unwritten = 0;
            }
            if pack.get_ref().len() >= most_bytes {
                break;
            }
        }
        pack.write_all(b"]").or_unable(wrong)?;
        Ok(Self {
            text: STANDARD.encode(pack.finish().or_unable(wrong)?),
            games,
            of: reader.games(),
        })
    }
}
