//! Journals whose lines may come in any order, as each answers a question of its own: one that is
//! damaged can be left out, and its question asked again.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use foundation::journal::{self, Damage, Extent};
use foundation::{Failure, failure::OrUnable, files};
use serde::de::{DeserializeOwned, IgnoredAny};

/// Reads the journal of that name in the folder of a run.
///
/// # Errors
/// A line is damaged that is not at the end.
pub(crate) fn read<T: DeserializeOwned + Send>(
    run: &Path,
    name: &str,
    take: impl FnMut(T) -> Result<(), String>,
) -> Result<Extent, Failure> {
    let path = run.join(name);
    let (extent, damaged) = journal::scan(&path, take)?;
    let Some(damage) = damaged.first() else {
        return Ok(extent);
    };
    let hint = if damage_of_lines(&path)?.is_empty() {
        "each line is sound by itself; restore the file from a copy, or delete that line: what it \
         says is searched again where it is missing"
            .to_owned()
    } else {
        format!(
            "leave the damaged lines out and have those positions searched again with \
             `sprt resume --repair {}`, or restore the file from a copy",
            run.display()
        )
    };
    Err(damage.failure(&path).hint(hint))
}

/// The lines that are damaged whatever they say.
fn damage_of_lines(path: &Path) -> Result<Vec<Damage>, Failure> {
    let (_, damaged) = journal::scan(path, |_: IgnoredAny| Ok(()))?;
    Ok(damaged)
}

/// Leaves damaged lines out and returns them. The old file stays beside the new one.
pub(crate) fn leave_damage_out(path: &Path) -> Result<Vec<Damage>, Failure> {
    let damaged = damage_of_lines(path)?;
    if damaged.is_empty() {
        return Ok(damaged);
    }
    let text = fs::read(path).or_unable(format_args!("read `{}`", path.display()))?;
    let numbers: BTreeSet<u64> = damaged.iter().map(|it| it.line).collect();
    let lines = text.split_inclusive(|byte| *byte == b'\n').zip(1..);
    let sound: Vec<&[u8]> = lines
        .filter(|(_, number)| !numbers.contains(number))
        .map(|(line, _)| line)
        .collect();
    let old = path.with_extension("jsonl.damaged");
    fs::write(&old, &text).or_unable(format_args!("write `{}`", old.display()))?;
    files::replace(path, sound.concat())?;
    Ok(damaged)
}

/// What a crash took from the end of a journal, in words.
pub(crate) fn loss(path: &Path) -> Result<Option<String>, Failure> {
    let (extent, _) = journal::scan(path, |_: IgnoredAny| Ok(()))?;
    Ok(extent.lost.map(|end| end.to_string()))
}
