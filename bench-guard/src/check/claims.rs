//! What the commits of a range say and owe, and the verdicts on them.

use std::{
    collections::{HashMap, HashSet},
    mem,
    panic::resume_unwind,
    sync::{Arc, mpsc},
    thread::{self, ScopedJoinHandle},
};

use super::{
    BenchVerdict, Benches, Checked, Facts, Measurement, Report, Request, VariantBench, judge,
    places::Places, unproved::unproved,
};
use crate::{
    message::{Reading, Value},
    policy::{self, Duty, Exemption, Unchanged},
    repository::{Commit, Range, Repository, TreesById, trees_of},
    settings::{Settings, Unfinished, is_project_file},
};
use foundation::{Failure, pool};

/// A commit with what its message says.
struct Claim {
    commit: Arc<Commit>,
    /// Whether it is a merge that git would not have made.
    is_by_hand: bool,
    duty: Duty,
    value: Value,
    prose: Option<String>,
    warnings: Vec<String>,
}

impl Claim {
    fn read(settings: &Settings, request: &Request, commit: Commit) -> Self {
        let reading = Reading::of(&commit.message, settings.name());
        Self {
            value: reading.value,
            prose: reading.prose,
            warnings: reading.warnings,
            duty: policy::duty(&commit, settings, request.required.is_some()),
            is_by_hand: false,
            commit: Arc::new(commit),
        }
    }

    fn bench(&self) -> Option<u64> {
        match self.value {
            Value::Bench(bench) => Some(bench),
            _ => None,
        }
    }

    /// Whether the touched paths decide what is owed. With a bench nothing is, but it is compared
    /// where ignored changes are to be proved.
    fn depends_on_paths(&self, request: &Request) -> bool {
        (self.bench().is_none() || request.prove_ignored) && !matches!(self.duty, Duty::Exempt(_))
    }

    /// Whether the verdict may depend on the touched paths.
    fn may_touch(&self, request: &Request) -> bool {
        self.depends_on_paths(request) || self.duty == Duty::Exempt(Exemption::Revert)
    }

    /// Where no bench before it can show that nothing changed, it owes what any other commit owes.
    fn refuse_unchecked(&mut self) {
        if let Duty::NonFunctional(why) = self.duty {
            let why = why.reason();
            self.warnings.push(format!(
                "{why}, but there is no bench of a parent to compare with"
            ));
            self.duty = Duty::Functional;
        }
    }

    /// Whether the verdict depends on the bench of the commit before.
    fn is_compared(&self) -> bool {
        matches!(self.duty, Duty::NonFunctional(_)) || policy::claims_gain(&self.commit.message)
    }
}

/// So many commits are compared at once.
const PART: usize = 500;

/// Commits as git lists them, each with whether the verdict may depend on the paths that it touches.
type Part = Vec<(Arc<Commit>, bool)>;

/// The commits of a range.
pub(super) struct Claims {
    commits: Vec<Claim>,
    places: Places,
}

impl Claims {
    pub(super) fn of(
        repository: &Repository,
        settings: &Settings,
        request: &Request,
    ) -> Result<Self, Failure> {
        let by_hand = |path: &str| settings.concerns(path) || is_project_file(path);
        // Trees are compared and merges repeated while git goes on listing.
        thread::scope(|scope| {
            let (for_merging, merges) = mpsc::channel();
            let (for_comparing, parts) = mpsc::channel();
            let adding = scope.spawn(|| repository.merges_that_add(merges.into_iter(), &by_hand));
            let touching = scope.spawn(|| touching(repository, parts.into_iter(), settings));
            let mut part = Part::new();
            // Nobody receives after a failure, which is reported when all is listed.
            let read = |commit: Commit| {
                let claim = Claim::read(settings, request, commit);
                if claim.commit.parents.len() > 1 {
                    let _ = for_merging.send(Arc::clone(&claim.commit));
                }
                part.push((Arc::clone(&claim.commit), claim.may_touch(request)));
                if part.len() == PART {
                    let _ = for_comparing.send(mem::take(&mut part));
                }
                claim
            };
            let commits = repository.commits_as(&request.range, read, |claim| &claim.commit)?;
            let _ = for_comparing.send(part);
            drop((for_merging, for_comparing));
            refuse_cut_off(repository, &request.range, &commits)?;
            let ids = |thread: ScopedJoinHandle<'_, _>| {
                thread.join().unwrap_or_else(|panic| resume_unwind(panic))
            };
            let (mut adding, mut touching) = (ids(adding)?, ids(touching)?);
            let listed: Vec<&Commit> = commits.iter().map(|it| &*it.commit).collect();
            let trees = trees_of(listed.iter().copied());
            let places = Places::of(repository, settings, &listed, &trees)?;
            let asked = commits.iter().filter(|claim| claim.may_touch(request));
            let asked: Vec<&Commit> = asked.map(|claim| &*claim.commit).collect();
            touching.extend(places.touching(repository, settings, &asked, &trees)?);
            if !places.is_empty() {
                let merges = commits.iter().filter(|it| it.commit.parents.len() > 1);
                let merges = merges.map(|claim| Arc::clone(&claim.commit));
                adding.extend(repository.merges_that_add(merges, &|path| places.concern(path))?);
            }
            let all = Self { commits, places };
            all.complete(repository, settings, request, adding, &touching)
        })
    }

    /// Duties that depend on more than messages are decided. `by_hand` are the merges that git would not
    /// have made, `touching` the commits that touch a path for which a bench is required.
    fn complete(
        mut self,
        repository: &Repository,
        settings: &Settings,
        request: &Request,
        mut by_hand: HashSet<String>,
        touching: &HashSet<String>,
    ) -> Result<Self, Failure> {
        let wanted = |path: &str| {
            settings.concerns(path) || is_project_file(path) || self.places.concern(path)
        };
        // What somebody did by hand owes what any other change owes. That is so for a merge with the tree of
        // its first parent, too, which undoes what the other side did.
        by_hand.extend(reverts_that_add(repository, &self.commits, &wanted)?);
        for claim in &mut self.commits {
            let is_by_hand = by_hand.contains(&claim.commit.id);
            claim.is_by_hand = is_by_hand && claim.commit.parents.len() > 1;
            claim.duty = match claim.duty {
                // The bench of one parent shows nothing about the other side.
                Duty::Exempt(Exemption::Merge) | Duty::NonFunctional(_) if claim.is_by_hand => {
                    Duty::Functional
                }
                Duty::Exempt(Exemption::Revert) if is_by_hand => {
                    policy::claimed_duty(&claim.commit, settings, request.required.is_some())
                }
                duty => duty,
            };
        }
        for claim in &mut self.commits {
            if !claim.depends_on_paths(request) {
                continue;
            }
            let id = &claim.commit.id;
            // Paths that engines share existed before some of these engines.
            let is_before = settings.name().is_some()
                && !repository.has(id, &settings.folder)?
                && !repository.has(
                    id,
                    &settings.as_of(repository, &repository.resolve(id)?)?.folder,
                )?;
            if is_before {
                claim.duty = Duty::Exempt(Exemption::Paths);
            } else if !claim.is_by_hand && !touching.contains(id) {
                claim.duty = if request.prove_ignored {
                    Duty::NonFunctional(Unchanged::Paths)
                } else {
                    Duty::Exempt(Exemption::Paths)
                };
            }
        }
        Ok(self)
    }

    /// Each commit whose verdict depends on its bench, and first parents that it is compared with.
    pub(super) fn wanted(&self, repository: &Repository) -> Result<Vec<String>, Failure> {
        let mut wanted = Vec::new();
        for claim in &self.commits {
            if matches!(claim.duty, Duty::Exempt(_)) && claim.bench().is_none() {
                continue;
            }
            if claim.is_compared()
                && let Some(parent) = claim.commit.parents.first()
            {
                wanted.push(repository.resolve_commit(parent)?);
            }
            wanted.push(claim.commit.id.clone());
        }
        Ok(wanted)
    }

    /// The outcomes of these commits, without those that they are compared with.
    pub(super) fn own(
        &self,
        outcomes: &HashMap<String, Measurement>,
    ) -> HashMap<String, Measurement> {
        let ids = self.commits.iter().map(|claim| &claim.commit.id);
        ids.filter_map(|id| Some((id.clone(), outcomes.get(id)?.clone())))
            .collect()
    }

    pub(super) fn judged(
        mut self,
        repository: &Repository,
        settings: &Settings,
        request: &Request,
        outcomes: &HashMap<String, Measurement>,
        mut variants: HashMap<String, Vec<VariantBench>>,
    ) -> Result<Report, Failure> {
        let claims = self.commits.iter();
        let claimed: HashMap<&str, Option<u64>> = claims
            .map(|claim| (claim.commit.id.as_str(), claim.bench()))
            .collect();
        let parent_bench = |claim: &Claim| -> Result<Option<u64>, Failure> {
            let Some(parent) = claim.commit.parents.first() else {
                return Ok(None);
            };
            // Where it has none, its message is better than nothing for a claim that nothing changed.
            let is_claimed = matches!(claim.duty, Duty::NonFunctional(_));
            if let Some(outcome) = outcomes.get(parent)
                && (outcome.bench().is_some() || !is_claimed)
            {
                return Ok(outcome.bench());
            }
            match claimed.get(parent.as_str()) {
                Some(bench) => Ok(*bench),
                // A parent outside the range is read only where it matters.
                None if claim.is_compared() => Ok(repository
                    .resolve(parent)?
                    .message_bench_of(settings.name())),
                None => Ok(None),
            }
        };
        let parent_benches = self.commits.iter().map(parent_bench);
        let parent_benches: Vec<_> = parent_benches.collect::<Result<_, _>>()?;
        for (claim, before) in self.commits.iter_mut().zip(&parent_benches) {
            if request.benches == Benches::Built && before.is_none() {
                claim.refuse_unchecked();
            }
        }
        // A bench on a commit that touches no code is verified, but needs no proof.
        let functional: Vec<&Claim> = self
            .commits
            .iter()
            .filter(|claim| request.required.is_some() && claim.duty == Duty::Functional)
            .collect();
        let commits: Vec<&Commit> = functional.iter().map(|claim| &*claim.commit).collect();
        let trees = trees_of(commits.iter().copied());
        let mut touching = concerned(repository, &commits, &trees, settings)?;
        let places = &self.places;
        touching.extend(places.touching(repository, settings, &commits, &trees)?);
        let asked: Vec<&Commit> = functional
            .into_iter()
            .filter(|claim| claim.is_by_hand || touching.contains(&claim.commit.id))
            .map(|claim| &*claim.commit)
            .collect();
        let mut unproved = unproved(repository, settings, request, &asked)?;
        let commits = self
            .commits
            .into_iter()
            .zip(parent_benches)
            .map(|(claim, parent_bench)| {
                let outcome = outcomes
                    .get(&claim.commit.id)
                    .unwrap_or(&Measurement::NotRun);
                let variants = variants.remove(&claim.commit.id).unwrap_or_default();
                let facts = Facts {
                    engine: settings.name(),
                    duty: claim.duty,
                    value: &claim.value,
                    outcome,
                    parent_bench,
                    message: &claim.commit.message,
                    non_functional_bench: settings.non_functional_bench,
                    refuses_unfinished: settings.unfinished == Unfinished::Refused,
                    prose: claim.prose.as_deref(),
                    unproved: unproved.remove(&claim.commit.id),
                    variants: &variants,
                };
                let judgement = judge(&facts);
                let bench = outcome.bench();
                let is_corrected = matches!(
                    judgement.verdict,
                    BenchVerdict::Mismatch | BenchVerdict::Missing
                );
                let corrected = bench.filter(|_| is_corrected).map(|bench| {
                    judge(&Facts {
                        value: &Value::Bench(bench),
                        prose: None,
                        ..facts
                    })
                });
                Checked {
                    engine: settings.name.clone(),
                    judgement,
                    corrected,
                    message_bench: claim.bench(),
                    bench,
                    parent_bench,
                    duty: claim.duty,
                    warnings: claim.warnings,
                    log: outcome
                        .log()
                        .or_else(|| variants.iter().find_map(|variant| variant.outcome.log())),
                    variants,
                    commit: Arc::unwrap_or_clone(claim.commit),
                }
            })
            .collect();
        Ok(Report {
            built: request.benches == Benches::Built,
            commits,
            warnings: Vec::new(),
        })
    }
}

/// The ids of those commits that may change the search by what they touch, as far as that is asked.
fn touching(
    repository: &Repository,
    parts: impl Iterator<Item = Part>,
    settings: &Settings,
) -> Result<HashSet<String>, Failure> {
    let mut touching = HashSet::new();
    for part in parts {
        let trees = trees_of(part.iter().map(|(commit, _)| &**commit));
        let asked = part.iter().filter(|(_, is_asked)| *is_asked);
        let asked: Vec<&Commit> = asked.map(|(commit, _)| &**commit).collect();
        touching.extend(concerned(repository, &asked, &trees, settings)?);
    }
    Ok(touching)
}

/// The ids of those commits that touch a path for which a bench is required, or change how the engine
/// is built.
fn concerned(
    repository: &Repository,
    commits: &[&Commit],
    trees: &TreesById<'_>,
    settings: &Settings,
) -> Result<HashSet<String>, Failure> {
    let mut concerned =
        repository.touching(commits, trees, &|path: &str| settings.concerns(path))?;
    let others = commits.iter().filter(|it| !concerned.contains(&it.id));
    let others: Vec<&Commit> = others.copied().collect();
    let changed = repository.touching(&others, trees, &is_project_file)?;
    for commit in others.iter().filter(|it| changed.contains(&it.id)) {
        let Some(parent) = commit.parents.first() else {
            continue;
        };
        let (before, after) = (repository.resolve(parent)?, repository.resolve(&commit.id)?);
        if settings.build_differs(repository, &before, &after)? {
            concerned.insert(commit.id.clone());
        }
    }
    Ok(concerned)
}

/// The ids of those reverts that git would not have made.
fn reverts_that_add(
    repository: &Repository,
    claims: &[Claim],
    wanted: &(dyn Fn(&str) -> bool + Sync),
) -> Result<Vec<String>, Failure> {
    let reverts = claims
        .iter()
        .filter(|claim| claim.duty == Duty::Exempt(Exemption::Revert));
    let reverts: Vec<&Commit> = reverts.map(|claim| &*claim.commit).collect();
    let added = pool::map(pool::cores(), &reverts, |revert| {
        repository.revert_adds(revert, wanted)
    })?;
    let added = reverts.iter().zip(added).filter(|(_, added)| *added);
    Ok(added.map(|(revert, _)| revert.id.clone()).collect())
}

/// A shallow clone lacks the parents of some commits, which git then shows as if they had none.
fn refuse_cut_off(
    repository: &Repository,
    range: &Range,
    commits: &[Claim],
) -> Result<(), Failure> {
    let cut_off = repository.cut_off()?;
    let is_alone = matches!(range, Range::One(_));
    let needs_parent = |claim: &Claim| claim.is_compared() || claim.bench().is_none();
    let missing = commits
        .iter()
        .find(|claim| cut_off.contains(&claim.commit.id) && (!is_alone || needs_parent(claim)));
    let ends = |place: &str, claim: &Claim| {
        let commit = claim.commit.short();
        Err(Failure::unable(format!(
            "the history of this shallow clone ends {place} {commit}"
        ))
        .hint("`git fetch --unshallow` brings the rest; give actions/checkout `fetch-depth: 0`"))
    };
    if let Some(claim) = missing {
        return ends("before the parents of", claim);
    }
    if !cut_off.is_empty() {
        for claim in commits {
            if let [ours, theirs] = claim.commit.parents.as_slice()
                && repository.merge_base(ours, theirs)?.is_none()
            {
                return ends("before the two sides of the merge", claim);
            }
        }
    }
    Ok(())
}
