//! Compares trees in process: what both have in common is not read, and the first difference that
//! matters ends it.

use std::{cmp::Ordering, path::Path};

use git2::{Error, ObjectType, Odb, Oid, Tree, TreeEntry};

use super::Repository;

/// git itself refuses deeper ones.
const DEEPEST: usize = 2048;

/// The objects of a repository.
pub(super) struct Trees(git2::Repository);

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
        git2::Repository::from_odb(objects).map(Self)
    }

    /// The tree of a commit.
    pub(super) fn tree_of(&self, commit: Oid) -> Result<Oid, Error> {
        Ok(self.0.find_commit(commit)?.tree_id())
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
            let (before, after) = (self.read(before)?, self.read(after)?);
            for (before, after) in differences(before.as_ref(), after.as_ref()) {
                let Some(entry) = before.as_ref().or(after.as_ref()) else {
                    continue;
                };
                let path = format!("{path}{}", String::from_utf8_lossy(entry.name_bytes()));
                let entries = [before.as_ref(), after.as_ref()];
                if entries.into_iter().flatten().any(|it| !is_folder(it)) && wanted(&path) {
                    return Ok(true);
                }
                let [before, after] =
                    entries.map(|it| it.filter(|it| is_folder(it)).map(TreeEntry::id));
                if before.or(after).is_some() {
                    folders.push((before, after, path + "/", depth + 1));
                }
            }
        }
        Ok(false)
    }

    fn read(&self, tree: Option<Oid>) -> Result<Option<Tree<'_>>, Error> {
        tree.map(|tree| self.0.find_tree(tree)).transpose()
    }
}

fn is_folder(entry: &TreeEntry<'_>) -> bool {
    entry.kind() == Some(ObjectType::Tree)
}

/// The entries that are not the same in two trees: the one before, the one after, or both.
fn differences<'a>(
    before: Option<&'a Tree<'_>>,
    after: Option<&'a Tree<'_>>,
) -> impl Iterator<Item = (Option<TreeEntry<'a>>, Option<TreeEntry<'a>>)> {
    let mut before = before.into_iter().flat_map(Tree::iter).peekable();
    let mut after = after.into_iter().flat_map(Tree::iter).peekable();
    std::iter::from_fn(move || {
        loop {
            let order = match (before.peek(), after.peek()) {
                (None, None) => return None,
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(old), Some(new)) => old.cmp(new),
            };
            let old = before.next_if(|_| order.is_le());
            let new = after.next_if(|_| order.is_ge());
            let key = |it: &TreeEntry<'_>| (it.id(), it.filemode_raw());
            if old.as_ref().map(key) != new.as_ref().map(key) {
                return Some((old, new));
            }
        }
    })
}
