//! The runs that were kept, and how one of them is named: by its folder, or by its name here.

use std::path::{Path, PathBuf};

use foundation::failure::OrUnable;
use foundation::{Failure, folders};

/// How many names an error lists.
const SHOWN: usize = 5;

/// A folder that does not exist yet, named for the moment and what is played.
pub fn new_run_path(what: &str) -> Result<PathBuf, Failure> {
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
    let runs = runs()?;
    let numbered = (2..).map(|number| runs.join(format!("{name}-{number}")));
    let free = std::iter::once(runs.join(&name))
        .chain(numbered)
        .find(|path| !path.exists());
    Ok(free.unwrap_or(runs))
}

/// Where runs are kept that were given no folder of their own.
pub fn runs() -> Result<PathBuf, Failure> {
    Ok(folders::state()?.join("runs"))
}

/// The folder of a run that was named by path, by name, or by a part of the name that no other run
/// has.
pub fn find_run(run: &Path) -> Result<PathBuf, Failure> {
    let folder = runs()?;
    let kept = folder.join(run);
    if let Some(path) = [run, &kept].into_iter().find(|path| path.is_dir()) {
        return Ok(path.to_owned());
    }
    let part = run.to_string_lossy();
    let mut named: Vec<PathBuf> = paths(&folder)?;
    named.retain(|path| name(path).contains(&*part));
    match &named[..] {
        [path] => Ok(path.clone()),
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

/// The folders of all runs in `folder`, the latest last.
pub fn paths(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    if !folder.exists() {
        return Ok(Vec::new());
    }
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .or_unable(format_args!("list `{}`", folder.display()))?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.join("plan.json").is_file())
        .collect();
    paths.sort();
    Ok(paths)
}

/// The name of a run.
pub fn name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}
