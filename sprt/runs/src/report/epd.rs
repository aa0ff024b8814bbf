//! The positions at the ends of games, a line each.

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::Path;

use foundation::{Failure, failure::OrUnable};

use super::{Event, Reporter, append};
use referee::arena::FinishedGame;
use referee::game::Variant;

/// Appends the positions of each pair as soon as it is over.
pub(super) struct Appended {
    file: File,
    name: String,
    variant: &'static dyn Variant,
}

impl Appended {
    /// Opens the file, which may hold positions already.
    ///
    /// # Errors
    /// It cannot be written.
    pub(super) fn open(path: &Path, variant: &'static dyn Variant) -> Result<Self, Failure> {
        let name = path.display().to_string();
        let unable = format!("write positions to `{name}`");
        let mut options = OpenOptions::new();
        let opened = options.create(true).append(true).open(path);
        let mut file = opened.or_unable(&unable)?;
        append::end_last(&mut file, path, b"\n").or_unable(&unable)?;
        Ok(Self {
            file,
            name,
            variant,
        })
    }
}

impl Reporter for Appended {
    fn on_event(&mut self, event: &Event<'_>) -> Result<(), Failure> {
        let Event::PairFinished(pair) = event else {
            return Ok(());
        };
        let mut text = String::new();
        for game in &pair.games {
            text.push_str(&last_position(self.variant, game)?);
        }
        self.file
            .write_all(text.as_bytes())
            .or_unable(format_args!("write positions to `{}`", self.name))
    }
}

fn last_position(variant: &dyn Variant, game: &FinishedGame) -> Result<String, Failure> {
    let moves = game.moves.iter().map(|played| played.text.as_str());
    let record = variant.record(&game.opening, &moves.collect::<Vec<_>>())?;
    Ok(line(&record.last_position))
}

/// A position as a line of EPD: with its counters as operations.
fn line(position: &str) -> String {
    let fields: Vec<&str> = position.split(' ').collect();
    match fields[..] {
        [board, side, castling, target, halfmoves, fullmoves] => {
            format!("{board} {side} {castling} {target} hmvc {halfmoves}; fmvn {fullmoves};\n")
        }
        _ => format!("{position}\n"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_are_operations() {
        assert_eq!(
            line("4k3/8/8/8/8/8/4P3/4K3 w - - 3 70"),
            "4k3/8/8/8/8/8/4P3/4K3 w - - hmvc 3; fmvn 70;\n"
        );
        assert_eq!(line("another game"), "another game\n");
    }
}
