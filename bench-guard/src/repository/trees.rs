//! Which paths differ between two trees, without reading what is the same, and no further than the answer needs.

use std::cmp::Ordering;

use git2::{Error, ObjectType, Oid, Repository, Tree, TreeEntry};

/// Whether any path that differs is `wanted`; a tree that is missing is an empty one.
pub fn differ(
    repository: &Repository,
    old: Option<&Tree<'_>>,
    new: Option<&Tree<'_>>,
    wanted: &dyn Fn(&str) -> bool,
) -> Result<bool, Error> {
    Comparison { repository, wanted }.trees(old, new, &mut String::new())
}

struct Comparison<'a> {
    repository: &'a Repository,
    wanted: &'a dyn Fn(&str) -> bool,
}

impl Comparison<'_> {
    /// Both are in git's order, so one pass over the two finds the pairs.
    fn trees(
        &self,
        old: Option<&Tree<'_>>,
        new: Option<&Tree<'_>>,
        prefix: &mut String,
    ) -> Result<bool, Error> {
        let (mut at_old, mut at_new) = (0, 0);
        loop {
            let left = old.and_then(|tree| tree.get(at_old));
            let right = new.and_then(|tree| tree.get(at_new));
            let order = match (&left, &right) {
                (None, None) => return Ok(false),
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(left), Some(right)) => in_git_order(left, right),
            };
            at_old += usize::from(order.is_le());
            at_new += usize::from(order.is_ge());
            let left = left.filter(|_| order.is_le());
            let right = right.filter(|_| order.is_ge());
            if self.entries(left.as_ref(), right.as_ref(), prefix)? {
                return Ok(true);
            }
        }
    }

    /// Two entries of one name, or one that the other tree lacks.
    fn entries(
        &self,
        old: Option<&TreeEntry<'_>>,
        new: Option<&TreeEntry<'_>>,
        prefix: &mut String,
    ) -> Result<bool, Error> {
        let identity = |entry: &TreeEntry<'_>| (entry.id(), entry.filemode());
        if old.map(identity) == new.map(identity) {
            return Ok(false);
        }
        let Some(named) = new.or(old) else {
            return Ok(false);
        };
        let length = prefix.len();
        prefix.push_str(&String::from_utf8_lossy(named.name_bytes()));
        let is_tree = |entry: &&TreeEntry<'_>| entry.kind() == Some(ObjectType::Tree);
        let is_file = |entry: Option<&TreeEntry<'_>>| entry.is_some_and(|entry| !is_tree(&entry));
        let mut found = (is_file(old) || is_file(new)) && (self.wanted)(prefix);
        let (old, new) = (old.filter(is_tree), new.filter(is_tree));
        if !found && (old.is_some() || new.is_some()) {
            prefix.push('/');
            let old = old.map(|entry| self.tree(entry.id())).transpose()?;
            let new = new.map(|entry| self.tree(entry.id())).transpose()?;
            found = self.trees(old.as_ref(), new.as_ref(), prefix)?;
        }
        prefix.truncate(length);
        Ok(found)
    }

    fn tree(&self, id: Oid) -> Result<Tree<'_>, Error> {
        self.repository.find_tree(id)
    }
}

/// git sorts a folder as if its name ended in a slash.
fn in_git_order(a: &TreeEntry<'_>, b: &TreeEntry<'_>) -> Ordering {
    let slash = |entry: &TreeEntry<'_>| (entry.kind() == Some(ObjectType::Tree)).then_some(b'/');
    let a_name = a.name_bytes().iter().copied().chain(slash(a));
    a_name.cmp(b.name_bytes().iter().copied().chain(slash(b)))
}
