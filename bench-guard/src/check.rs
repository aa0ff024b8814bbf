//! Audits the commits of a range: what each one claims, what it owes, and what its engine prints.
//!
//! The flow: messages are read and duties decided (this is pure and fast, and all that `--no-build`
//! does), then the trees whose bench matters are built and benched by several workers, then each
//! commit is judged against its first parent, and last the range as a whole is checked for a bench
//! that never moves.

mod bound;
mod insensitive;
mod measure;
mod proof;
mod quoted;
mod report;
mod reused;
mod variants;
mod verdict;

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use bound::Binding;
pub(crate) use measure::{Measurement, Measurer};
pub(crate) use report::{Checked, Report};
pub(crate) use variants::VariantBench;
pub(crate) use verdict::{BenchVerdict, Facts, Judgement, judge};

use crate::{
    build,
    message::{Reading, Value},
    policy::{self, Duty, Exemption, Unchanged},
    proof::{Journals, Required},
    repository::{Commit, Range, Repository, trees_of},
    settings::{Settings, Unfinished},
};
use foundation::{Failure, pool};

/// The request.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub(crate) range: Range,
    pub(crate) benches: Benches,
    /// The proof of a passed test that each functional commit must have.
    pub(crate) required: Option<Required>,
    /// The runs in which proofs are looked up.
    pub(crate) journals: Option<Arc<Journals>>,
    /// Build both sides of commits that touch only ignored files, and compare.
    pub(crate) prove_ignored: bool,
    /// Build and bench anew, whatever is in the cache.
    pub(crate) fresh: bool,
    /// Variants of the engine that must have its bench.
    pub(crate) variants: Vec<String>,
    /// Whether searches are repeated, in the same process and in others, and compared.
    pub(crate) repro: bool,
}

impl Request {
    /// The request for a range and the given benches, and nothing else.
    pub(crate) fn new(range: Range, benches: Benches) -> Self {
        Self {
            range,
            benches,
            required: None,
            journals: None,
            prove_ignored: false,
            fresh: false,
            variants: Vec::new(),
            repro: false,
        }
    }
}

/// Where the benches come from that messages are compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Benches {
    /// Only messages are read.
    None,
    /// Those in the cache, of trees that were built before.
    Known,
    /// Engines are built.
    Built,
}

/// The report for each engine of the repository. `progress` is called with what is being built.
pub(crate) fn check(
    repository: &Repository,
    settings: &Settings,
    request: &Request,
    progress: &(dyn Fn(&str) + Sync),
) -> Result<Report, Failure> {
    let mut reports = Vec::new();
    for engine in settings.engines() {
        reports.push(check_engine(repository, &engine, request, progress)?);
    }
    Ok(Report::joined(reports))
}

fn check_engine(
    repository: &Repository,
    settings: &Settings,
    request: &Request,
    progress: &(dyn Fn(&str) + Sync),
) -> Result<Report, Failure> {
    let read = |commit| Claim::read(settings, request, commit);
    let commits = repository.commits_as(&request.range, read, |claim| &claim.commit)?;
    let claims = Claims::complete(repository, settings, request, commits)?;
    let outcomes = match request.benches {
        Benches::None => HashMap::new(),
        Benches::Known => known(repository, settings, &claims.wanted(repository)?)?,
        Benches::Built => {
            let measurer = Measurer::new(repository, settings, progress);
            let measurer = if request.fresh {
                measurer.fresh()
            } else {
                measurer
            };
            let measurer = if request.repro {
                measurer.with_repro()
            } else {
                measurer
            };
            measurer.all(&claims.wanted(repository)?)?
        }
    };
    let variants = variants::measured(
        repository,
        &settings.variants(&request.variants),
        &claims.own(&outcomes),
        request.fresh,
        progress,
    )?;
    let mut report = claims.judged(repository, settings, request, &outcomes, variants)?;
    insensitive::mark(&mut report, repository, settings)?;
    report.warnings = idle_paths(&report, repository, settings)?;
    Ok(report)
}

/// The cached benches of these commits.
fn known(
    repository: &Repository,
    settings: &Settings,
    wanted: &[String],
) -> Result<HashMap<String, Measurement>, Failure> {
    let build_settings = settings.build_settings(pool::cores());
    let mut outcomes = HashMap::new();
    for id in wanted {
        let known = build::known(&repository.resolve(id)?, &build_settings);
        if let Some(bench) = known.and_then(|measured| measured.agreed()) {
            outcomes.insert(id.clone(), Measurement::Bench(bench.nodes));
        }
    }
    Ok(outcomes)
}

/// A pattern that matches no file guards nothing: it is misspelled, or the files have moved.
fn idle_paths(
    report: &Report,
    repository: &Repository,
    settings: &Settings,
) -> Result<Vec<String>, Failure> {
    let Some(tip) = report.commits.last() else {
        return Ok(Vec::new());
    };
    let files = repository.files(&tip.commit.id)?;
    let unused = settings.paths.unused(files.iter().map(String::as_str));
    Ok(unused
        .into_iter()
        .map(|pattern| {
            let folder = pattern.trim_end_matches('/');
            let hint = if files
                .iter()
                .any(|file| file.starts_with(&format!("{folder}/")))
            {
                format!("; for all in a folder write `{folder}/**`")
            } else {
                String::new()
            };
            format!(
                "`{pattern}` in `paths` matches no file of {}{hint}",
                tip.commit.short()
            )
        })
        .collect())
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
    match missing {
        None => Ok(()),
        Some(claim) => Err(Failure::unable(format!(
            "the history of this shallow clone ends at {}, whose parents are needed",
            claim.commit.short()
        ))
        .hint("`git fetch --unshallow` brings the rest; give actions/checkout `fetch-depth: 0`")),
    }
}

/// A commit with what its message says.
struct Claim {
    commit: Commit,
    /// Whether it is a merge or revert that git would not have made.
    is_by_hand: bool,
    duty: Duty,
    value: Value,
    claims_gain: bool,
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
            claims_gain: policy::claims_gain(&commit.message),
            is_by_hand: false,
            commit,
        }
    }

    fn bench(&self) -> Option<u64> {
        match self.value {
            Value::Bench(bench) => Some(bench),
            _ => None,
        }
    }

    /// Where no bench before it can show that nothing changed, it owes what any other commit owes.
    fn refuse_unchecked(&mut self) {
        if let Duty::NonFunctional(why) = self.duty {
            let why = why.reason();
            self.warnings.push(format!(
                "{why}, but no commit before has a bench to compare with"
            ));
            self.duty = Duty::Functional;
        }
    }

    /// Whether the verdict depends on the bench of the commit before.
    fn is_compared(&self) -> bool {
        matches!(self.duty, Duty::NonFunctional(_)) || self.claims_gain
    }
}

/// The ids of those merges and reverts that git would not have made: what somebody did by hand owes what
/// any other change owes. That is so for a merge with the tree of its first parent, too, which undoes what the
/// other side did.
fn made_by_hand(
    repository: &Repository,
    claims: &[Claim],
    wanted: &(dyn Fn(&str) -> bool + Sync),
) -> Result<HashSet<String>, Failure> {
    let of = |is_meant: &dyn Fn(&Claim) -> bool| {
        let claims = claims.iter().filter(|claim| is_meant(claim));
        claims.map(|claim| &claim.commit).collect::<Vec<_>>()
    };
    let merges = of(&|claim| claim.commit.parents.len() > 1);
    let mut made = repository.merges_that_add(&merges, wanted)?;
    let reverts = of(&|claim| claim.duty == Duty::Exempt(Exemption::Revert));
    let added = pool::map(pool::cores(), &reverts, |revert| {
        repository.revert_adds(revert, wanted)
    })?;
    let added = reverts.iter().zip(added).filter(|(_, added)| *added);
    made.extend(added.map(|(revert, _)| revert.id.clone()));
    Ok(made)
}

/// The commits of a range.
struct Claims {
    commits: Vec<Claim>,
}

impl Claims {
    /// Duties that depend on more than messages are decided.
    fn complete(
        repository: &Repository,
        settings: &Settings,
        request: &Request,
        mut commits: Vec<Claim>,
    ) -> Result<Self, Failure> {
        refuse_cut_off(repository, &request.range, &commits)?;
        let wanted = |path: &str| settings.concerns(path);
        // The touched paths are read only for a commit that would owe a bench.
        let owes =
            |claim: &Claim| claim.bench().is_none() && !matches!(claim.duty, Duty::Exempt(_));
        let asked: Vec<&Commit> = commits
            .iter()
            .filter(|claim| owes(claim))
            .map(|claim| &claim.commit)
            .collect();
        let trees = trees_of(commits.iter().map(|claim| &claim.commit));
        let (by_hand, touching_wanted) = std::thread::scope(|scope| {
            let by_hand = scope.spawn(|| made_by_hand(repository, &commits, &wanted));
            let touching = repository.touching(&asked, &trees, &wanted);
            (by_hand.join(), touching)
        });
        let by_hand = by_hand.unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        let touching_wanted = touching_wanted?;
        for claim in &mut commits {
            claim.is_by_hand = by_hand.contains(&claim.commit.id);
            let is_exempt = matches!(
                claim.duty,
                Duty::Exempt(Exemption::Merge | Exemption::Revert)
            );
            if claim.is_by_hand && is_exempt {
                claim.duty =
                    policy::claimed_duty(&claim.commit, settings, request.required.is_some());
            }
        }
        for claim in &mut commits {
            if !owes(claim) {
                continue;
            }
            let id = &claim.commit.id;
            // Paths that engines share existed before some of these engines.
            let is_before = settings.name().is_some() && !repository.has(id, &settings.folder)?;
            if is_before {
                claim.duty = Duty::Exempt(Exemption::Paths);
            } else if !claim.is_by_hand && !touching_wanted.contains(id) {
                claim.duty = if request.prove_ignored {
                    Duty::NonFunctional(Unchanged::Paths)
                } else {
                    Duty::Exempt(Exemption::Paths)
                };
            }
        }
        Ok(Self { commits })
    }

    /// Each commit whose verdict depends on its bench, and first parents that it is compared with.
    fn wanted(&self, repository: &Repository) -> Result<Vec<String>, Failure> {
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
    fn own(&self, outcomes: &HashMap<String, Measurement>) -> HashMap<String, Measurement> {
        let ids = self.commits.iter().map(|claim| &claim.commit.id);
        ids.filter_map(|id| Some((id.clone(), outcomes.get(id)?.clone())))
            .collect()
    }

    fn judged(
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
        let commits: Vec<&Commit> = functional.iter().map(|claim| &claim.commit).collect();
        let trees = trees_of(commits.iter().copied());
        let wanted = |path: &str| settings.concerns(path);
        let touching = repository.touching(&commits, &trees, &wanted)?;
        let asked: Vec<&Commit> = functional
            .into_iter()
            .filter(|claim| claim.is_by_hand || touching.contains(&claim.commit.id))
            .map(|claim| &claim.commit)
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
                    claims_gain: claim.claims_gain,
                    non_functional_bench: settings.non_functional_bench,
                    refuses_unfinished: settings.unfinished == Unfinished::Refused,
                    prose: claim.prose.as_deref(),
                    unproved: unproved.remove(&claim.commit.id),
                    variants: &variants,
                };
                Checked {
                    engine: settings.name.clone(),
                    judgement: judge(&facts),
                    message_bench: claim.bench(),
                    bench: outcome.bench(),
                    parent_bench: facts.parent_bench,
                    duty: claim.duty,
                    warnings: claim.warnings,
                    log: outcome
                        .log()
                        .or_else(|| variants.iter().find_map(|variant| variant.outcome.log())),
                    variants,
                    commit: claim.commit,
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

/// Why commits that owe a proof have none, by id.
fn unproved(
    repository: &Repository,
    settings: &Settings,
    request: &Request,
    asked: &[&Commit],
) -> Result<HashMap<String, String>, Failure> {
    let mut unproved = reused::reused(repository, &request.range, asked)?;
    let binding = request
        .required
        .filter(|required| *required != Required::Block)
        .map(|required| Binding::new(repository, settings, required, request.journals.as_deref()));
    for commit in asked {
        let bound = || match &binding {
            Some(binding) => binding.missing(commit),
            None => Ok(None),
        };
        if let Some(why) = proof::missing(&commit.message, &settings.proof) {
            unproved.insert(commit.id.clone(), why);
        } else if let Some(why) = bound()? {
            unproved.insert(commit.id.clone(), why);
        }
    }
    Ok(unproved)
}
