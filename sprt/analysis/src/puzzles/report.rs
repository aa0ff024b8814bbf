//! Puzzles as EPD for `sprt suite`, and what became of the candidates in words.

use foundation::counted;
use std::collections::BTreeMap;
use std::fmt::Write as _;

use referee::game::Variant;

use super::folder::PuzzlesRun;
use super::puzzle::Puzzle;
use crate::table::drawn;

/// One line a puzzle: `bm`, an `id` whose number runs within its theme, and the game it comes from.
pub fn epd(run: &PuzzlesRun) -> String {
    let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
    let words = run
        .blunders
        .plan
        .variant()
        .map_or(4, Variant::position_fields);
    let mut text = String::new();
    for puzzle in found(run) {
        let number = numbers.entry(puzzle.theme.clone()).or_default();
        *number += 1;
        let fields: Vec<&str> = puzzle.fen.split(' ').take(words).collect();
        // Writing to a `String` cannot fail.
        let _ = writeln!(
            text,
            "{} bm {}; id \"{}.{number:03}\"; c1 \"game {}: {}% against {}%\";",
            fields.join(" "),
            puzzle.best,
            puzzle.theme,
            puzzle.game + 1,
            puzzle.chances[0],
            puzzle.chances[1],
        );
    }
    text
}

/// How many puzzles each theme has.
pub fn themes(run: &PuzzlesRun) -> String {
    let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
    for puzzle in found(run) {
        *numbers.entry(puzzle.theme).or_default() += 1;
    }
    let mut rows = vec![vec!["theme".to_owned(), "positions".to_owned()]];
    rows.extend(
        numbers
            .into_iter()
            .map(|(theme, number)| vec![theme, number.to_string()]),
    );
    drawn(rows)
}

/// `12 puzzles of 40 positions next to 21 mistakes; of the others 20 have no clearly best move, …`
pub fn sentence(run: &PuzzlesRun) -> String {
    let all = run.puzzles();
    let mut rejected: BTreeMap<_, usize> = BTreeMap::new();
    for rejection in all.iter().filter_map(|it| it.as_ref().err()) {
        *rejected.entry(*rejection).or_default() += 1;
    }
    let reasons: Vec<String> = rejected
        .into_iter()
        .map(|(rejection, number)| format!("{number} {}", rejection.words()))
        .collect();
    let mut text = format!(
        "{} of {} before and after mistakes",
        counted(all.iter().filter(|it| it.is_ok()).count(), "puzzle"),
        counted(run.candidates.len(), "position")
    );
    if !reasons.is_empty() {
        // Writing to a `String` cannot fail.
        let _ = write!(text, "; of the others {}", reasons.join(", "));
    }
    text
}

fn found(run: &PuzzlesRun) -> impl Iterator<Item = Puzzle> {
    run.puzzles().into_iter().flatten()
}
