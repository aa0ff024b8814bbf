//! Whether the test that a commit shows was shown before, by a commit with another patch.
//!
//! Two tests do not have the same counts of pairs by chance. A commit that shows the counts of an
//! earlier one therefore shows that commit's test. A cherry-pick, a backport or a revert of a
//! revert may do so: its patch is the one that was tested, and it is not in the history yet.

use std::collections::{HashMap, HashSet};

use stats::block::find_blocks;

use super::quoted::without_quotes;
use crate::repository::{Commit, Range, Repository};
use foundation::Failure;

type Counts = [u64; 5];

/// Why the tests of these commits prove nothing about them, by id. The commits are those of
/// `range`.
pub(super) fn reused(
    repository: &Repository,
    range: &Range,
    asked: &[&Commit],
) -> Result<HashMap<String, String>, Failure> {
    let shown: HashSet<Counts> = asked.iter().flat_map(|commit| counts(commit)).collect();
    if shown.is_empty() {
        return Ok(HashMap::new());
    }
    refuse_cut_off(repository)?;
    let asked: HashSet<&str> = asked.iter().map(|commit| commit.id.as_str()).collect();
    let mut first: HashMap<Counts, Commit> = HashMap::new();
    let mut reasons = HashMap::new();
    for commit in repository.commits(&Range::All(range.tip().to_owned()))? {
        for counts in counts(&commit).into_iter().filter(|it| shown.contains(it)) {
            match first.get(&counts) {
                None => {
                    first.insert(counts, commit.clone());
                }
                Some(before)
                    if asked.contains(commit.id.as_str())
                        && before.id != commit.id
                        && !is_same_change(repository, before, &commit)? =>
                {
                    reasons.insert(commit.id.clone(), reason(counts, before));
                }
                Some(_) => {}
            }
        }
    }
    Ok(reasons)
}

fn reason(counts: Counts, before: &Commit) -> String {
    format!(
        "the test with the counts {counts:?} is that of {} \"{}\", which is another change; what is only quoted stands behind `>`",
        before.short(),
        before.subject()
    )
}

/// The counts of pairs that the message shows. Lines are read one by one, so that none that cannot
/// be read hides another.
fn counts(commit: &Commit) -> Vec<Counts> {
    let is_likely = |line: &&str| line.matches(',').count() >= 4;
    if !commit.message.lines().any(|line| is_likely(&line)) {
        return Vec::new();
    }
    without_quotes(&commit.message)
        .lines()
        .filter(is_likely)
        .filter_map(|line| find_blocks(line).ok()?.first()?.penta)
        .collect()
}

/// A truncated history may lack the commit that showed a test first.
fn refuse_cut_off(repository: &Repository) -> Result<(), Failure> {
    match repository.cut_off()?.into_iter().min() {
        None => Ok(()),
        Some(id) => Err(Failure::unable(format!(
            "the history of this shallow clone ends at {id}: whether a test was shown before cannot be told"
        ))
        .hint("`git fetch --unshallow` brings the rest; give actions/checkout `fetch-depth: 0`")),
    }
}

/// Whether the later commit makes the change of the earlier one, in a history that does not contain
/// it: applying the same patch once more, in the next function or on top of the first, is another
/// change.
fn is_same_change(
    repository: &Repository,
    before: &Commit,
    commit: &Commit,
) -> Result<bool, Failure> {
    let patch = repository.patch_id(before)?;
    if patch.is_none() || patch != repository.patch_id(commit)? {
        return Ok(false);
    }
    let Some(parent) = commit.parents.first() else {
        return Ok(true);
    };
    let is_behind = repository.merge_base(&before.id, parent)?.as_ref() == Some(&before.id);
    Ok(!is_behind || !repository.has_change(before, parent)?)
}
