//! Other folders in which an engine has lain: one whose paths are all in its folder keeps them when a
//! commit moves it.

use std::collections::HashSet;

use crate::{
    repository::{Commit, Repository, TreesById},
    settings::{Settings, is_project_file},
};
use foundation::Failure;

/// The settings of such an engine, one for each other folder.
pub(super) struct Places(Vec<Settings>);

impl Places {
    /// Those of an engine in these commits, and in those that they begin from. `trees` are those of
    /// the commits.
    pub(super) fn of(
        repository: &Repository,
        settings: &Settings,
        commits: &[&Commit],
        trees: &TreesById<'_>,
    ) -> Result<Self, Failure> {
        let mut places = Vec::new();
        if !settings.follows_folder() {
            return Ok(Self(places));
        }
        let changed = repository.touching(commits, trees, &is_project_file)?;
        for commit in commits {
            let is_changed = changed.contains(&commit.id);
            let is_before = |id: &&String| is_changed || !trees.contains_key(id.as_str());
            let before = commit.parents.first().filter(is_before);
            for id in before.into_iter().chain(is_changed.then_some(&commit.id)) {
                let own = settings.as_of(repository, &repository.resolve(id)?)?;
                if own.paths != settings.paths && !places.contains(&own) {
                    places.push(own);
                }
            }
        }
        Ok(Self(places))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether the engine lay, at any time, where a change of this path may change its search.
    pub(super) fn concern(&self, path: &str) -> bool {
        self.0.iter().any(|place| place.concerns(path))
    }

    /// The ids of those commits that touch the engine where it lay before or after them.
    pub(super) fn touching(
        &self,
        repository: &Repository,
        settings: &Settings,
        commits: &[&Commit],
        trees: &TreesById<'_>,
    ) -> Result<HashSet<String>, Failure> {
        let mut touching = HashSet::new();
        if self.is_empty() {
            return Ok(touching);
        }
        let somewhere = repository.touching(commits, trees, &|path| self.concern(path))?;
        for commit in commits.iter().filter(|it| somewhere.contains(&it.id)) {
            let sides = commit.parents.first().into_iter().chain([&commit.id]);
            let sides = sides.map(|id| settings.as_of(repository, &repository.resolve(id)?));
            let sides: Vec<Settings> = sides.collect::<Result<_, _>>()?;
            let there = |path: &str| sides.iter().any(|side| side.concerns(path));
            touching.extend(repository.touching(&[*commit], trees, &there)?);
        }
        Ok(touching)
    }
}
