//! A block of games: a file to which one process at a time appends whole games.

use std::fs::{self, File};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use super::progress::Amount;
use crate::packed::{self, EXTENSION, FileHeader, UNIT, Unit};

pub struct Block {
    /// Locked as long as it is open.
    file: File,
    path: PathBuf,
    next_game: u64,
}

impl Block {
    /// Opens or creates the block, whose first game has the number `first`. What an interrupted run
    /// left behind the last whole game is cut off. `None` if another process has it open.
    pub fn open(folder: &Path, header: FileHeader, first: u64) -> Result<Option<Self>, String> {
        let path = folder.join(format!("{:06}.{EXTENSION}", header.block));
        let describe = |error: std::io::Error| format!("{}: {error}", path.display());
        let Some(mut file) = packed::claim(&path).map_err(describe)? else {
            return Ok(None);
        };
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(describe)?;
        let mut games = 0;
        let mut end = UNIT;
        match bytes.first_chunk() {
            // Not even the header was written.
            None => {
                file.rewind().map_err(describe)?;
                file.write_all(&header.pack()).map_err(describe)?;
            }
            Some(unit) => {
                check(&path, unit, |_| header)?;
                for game in packed::games(&bytes).map_while(Result::ok) {
                    if game.number != first + games {
                        break;
                    }
                    games += 1;
                    end = game.range.end;
                }
            }
        }
        file.set_len(end as u64).map_err(describe)?;
        file.seek(SeekFrom::End(0)).map_err(describe)?;
        Ok(Some(Self {
            file,
            path,
            next_game: first + games,
        }))
    }

    pub fn next_game(&self) -> u64 {
        self.next_game
    }

    /// Appends the next game.
    pub fn append(&mut self, game: &[u8]) -> Result<(), String> {
        self.file
            .write_all(game)
            .map_err(|error| format!("{}: {error}", self.path.display()))?;
        self.next_game += 1;
        Ok(())
    }
}

/// Fails where the header of a file is not the one that is expected in its place.
fn check(
    path: &Path,
    header: &Unit,
    expected: impl Fn(FileHeader) -> FileHeader,
) -> Result<(), String> {
    let found =
        FileHeader::unpack(header).map_err(|error| format!("{}: {error}", path.display()))?;
    let expected = expected(found);
    if found == expected {
        return Ok(());
    }
    let describe = |header: FileHeader| {
        format!(
            "block {} of seed {} at {} nodes",
            header.block, header.seed, header.nodes
        )
    };
    Err(format!(
        "{}: expected {}, got {}; choose another folder, or the same seed and nodes as before",
        path.display(),
        describe(expected),
        describe(found)
    ))
}

/// The whole games in the folder, all of which must be of this seed and these nodes.
pub fn survey(folder: &Path, seed: u64, nodes: u32) -> Result<Amount, String> {
    let describe = |error: std::io::Error| format!("{}: {error}", folder.display());
    let mut amount = Amount::default();
    for path in packed::files(folder).map_err(describe)? {
        let bytes = fs::read(&path).map_err(describe)?;
        if let Some(unit) = bytes.first_chunk() {
            check(&path, unit, |found| FileHeader {
                seed,
                nodes,
                ..found
            })?;
        }
        for game in packed::games(&bytes).map_while(Result::ok) {
            amount.games += 1;
            amount.positions += game.positions.len() as u64;
        }
    }
    Ok(amount)
}
