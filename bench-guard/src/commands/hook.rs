//! What the installed hooks run.
//!
//! | hook | does | builds |
//! |---|---|---|
//! | prepare-commit-msg | writes the bench of the tree that is about to be committed into the message | that tree, once; not in a rebase or cherry-pick |
//! | commit-msg | refuses a message that owes a bench, or names another than the tree is known to have | nothing |
//! | pre-push | reads the messages of all that is pushed, and checks the tip of each branch | the tips |
//!
//! Merges, work in progress and commits that touch no code are left alone, as the settings say. prepare-commit-msg
//! never stops a commit (`--no-verify` would not skip it); the other two do, and `--no-verify` skips them.

use std::{io::Read, path::Path};

use super::Scene;
use crate::{
    arguments::Hook,
    build,
    check::{Facts, Measurer, Outcome, Question, Verdict, check, judge},
    draft::Draft,
    message::Reading,
    policy::{self, Duty},
    report,
    repository::{Commit, Range, Repository, Revision, Snapshot},
    settings::{Need, Settings, cores},
};
use foundation::{Exit, Failure, failure::OrUnable};

pub fn run(scene: &Scene, hook: &Hook) -> Result<Exit, Failure> {
    match hook {
        Hook::PrepareCommitMsg { file, source, .. } => {
            if let Err(failure) = prepare(scene, &scene.path(file), source.as_deref()) {
                scene
                    .printer
                    .warn(&format!("no bench filled in: {}", failure.message()));
            }
            Ok(Exit::Yes)
        }
        Hook::CommitMsg { file } => commit_msg(scene, &scene.path(file)),
        Hook::PrePush { .. } => pre_push(scene),
    }
}

/// The commit that is about to be made, as far as it is known.
struct Pending {
    repository: Repository,
    settings: Settings,
    draft: Draft,
    commit: Commit,
}

impl Pending {
    fn read(scene: &Scene, file: &Path) -> Result<Self, Failure> {
        let repository = scene.repository()?;
        let settings = scene.settings(None)?;
        let bytes =
            std::fs::read(file).or_unable(format_args!("read the message `{}`", file.display()))?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let mark = repository
            .git()
            .text(&["config", "--get", "core.commentChar"])
            .unwrap_or_default();
        let draft = Draft::new(text, &mark);
        let mut commit = Commit::unborn(draft.message());
        if is_underway(&repository, "MERGE_HEAD") {
            commit.parents = vec![String::new(); 2];
        }
        Ok(Self {
            repository,
            settings,
            draft,
            commit,
        })
    }

    /// What will be committed: git starts hooks with the index it commits from, which may be a temporary one.
    fn snapshot(&self) -> Result<Snapshot, Failure> {
        let index = match std::env::var_os("GIT_INDEX_FILE") {
            Some(index) => std::path::absolute(index).or_unable("find the index")?,
            None => self.repository.git_path("index")?,
        };
        Snapshot::of_index(&self.repository, &index)
    }

    /// Whether the commit owes a bench; paths are those that differ from HEAD.
    fn duty(&self, snapshot: &Snapshot) -> Result<Duty, Failure> {
        let duty = policy::duty(&self.commit, &self.settings);
        let changed = snapshot.git(&self.repository)?.text(&[
            "diff-tree",
            "-r",
            "-z",
            "--name-only",
            "--no-renames",
            "HEAD^{tree}",
            snapshot.tree(),
        ]);
        Ok(match (duty, changed) {
            (Duty::Functional | Duty::NonFunctional, Ok(changed))
                if !changed
                    .split('\0')
                    .any(|path| !path.is_empty() && policy::concerns(path, &self.settings)) =>
            {
                Duty::Exempt(policy::Exemption::Paths)
            }
            // A first commit has no HEAD to differ from.
            (duty, _) => duty,
        })
    }
}

fn prepare(scene: &Scene, file: &Path, source: Option<&str>) -> Result<(), Failure> {
    let pending = Pending::read(scene, file)?;
    let snapshot = pending.snapshot()?;
    let due = match pending.duty(&snapshot)? {
        Duty::Functional => true,
        Duty::NonFunctional => pending.settings.non_functional_bench == Need::Required,
        Duty::Exempt(_) => false,
    };
    // An amended message carries the bench of the commit that it replaces.
    let carries = Reading::of(&pending.commit.message).bench().is_some();
    let amended = carries && source == Some("commit");
    if !due && !amended {
        return Ok(());
    }
    let revision = Revision::WorkTree { snapshot };
    let replaying = ["rebase-merge", "rebase-apply", "CHERRY_PICK_HEAD"]
        .iter()
        .any(|name| is_underway(&pending.repository, name));
    let build_settings = pending.settings.build_settings(cores());
    if replaying && build::known(&revision, &build_settings).is_none() {
        return Ok(());
    }
    let printer = scene.printer;
    let note = |text: &str| printer.note(&format!("bench-guard: {text}"));
    let outcome = Measurer::new(&pending.repository, &pending.settings, &note)
        .revision(&revision, cores())?;
    match outcome {
        Outcome::Bench(bench) => {
            if let Some(text) = pending.draft.with_bench(bench) {
                std::fs::write(file, text)
                    .or_unable(format_args!("write the message `{}`", file.display()))?;
            }
            Ok(())
        }
        Outcome::Differing(values) => Err(Failure::unable(format!("runs gave {values:?}"))),
        Outcome::BuildFailed { reason, log } => Err(Failure::unable(format!("{reason}\n{log}"))),
        Outcome::BenchFailed { reason, log } => {
            Err(Failure::unable(format!("the bench {reason}\n{log}")))
        }
        Outcome::NotRun => Ok(()),
    }
}

fn commit_msg(scene: &Scene, file: &Path) -> Result<Exit, Failure> {
    let pending = Pending::read(scene, file)?;
    let message = &pending.commit.message;
    if message.trim().is_empty() {
        // git itself stops at an empty message.
        return Ok(Exit::Yes);
    }
    let printer = scene.printer;
    if pending.draft.is_bench_only() {
        return Err(Failure::no("the message says nothing but the bench")
            .hint("write what the commit does; the commit was not made"));
    }
    let snapshot = pending.snapshot()?;
    let duty = pending.duty(&snapshot)?;
    let revision = Revision::WorkTree { snapshot };
    let build_settings = pending.settings.build_settings(cores());
    let known = build::known(&revision, &build_settings).and_then(|measured| measured.agreed());
    let outcome = known.map_or(Outcome::NotRun, |bench| Outcome::Bench(bench.nodes));
    let reading = Reading::of(message);
    let parent = pending.repository.resolve("HEAD").ok();
    let judgement = judge(&Facts {
        duty,
        value: &reading.value(),
        outcome: &outcome,
        parent_bench: parent.and_then(|parent| {
            let measured = build::known(&parent, &build_settings)?;
            Some(measured.agreed()?.nodes)
        }),
        claims_gain: policy::claims_gain(message),
        non_functional_bench: pending.settings.non_functional_bench,
        unproved: None,
    });
    for warning in reading.warnings() {
        printer.warn(&format!("bench-guard: {warning}"));
    }
    let (Verdict::Ok | Verdict::NotNeeded | Verdict::Silent) = judgement.verdict else {
        return Err(
            Failure::no(format!("{}: {}", judgement.verdict, judgement.detail))
                .hint("the commit was not made; `git commit --no-verify` makes it all the same"),
        );
    };
    Ok(Exit::Yes)
}

fn pre_push(scene: &Scene) -> Result<Exit, Failure> {
    let mut lines = String::new();
    std::io::stdin()
        .read_to_string(&mut lines)
        .or_unable("read the refs that are pushed")?;
    let repository = scene.repository()?;
    let settings = scene.settings(None)?;
    let printer = scene.printer;
    let remotes = repository
        .git()
        .text(&["for-each-ref", "--count=1", "refs/remotes"])?;
    let published = !remotes.is_empty();
    let mut wrong = false;
    for pushed in lines.lines().filter_map(Pushed::parse) {
        let tip = pushed.local_id.to_owned();
        let range = match repository.resolve_commit(pushed.remote_id) {
            Ok(from) => Range::Since {
                from,
                tip: tip.clone(),
            },
            // A new branch. Before anything is known of any remote, old commits are not held against a first push.
            Err(_) if published => Range::Unpublished(tip.clone()),
            Err(_) => Range::One(tip.clone()),
        };
        let progress = |text: &str| printer.note(&format!("bench-guard: {text}"));
        let mut question = Question {
            range,
            build: false,
            require_sprt: false,
        };
        let messages = check(&repository, &settings, &question, &progress)?;
        if messages.commits.is_empty() {
            continue;
        }
        question.range = Range::One(tip);
        question.build = true;
        let built = check(&repository, &settings, &question, &progress)?;
        for report in [&messages, &built] {
            if report.fails(false) {
                wrong = true;
                printer.note(&report::check_text(report, false));
                break;
            }
        }
    }
    if wrong {
        return Err(Failure::no("what is pushed has wrong benches")
            .hint("nothing was pushed; `git push --no-verify` pushes all the same"));
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

fn is_underway(repository: &Repository, name: &str) -> bool {
    repository.git_path(name).is_ok_and(|path| path.exists())
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
