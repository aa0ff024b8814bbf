//! Runs the build command in an exported source tree and takes the binary out of it.

use std::{
    cell::Cell,
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
    time::{Duration, Instant},
};

use super::{
    BuildSettings,
    cache::BuildPlace,
    makefile::{self, Located},
    toolchain,
};
use crate::repository::Revision;
use foundation::{
    Failure,
    failure::OrUnable,
    process::{self, End, Output},
};

/// Lines of a failed build's log that a message quotes.
const QUOTED: usize = 12;

/// Interval between checks of the size of the source tree.
const SIZE_CHECK: Duration = Duration::from_secs(2);

/// A build must leave this much of the disk to everybody else.
const LEAST_FREE: u64 = 256 << 20;

/// Why there is no binary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum NotBuilt {
    /// The revision's fault: its build failed. One sentence, the end of the log, the path of the
    /// whole log unless nothing was started, and a hint.
    Source {
        reason: String,
        log_end: String,
        log: Option<PathBuf>,
        hint: Option<String>,
    },
    /// The fault of the system: git, the cache folder, the disk.
    System(Failure),
}

impl From<Failure> for NotBuilt {
    fn from(failure: Failure) -> Self {
        Self::System(failure)
    }
}

impl From<NotBuilt> for Failure {
    fn from(not_built: NotBuilt) -> Self {
        match not_built {
            NotBuilt::System(failure) => failure,
            NotBuilt::Source {
                reason,
                log_end,
                log,
                hint,
            } => {
                let end = match &log {
                    None => String::new(),
                    Some(_) if log_end.is_empty() => ", and printed nothing".to_owned(),
                    Some(_) => format!("; the log ends with\n{log_end}"),
                };
                let failure = Self::unable(format!("{reason}{end}"));
                let log = log.map(|log| format!("the whole log is `{}`", log.display()));
                let next: Vec<String> = hint.into_iter().chain(log).collect();
                failure.hint(next.join("; "))
            }
        }
    }
}

/// Leaves the binary and the log in `place.out`.
pub(crate) fn make(
    place: &BuildPlace,
    revision: &Revision,
    settings: &BuildSettings,
) -> Result<(), NotBuilt> {
    let name = revision.name();
    let fail = |reason: String, output: Option<&Output>, hint: Option<String>| {
        let log_end = output
            .map(|output| output.last_lines(QUOTED))
            .unwrap_or_default();
        let hint = hint
            .or_else(|| toolchain::missing(&log_end))
            .or_else(|| missing_content(&place.source));
        let _ = fs::write(&place.log, output.map(Output::bytes).unwrap_or_default());
        NotBuilt::Source {
            reason,
            log_end,
            log: output.map(|_| place.log.clone()),
            hint,
        }
    };
    let folder = match folder(&place.source, settings) {
        Ok(folder) => folder,
        Err((reason, hint)) => {
            let hint = missing_content(&place.source).unwrap_or(hint);
            return Err(fail(format!("{reason} in {name}"), None, Some(hint)));
        }
    };
    let line = settings
        .command
        .replace("{exe}", &place.exe)
        .replace("{jobs}", &settings.jobs.max(1).to_string());
    let mut command = Command::new("sh");
    settings.environment.apply(&mut command);
    command.arg("-c").arg(&line).current_dir(&folder);
    let watch = watch(&place.source, settings.size_limit);
    let ended = process::run(command, settings.time_limit, &watch)
        .or_unable(format_args!("run `{line}`"))?;
    let output = &ended.output;
    match ended.end {
        End::Exited(status) if status.success() => {}
        End::Exited(status) => {
            return Err(fail(
                format!("`{line}` failed with {status}"),
                Some(output),
                None,
            ));
        }
        End::OverTime(limit) => {
            let limit = limit.as_secs_f64();
            return Err(fail(
                format!("`{line}` did not end within {limit} s"),
                Some(output),
                Some("`build-limit` in [bench-guard] of whetstone.toml sets the limit".into()),
            ));
        }
        End::Interrupted => {
            return Err(Failure::unable(format!("the build of {name} was interrupted")).into());
        }
        End::Stopped(reason) => {
            return Err(fail(
                format!("`{line}` was stopped: {reason}"),
                Some(output),
                None,
            ));
        }
    }
    let made = folder.join(&place.exe);
    let data = fs::symlink_metadata(&made)
        .ok()
        .filter(fs::Metadata::is_file);
    let Some(data) = data else {
        let elsewhere = find(&place.source, &place.exe);
        let hint = match elsewhere {
            Some(path) => format!(
                "it left `{}`; OpenBench looks for the file in the Makefile's own folder",
                path.strip_prefix(&place.source).unwrap_or(&path).display()
            ),
            None => "the Makefile must write the file that EXE names, beside itself".to_owned(),
        };
        let reason = format!("`{line}` succeeded without making `{}`", place.exe);
        return Err(fail(reason, Some(output), Some(hint)));
    };
    if data.permissions().mode() & 0o111 == 0 {
        let reason = format!("`{line}` made `{}`, which is not executable", place.exe);
        return Err(fail(reason, Some(output), None));
    }
    fs::rename(&made, place.out.join(&place.exe))
        .and_then(|()| fs::write(place.out.join("build.log"), output.bytes()))
        .or_unable("store the binary")?;
    Ok(())
}

/// Where the command runs, or why that is not known and a hint.
fn folder(source: &Path, settings: &BuildSettings) -> Result<PathBuf, (String, String)> {
    let hint = "`folder` in [bench-guard] of whetstone.toml says where the build command runs";
    if !settings.folder.is_empty() {
        let folder = source.join(&settings.folder);
        return if folder.is_dir() {
            Ok(folder)
        } else {
            let reason = format!("there is no folder `{}`", settings.folder);
            Err((reason, hint.to_owned()))
        };
    }
    if !settings.command.starts_with("make ") {
        return Ok(source.to_owned());
    }
    match makefile::locate(source) {
        Located::In(folder) => Ok(source.join(folder)),
        Located::Ambiguous(folders) => Err((
            format!(
                "there is no Makefile in the root or in `src`, and more than one elsewhere: {}",
                folders.join(", ")
            ),
            format!("write `folder = \"{}\"`, or another, into [bench-guard] of whetstone.toml", folders[0]),
        )),
        Located::Nowhere => Err((
            "there is no Makefile".to_owned(),
            "`bench-guard init` looks for another way to build; `build` in [bench-guard] of whetstone.toml names it"
                .to_owned(),
        )),
    }
}

/// Says when the build takes too much room.
fn watch(source: &Path, size_limit: u64) -> impl Fn() -> Option<String> {
    let checked = Cell::new(Instant::now());
    let source = source.to_owned();
    move || {
        if checked.get().elapsed() < SIZE_CHECK {
            return None;
        }
        let size = size_of(&source);
        #[allow(clippy::unnecessary_cast, reason = "32 bits wide on some platforms")]
        let free = nix::sys::statvfs::statvfs(&source).map_or(u64::MAX, |disk| {
            (disk.blocks_available() as u64) * (disk.fragment_size() as u64)
        });
        checked.set(Instant::now());
        if size > size_limit {
            Some(format!("it wrote {} MiB, more than the limit", size >> 20))
        } else if free < LEAST_FREE {
            Some(format!("only {} MiB are left on the disk", free >> 20))
        } else {
            None
        }
    }
}

/// The bytes that a folder takes on disk; sparse files count with the little that they take.
fn size_of(folder: &Path) -> u64 {
    use std::os::unix::fs::MetadataExt;
    fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| match entry.metadata() {
            Ok(data) if data.is_dir() => size_of(&entry.path()),
            Ok(data) => data.blocks() * 512,
            Err(_) => 0,
        })
        .sum()
}

fn find(folder: &Path, name: &str) -> Option<PathBuf> {
    fs::read_dir(folder).ok()?.flatten().find_map(|entry| {
        let path = entry.path();
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => find(&path, name),
            Ok(_) if entry.file_name() == name => Some(path),
            _ => None,
        }
    })
}

/// What a tree lacks when packed by GitHub, if that may be why it does not build.
fn missing_content(source: &Path) -> Option<String> {
    let modules = fs::read_to_string(source.join(".gitmodules")).unwrap_or_default();
    if modules.contains("[submodule") {
        return Some(
            "the tree has submodules, which no OpenBench worker gets; if the engine is in one, run this there"
                .to_owned(),
        );
    }
    let attributes = fs::read_to_string(source.join(".gitattributes")).unwrap_or_default();
    attributes.contains("filter=lfs").then(|| {
        "the tree has files in Git LFS, of which an OpenBench worker gets the pointers only"
            .to_owned()
    })
}
