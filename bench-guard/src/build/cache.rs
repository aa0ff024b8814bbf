//! The cache of finished builds.
//!
//! ```text
//! <cache>/builds/<key>/     <binary> build.json build.log bench-<key>.json; moved in one step
//! <cache>/building/<key>/   source/ out/; under the key's lock
//! <cache>/locks/<key>
//! <cache>/logs/<key>.*      log and reason of what failed last
//! <cache>/fresh/*/          a cache of the same form for one build that trusts no other
//! ```
//! Who holds the lock of a key owns its folder below `building`; what is found there was left by a
//! process that was killed.

use std::{
    fs::{self, File, TryLockError},
    io,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use serde::{Deserialize, Serialize};

use super::{BuildSettings, machine};
use crate::bench::{BenchSettings, Measured};
use foundation::{Failure, digest, failure::OrUnable, files, folders};

/// Changed when the meaning of the stored files changes.
const FORMAT: u32 = 1;

/// How long a build is kept after its last use.
const KEPT: Duration = Duration::from_hours(30 * 24);

/// A binary in the cache. It stays for weeks after its last use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Binary {
    pub(crate) path: PathBuf,
    pub(crate) tree: String,
    pub(crate) sha256: String,
    /// It was there already.
    pub(crate) reused: bool,
}

pub(crate) struct Cache {
    folder: PathBuf,
}

/// What a build is found by.
pub(crate) struct Key {
    name: String,
    tree: String,
}

/// Where one build works; removed when dropped, its lock with it.
pub(crate) struct BuildPlace {
    pub(crate) source: PathBuf,
    /// The name of the file to make.
    pub(crate) exe: String,
    pub(crate) out: PathBuf,
    pub(crate) log: PathBuf,
    folder: PathBuf,
    /// Held, not read.
    _lock: File,
}

#[derive(Serialize, Deserialize)]
struct Record {
    format: u32,
    tree: String,
    binary: String,
    size: u64,
    sha256: String,
}

impl Key {
    pub(crate) fn of(tree: &str, settings: &BuildSettings) -> Self {
        let mut parts = vec![
            FORMAT.to_string(),
            tree.to_owned(),
            settings.folder.clone(),
            settings.command.clone(),
            machine::identity().to_owned(),
        ];
        for (name, value) in settings.environment.deciding() {
            parts.push(format!("{}={}", name.display(), value.display()));
        }
        for network in settings.networks() {
            // Trained again, another one has the same name.
            parts.extend(digest::of_file(&network).map(|(digest, _)| digest));
        }
        Self {
            name: digest::of_parts(&parts),
            tree: tree.to_owned(),
        }
    }
}

/// A cache for one build, removed when dropped.
pub(crate) fn apart() -> Result<tempfile::TempDir, Failure> {
    let folder = folders::cache()?.join("fresh");
    fs::create_dir_all(&folder)
        .and_then(|()| tempfile::tempdir_in(&folder))
        .or_unable(format_args!("make a folder in `{}`", folder.display()))
}

impl Cache {
    pub(crate) fn open(folder: Option<&Path>) -> Result<Self, Failure> {
        let folder = match folder {
            Some(folder) => folder.to_owned(),
            None => folders::cache()?,
        };
        for part in ["builds", "building", "locks", "logs"] {
            let part = folder.join(part);
            fs::create_dir_all(&part)
                .or_unable(format_args!("create `{}`", part.display()))
                .map_err(|failure| failure.hint("name another folder in WHETSTONE_CACHE"))?;
        }
        Ok(Self { folder })
    }

    /// A finished build; its last use is set to now.
    pub(crate) fn find(&self, key: &Key) -> Option<Binary> {
        let entry = self.folder.join("builds").join(&key.name);
        let record: Record = read_json(&entry.join("build.json"))?;
        let path = entry.join(&record.binary);
        let whole = record.format == FORMAT
            && record.tree == key.tree
            && fs::metadata(&path).is_ok_and(|data| data.is_file() && data.len() == record.size);
        if !whole {
            return None;
        }
        if let Ok(file) = File::open(entry.join("build.json")) {
            let _ = file.set_modified(SystemTime::now());
        }
        Some(Binary {
            path,
            tree: record.tree,
            sha256: record.sha256,
            reused: true,
        })
    }

    /// Waits for any other process that builds the same, then makes an empty place to work in.
    pub(crate) fn lock(&self, key: &Key, progress: &dyn Fn(&str)) -> Result<BuildPlace, Failure> {
        let lock = self
            .locked(&key.name, Some(progress))
            .or_unable(format_args!(
                "lock the cache folder `{}`",
                self.folder.display()
            ))?;
        let Some(lock) = lock else {
            return Err(Failure::unable("the build was locked by another process"));
        };
        let folder = self.folder.join("building").join(&key.name);
        let place = BuildPlace {
            source: folder.join("source"),
            out: folder.join("out"),
            exe: format!(
                "engine-{}",
                key.tree.get(..8).unwrap_or(&key.tree).to_uppercase()
            ),
            log: self.folder.join("logs").join(format!("{}.log", key.name)),
            folder,
            _lock: lock,
        };
        remove(&place.folder)
            .and_then(|()| fs::create_dir_all(&place.source))
            .and_then(|()| fs::create_dir_all(&place.out))
            .or_unable(format_args!("make the folder `{}`", place.folder.display()))?;
        Ok(place)
    }

    /// Moves a finished build to where it is found.
    pub(crate) fn publish(&self, key: &Key, place: &BuildPlace) -> Result<Binary, Failure> {
        let made = place.out.join(&place.exe);
        let (sha256, size) =
            digest::of_file(&made).or_unable(format_args!("read `{}`", made.display()))?;
        let record = Record {
            format: FORMAT,
            tree: key.tree.clone(),
            binary: place.exe.clone(),
            size,
            sha256,
        };
        let entry = self.folder.join("builds").join(&key.name);
        let text = serde_json::to_string_pretty(&record).or_unable("describe the build")?;
        fs::write(place.out.join("build.json"), text)
            .and_then(|()| remove(&entry))
            .and_then(|()| fs::rename(&place.out, &entry))
            .or_unable(format_args!("store the build in `{}`", entry.display()))?;
        let _ = fs::remove_file(&place.log);
        Ok(Binary {
            path: entry.join(&record.binary),
            tree: record.tree,
            sha256: record.sha256,
            reused: false,
        })
    }

    /// Why the last attempt to build and bench failed, if it did.
    pub(crate) fn last_failure(&self, key: &Key) -> Option<String> {
        fs::read_to_string(self.reason(key)).ok()
    }

    /// Notes why an attempt failed, or that it did not. This only serves messages: a failure to
    /// write the file is no error.
    pub(crate) fn set_last_failure(&self, key: &Key, reason: Option<&str>) {
        let _ = match reason {
            Some(reason) => fs::write(self.reason(key), reason),
            None => fs::remove_file(self.reason(key)),
        };
    }

    fn reason(&self, key: &Key) -> PathBuf {
        self.folder
            .join("logs")
            .join(format!("{}.reason", key.name))
    }

    /// Removes what nobody used for long and what a killed process left. Never fails: it is
    /// housekeeping.
    pub(crate) fn prune(&self) {
        for stale in entries(&self.folder.join("building")) {
            let name = stale
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            if let Ok(Some(_lock)) = self.locked(&name, None) {
                let _ = remove(&stale);
            }
        }
        for stale in entries(&self.folder.join("fresh")).filter(|folder| is_old(folder)) {
            let _ = remove(&stale);
        }
        for build in entries(&self.folder.join("builds")) {
            if is_old(&build.join("build.json")) {
                let _ = remove(&build);
            }
        }
        for file in entries(&self.folder.join("logs")).chain(entries(&self.folder.join("locks"))) {
            let name = file
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            let key = name.split('.').next().unwrap_or_default();
            if is_old(&file)
                && let Ok(Some(_lock)) = self.locked(key, None)
            {
                let _ = fs::remove_file(&file);
            }
        }
    }

    /// The lock of a key; with `progress`, waits for it. A lock on a file that was removed
    /// meanwhile does not count.
    fn locked(&self, name: &str, progress: Option<&dyn Fn(&str)>) -> io::Result<Option<File>> {
        let path = self.folder.join("locks").join(name);
        loop {
            let file = File::options().create(true).append(true).open(&path)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => match progress {
                    None => return Ok(None),
                    Some(progress) => {
                        progress("waiting for another process that builds the same");
                        file.lock()?;
                    }
                },
                Err(TryLockError::Error(error)) => return Err(error),
            }
            let same = fs::metadata(&path).is_ok_and(|now| {
                file.metadata()
                    .is_ok_and(|held| held.ino() == now.ino() && held.dev() == now.dev())
            });
            if same {
                return Ok(Some(file));
            }
        }
    }
}

impl Drop for BuildPlace {
    fn drop(&mut self) {
        let _ = remove(&self.folder);
    }
}

/// The benches that were run with a binary.
pub(crate) fn recall(binary: &Binary, settings: &BenchSettings) -> Option<Measured> {
    read_json(&bench_file(binary, settings)?)
}

/// Notes benches; if that fails, they are run again next time.
pub(crate) fn remember(binary: &Binary, settings: &BenchSettings, measured: &Measured) {
    if let Some(path) = bench_file(binary, settings)
        && let Ok(text) = serde_json::to_vec(measured)
    {
        let _ = files::replace(&path, text);
    }
}

fn bench_file(binary: &Binary, settings: &BenchSettings) -> Option<PathBuf> {
    let mut parts = settings.runner.clone();
    if !parts.is_empty() {
        // No argument of an engine is empty, so that no list of arguments is mistaken for this one.
        parts.push(String::new());
    }
    parts.extend_from_slice(&settings.arguments);
    let name = format!("bench-{}.json", digest::of_parts(&parts));
    Some(binary.path.parent()?.join(name))
}

fn entries(folder: &Path) -> impl Iterator<Item = PathBuf> {
    fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
}

fn is_old(path: &Path) -> bool {
    fs::metadata(path)
        .and_then(|data| data.modified())
        .is_ok_and(|time| time.elapsed().is_ok_and(|age| age > KEPT))
}

/// Removes a folder with everything in it, including folders that a build left without write
/// permission; it is fine if there is none.
fn remove(folder: &Path) -> io::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            make_writable(folder);
            fs::remove_dir_all(folder)
        }
        result => result,
    }
}

fn make_writable(folder: &Path) {
    use std::os::unix::fs::PermissionsExt;
    let _ = fs::set_permissions(folder, fs::Permissions::from_mode(0o700));
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            make_writable(&entry.path());
        }
    }
}

fn read_json<T: serde::de::DeserializeOwned>(path: &Path) -> Option<T> {
    serde_json::from_slice(&fs::read(path).ok()?).ok()
}
