//! Searches positions that `datagen` has written once more, with more nodes.
//!
//! The score of a search of a few hundred nodes is little better than the evaluation that it is to
//! improve, but games from such searches are cheap and give many different positions. So games are
//! played with short searches, and some of the positions that a trainer uses, at even intervals,
//! are then searched deeper. Results of the games are kept.
//!
//! A static evaluation is asked about positions at the ends of lines rather than about those of
//! games. `leaf` writes the end of the principal variation of each of these positions, with the
//! score of a search of its own.
//!
//! Each file is read as a whole and becomes a file of the same name. An existing file is left as it
//! is, so that the same command continues an interrupted run. The content of a file depends only on
//! its source and the arguments, not on the number of threads.

mod request;

use std::fs::{self, File};
use std::io::{ErrorKind, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::time::Instant;

use crate::datagen::game::result;
use crate::origin::{self, Origin};
use crate::packed::{self, FileHeader, PackedPosition, UNIT};
use crate::player::{Player, unfaded};
use crate::search::job::Settings;
use crate::workers;
use request::Request;

const NO_HEADER: &str = "expected a file of packed positions, got less than its header";

/// Rescores all files of a folder and prints the progress as `info string` lines.
pub fn run(words: &[&str], settings: &Settings, print: impl Fn(&str) + Sync) -> Result<(), String> {
    let request = request::parse(words)?;
    fs::create_dir_all(&request.out)
        .map_err(|error| format!("{}: {error}", request.out.display()))?;
    let data_files = |folder: &Path| {
        packed::files(folder).map_err(|error| format!("{}: {error}", folder.display()))
    };
    let files = data_files(&request.from)?;
    if files.is_empty() {
        return Err(format!(
            "{}: expected files of packed positions (*.positions), got none",
            request.from.display()
        ));
    }
    let settings = &unfaded(settings);
    let leaf = if request.leaf { " leaf" } else { "" };
    let source = source(&request.from, &files[0])?;
    let origin = Origin::of(settings)
        .with("every", format!("{}{leaf}", request.every))
        .with("source", source);
    if !origin.settle(&request.out, !data_files(&request.out)?.is_empty())? {
        print(&origin::unknown("rescore", &request.out));
    }
    let work = Work {
        request: &request,
        settings,
        files: &files,
        next: AtomicUsize::new(0),
        skipped: AtomicUsize::new(0),
        done: Mutex::new((0, 0)),
        start: Instant::now(),
    };
    // Before any file is added.
    for file in &files {
        work.is_there(file, &work.out(file))?;
    }
    workers::run(
        request.threads,
        |failed| work.rescore(failed, &print),
        || (),
    )?;
    let skipped = work.skipped.into_inner();
    if skipped == files.len() {
        print(&format!(
            "info string rescore {skipped} of {skipped} files, nothing to do: {} has them all",
            request.out.display()
        ));
    }
    Ok(())
}

/// The header of a file of packed positions, where there is one.
fn header(file: &Path) -> Result<Option<FileHeader>, String> {
    let mut unit = [0; UNIT];
    let read = File::open(file).and_then(|mut file| file.read_exact(&mut unit));
    match read {
        Ok(()) => FileHeader::unpack(&unit).map(Some),
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => Err(NO_HEADER.to_owned()),
        Err(error) => Err(error.to_string()),
    }
    .map_err(|error| format!("{}: {error}", file.display()))
}

/// What a folder of data is known by: what it was made with.
fn source(folder: &Path, first: &Path) -> Result<String, String> {
    let header = header(first)?;
    let made = header.map_or(String::new(), |it| {
        format!(" seed {} nodes {}", it.seed, it.nodes)
    });
    Ok(origin::of_folder(folder)? + &made)
}

/// What the threads of a run share.
struct Work<'a> {
    request: &'a Request,
    settings: &'a Settings,
    files: &'a [PathBuf],
    next: AtomicUsize,
    /// Files that existed already.
    skipped: AtomicUsize,
    /// Files and positions of this run.
    done: Mutex<(usize, usize)>,
    start: Instant,
}

impl Work<'_> {
    fn rescore(&self, failed: &AtomicBool, print: &(impl Fn(&str) + Sync)) -> Result<(), String> {
        let mut player = Player::new(self.settings, u64::from(self.request.nodes));
        while !failed.load(Relaxed)
            && let Some(file) = self.files.get(self.next.fetch_add(1, Relaxed))
        {
            let out = self.out(file);
            if self.is_there(file, &out)? {
                self.skipped.fetch_add(1, Relaxed);
                continue;
            }
            let unfinished = out.with_extension("unfinished");
            let claimed = packed::claim(&unfinished)
                .map_err(|error| format!("{}: {error}", unfinished.display()))?;
            let Some(mut claimed) = claimed else {
                print(&format!(
                    "info string rescore: {} is left to another process, which is at work on it",
                    out.display()
                ));
                continue;
            };
            // Another process may have finished it just now.
            if self.is_there(file, &out)? {
                let _ = fs::remove_file(&unfinished);
                self.skipped.fetch_add(1, Relaxed);
                continue;
            }
            let (bytes, positions) = self
                .rescored(file, &mut player)
                .map_err(|error| format!("{}: {error}", file.display()))?;
            // A file under its final name is complete.
            claimed
                .set_len(0)
                .and_then(|()| claimed.write_all(&bytes))
                .and_then(|()| fs::rename(&unfinished, &out))
                .map_err(|error| format!("{}: {error}", out.display()))?;
            self.note(positions, print);
        }
        Ok(())
    }

    fn out(&self, file: &Path) -> PathBuf {
        self.request.out.join(file.file_name().unwrap_or_default())
    }

    /// Whether the file exists; fails if it was made of another one or with another number of nodes.
    fn is_there(&self, file: &Path, out: &Path) -> Result<bool, String> {
        let Some(found) = header(out)? else {
            return Ok(false);
        };
        let expected = header(file)?.map(|source| FileHeader {
            nodes: self.request.nodes,
            ..source
        });
        if expected == Some(found) {
            return Ok(true);
        }
        Err(format!(
            "{}: expected positions of {}, searched with {} nodes, got those of seed {}, block {}, with {} nodes; \
             choose another folder",
            out.display(),
            file.display(),
            self.request.nodes,
            found.seed,
            found.block,
            found.nodes,
        ))
    }

    /// The content of a rescored file, and the number of its positions.
    fn rescored(&self, file: &Path, player: &mut Player) -> Result<(Vec<u8>, usize), String> {
        let bytes = fs::read(file).map_err(|error| error.to_string())?;
        let Some(first) = bytes.first_chunk() else {
            return Err(NO_HEADER.to_owned());
        };
        let header = FileHeader {
            nodes: self.request.nodes,
            ..FileHeader::unpack(first)?
        };
        let mut out = header.pack().to_vec();
        let mut positions = 0;
        for game in packed::games(&bytes) {
            let game = game.map_err(|damaged| {
                format!(
                    "{damaged}; run `datagen` again with its former arguments: it cuts the file \
                     there and goes on"
                )
            })?;
            let usable: Vec<_> = game
                .positions
                .iter()
                .filter_map(PackedPosition::from_unit)
                .filter(PackedPosition::is_quiet)
                .collect();
            player.clear();
            // The first position differs from game to game.
            let skipped = game.number as usize % self.request.every;
            let chosen = usable.iter().skip(skipped).step_by(self.request.every);
            let search = if self.request.leaf { leaf } else { rescore };
            let scored: Vec<_> = chosen
                .filter_map(|position| search(position, player))
                .collect();
            positions += scored.len();
            // No leaf comes later in a game than another: each is a game of its own.
            let together = if self.request.leaf {
                1
            } else {
                scored.len().max(1)
            };
            for scored in scored.chunks(together) {
                out.extend(packed::pack_game(game.number, scored));
            }
        }
        Ok((out, positions))
    }

    fn note(&self, positions: usize, print: impl Fn(&str)) {
        let Ok(mut done) = self.done.lock() else {
            return;
        };
        done.0 += 1;
        done.1 += positions;
        let speed = done.1 as f64 / self.start.elapsed().as_secs_f64().max(0.001);
        print(&format!(
            "info string rescore {} of {} files, {} positions, {speed:.0} positions/s",
            self.skipped.load(Relaxed) + done.0,
            self.files.len(),
            done.1
        ));
    }
}

/// The position with the score and the best move of a new search.
fn rescore(packed: &PackedPosition, player: &mut Player) -> Option<PackedPosition> {
    let position = packed.position()?;
    let found = player.search(&position, &[]);
    let rescored = PackedPosition::new(&position, packed.ply(), found.score, found.best?);
    Some(rescored.with_outcome(packed.outcome()))
}

/// The quiet end of the principal variation, with the result of the game that the variation left.
fn leaf(packed: &PackedPosition, player: &mut Player) -> Option<PackedPosition> {
    let root = packed.position()?;
    let line = player.search(&root, &[]).line;
    let leaf = line.iter().fold(root, |position, &mv| position.play(mv));
    if leaf.in_check() || result(&leaf, &[]).is_some() {
        return None;
    }
    let found = player.search(&leaf, &[]);
    let ply = packed.ply() + line.len();
    let scored = PackedPosition::new(&leaf, ply, found.score, found.best?);
    let scored = scored.with_outcome(packed.outcome());
    scored.is_quiet().then_some(scored)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::datagen::tests::{Folder, generate};

    fn rescored(from: &Folder, out: &Folder, arguments: &str) -> Result<(), String> {
        let (from, out) = (from.path().display(), out.path().display());
        let text = format!("from {from} out {out} {arguments}");
        let words: Vec<&str> = text.split_whitespace().collect();
        run(&words, &Settings::default(), |_| {})
    }

    #[test]
    fn a_folder_is_continued_as_it_was_begun() {
        let (from, out) = (
            Folder::new("rescore-every"),
            Folder::new("rescore-every-out"),
        );
        generate(&from, "games 1 nodes 60").unwrap();
        let told = |arguments: &str| {
            let lines = Mutex::new(Vec::new());
            let (from, out) = (from.path().display(), out.path().display());
            let text = format!("from {from} out {out} nodes 100 {arguments}");
            let words: Vec<&str> = text.split_whitespace().collect();
            run(&words, &Settings::default(), |line| {
                lines.lock().unwrap().push(line.to_owned());
            })?;
            Ok::<_, String>(lines.into_inner().unwrap().join("\n"))
        };
        assert!(told("every 2").unwrap().contains("1 of 1 files, "));
        assert!(told("every 2").unwrap().contains("nothing to do"));
        let error = told("every 3").unwrap_err();
        assert!(error.contains("made with every 3, got every 2"), "{error}");
        // As while a first process has no file that is complete.
        fs::remove_file(out.path().join("000000.positions")).unwrap();
        assert_eq!(told("every 3").unwrap_err(), error);
        assert!(told("every 2").unwrap().contains("1 of 1 files, "));
        fs::remove_file(out.path().join("settings.txt")).unwrap();
        assert!(told("every 3").unwrap().contains("has no settings.txt"));
    }

    /// Score and result by placement and side, of all quiet positions.
    fn positions(folder: &Folder) -> BTreeMap<String, (i32, u8)> {
        let files = folder.files().into_values();
        let units = files.flat_map(|bytes| bytes[UNIT..].as_chunks::<UNIT>().0.to_vec());
        units
            .filter_map(|unit| PackedPosition::from_unit(&unit))
            .map(|packed| {
                let board = packed.position().unwrap().board().to_string();
                (board, (packed.score(), packed.outcome() as u8))
            })
            .collect()
    }

    #[test]
    fn some_positions_get_other_scores_and_keep_their_results() {
        let (from, out) = (Folder::new("rescore-from"), Folder::new("rescore-out"));
        generate(&from, "games 6 nodes 60 seed 5").unwrap();
        rescored(&from, &out, "nodes 400 every 5").unwrap();
        let (before, after) = (positions(&from), positions(&out));
        assert!(after.len() > 40 && after.len() * 5 < before.len() + 30);
        let mut changed = 0;
        for (board, (score, result)) in &after {
            assert_eq!(before[board].1, *result);
            changed += usize::from(before[board].0 != *score);
        }
        assert!(changed * 2 > after.len(), "{changed} of {}", after.len());
    }

    #[test]
    fn leaves_are_quiet_positions_of_lines_each_a_game_of_its_own() {
        let (from, out) = (Folder::new("leaf-from"), Folder::new("leaf-out"));
        generate(&from, "games 3 nodes 60 seed 5").unwrap();
        rescored(&from, &out, "nodes 200 every 4 leaf true").unwrap();
        let before = positions(&from);
        let files = out.files();
        let bytes = files.values().next().unwrap();
        let (mut leaves, mut new) = (0, 0);
        for game in packed::games(bytes) {
            let game = game.unwrap();
            assert_eq!(game.positions.len(), 1);
            let leaf = PackedPosition::from_unit(&game.positions[0]).unwrap();
            assert!(leaf.is_quiet());
            let board = leaf.position().unwrap().board().to_string();
            new += usize::from(!before.contains_key(&board));
            leaves += 1;
        }
        assert!(leaves > 20 && new * 2 > leaves, "{new} of {leaves}");
        let error = rescored(&from, &out, "nodes 200 every 4").unwrap_err();
        assert!(error.contains("every 4, got every 4 leaf"), "{error}");
    }

    #[test]
    fn threads_and_interruptions_make_no_difference() {
        let from = Folder::new("rescore-two");
        generate(&from, "games 4 nodes 60 seed 5").unwrap();
        let path = from.path().join("000000.positions");
        fs::copy(&path, from.path().join("000001.positions")).unwrap();
        let whole = Folder::new("rescore-whole");
        rescored(&from, &whole, "nodes 100 every 3 threads 2").unwrap();
        let again = Folder::new("rescore-again");
        rescored(&from, &again, "nodes 100 every 3").unwrap();
        assert!(whole.files() == again.files());
        fs::remove_file(again.path().join("000001.positions")).unwrap();
        fs::write(again.path().join("000001.unfinished"), "interrupted").unwrap();
        rescored(&from, &again, "nodes 100 every 3").unwrap();
        assert!(whole.files() == again.files());
    }

    #[test]
    fn a_file_in_the_hands_of_another_process_is_left_to_it() {
        let (from, out) = (Folder::new("rescore-held"), Folder::new("rescore-held-out"));
        generate(&from, "games 1 nodes 60").unwrap();
        fs::create_dir_all(out.path()).unwrap();
        let unfinished = out.path().join("000000.unfinished");
        let held = packed::claim(&unfinished).unwrap().unwrap();
        rescored(&from, &out, "nodes 100").unwrap();
        assert!(out.files().is_empty());
        drop(held);
        rescored(&from, &out, "nodes 100").unwrap();
        assert_eq!(out.files().len(), 1);
        assert!(!unfinished.exists());
    }

    #[test]
    fn what_cannot_be_rescored_is_reported() {
        let (from, out) = (Folder::new("rescore-bad"), Folder::new("rescore-bad-out"));
        fs::create_dir_all(from.path()).unwrap();
        let error = rescored(&from, &out, "").unwrap_err();
        assert!(error.contains("got none"), "{error}");
        generate(&from, "games 1 nodes 60").unwrap();
        rescored(&from, &out, "nodes 100").unwrap();
        let error = rescored(&from, &out, "nodes 101").unwrap_err();
        assert!(
            error.contains("searched with 101 nodes, got those of seed")
                && error.contains("with 100 nodes"),
            "{error}"
        );
        let shorter = Folder::new("rescore-shorter");
        generate(&shorter, "games 1 nodes 50").unwrap();
        let error = rescored(&shorter, &out, "nodes 100").unwrap_err();
        assert!(
            error.contains("seed 1 nodes 50, got source")
                && error.contains("seed 1 nodes 60; choose"),
            "{error}"
        );
        let other = Folder::new("rescore-other");
        generate(&other, "games 1 nodes 60 seed 6").unwrap();
        let error = rescored(&other, &out, "nodes 100").unwrap_err();
        assert!(error.contains("choose another folder"), "{error}");
        fs::write(from.path().join("000001.positions"), "not positions").unwrap();
        let error = rescored(&from, &out, "nodes 100").unwrap_err();
        assert!(error.contains("less than its header"), "{error}");
        let mut bytes = fs::read(from.path().join("000000.positions")).unwrap();
        bytes[5 * UNIT] ^= 1;
        fs::write(from.path().join("000001.positions"), &bytes).unwrap();
        let error = rescored(&from, &out, "nodes 100").unwrap_err();
        assert!(error.contains("game at byte 32 is damaged"), "{error}");
    }
}
