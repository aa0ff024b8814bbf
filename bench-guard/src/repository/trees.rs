//! Compares trees in process: what both have in common is not read, and the first difference that
//! matters ends it.
//!
//! Trees are read as git stores them: the library makes an object of each entry, which costs more than
//! reading the bytes. What it would refuse is refused here, too, and left to git.

use std::{cmp::Ordering, path::Path, str};

use git2::{Error, ObjectType, Odb, OdbObject, Oid};
use memchr::memchr;

use super::Repository;

/// git itself refuses deeper ones.
const DEEPEST: usize = 2048;

/// Bytes of an id; the library reads no repositories with longer ones.
const ID: usize = 20;

/// The objects of a repository.
pub(super) struct Trees(Odb<'static>);

/// A folder that is to be compared: its trees, where there are some, its path and its depth.
type Folder = (Option<Oid>, Option<Oid>, String, usize);

impl Trees {
    /// The objects of a repository, and of one more folder where there is one.
    ///
    /// # Errors
    /// The library cannot read the objects.
    pub(super) fn of(repository: &Repository, more: Option<&Path>) -> Result<Self, Error> {
        // git does not verify what it reads either.
        git2::opts::strict_hash_verification(false);
        // An alternate is opened whatever the settings of its repository: partial clones are read, too.
        let objects = Odb::new()?;
        let own = repository.git_path("objects");
        for folder in std::iter::once(own.as_path()).chain(more) {
            let folder = folder.to_str();
            let folder = folder.ok_or_else(|| Error::from_str("a folder that is no UTF-8"))?;
            objects.add_disk_alternate(folder)?;
        }
        Ok(Self(objects))
    }

    /// The tree of a commit.
    pub(super) fn tree_of(&self, commit: Oid) -> Result<Oid, Error> {
        let commit = self.read(commit, ObjectType::Commit)?;
        let tree = commit.data().strip_prefix(b"tree ");
        let tree = tree.and_then(|rest| str::from_utf8(rest.get(..2 * ID)?).ok());
        Oid::from_str(tree.ok_or_else(|| Error::from_str("a commit without a tree"))?)
    }

    /// Whether two trees differ in a path that is `wanted`; where there is none before, all paths do.
    pub(super) fn differ(
        &self,
        before: Option<Oid>,
        after: Oid,
        wanted: &dyn Fn(&str) -> bool,
    ) -> Result<bool, Error> {
        let mut folders: Vec<Folder> = vec![(before, Some(after), String::new(), 0)];
        while let Some((before, after, path, depth)) = folders.pop() {
            if depth > DEEPEST {
                return Err(Error::from_str("a tree is too deep"));
            }
            let tree = |id: Option<Oid>| id.map(|id| self.read(id, ObjectType::Tree)).transpose();
            let (before, after) = (tree(before)?, tree(after)?);
            let mut unread = Unread {
                before: before.as_ref().map_or(&[], OdbObject::data),
                after: after.as_ref().map_or(&[], OdbObject::data),
            };
            while let Some(entries) = unread.next_difference()? {
                let Some(entry) = entries.iter().flatten().next() else {
                    continue;
                };
                let path = format!("{path}{}", String::from_utf8_lossy(entry.name));
                if entries.iter().flatten().any(|it| !it.is_folder()) && wanted(&path) {
                    return Ok(true);
                }
                let folder = |entry: Option<Entry<'_>>| {
                    let folder = entry.filter(Entry::is_folder);
                    folder.map(|it| Oid::from_bytes(it.id)).transpose()
                };
                let (before, after) = (folder(entries[0])?, folder(entries[1])?);
                if before.or(after).is_some() {
                    folders.push((before, after, path + "/", depth + 1));
                }
            }
        }
        Ok(false)
    }

    fn read(&self, id: Oid, kind: ObjectType) -> Result<OdbObject<'_>, Error> {
        let object = self.0.read(id)?;
        if object.kind() == kind {
            Ok(object)
        } else {
            Err(Error::from_str("an object of another kind"))
        }
    }
}

/// A file or folder of a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Entry<'a> {
    mode: u16,
    name: &'a [u8],
    id: &'a [u8],
}

impl<'a> Entry<'a> {
    /// The first entry of a tree, and the rest; `None` at its end.
    fn first_of(tree: &'a [u8]) -> Result<Option<(Self, &'a [u8])>, Error> {
        if tree.is_empty() {
            return Ok(None);
        }
        let entry = || {
            let (mode, rest) = tree.split_at(memchr(b' ', tree)?);
            let (name, rest) = rest.split_at(memchr(0, rest)?);
            let (id, rest) = rest[1..].split_at_checked(ID)?;
            let (mode, name) = (mode_of(mode)?, &name[1..]);
            (!name.is_empty()).then_some((Self { mode, name, id }, rest))
        };
        let entry = entry().ok_or_else(|| Error::from_str("a tree that cannot be read"))?;
        Ok(Some(entry))
    }

    fn is_folder(&self) -> bool {
        // The permissions of a folder may be anything.
        self.mode & 0o170_000 == 0o040_000
    }

    /// Entries are sorted as if the name of a folder ended in a slash.
    fn cmp(&self, other: &Self) -> Ordering {
        let key = |it: &Self| {
            it.name
                .iter()
                .copied()
                .chain(it.is_folder().then_some(b'/'))
        };
        key(self).cmp(key(other))
    }
}

/// A mode in octal digits.
fn mode_of(digits: &[u8]) -> Option<u16> {
    let appended = |mode: u16, digit: &u8| {
        let digit = matches!(digit, b'0'..=b'7').then(|| u16::from(digit - b'0'))?;
        mode.checked_mul(8)?.checked_add(digit)
    };
    let mode = digits.iter().try_fold(0, appended)?;
    (!digits.is_empty()).then_some(mode)
}

/// What is left to be compared of two trees.
struct Unread<'a> {
    before: &'a [u8],
    after: &'a [u8],
}

impl<'a> Unread<'a> {
    /// The next entries that are not the same: the one before, the one after, or both.
    fn next_difference(&mut self) -> Result<Option<[Option<Entry<'a>>; 2]>, Error> {
        loop {
            let first = Entry::first_of(self.before)?;
            if let Some((_, rest)) = first
                && let length = self.before.len() - rest.len()
                && let Some(after) = self.after.strip_prefix(&self.before[..length])
            {
                (self.before, self.after) = (rest, after);
                continue;
            }
            let (before, after) = (first, Entry::first_of(self.after)?);
            let order = match (before, after) {
                (None, None) => return Ok(None),
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some((before, _)), Some((after, _))) => before.cmp(&after),
            };
            let before = before.filter(|_| order.is_le());
            let after = after.filter(|_| order.is_ge());
            if let Some((_, rest)) = before {
                self.before = rest;
            }
            if let Some((_, rest)) = after {
                self.after = rest;
            }
            let entries = [before, after].map(|it| it.map(|(entry, _)| entry));
            if entries[0] != entries[1] {
                return Ok(Some(entries));
            }
        }
    }
}
