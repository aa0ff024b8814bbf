//! Finds the folder that an engine is built in, where the settings do not name one: the root, or
//! `src/`, which is where half of all engines have their Makefile.

use std::{fs, path::Path};

/// The names under which make finds a Makefile, in its own order.
const NAMES: [&str; 3] = ["GNUmakefile", "makefile", "Makefile"];

/// How deep below the root a Makefile is looked for.
const DEPTH: usize = 2;

/// Where a source tree has its Makefile.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Located {
    /// In this folder, relative to the root; empty for the root.
    In(String),
    /// In several, none of which is the obvious one.
    Ambiguous(Vec<String>),
    Nowhere,
}

/// Looks in the root, then in `src`, then in all folders near the root.
pub(crate) fn locate(root: &Path) -> Located {
    if is_in(root) {
        return Located::In(String::new());
    }
    if is_in(&root.join("src")) {
        return Located::In("src".to_owned());
    }
    let mut folders = Vec::new();
    collect(root, "", DEPTH, &mut folders);
    folders.sort();
    match folders.as_slice() {
        [] => Located::Nowhere,
        [one] => Located::In(one.clone()),
        _ => Located::Ambiguous(folders),
    }
}

fn is_in(folder: &Path) -> bool {
    NAMES.iter().any(|name| folder.join(name).is_file())
}

fn collect(folder: &Path, name: &str, depth: usize, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let own = entry.file_name().to_string_lossy().into_owned();
        if own.starts_with('.') || !entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            continue;
        }
        let inner = if name.is_empty() {
            own
        } else {
            format!("{name}/{own}")
        };
        if is_in(&entry.path()) {
            found.push(inner.clone());
        }
        if depth > 1 {
            collect(&entry.path(), &inner, depth - 1, found);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn located(files: &[&str]) -> Located {
        let root = tempfile::tempdir().expect("a folder");
        for file in files {
            let path = root.path().join(file);
            fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
            fs::write(path, "all:\n").expect("a file");
        }
        locate(root.path())
    }

    #[test]
    fn the_root_comes_first_then_src_then_the_only_one() {
        let found = |folder: &str| Located::In(folder.to_owned());
        assert_eq!(located(&["Makefile", "src/Makefile"]), found(""));
        assert_eq!(located(&["src/makefile", "tools/Makefile"]), found("src"));
        assert_eq!(located(&["engine/core/GNUmakefile"]), found("engine/core"));
        assert_eq!(
            located(&["a/b/c/Makefile", ".hidden/Makefile"]),
            Located::Nowhere
        );
        assert_eq!(
            located(&["b/Makefile", "a/Makefile"]),
            Located::Ambiguous(vec!["a".to_owned(), "b".to_owned()])
        );
    }
}
