//! Suites as files: EPD, one position a line; blank lines and lines that begin with `#` or `%` hold
//! none.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use foundation::{Failure, failure::OrUnable};

use referee::game::Variant;

use super::Position;
use super::plan::SuiteFile;

/// What the lines of a file hold.
#[derive(Debug, Default)]
pub struct Read {
    pub positions: Vec<Position>,
    /// Lines without a position that can be used, each with its number and the reason.
    pub broken: Vec<(usize, String)>,
}

/// # Errors
/// The file cannot be read.
pub fn read(path: &Path, variant: &'static dyn Variant) -> Result<Read, Failure> {
    let bytes =
        std::fs::read(path).or_unable(format_args!("read the suite `{}`", path.display()))?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    Ok(parse(&String::from_utf8_lossy(&bytes), &name, variant))
}

/// Reads the files of a suite: of positions that stand in several places, the first. `remark` gets
/// each file with the number of its positions that stood somewhere before.
///
/// # Errors
/// A file cannot be read, or `remark` refuses it.
pub fn read_all(
    paths: &[PathBuf],
    variant: &'static dyn Variant,
    mut remark: impl FnMut(&Read, &str, usize) -> Result<(), Failure>,
) -> Result<(Vec<SuiteFile>, Vec<Position>), Failure> {
    let (mut suites, mut positions) = (Vec::new(), Vec::new());
    let mut seen = BTreeSet::new();
    for path in paths {
        let mut read = read(path, variant)?;
        let (file, found) = (path.display().to_string(), read.positions.len());
        read.positions
            .retain(|position| seen.insert(position.fen.clone()));
        let new = read.positions.len();
        remark(&read, &file, found - new)?;
        suites.push(SuiteFile {
            file,
            positions: new,
        });
        positions.append(&mut read.positions);
    }
    Ok((suites, positions))
}

/// `name` is the theme of positions that have none.
pub(super) fn parse(text: &str, name: &str, variant: &'static dyn Variant) -> Read {
    let mut read = Read::default();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim_start_matches('\u{feff}').trim();
        if line.is_empty() || line.starts_with(['#', '%']) {
            continue;
        }
        match Position::parse(line, name, variant) {
            Ok(position) => read.positions.push(position),
            Err(why) => read.broken.push((index + 1, why)),
        }
    }
    read
}

#[cfg(test)]
mod tests {
    use referee::game;

    use super::*;

    #[test]
    fn broken_lines_are_reported_by_number_and_do_not_stop_the_others() {
        let text = "# a suite\n\n8/8/8/8/8/8/8/8 w - - bm a1;\nk7/8/K7/8/8/8/8/R7 w - - bm #1;\n";
        let read = parse(text, "mine", game::variant("standard").expect("chess"));
        assert_eq!((read.positions.len(), read.broken.len()), (1, 1));
        assert_eq!(read.broken[0].0, 3);
        assert_eq!(read.positions[0].theme, "mine");
    }
}
