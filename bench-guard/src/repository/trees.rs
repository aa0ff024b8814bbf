//! Compares trees in process: what both have in common is not read, and the first difference that
//! matters ends it.

use std::{cell::RefCell, cmp::Ordering, collections::HashMap, path::Path, rc::Rc};

use git2::{Error, ObjectType, Odb, Oid};
use memchr::memchr;

use super::Repository;

/// git itself refuses deeper ones.
const DEEPEST: usize = 2048;

/// The objects of a repository.
pub(super) struct Trees {
    objects: Odb<'static>,
    /// What was read last, as it is stored: a commit has most trees of its neighbour.
    recent: RefCell<HashMap<Oid, Rc<[u8]>>>,
}

const MOST_RECENT: usize = 64;

/// An entry of a tree, as it is stored.
#[derive(Clone, Copy)]
struct Entry<'a> {
    name: &'a [u8],
    mode: &'a [u8],
    id: &'a [u8],
}

impl Entry<'_> {
    /// As git reads modes: with whatever permissions, and with zeros ahead.
    fn is_tree(&self) -> bool {
        let digits = self.mode.iter().map(|digit| u32::from(digit & 7));
        digits.fold(0_u32, |mode, digit| (mode << 3) | digit) & 0o170_000 == 0o040_000
    }

    /// The order of trees: the name of a folder ends in a slash.
    fn order(&self, other: &Self) -> Ordering {
        let common = self.name.len().min(other.name.len());
        let end = |entry: &Self| entry.is_tree().then_some(&b'/');
        let rest = |entry: &'_ Self| entry.name[common..].iter().chain(end(entry));
        let order = self.name[..common].cmp(&other.name[..common]);
        order.then_with(|| rest(self).cmp(rest(other)))
    }
}

/// A folder that is to be compared: its trees, where there are some, and its path.
type Folder = (Option<Oid>, Option<Oid>, String, usize);

impl Trees {
    /// # Errors
    /// The library cannot read the objects.
    pub(super) fn of(repository: &Repository) -> Result<Self, Error> {
        // An alternate is opened whatever the settings of its repository: partial clones are read, too.
        let trees = Self {
            objects: Odb::new()?,
            recent: RefCell::default(),
        };
        // git does not verify what it reads either, and all that is read again is kept here.
        git2::opts::strict_hash_verification(false);
        git2::opts::enable_caching(false);
        trees.and(&repository.git_path("objects"))
    }

    /// The same with the objects of one more folder.
    pub(super) fn and(self, folder: &Path) -> Result<Self, Error> {
        let folder = folder.to_str();
        let folder = folder.ok_or_else(|| Error::from_str("a folder that is no UTF-8"))?;
        self.objects.add_disk_alternate(folder)?;
        Ok(self)
    }

    /// The tree of a commit.
    pub(super) fn tree_of(&self, commit: Oid) -> Result<Oid, Error> {
        let object = self.objects.read(commit)?;
        let tree = object.data().strip_prefix(b"tree ");
        let tree = tree.and_then(|rest| std::str::from_utf8(rest.get(..40)?).ok());
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
            if before == after {
                continue;
            }
            if depth > DEEPEST {
                return Err(Error::from_str("a tree is too deep"));
            }
            let (before, after) = (self.read(before)?, self.read(after)?);
            let below = |name: &[u8]| format!("{path}{}", String::from_utf8_lossy(name));
            let is_found = any_difference(&before, &after, &mut |before, after| {
                let Some(entry) = before.or(after) else {
                    return Ok(false);
                };
                let folder = |entry: Option<Entry<'_>>| {
                    let tree = entry.filter(Entry::is_tree);
                    tree.map(|entry| Oid::from_bytes(entry.id)).transpose()
                };
                let is_file = |entry: Option<Entry<'_>>| entry.is_some_and(|it| !it.is_tree());
                if is_file(before) || is_file(after) {
                    return Ok(wanted(&below(entry.name)));
                }
                let path = below(entry.name) + "/";
                folders.push((folder(before)?, folder(after)?, path, depth + 1));
                Ok(false)
            })?;
            if is_found {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// What is stored of a tree; nothing where there is none.
    fn read(&self, tree: Option<Oid>) -> Result<Rc<[u8]>, Error> {
        let Some(tree) = tree else {
            return Ok(Rc::default());
        };
        if let Some(stored) = self.recent.borrow().get(&tree) {
            return Ok(stored.clone());
        }
        let object = self.objects.read(tree)?;
        if object.kind() != ObjectType::Tree {
            return Err(Error::from_str("an object is no tree"));
        }
        let stored: Rc<[u8]> = object.data().into();
        let mut recent = self.recent.borrow_mut();
        if recent.len() >= MOST_RECENT {
            recent.clear();
        }
        recent.insert(tree, stored.clone());
        Ok(stored)
    }
}

/// Passes on what is not the same in two stored trees, until that is what is looked for: the entry
/// before, the one after, or both, where they have one name and are both folders or both not.
fn any_difference<'a>(
    mut before: &'a [u8],
    mut after: &'a [u8],
    is_it: &mut dyn FnMut(Option<Entry<'a>>, Option<Entry<'a>>) -> Result<bool, Error>,
) -> Result<bool, Error> {
    loop {
        let (old, old_rest) = first(before)?;
        // Most entries are the same.
        let common = &before[..before.len() - old_rest.len()];
        if old.is_some()
            && let Some(rest) = after.strip_prefix(common)
        {
            (before, after) = (old_rest, rest);
            continue;
        }
        let (new, new_rest) = first(after)?;
        let order = match (&old, &new) {
            (None, None) => return Ok(false),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(old), Some(new)) => old.order(new),
        };
        if order != Ordering::Greater {
            before = old_rest;
        }
        if order != Ordering::Less {
            after = new_rest;
        }
        let is_found = match order {
            Ordering::Less => is_it(old, None)?,
            Ordering::Greater => is_it(None, new)?,
            Ordering::Equal if old.map(|it| it.is_tree()) == new.map(|it| it.is_tree()) => {
                is_it(old, new)?
            }
            // Only a name with a slash in it, which git does not write, is in the place of a folder.
            Ordering::Equal => is_it(old, None)? || is_it(None, new)?,
        };
        if is_found {
            return Ok(true);
        }
    }
}

/// The first entry of a tree, where there is one, and the rest.
fn first(tree: &[u8]) -> Result<(Option<Entry<'_>>, &[u8]), Error> {
    if tree.is_empty() {
        return Ok((None, tree));
    }
    let (entry, rest) = entry(tree).ok_or_else(|| Error::from_str("a broken tree"))?;
    Ok((Some(entry), rest))
}

/// Mode, blank, name, zero, and the bytes of the id.
fn entry(tree: &[u8]) -> Option<(Entry<'_>, &[u8])> {
    let blank = memchr(b' ', tree)?;
    let (mode, rest) = (&tree[..blank], &tree[blank + 1..]);
    let end = memchr(0, rest)?;
    let (name, rest) = (&rest[..end], &rest[end + 1..]);
    let (id, rest) = rest.split_at_checked(20)?;
    let is_number = mode.iter().all(|digit| matches!(digit, b'0'..=b'7'));
    (is_number && !name.is_empty()).then_some((Entry { name, mode, id }, rest))
}
