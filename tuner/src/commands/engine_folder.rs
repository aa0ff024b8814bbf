//! The engine of a parameter file that names none: the folder whose build the file belongs to.

use std::path::{Path, PathBuf};

use bench_guard::repository::Repository;
use foundation::config::{self, Config};
use foundation::{Failure, Printer, failure::OrUnable, process::word};
use runs::plan::contender::has_makefile;

/// An engine's entry for an OpenBench server, as repositories keep it.
const OPENBENCH: &str = "openbench.json";

/// The nearest folder that is built as an engine, from that of `place` up to the root of its
/// repository, or else the only one directly below the root; of several the one that an
/// `openbench.json` names. `place` is a file or a folder.
///
/// # Errors
/// There is no such folder, or several below the root.
pub(crate) fn find(place: &Path, printer: Printer) -> Result<String, Failure> {
    let shown = place.display();
    let place = place
        .canonicalize()
        .or_unable(format_args!("find `{shown}`"))?;
    let start = match place.parent() {
        Some(parent) if place.is_file() => parent,
        _ => &place,
    };
    let Some(repository) = Repository::find(start)? else {
        return Err(no_engine());
    };
    let root = repository
        .root()
        .canonicalize()
        .or_unable("find the root of the repository")?;
    let folder = match above(start, &root)? {
        Some(folder) => folder,
        None => below(&root)?,
    };
    let here = std::env::current_dir()
        .and_then(|here| here.canonicalize())
        .or_unable("find out which folder this is")?;
    let name = match folder.strip_prefix(&here) {
        Ok(inside) if inside.as_os_str().is_empty() => PathBuf::from("."),
        Ok(inside) => Path::new(".").join(inside),
        Err(_) => folder,
    };
    let name = name.display().to_string();
    printer.note(&format!(
        "no engine is named, so it is built from `{name}` (--engine names another)"
    ));
    Ok(name)
}

fn above(start: &Path, root: &Path) -> Result<Option<PathBuf>, Failure> {
    for folder in start.ancestors() {
        if has_makefile(folder) || has_build(folder)? {
            return Ok(Some(folder.to_owned()));
        }
        if folder == root {
            break;
        }
    }
    Ok(None)
}

fn below(root: &Path) -> Result<PathBuf, Failure> {
    let entries = std::fs::read_dir(root).or_unable(format_args!("read `{}`", root.display()))?;
    let folders = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let mut found: Vec<PathBuf> = folders.filter(|folder| has_makefile(folder)).collect();
    found.sort();
    match found.as_slice() {
        [] => Err(no_engine()),
        [only] => Ok(only.clone()),
        [first, ..] => {
            if let Some(folder) = folder_of_openbench_json(root, &found) {
                return Ok(folder);
            }
            let names: Vec<String> = found
                .iter()
                .filter_map(|folder| Some(format!("`{}`", folder.file_name()?.display())))
                .collect();
            Err(Failure::unable(format!(
                "no engine is named, and {} of `{}` have a Makefile",
                names.join(", "),
                root.display()
            ))
            .hint(format!(
                "choose one: --engine {}",
                word(&first.to_string_lossy())
            )))
        }
    }
}

/// The folder that `build.path` of the entry beside a Makefile or at the root means.
fn folder_of_openbench_json(root: &Path, folders: &[PathBuf]) -> Option<PathBuf> {
    let places = std::iter::once(root).chain(folders.iter().map(PathBuf::as_path));
    places
        .filter_map(|place| std::fs::read(place.join(OPENBENCH)).ok())
        .filter_map(|text| serde_json::from_slice::<serde_json::Value>(&text).ok())
        .filter_map(|entry| Some(root.join(entry["build"]["path"].as_str()?.trim_matches('/'))))
        .find(|folder| folders.contains(folder))
}

/// Whether the project file of this very folder says how an engine is built.
fn has_build(folder: &Path) -> Result<bool, Failure> {
    if !folder.join(config::NAME).is_file() {
        return Ok(false);
    }
    let section: toml::Table = Config::find(folder)?.section("bench-guard")?;
    Ok(section.contains_key("build") || section.contains_key("folder"))
}

fn no_engine() -> Failure {
    Failure::unable("no engine is named, and no Makefile is near that could build one").hint(
        "add --engine ENGINE, or `engine` to [match] of the file or to [tuner] of whetstone.toml",
    )
}

#[cfg(test)]
mod tests {
    use std::fs;

    use foundation::printer::OutputArgs;

    use super::*;

    /// A repository with these empty files and a project file where it has a text.
    fn repository(files: &[&str], project: &str) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir(folder.path().join(".git")).expect("a folder");
        fs::write(folder.path().join(".git/HEAD"), "ref: refs/heads/main\n").expect("written");
        for name in ["objects", "refs"] {
            fs::create_dir(folder.path().join(".git").join(name)).expect("a folder");
        }
        for file in files {
            let path = folder.path().join(file);
            fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
            fs::write(path, "").expect("written");
        }
        if !project.is_empty() {
            fs::write(folder.path().join(config::NAME), project).expect("written");
        }
        folder
    }

    fn found(folder: &tempfile::TempDir, file: &str) -> Result<String, Failure> {
        let printer = Printer::new(OutputArgs {
            quiet: true,
            ..OutputArgs::default()
        });
        let root = folder.path().canonicalize().expect("a folder");
        let name = find(&folder.path().join(file), printer)?;
        Ok(name.replace(&*root.to_string_lossy(), "ROOT"))
    }

    #[test]
    fn the_nearest_makefile_above_the_file_builds_the_engine() {
        let folder = repository(
            &[
                "Makefile",
                "engine/Makefile",
                "engine/params.toml",
                "p.toml",
            ],
            "",
        );
        assert_eq!(
            found(&folder, "engine/params.toml").as_deref(),
            Ok("ROOT/engine")
        );
        assert_eq!(found(&folder, "p.toml").as_deref(), Ok("ROOT"));
    }

    #[test]
    fn a_folder_below_the_root_is_taken_if_it_is_the_only_one() {
        let one = repository(&["src/Makefile", "tune/params.toml"], "");
        assert_eq!(found(&one, "tune/params.toml").as_deref(), Ok("ROOT/src"));
        let two = repository(&["a/Makefile", "b/makefile", "params.toml"], "");
        let failure = found(&two, "params.toml").expect_err("two");
        assert!(failure.message().contains("`a`, `b`"), "{failure}");
        assert!(
            failure
                .next_step()
                .is_some_and(|hint| hint.contains("--engine"))
        );
    }

    #[test]
    fn an_entry_for_openbench_tells_which_of_several_is_meant() {
        let two = repository(&["a/Makefile", "src/Makefile", "params.toml"], "");
        for (text, expected) in [
            (r#"{ "build": { "path": "/src/" } }"#, Some("ROOT/src")),
            (r#"{ "build": { "path": "" } }"#, None),
            (r#"{ "build": { "path": "/lib/" } }"#, None),
            ("no JSON", None),
        ] {
            fs::write(two.path().join("openbench.json"), text).expect("written");
            let found = found(&two, "params.toml").ok();
            assert_eq!(found.as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn the_project_file_tells_how_a_project_without_a_makefile_is_built() {
        let files = ["Cargo.toml", "params.toml"];
        let told = repository(&files, "[bench-guard]\nbuild = 'cargo build'\n");
        assert_eq!(found(&told, "params.toml").as_deref(), Ok("ROOT"));
        let untold = repository(&files, "[sprt]\nnodes = 5\n");
        let failure = found(&untold, "params.toml").expect_err("none");
        assert!(
            failure.message().contains("no Makefile is near"),
            "{failure}"
        );
    }
}
