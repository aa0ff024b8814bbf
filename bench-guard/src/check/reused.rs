//! Whether the test that a commit shows was shown before, by a commit with another change.
//!
//! Two tests do not have the same counts of pairs by chance. A commit that shows the counts of an
//! earlier one therefore shows that commit's test. A cherry-pick, a backport or a revert of a
//! revert may do so: it is what git makes of the commit that was tested.

use std::collections::{HashMap, HashSet};

use stats::block::find_blocks;

use super::quoted::{is_quoted, without_quotes};
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
    let own = |commit: &Commit| -> Vec<Counts> {
        let text = without_quotes(&commit.message);
        text.lines().filter_map(penta).collect()
    };
    let shown: HashSet<Counts> = asked.iter().flat_map(|commit| own(commit)).collect();
    if shown.is_empty() {
        return Ok(HashMap::new());
    }
    refuse_cut_off(repository)?;
    let asked: HashSet<&str> = asked.iter().map(|commit| commit.id.as_str()).collect();
    let mut first: HashMap<Counts, Commit> = HashMap::new();
    let mut reasons = HashMap::new();
    for commit in history(repository, range)? {
        let here = counts(&commit.message).into_iter();
        for counts in here.filter(|it| shown.contains(it)) {
            match first.get(&counts) {
                None => {
                    first.insert(counts, commit.clone());
                }
                Some(before)
                    if asked.contains(commit.id.as_str())
                        && before.id != commit.id
                        && own(&commit).contains(&counts)
                        && !repository.is_cherry_pick(&commit, before)? =>
                {
                    reasons.insert(commit.id.clone(), reason(counts, before));
                }
                Some(_) => {}
            }
        }
    }
    Ok(reasons)
}

/// The commits of the range after all that may have shown their tests before: what the range leaves out
/// is older, whether the tip contains it or not.
fn history(repository: &Repository, range: &Range) -> Result<Vec<Commit>, Failure> {
    let Range::Since { from, .. } = range else {
        return repository.commits(&Range::All(range.tip().to_owned()));
    };
    let mut commits = repository.commits(&Range::All(from.clone()))?;
    commits.extend(repository.commits(range)?);
    Ok(commits)
}

fn reason(counts: Counts, before: &Commit) -> String {
    format!(
        "the test with the counts {counts:?} is that of {} \"{}\", which is another change; what is only quoted stands behind `>`",
        before.short(),
        before.subject()
    )
}

/// The counts of pairs in a line of a block. Lines are read one by one, so that none that cannot be read
/// hides another.
fn penta(line: &str) -> Option<Counts> {
    find_blocks(line).ok()?.first()?.penta
}

/// The counts of pairs that a text may show, in fenced code too: many messages show their own test there.
/// Five numbers in a row are counts whatever is written around them.
fn counts(text: &str) -> Vec<Counts> {
    text.lines()
        .filter(|line| line.matches(',').count() >= 4 && !is_quoted(line))
        .flat_map(|line| penta(line).into_iter().chain(fives(line)))
        .collect()
}

/// The rows of five whole numbers in a line.
fn fives(line: &str) -> impl Iterator<Item = Counts> {
    let is_between = |c: char| !(c.is_ascii_digit() || c == ',' || c.is_whitespace());
    line.split(is_between).filter_map(|row| {
        let row = row.trim_matches(|c: char| c == ',' || c.is_whitespace());
        let numbers = row.split(',').map(|number| number.trim().parse().ok());
        numbers.collect::<Option<Vec<u64>>>()?.try_into().ok()
    })
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
