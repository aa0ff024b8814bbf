use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::*;
use crate::packed::{PackedPosition, UNIT};
use crate::params::Params;

/// A folder that is removed at the end of the test.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("datagen-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        Self(path)
    }

    pub(crate) fn files(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let entries = fs::read_dir(&self.0).unwrap();
        entries
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|found| found == "positions"))
            .map(|path| {
                (
                    path.strip_prefix(&self.0).unwrap().into(),
                    fs::read(&path).unwrap(),
                )
            })
            .collect()
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

pub(crate) fn generate(folder: &Folder, arguments: &str) -> Result<Vec<String>, String> {
    generate_with(&Settings::default(), folder, arguments)
}

fn generate_with(
    settings: &Settings,
    folder: &Folder,
    arguments: &str,
) -> Result<Vec<String>, String> {
    let lines = std::cell::RefCell::new(Vec::new());
    let text = format!("out {} {arguments}", folder.path().display());
    let words: Vec<&str> = text.split_whitespace().collect();
    run(&words, settings, |line| {
        lines.borrow_mut().push(line.to_owned());
    })?;
    Ok(lines.into_inner())
}

const GAMES: &str = "games 6 nodes 60 seed 5";

#[test]
fn positions_are_legal_and_best_moves_lead_to_the_next() {
    let folder = Folder::new("legal");
    let lines = generate(&folder, GAMES).unwrap();
    assert!(lines.last().unwrap().contains("datagen 6 games"));
    let files = folder.files();
    assert_eq!(files.len(), 1);
    let bytes = files.values().next().unwrap();
    let (mut games, mut quiet) = (0, 0);
    let mut expected = None;
    for unit in bytes[UNIT..].as_chunks::<UNIT>().0 {
        let Some(packed) = PackedPosition::from_unit(unit) else {
            games += 1;
            expected = None;
            continue;
        };
        let position = packed.position().unwrap();
        let key = position.key();
        assert!(expected.is_none_or(|expected| expected == key));
        assert!(position.moves().contains(&packed.best_move()));
        expected = Some(position.play(packed.best_move()).key());
        quiet += usize::from(!packed.is_noisy() && !packed.in_check());
    }
    assert_eq!(games, 6);
    assert!(quiet > 100, "{quiet}");
}

#[test]
fn data_are_the_same_after_any_interruption_and_with_any_number_of_threads() {
    let whole = Folder::new("whole");
    generate(&whole, GAMES).unwrap();
    let expected = whole.files();
    let bytes = expected.values().next().unwrap();
    let name = expected.keys().next().unwrap();
    for length in [0, 5, UNIT, UNIT + 7, bytes.len() / 2, bytes.len() - 1] {
        let cut = Folder::new("cut");
        fs::create_dir_all(cut.path()).unwrap();
        fs::write(cut.path().join(name), &bytes[..length]).unwrap();
        generate(&cut, &format!("{GAMES} threads 2")).unwrap();
        assert!(cut.files() == expected, "cut after {length} bytes");
    }
    let more = Folder::new("more");
    generate(&more, "games 3 nodes 60 seed 5").unwrap();
    generate(&more, GAMES).unwrap();
    assert!(more.files() == expected);
    let other = Folder::new("other");
    generate(&other, "games 6 nodes 60 seed 6").unwrap();
    assert!(other.files() != expected);
}

#[test]
fn a_bound_on_positions_counts_what_is_there() {
    let folder = Folder::new("bound");
    generate(&folder, "positions 100 nodes 60").unwrap();
    let before = folder.files();
    let amount = block::survey(folder.path(), 1, 60).unwrap();
    assert!(amount.positions >= 100 && amount.games < 10, "{amount:?}");
    generate(&folder, "positions 100 nodes 60").unwrap();
    assert!(folder.files() == before);
}

#[test]
fn files_of_other_settings_are_left_alone() {
    let folder = Folder::new("mixed");
    generate(&folder, GAMES).unwrap();
    let before = folder.files();
    let error = generate(&folder, "games 6 nodes 61 seed 5").unwrap_err();
    assert!(
        error.contains("at 61 nodes, got block 0 of seed 5 at 60 nodes"),
        "{error}"
    );
    // Not even by a thread that found a block of its own.
    generate(&folder, "games 2001 nodes 61 seed 5 threads 3").unwrap_err();
    assert_eq!(folder.files(), before);
    let name = before.keys().next().unwrap();
    fs::write(
        folder.path().join(name),
        "something else, for instance a letter",
    )
    .unwrap();
    let error = generate(&folder, GAMES).unwrap_err();
    assert!(
        error.contains("expected a file of packed positions"),
        "{error}"
    );
}

#[test]
fn a_folder_is_continued_with_the_same_network_book_and_options() {
    let folder = Folder::new("same");
    generate(&folder, "games 1 nodes 60 seed 5").unwrap();
    let before = folder.files();
    let book = folder.path().join("book.epd");
    fs::write(&book, "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1\n").unwrap();
    let with_book = format!("games 2 nodes 60 seed 5 book {}", book.display());
    let more = "games 2 nodes 60 seed 5";
    let hand_crafted = Settings {
        network: None,
        ..Settings::default()
    };
    let other_margin = Settings {
        params: Params::default().with(&[("RfpMargin", 33)]),
        ..Settings::default()
    };
    for (settings, arguments, told) in [
        (Settings::default(), &*with_book, "got book None"),
        (hand_crafted.clone(), more, "made with EvalFile <none>, got"),
        (
            other_margin,
            more,
            "made with options RfpMargin=33 EvalClockFade=0 EvalMaterialFade=0, got options \
             EvalClockFade=0 EvalMaterialFade=0;",
        ),
    ] {
        let error = generate_with(&settings, &folder, arguments).unwrap_err();
        assert!(error.contains(told), "{error}");
        assert!(folder.files() == before, "{told}");
    }
    // Older folders lack the file.
    fs::remove_file(folder.path().join("settings.txt")).unwrap();
    let lines = generate_with(&hand_crafted, &folder, more).unwrap();
    assert!(lines[0].contains("has no settings.txt"), "{lines:?}");
}

#[test]
fn scores_are_without_the_fading_of_the_evaluation() {
    let fading = |clock: i32, material: i32| Settings {
        params: Params::default().with(&[("EvalClockFade", clock), ("EvalMaterialFade", material)]),
        ..Settings::default()
    };
    let (strong, none) = (Folder::new("fading"), Folder::new("unfaded"));
    generate_with(&fading(80, 90), &strong, GAMES).unwrap();
    generate_with(&fading(0, 0), &none, GAMES).unwrap();
    assert!(strong.files() == none.files());
    // Data of before, whose scores fade, are not continued.
    let settings = none.path().join("settings.txt");
    let text = fs::read_to_string(&settings).unwrap();
    let text = text.replace("EvalClockFade=0 EvalMaterialFade=0", "default");
    fs::write(&settings, text).unwrap();
    let error = generate(&none, GAMES).unwrap_err();
    assert!(
        error.contains("EvalMaterialFade=0, got options default"),
        "{error}"
    );
}

#[test]
fn a_block_in_the_hands_of_another_process_is_left_to_it() {
    let folder = Folder::new("shared");
    fs::create_dir_all(folder.path()).unwrap();
    let header = FileHeader {
        seed: 5,
        nodes: 60,
        block: 0,
    };
    let mut held = Block::open(folder.path(), header, 0).unwrap().unwrap();
    assert!(Block::open(folder.path(), header, 0).unwrap().is_none());
    generate(&folder, GAMES).unwrap();
    assert_eq!(block::survey(folder.path(), 5, 60).unwrap().games, 0);
    held.append(&packed::pack_game(0, &[])).unwrap();
    drop(held);
    assert_eq!(
        Block::open(folder.path(), header, 0)
            .unwrap()
            .unwrap()
            .next_game(),
        1
    );
}
