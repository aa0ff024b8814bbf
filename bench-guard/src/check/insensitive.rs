//! A bench that stays the same through many functional commits measures nothing: one engine counted
//! perft leaves as its bench, and carried the same number through hundreds of commits.

use super::{BenchVerdict, Checked, Judgement, Report};
use crate::{
    policy::Duty,
    repository::{Commit, Repository, trees_of},
    settings::Settings,
};
use foundation::Failure;

/// Gives the last commit of each such run this verdict, if it has no worse one.
pub(crate) fn mark(
    report: &mut Report,
    repository: &Repository,
    settings: &Settings,
) -> Result<(), Failure> {
    let enough = settings.insensitive_after;
    let built = report.built;
    if enough == 0 {
        return Ok(());
    }
    // Commits that claim to be functional, in the order of the history.
    let functional: Vec<usize> = (0..report.commits.len())
        .filter(|index| {
            let checked = &report.commits[*index];
            known_bench(checked, built).is_some() && checked.duty == Duty::Functional
        })
        .collect();
    let runs: Vec<Vec<usize>> = functional
        .chunk_by(|a, b| {
            known_bench(&report.commits[*a], built) == known_bench(&report.commits[*b], built)
        })
        .filter(|run| run.len() >= enough)
        .map(<[usize]>::to_vec)
        .collect();
    if runs.is_empty() {
        return Ok(());
    }
    // Trees are compared for these few only.
    let commits = runs.iter().flatten();
    let commits: Vec<&Commit> = commits
        .map(|index| &report.commits[*index].commit)
        .collect();
    let trees = trees_of(report.commits.iter().map(|checked| &checked.commit));
    let wanted = |path: &str| settings.concerns(path);
    let touching = repository.touching(&commits, &trees, &wanted)?;
    for mut run in runs {
        run.retain(|index| touching.contains(&report.commits[*index].commit.id));
        let (Some(first), Some(last)) = (run.first(), run.last()) else {
            continue;
        };
        if run.len() < enough {
            continue;
        }
        let bench = known_bench(&report.commits[*last], built).unwrap_or_default();
        let since = report.commits[*first].commit.short().to_owned();
        let judgement = &mut report.commits[*last].judgement;
        if judgement.verdict > BenchVerdict::Insensitive {
            *judgement = Judgement {
                verdict: BenchVerdict::Insensitive,
                detail: format!(
                    "the bench is {bench} in {} functional commits since {since}: does it cover the search?",
                    run.len()
                ),
            };
        }
    }
    Ok(())
}

/// What the engine printed; if none was built, what the message says.
fn known_bench(checked: &Checked, built: bool) -> Option<u64> {
    if built {
        checked.bench
    } else {
        checked.message_bench
    }
}
