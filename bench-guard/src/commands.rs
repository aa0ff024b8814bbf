//! One module a command: from its arguments to what is printed and the exit code.

pub mod bench;
pub mod bisect;
pub mod check;
pub mod compare;
pub mod fix;
pub mod hook;
pub mod init;
pub mod install;
pub mod message;

use std::path::{Path, PathBuf};

use foundation::{Failure, failure::OrUnable};

use crate::{
    repository::{Range, Repository},
    settings::Settings,
};

/// The folder that the command works in.
fn here() -> Result<PathBuf, Failure> {
    std::env::current_dir().or_unable("find the current folder")
}

/// The repository that holds the current folder.
fn repository() -> Result<Repository, Failure> {
    settings(None)?.repository(&here()?)
}

/// The settings of the current folder, with the number of runs from the command line if it was
/// given.
fn settings(runs: Option<usize>) -> Result<Settings, Failure> {
    let mut settings = Settings::find(&here()?)?;
    match runs {
        Some(runs @ 1..=1024) => settings.runs = runs,
        Some(_) => return Err(Failure::unable("--runs must be between 1 and 1024")),
        None => {}
    }
    Ok(settings)
}

/// The bytes of a file, or of stdin where it is called `-`.
fn read_file_or_stdin(path: &Path) -> Result<Vec<u8>, Failure> {
    if path.as_os_str() == "-" {
        let mut bytes = Vec::new();
        std::io::Read::read_to_end(&mut std::io::stdin(), &mut bytes).or_unable("read stdin")?;
        Ok(bytes)
    } else {
        std::fs::read(path).or_unable(format_args!("read `{}`", path.display()))
    }
}

/// The range that a command is given; without one, what the upstream branch has not, or else HEAD.
fn range(repository: &Repository, text: Option<&str>) -> Result<Range, Failure> {
    match text {
        Some(text) => Range::parse(text),
        None => Ok(match repository.resolve_commit("@{upstream}") {
            Ok(from) => Range::Since {
                from,
                tip: "HEAD".to_owned(),
            },
            Err(_) => Range::One("HEAD".to_owned()),
        }),
    }
}
