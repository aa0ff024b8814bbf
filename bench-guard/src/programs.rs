//! Programs by the names that people give them.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

/// Where Debian and its derivatives put engines; it is not on every PATH (not on root's).
const GAMES: &str = "/usr/games";

/// Whether it is a file that may be started.
pub fn is_program(path: &Path) -> bool {
    let may_be_started =
        |data: fs::Metadata| data.is_file() && data.permissions().mode() & 0o111 != 0;
    fs::metadata(path).is_ok_and(may_be_started)
}

/// The program of this name on the PATH.
pub fn on_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .chain([PathBuf::from(GAMES)])
        .map(|folder| folder.join(name))
        .find(|program| is_program(program))
}

/// What is said where a word names a program or a folder, and a git revision, too. `taken` is the one
/// that it is taken for.
pub fn taken_for(word: &str, taken: &str, other: &str) -> String {
    format!("`{word}` is taken for {taken}; there is {other}, too")
}
