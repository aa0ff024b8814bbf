//! Digests of files that have been read before, kept in the cache folder, so that a large file is
//! read again only when it has changed.
//!
//! A file is known by its [`FileState`]. Whatever writes to a file or replaces it changes that
//! state, even if the modification time is set back, because nobody can set the time of change. A
//! digest is only kept once the file has been left alone for [`SETTLED`]: within one tick of the
//! system's clock, two writes look like one.

use std::fmt::Write as _;
use std::fs::{self, Metadata};
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::of_file;
use crate::{files, folders};

/// In the cache folder: a line for each file, the last used last.
const FILE: &str = "digests";
/// Files that are remembered.
const MOST: usize = 100;
/// More than a tick of any file system's clock.
const SETTLED: Duration = Duration::from_secs(3);
/// Hexadecimal digits of a digest.
const DIGITS: usize = 64;

/// The digest of a file, from memory where it has not changed since it was last read.
///
/// # Errors
/// The file cannot be read. Trouble with the cache is no error: the file is then read as if there
/// were none.
pub fn of_file_cached(path: &Path) -> io::Result<String> {
    of_file_known(path, folders::cache().ok().map(|folder| folder.join(FILE)))
}

fn of_file_known(path: &Path, list: Option<PathBuf>) -> io::Result<String> {
    let before = FileState::of(path)?;
    let Some(list) = list else {
        return of_file(path).map(|(digest, _)| digest);
    };
    let known = fs::read_to_string(&list).unwrap_or_default();
    let key = before.key();
    if let Some(digest) = find(&known, &key) {
        return Ok(digest.to_owned());
    }
    let (digest, _) = of_file(path)?;
    // A file that was written to while it was read has a digest that fits no version of it.
    if FileState::of(path)? == before && before.is_settled(SystemTime::now()) {
        // Where it cannot be kept, the file is read again next time.
        let _ = files::replace(&list, with(&known, &key, &digest));
    }
    Ok(digest)
}

fn find<'a>(known: &'a str, key: &str) -> Option<&'a str> {
    let digest = known
        .lines()
        .rev()
        .find_map(|line| line.strip_prefix(key)?.strip_prefix(' '))?;
    let is_digest = digest.len() == DIGITS && digest.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_digest.then_some(digest)
}

/// The list with one more line, without its oldest where there are too many.
fn with(known: &str, key: &str, digest: &str) -> String {
    let kept = known.lines().count().saturating_sub(MOST - 1);
    let mut list = String::new();
    for line in known.lines().skip(kept) {
        list.push_str(line);
        list.push('\n');
    }
    // Writing to a `String` cannot fail.
    let _ = writeln!(list, "{key} {digest}");
    list
}

/// What is different after a file was changed: device and number, size, and the times of
/// modification and of change in nanoseconds.
#[derive(Debug, PartialEq, Eq)]
struct FileState {
    device: u64,
    number: u64,
    size: u64,
    modified: i128,
    changed: i128,
}

impl FileState {
    fn of(path: &Path) -> io::Result<Self> {
        Ok(Self::from(&fs::metadata(path)?))
    }

    fn key(&self) -> String {
        let Self {
            device,
            number,
            size,
            modified,
            changed,
        } = self;
        format!("{device} {number} {size} {modified} {changed}")
    }

    /// Whether its last change is so long ago that another one would have another time.
    fn is_settled(&self, now: SystemTime) -> bool {
        let last = u64::try_from(self.changed.max(self.modified)).unwrap_or_default();
        now.duration_since(SystemTime::UNIX_EPOCH + Duration::from_nanos(last))
            .is_ok_and(|age| age >= SETTLED)
    }
}

impl From<&Metadata> for FileState {
    fn from(found: &Metadata) -> Self {
        let time = |seconds: i64, nanoseconds: i64| {
            i128::from(seconds) * 1_000_000_000 + i128::from(nanoseconds)
        };
        Self {
            device: found.dev(),
            number: found.ino(),
            size: found.size(),
            modified: time(found.mtime(), found.mtime_nsec()),
            changed: time(found.ctime(), found.ctime_nsec()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;

    use super::super::of_bytes;
    use super::*;

    /// A file, the list beside it, and the folder that holds both.
    fn file(content: &str) -> (tempfile::TempDir, PathBuf, PathBuf) {
        let folder = tempfile::tempdir().expect("a folder");
        let [path, list] = ["engine", "digests"].map(|name| folder.path().join(name));
        fs::write(&path, content).expect("a file");
        (folder, path, list)
    }

    #[test]
    fn a_file_that_is_known_is_not_read() {
        let (_folder, path, list) = file("abc");
        let other = of_bytes(b"another content");
        let key = FileState::of(&path).expect("a file").key();
        fs::write(&list, format!("{key} {other}\n")).expect("a list");
        assert_eq!(of_file_known(&path, Some(list)).expect("a digest"), other);
        assert_eq!(
            of_file_known(&path, None).expect("a digest"),
            of_bytes(b"abc")
        );
    }

    #[test]
    fn a_file_that_was_changed_is_read_although_size_and_time_are_as_before() {
        let (_folder, path, list) = file("abc");
        let old = FileState::of(&path).expect("a file");
        fs::write(&list, with("", &old.key(), &of_bytes(b"abc"))).expect("a list");
        let modified = fs::metadata(&path).and_then(|file| file.modified());
        // The clock of the system has to tick.
        std::thread::sleep(Duration::from_millis(20));
        fs::write(&path, "xyz").expect("written");
        let written = File::options().write(true).open(&path).expect("the file");
        written
            .set_modified(modified.expect("a time"))
            .expect("set");
        let new = FileState::of(&path).expect("a file");
        assert_eq!((new.size, new.modified), (old.size, old.modified));
        assert_eq!(
            of_file_known(&path, Some(list)).expect("a digest"),
            of_bytes(b"xyz")
        );
    }

    #[test]
    fn a_file_that_takes_the_place_of_another_is_read() {
        let (folder, path, list) = file("abc");
        let key = FileState::of(&path).expect("a file").key();
        fs::write(&list, with("", &key, &of_bytes(b"abc"))).expect("a list");
        let other = folder.path().join("other");
        fs::write(&other, "xyz").expect("a file");
        fs::rename(&other, &path).expect("renamed");
        assert_eq!(
            of_file_known(&path, Some(list)).expect("a digest"),
            of_bytes(b"xyz")
        );
    }

    #[test]
    fn what_was_written_just_now_is_not_kept() {
        let (_folder, path, list) = file("abc");
        of_file_known(&path, Some(list.clone())).expect("a digest");
        assert!(!list.exists());
        let state = FileState::of(&path).expect("a file");
        let now = SystemTime::now();
        assert!(!state.is_settled(now));
        assert!(state.is_settled(now + SETTLED));
    }

    #[test]
    fn a_damaged_list_is_passed_over_and_a_long_one_loses_its_oldest() {
        let digest = of_bytes(b"abc");
        let mut list = format!("1 2 3 4 5 {}\nnonsense\n", &digest[1..]);
        assert_eq!(find(&list, "1 2 3 4 5"), None);
        for number in 0..200 {
            list = with(&list, &format!("1 {number} 3 4 5"), &digest);
        }
        assert_eq!(list.lines().count(), MOST);
        assert_eq!(find(&list, "1 199 3 4 5"), Some(digest.as_str()));
        assert_eq!(find(&list, "1 99 3 4 5"), None);
    }
}
