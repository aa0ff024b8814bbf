//! Journals whose lines may come in any order, as each answers a question of its own: one that is
//! damaged can be left out, and its question asked again.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use foundation::journal::{self, Damage, Extent, LostEnd};
use foundation::{Failure, failure::OrUnable, files, process::command_on};
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
    let hint = if condition(&path)?.1.is_empty() {
        "each line is sound by itself; restore the file from a copy, or delete that line: what it \
         says is searched again where it is missing"
            .to_owned()
    } else {
        format!(
            "leave the damaged lines out and have those positions searched again with \
             `{}`, or restore the file from a copy",
            command_on("sprt resume --repair", run)
        )
    };
    Err(damage.failure(&path).hint(hint))
}

/// What a crash took from the end of a journal, and the lines that are damaged whatever they say.
pub(crate) fn condition(path: &Path) -> Result<(Option<LostEnd>, Vec<Damage>), Failure> {
    let (extent, damaged) = journal::scan(path, |_: IgnoredAny| Ok(()))?;
    Ok((extent.lost, damaged))
}

/// Leaves damaged lines out. The old file stays beside the new one.
pub(crate) fn leave_out(path: &Path, damaged: &[Damage]) -> Result<(), Failure> {
    let text = fs::read(path).or_unable(format_args!("read `{}`", path.display()))?;
    let numbers: BTreeSet<u64> = damaged.iter().map(|it| it.line).collect();
    let lines = text.split_inclusive(|byte| *byte == b'\n').zip(1..);
    let sound: Vec<&[u8]> = lines
        .filter(|(_, number)| !numbers.contains(number))
        .map(|(line, _)| line)
        .collect();
    let old = path.with_extension("jsonl.damaged");
    fs::write(&old, &text).or_unable(format_args!("write `{}`", old.display()))?;
    files::replace(path, sound.concat())
}
