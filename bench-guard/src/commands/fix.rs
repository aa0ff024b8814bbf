//! `bench-guard fix [RANGE]`: corrects the benches in messages that a rebase, cherry-pick or squash
//! made wrong.
//!
//! Each tree is built and benched once. Messages whose bench is wrong or missing are written anew,
//! and with them all commits that follow; nothing but messages and parents changes. The branch
//! moves in one step at the end.

use std::{
    collections::{HashMap, HashSet},
    fmt::Write,
};

use schemars::JsonSchema;
use serde::Serialize;

use super::project::Project;
use crate::{
    check::{self, Checked, Judgement, Request},
    message::Draft,
    report::{self, Object},
    repository::{Commit, Range, Repository},
};
use foundation::{Exit, Failure, Printer, counted};

#[derive(clap::Args, Debug)]
pub(crate) struct FixArgs {
    /// `A..B`, or one commit [default: commits that are not on the upstream branch, or not on any remote one, or HEAD]
    #[arg(value_name = "RANGE")]
    range: Option<String>,
    /// Show what would change
    #[arg(long)]
    dry_run: bool,
    /// Rewrite commits even if a remote branch contains them
    #[arg(long)]
    force: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct Fixed<'a> {
    /// The branch that was moved, or HEAD.
    branch: &'a str,
    dry_run: bool,
    old_tip: &'a str,
    new_tip: &'a str,
    commits: Vec<FixedCommit<'a>>,
}

impl Object for Fixed<'_> {
    const SCHEMA: &'static str = "bench-guard-fix";
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct FixedCommit<'a> {
    commit: &'a str,
    /// The engine that is meant; null is the main one of the repository.
    engine: Option<&'a str>,
    /// Its new id; the old one where it was not rewritten.
    new_commit: &'a str,
    subject: &'a str,
    verdict: &'static str,
    fixed: bool,
    /// What is wrong with the commit once its message has the bench of its engine; null if nothing is.
    left: Option<&'static str>,
    message_bench: Option<u64>,
    bench: Option<u64>,
}

pub(crate) fn run(args: &FixArgs, printer: Printer) -> Result<Exit, Failure> {
    let project = Project::open()?;
    let range = project.range(args.range.as_deref())?;
    let Project {
        repository,
        settings,
    } = project;
    let branch = Branch::of(&repository, &range)?;
    let request = Request::new(range, check::Benches::Built);
    let progress = |text: &str| printer.note(text);
    let report = check::check(&repository, &settings, &request, &progress)?;
    let mut benches = Benches::new();
    for checked in &report.commits {
        let Some(bench) = new_bench(checked) else {
            continue;
        };
        let of_commit = benches.entry(checked.commit.id.as_str()).or_default();
        of_commit.push((checked.engine.as_deref(), bench));
    }
    let history = branch.following(&repository, &report.commits, &benches)?;
    refuse_cut_off(&repository, &history)?;
    if !args.force && !args.dry_run {
        refuse_published(&repository, &branch, &history)?;
    }
    let ids = if args.dry_run {
        HashMap::new()
    } else {
        rewrite(&repository, &history, &benches, printer)?
    };
    let new_tip = ids.get(&branch.tip).unwrap_or(&branch.tip);
    if *new_tip != branch.tip {
        branch.move_to(&repository, new_tip)?;
        copy_notes(&repository, &ids, printer);
        warn_of_other_refs(&repository, &branch, &ids, printer)?;
    }
    let new_id = |commit: &Commit| ids.get(&commit.id).unwrap_or(&commit.id).clone();
    let new_ids: Vec<String> = report
        .commits
        .iter()
        .map(|checked| new_id(&checked.commit))
        .collect();
    let rows = report.commits.iter().zip(&new_ids);
    if args.json {
        printer.result(&report::object(&Fixed {
            branch: &branch.name,
            dry_run: args.dry_run,
            old_tip: &branch.tip,
            new_tip,
            commits: rows
                .map(|(checked, new_id)| FixedCommit {
                    commit: &checked.commit.id,
                    engine: checked.engine.as_deref(),
                    new_commit: new_id,
                    subject: checked.commit.subject(),
                    verdict: checked.judgement.verdict.name(),
                    fixed: new_bench(checked).is_some(),
                    left: left(checked).map(|judgement| judgement.verdict.name()),
                    message_bench: checked.message_bench,
                    bench: checked.bench,
                })
                .collect(),
        })?);
    } else {
        printer.result(&text(&report.commits, &new_ids, &benches, args.dry_run));
        if *new_tip != branch.tip {
            let old = &branch.tip[..8];
            printer.note(&format!(
                "{} moved from {old}; `git update-ref {} {old}` goes back",
                branch.name, branch.reference
            ));
        }
    }
    let is_left = report.commits.iter().any(|checked| left(checked).is_some());
    let is_due = args.dry_run && !benches.is_empty();
    Ok(if is_left || is_due {
        Exit::No
    } else {
        Exit::Yes
    })
}

/// The right benches of commits whose messages have others, by id: one for each engine whose bench
/// is wrong.
type Benches<'a> = HashMap<&'a str, Vec<(Option<&'a str>, u64)>>;

/// The bench that the message of a commit gets.
fn new_bench(checked: &Checked) -> Option<u64> {
    checked.corrected.as_ref().and(checked.bench)
}

/// What is wrong with a commit whatever bench its message has.
fn left(checked: &Checked) -> Option<&Judgement> {
    let judgement = checked.corrected.as_ref().unwrap_or(&checked.judgement);
    judgement.verdict.is_wrong().then_some(judgement)
}

/// What is rewritten: a local branch, or HEAD where none is checked out, as in a rebase.
struct Branch {
    name: String,
    /// The full name of the ref.
    reference: String,
    tip: String,
}

impl Branch {
    /// The branch that the range ends in by name, or else the one that is checked out.
    fn of(repository: &Repository, range: &Range) -> Result<Self, Failure> {
        let end = range.tip();
        let git = repository.git();
        let named = format!("refs/heads/{end}");
        let is_branch = |name: &str| {
            let question = ["show-ref", "--verify", "--quiet", name];
            name.starts_with("refs/heads/") && git.text(&question).is_ok()
        };
        let reference = if is_branch(&named) {
            named
        } else {
            // `refs/heads/NAME` and `heads/NAME` are names of a branch, too.
            let full = git.text(&["rev-parse", "--symbolic-full-name", end]);
            let full = full.ok().filter(|name| is_branch(name));
            full.or_else(|| git.text(&["symbolic-ref", "--quiet", "HEAD"]).ok())
                .unwrap_or_else(|| "HEAD".to_owned())
        };
        Ok(Self {
            name: reference
                .strip_prefix("refs/heads/")
                .unwrap_or(&reference)
                .to_owned(),
            tip: repository.resolve_commit(&reference)?,
            reference,
        })
    }

    /// The commits that have to be written anew, parents before children: those with a new bench,
    /// and all after them.
    fn following(
        &self,
        repository: &Repository,
        checked: &[Checked],
        benches: &Benches<'_>,
    ) -> Result<Vec<Commit>, Failure> {
        let all = repository.commits(&Range::All(self.tip.clone()))?;
        let known: HashSet<&str> = all.iter().map(|commit| commit.id.as_str()).collect();
        if let Some(foreign) = checked
            .iter()
            .find(|checked| !known.contains(checked.commit.id.as_str()))
        {
            return Err(Failure::unable(format!(
                "commit {} is not on `{}`",
                foreign.commit.short(),
                self.name
            ))
            .hint("check out the branch that is to be rewritten, or end the range with its name"));
        }
        let mut rewritten = HashSet::new();
        Ok(all
            .into_iter()
            .filter(|commit| {
                let changes = benches.contains_key(commit.id.as_str())
                    || commit
                        .parents
                        .iter()
                        .any(|parent| rewritten.contains(parent));
                if changes {
                    rewritten.insert(commit.id.clone());
                }
                changes
            })
            .collect())
    }

    /// Only if it is still where it was.
    fn move_to(&self, repository: &Repository, tip: &str) -> Result<(), Failure> {
        let reason = "bench-guard fix: benches corrected";
        let mut arguments = vec!["update-ref", "-m", reason];
        if self.reference == "HEAD" {
            arguments.push("--no-deref");
        }
        arguments.extend([self.reference.as_str(), tip, self.tip.as_str()]);
        repository.git().bytes(&arguments).map(drop)
    }
}

/// A commit whose parents a shallow clone lacks cannot be written anew: git knows only the old one to be
/// without them.
fn refuse_cut_off(repository: &Repository, history: &[Commit]) -> Result<(), Failure> {
    let cut_off = repository.cut_off()?;
    match history.iter().find(|commit| cut_off.contains(&commit.id)) {
        Some(commit) => Err(Failure::unable(format!(
            "this shallow clone lacks the parents of {}",
            commit.short()
        ))
        .hint("`git fetch --unshallow` brings them")),
        None => Ok(()),
    }
}

fn refuse_published(
    repository: &Repository,
    branch: &Branch,
    history: &[Commit],
) -> Result<(), Failure> {
    let unpublished: HashSet<String> = repository
        .commits(&Range::Unpublished {
            from: None,
            tip: branch.tip.clone(),
        })?
        .into_iter()
        .map(|commit| commit.id)
        .collect();
    let remote = repository
        .git()
        .text(&["for-each-ref", "--count=1", "refs/remotes"])?;
    match history
        .iter()
        .find(|commit| !unpublished.contains(&commit.id))
    {
        Some(published) if !remote.is_empty() => Err(Failure::unable(format!(
            "commit {} is on a remote branch; others may have built on it",
            published.short()
        ))
        .hint("`--force` rewrites it anyway; the branch then needs a forced push")),
        _ => Ok(()),
    }
}

/// The new id of each commit that was rewritten.
fn rewrite(
    repository: &Repository,
    history: &[Commit],
    benches: &Benches<'_>,
    printer: Printer,
) -> Result<HashMap<String, String>, Failure> {
    let mut ids: HashMap<String, String> = HashMap::new();
    let mut signed = 0;
    for commit in history {
        let mut raw = repository.raw_commit(&commit.id)?;
        signed += usize::from(raw.is_signed());
        for (engine, bench) in benches.get(commit.id.as_str()).into_iter().flatten() {
            let draft = Draft::stored(raw.message.clone());
            if let Some(edit) = draft.with_bench(*engine, *bench, draft.is_squash()) {
                raw.message = edit.bytes;
            }
        }
        let parent = |old: &str| ids.get(old).map_or_else(|| old.to_owned(), Clone::clone);
        let new = repository.write_commit(&raw, &parent)?;
        ids.insert(commit.id.clone(), new);
    }
    if signed > 0 {
        printer.warn(&format!(
            "{signed} signed commits were rewritten and have lost their signatures"
        ));
    }
    Ok(ids)
}

/// Notes go along as they do in a rebase: those that `notes.rewriteRef` names.
fn copy_notes(repository: &Repository, ids: &HashMap<String, String>, printer: Printer) {
    let pairs = ids.iter().map(|(old, new)| format!("{old} {new}\n"));
    let pairs: String = pairs.collect();
    let copy = ["notes", "copy", "--for-rewrite=rebase", "--stdin"];
    if let Err(failure) = repository.git().text_from(&copy, pairs.as_bytes()) {
        printer.warn(&format!("notes were not copied: {}", failure.message()));
    }
}

/// Other branches and tags are not moved.
fn warn_of_other_refs(
    repository: &Repository,
    branch: &Branch,
    ids: &HashMap<String, String>,
    printer: Printer,
) -> Result<(), Failure> {
    let refs = repository.git().text(&[
        "for-each-ref",
        // Of an annotated tag, what it names.
        "--format=%(if)%(*objectname)%(then)%(*objectname)%(else)%(objectname)%(end) %(refname)",
        "refs/heads",
        "refs/tags",
    ])?;
    for line in refs.lines() {
        if let Some((id, name)) = line.split_once(' ')
            && ids.contains_key(id)
            && name != branch.reference
        {
            printer.warn(&format!(
                "`{name}` still points to the old commit {}",
                &id[..8]
            ));
        }
    }
    Ok(())
}

fn text(commits: &[Checked], new_ids: &[String], benches: &Benches<'_>, dry_run: bool) -> String {
    let mut text = String::new();
    for (checked, new_id) in commits.iter().zip(new_ids) {
        let commit = &checked.commit;
        let subject = report::plain(&checked.subject());
        if let Some(bench) = new_bench(checked) {
            let old = checked
                .message_bench
                .map_or_else(|| "none".to_owned(), |bench| bench.to_string());
            let new = if dry_run {
                ""
            } else {
                new_id.get(..8).unwrap_or_default()
            };
            let _ = writeln!(
                text,
                "{:8} {new:8}  {old:>10} -> {bench:<10}  {subject}",
                commit.short()
            );
        }
        if let Some(Judgement { verdict, detail }) = left(checked) {
            let detail = report::plain(detail);
            let _ = writeln!(text, "{:8} {verdict}: {detail}  {subject}", commit.short());
        }
    }
    let wrong = commits.iter().filter_map(left).count();
    let word = if dry_run {
        "to be corrected"
    } else {
        "corrected"
    };
    let count = counted(distinct(commits), "commit");
    let _ = write!(text, "{count}: {} {word}", benches.len());
    if wrong > 0 {
        let _ = write!(
            text,
            ", {wrong} that a bench in the message does not repair"
        );
    }
    text
}

/// The number of commits: one has a row for each engine that it changes.
fn distinct(commits: &[Checked]) -> usize {
    commits.chunk_by(|a, b| a.commit.id == b.commit.id).count()
}
