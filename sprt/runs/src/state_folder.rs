//! The runs that were kept, and how one of them is named: by its folder, or by its name here.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use foundation::failure::OrUnable;
use foundation::process::command_on;
use foundation::run_folder::PLAN;
use foundation::{Failure, folders as places};

/// The folders that an ablation makes in its own.
const ABLATION: [&str; 3] = ["suite", "games", "blunders"];

/// How many names an error lists.
const SHOWN: usize = 5;

/// A new and empty folder for a run, named for the moment and what is played.
pub fn new_run_path(what: &str) -> Result<PathBuf, Failure> {
    new_folder(&runs()?, what)
}

/// The same in another folder than that of runs. It is made, so that no other process takes the name.
pub fn new_folder(parent: &Path, what: &str) -> Result<PathBuf, Failure> {
    let now = jiff::Timestamp::now().strftime("%Y%m%d-%H%M%S");
    let name: String = format!("{now}-{what}")
        .chars()
        .map(|letter| {
            if letter.is_ascii_alphanumeric() || "-_.".contains(letter) {
                letter
            } else {
                '_'
            }
        })
        .collect();
    let making = || format!("create a folder in `{}`", parent.display());
    fs::create_dir_all(parent).or_unable(making())?;
    let mut path = parent.join(&name);
    for number in 2.. {
        match fs::create_dir(&path) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            made => {
                made.or_unable(making())?;
                break;
            }
        }
        path.set_file_name(format!("{name}-{number}"));
    }
    Ok(path)
}

/// Where runs are kept that were given no folder of their own.
pub fn runs() -> Result<PathBuf, Failure> {
    Ok(places::state()?.join("runs"))
}

/// The folder of a run that was named by path, by name, or by a part of the name that no other run
/// has.
pub fn find_run(run: &Path) -> Result<PathBuf, Failure> {
    let folder = runs()?;
    let kept = folder.join(run);
    if let Some(path) = [run, &kept].into_iter().find(|path| path.is_dir()) {
        refuse_foreign(path)?;
        return Ok(path.to_owned());
    }
    let part = run.to_string_lossy();
    let mut named: Vec<PathBuf> = folders(&folder)?;
    named.retain(|path| name(path).contains(&*part));
    // An ablation is named for its engine, as a match is.
    let is_kind = if named.iter().any(|path| is_run(path)) {
        is_run
    } else {
        is_ablation
    };
    named.retain(|path| is_kind(path));
    if named.is_empty() {
        let tunes = folders(&folder.with_file_name("tunes"))?;
        let mut tunes = tunes.iter().filter(|path| name(path).contains(&*part));
        tunes.try_for_each(|path| refuse_foreign(path))?;
    }
    match &named[..] {
        [path] => {
            refuse_foreign(path)?;
            Ok(path.clone())
        }
        [] => Err(Failure::unable(format!(
            "no run `{part}`: no such folder, and no name with it in `{}`",
            folder.display()
        ))
        .hint("`sprt list` lists the runs")),
        several => {
            let names: Vec<String> = several.iter().map(|path| name(path)).collect();
            let shown = names.len().min(SHOWN);
            Err(Failure::unable(format!(
                "`{part}` is a part of the names of {} runs: {}{}",
                names.len(),
                names[names.len() - shown..].join(", "),
                if names.len() > shown {
                    ", and earlier ones"
                } else {
                    ""
                }
            ))
            .hint("give as much of the name as only one has"))
        }
    }
}

/// Fails where a folder is one of `tuner`, with the command that reads it.
fn refuse_foreign(path: &Path) -> Result<(), Failure> {
    let shown = path.display();
    let plan = fs::read_to_string(path.join(PLAN)).unwrap_or_default();
    let plan: serde_json::Value = serde_json::from_str(&plan).unwrap_or_default();
    if plan["schema"] == "tuner-plan" {
        return Err(Failure::unable(format!("`{shown}` is a tune"))
            .hint(format!("`{}` reads it", command_on("tuner show", path))));
    }
    if is_ablation(path) {
        let parts = ABLATION.iter().map(|part| path.join(part));
        let parts = parts.filter(|part| is_run(part));
        let parts = parts.map(|part| format!("`{}`", command_on("sprt show", &part)));
        return Err(
            Failure::unable(format!("`{shown}` is an ablation of `tuner`")).hint(format!(
                "the command that began it prints its table, with `{}`; its parts: {}",
                command_on("--out", path),
                parts.collect::<Vec<_>>().join(", ")
            )),
        );
    }
    Ok(())
}

fn is_run(path: &Path) -> bool {
    path.join(PLAN).is_file()
}

fn is_ablation(path: &Path) -> bool {
    !is_run(path) && ABLATION.iter().any(|part| is_run(&path.join(part)))
}

/// The folders of all runs in `folder`, the latest last.
pub fn paths(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut paths = folders(folder)?;
    paths.retain(|path| is_run(path));
    Ok(paths)
}

/// What is in `folder`, in the order of names.
fn folders(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.or_unable(format_args!("list `{}`", folder.display()))?,
    };
    let mut paths: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    paths.sort();
    Ok(paths)
}

/// The name of a run.
pub fn name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_tuner_made_is_called_what_it_is() {
        let place = tempfile::tempdir().expect("a folder");
        let tune = place.path().join("a tune");
        let ablation = place.path().join("ablation");
        fs::create_dir_all(&tune).expect("a folder");
        fs::create_dir_all(ablation.join("games")).expect("a folder");
        fs::write(tune.join(PLAN), "{\n  \"schema\": \"tuner-plan\"\n}").expect("a plan");
        fs::write(ablation.join("games").join(PLAN), "{}").expect("a plan");
        for (path, words) in [
            (&tune, ["is a tune", "`tuner show '/"]),
            (&ablation, ["is an ablation", "/ablation/games`"]),
        ] {
            let said = find_run(path).expect_err("no run of sprt").to_string();
            assert!(words.iter().all(|words| said.contains(words)), "{said}");
        }
        assert!(find_run(&ablation.join("games")).is_ok());
    }

    #[test]
    fn runs_of_the_same_second_have_folders_of_their_own() {
        let place = tempfile::tempdir().expect("a folder");
        let new = || new_folder(&place.path().join("runs"), "a vs b").expect("a folder");
        let made = std::thread::scope(|scope| {
            let both = [scope.spawn(new), scope.spawn(new)];
            both.map(|one| one.join().expect("no panic"))
        });
        assert_ne!(made[0], made[1]);
        assert!(made.iter().all(|path| name(path).contains("-a_vs_b")));
    }

    #[test]
    fn a_state_folder_that_cannot_be_listed_is_no_empty_one() {
        let place = tempfile::tempdir().expect("a folder");
        let file = place.path().join("file");
        assert_eq!(paths(&file), Ok(Vec::new()));
        fs::write(&file, "").expect("a file");
        assert!(paths(&file.join("runs")).is_err());
    }
}
