//! pre-push: refuses to push wrong benches.

use std::io::Read;

use super::super::project::Project;
use crate::{
    check::{Benches, Request, check},
    policy::{Duty, Exemption},
    report,
    repository::Range,
    settings::Unfinished,
};
use foundation::{Exit, Failure, Printer, failure::OrUnable};

pub(crate) fn run(printer: Printer) -> Result<Exit, Failure> {
    let mut lines = String::new();
    std::io::stdin()
        .read_to_string(&mut lines)
        .or_unable("read the refs that are pushed")?;
    // The pre-commit framework reads stdin itself, and names what is pushed in its variables; if
    // all of the history is new, it names only the branch.
    let tip = std::env::var("PRE_COMMIT_TO_REF");
    if let Ok(tip) = tip.or_else(|_| std::env::var("PRE_COMMIT_LOCAL_BRANCH")) {
        let named = |name: &str, usual: &str| {
            let value = std::env::var(name).unwrap_or_default();
            if value.is_empty() {
                usual.to_owned()
            } else {
                value
            }
        };
        let branch = named("PRE_COMMIT_REMOTE_BRANCH", "refs/heads/HEAD");
        let from = named("PRE_COMMIT_FROM_REF", &"0".repeat(40));
        lines = format!("HEAD {tip} {branch} {from}\n");
    }
    let Project {
        repository,
        mut settings,
    } = Project::open()?;
    if settings.unfinished == Unfinished::Refused {
        settings.unfinished = Unfinished::Optional;
    }
    let published = repository.knows_remotes()?;
    let mut wrong = false;
    for pushed in lines.lines().filter_map(Pushed::parse) {
        let tip = pushed.local_id.to_owned();
        // A tag may be that of a file or a tree, which owes nothing.
        if repository.resolve_commit(&tip).is_err()
            && repository.git().text(&["cat-file", "-e", &tip]).is_ok()
        {
            continue;
        }
        // None for a new branch. What was merged, or rebased onto, may be on another branch.
        let from = repository.resolve_commit(pushed.remote_id).ok();
        let range = if from.is_some() || published {
            Range::Unpublished {
                from,
                tip: tip.clone(),
            }
        } else {
            // Before a first push nothing is known of any remote, so that old commits are not
            // checked.
            Range::One(tip.clone())
        };
        let progress = |text: &str| printer.note(&format!("bench-guard: {text}"));
        let mut request = Request::new(range, Benches::Known);
        let messages = check(&repository, &settings, &request, &progress)?;
        if messages.commits.is_empty() {
            continue;
        }
        let unfinished = messages
            .commits
            .iter()
            .filter(|checked| checked.duty == Duty::Exempt(Exemption::Unfinished));
        for checked in unfinished {
            let (id, subject) = (checked.commit.short(), checked.commit.subject());
            printer.warn(&format!(
                "bench-guard: {id} says that it is not ready: {}",
                report::plain(subject)
            ));
        }
        request.range = Range::One(tip);
        request.benches = Benches::Built;
        let built = check(&repository, &settings, &request, &progress)?;
        let report = messages.updated(built);
        if report.fails(false) {
            wrong = true;
            printer.note(&report::check_text(&report, false));
        }
    }
    if wrong {
        return Err(Failure::no("some of the pushed commits have wrong benches")
            .hint("nothing was pushed; on that branch, `bench-guard fix` corrects messages, `git push --no-verify` skips this check"));
    }
    Ok(Exit::Yes)
}

/// A line that git gives pre-push.
struct Pushed<'a> {
    local_id: &'a str,
    remote_id: &'a str,
}

impl<'a> Pushed<'a> {
    /// Nothing for deletions, and for refs that are neither branches nor tags.
    fn parse(line: &'a str) -> Option<Self> {
        let mut words = line.split_whitespace();
        let (_local, local_id, remote, remote_id) =
            (words.next()?, words.next()?, words.next()?, words.next()?);
        let wanted = remote.starts_with("refs/heads/") || remote.starts_with("refs/tags/");
        let deleted = local_id.bytes().all(|b| b == b'0');
        (wanted && !deleted).then_some(Self {
            local_id,
            remote_id,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deletions_and_foreign_refs_are_passed_over() {
        let zero = "0".repeat(40);
        let one = "1".repeat(40);
        let parsed = |line: String| Pushed::parse(&line).is_some();
        assert!(parsed(format!("refs/heads/a {one} refs/heads/a {zero}")));
        assert!(parsed(format!("HEAD {one} refs/heads/a {one}")));
        assert!(!parsed(format!("(delete) {zero} refs/heads/a {one}")));
        assert!(!parsed(format!("refs/notes/x {one} refs/notes/x {zero}")));
        assert!(!parsed(String::new()));
    }
}
