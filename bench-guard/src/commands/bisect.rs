//! `bench-guard bisect GOOD BAD`.

mod search;

use std::collections::HashMap;

use schemars::JsonSchema;
use serde::Serialize;

use self::search::{Found, Probe, search};
use super::project::Project;
use crate::{
    check::{Measurement, Measurer},
    report::{self, Object},
    repository::{Commit, Range, Repository},
    settings::{Settings, cores},
};
use foundation::{Exit, Failure, Printer};

#[derive(Serialize, JsonSchema)]
pub(crate) struct Bisection<'a> {
    good_bench: u64,
    /// The first commit that differs, where it could be told.
    commit: Option<&'a str>,
    subject: Option<&'a str>,
    bench: Option<u64>,
    /// One of these, where those before it do not build.
    candidates: Vec<&'a str>,
    /// Commits that were built or taken from the cache.
    tested: usize,
}

impl Object for Bisection<'_> {
    const SCHEMA: &'static str = "bench-guard-bisect";
}

#[derive(clap::Args, Debug)]
pub(crate) struct BisectArgs {
    /// A commit that still had the right bench
    pub(crate) good: String,
    /// A later commit with a different bench
    #[arg(default_value = "HEAD")]
    pub(crate) bad: String,
    /// The engine, where the repository has several [default: the one that the folder belongs to]
    #[arg(long, value_name = "NAME")]
    engine: Option<String>,
    /// Find the first commit at which this variant of whetstone.toml has not the engine's bench
    #[arg(long, value_name = "NAME")]
    variant: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

pub(crate) fn run(args: &BisectArgs, printer: Printer) -> Result<Exit, Failure> {
    let mut project = Project::open()?;
    project.set_engine(args.engine.as_deref())?;
    let Project {
        repository,
        settings,
    } = project;
    let row = row(&repository, &args.good, &args.bad)?;
    let note = |text: &str| printer.detail(text);
    let measurer = Measurer::new(&repository, &settings, &note);
    if let Some(name) = &args.variant {
        let names = [name.clone()];
        let variant = only(settings.own_variants(&names)?)?;
        let other = Measurer::new(&repository, &variant, &note);
        return by_variant(args, &row, &measurer, &other, printer);
    }
    let good = match measurer.one(&args.good, cores())? {
        Measurement::Bench(bench) => bench,
        other => {
            return Err(Failure::unable(format!(
                "`{}` has no bench to compare with: {}",
                args.good,
                described(&other)
            ))
            .hint("give an earlier commit that builds"));
        }
    };
    printer.note(&format!("{good:>12}  {} (good)", args.good));
    let mut benches = HashMap::new();
    let found = search(row.len(), |index| {
        let commit = &row[index];
        let outcome = measurer.one(&commit.id, cores())?;
        printer.note(&format!(
            "{:>12}  {} {}",
            described(&outcome),
            commit.short(),
            report::plain(commit.subject())
        ));
        benches.insert(index, outcome.bench());
        Ok(match outcome.bench() {
            Some(bench) if bench == good => Probe::Same,
            Some(_) => Probe::Differs,
            None => Probe::Untestable,
        })
    })?;
    let outcome = Outcome {
        good,
        tested: benches.len() + 1,
        bench_of: &|index| benches.get(&index).copied().flatten(),
        moved: &|bench| match bench {
            Some(bench) => format!("the bench went from {good} to {bench}"),
            None => format!("the bench was {good} before"),
        },
        nowhere: format!("no commit differs: the bench is {good} at both ends"),
    };
    outcome.print(args, &found, &row, printer)
}

/// The one variant that is asked for.
fn only(variants: Vec<(String, Settings)>) -> Result<Settings, Failure> {
    let mut variants = variants.into_iter();
    match (variants.next(), variants.next()) {
        (Some((_, variant)), None) => Ok(variant),
        _ => Err(Failure::unable("--variant takes one variant here").hint("name one of them")),
    }
}

/// The first commit at which the bench of a variant is not that of the engine.
fn by_variant(
    args: &BisectArgs,
    row: &[Commit],
    measurer: &Measurer<'_>,
    other: &Measurer<'_>,
    printer: Printer,
) -> Result<Exit, Failure> {
    let name = args.variant.as_deref().unwrap_or_default();
    let both = |commit: &str| -> Result<(Measurement, Measurement), Failure> {
        Ok((measurer.one(commit, cores())?, other.one(commit, cores())?))
    };
    let note = |(own, variant): &(Measurement, Measurement), what: &str| {
        printer.note(&format!(
            "{:>12} {:>12}  {what}",
            described(own),
            described(variant)
        ));
    };
    let good = both(&args.good)?;
    note(&good, &format!("{} (good)", args.good));
    let Some(bench) = good.0.bench().filter(|own| good.1.bench() == Some(*own)) else {
        return Err(Failure::unable(format!(
            "at `{}` the engine and its variant `{name}` already differ: {} and {}",
            args.good,
            described(&good.0),
            described(&good.1)
        ))
        .hint("give an earlier commit at which they agree"));
    };
    let mut benches = HashMap::new();
    let found = search(row.len(), |index| {
        let commit = &row[index];
        let outcomes = both(&commit.id)?;
        note(
            &outcomes,
            &format!("{} {}", commit.short(), report::plain(commit.subject())),
        );
        let probe = match (&outcomes.0, &outcomes.1) {
            (Measurement::Bench(own), Measurement::Bench(variant)) if own == variant => Probe::Same,
            // A commit that cannot be built gives no answer; a bench that crashes is one.
            (Measurement::Bench(_), Measurement::BuildFailed { .. }) => Probe::Untestable,
            (Measurement::Bench(_), _) => Probe::Differs,
            _ => Probe::Untestable,
        };
        benches.insert(index, outcomes.1.bench());
        Ok(probe)
    })?;
    let outcome = Outcome {
        good: bench,
        tested: benches.len() + 1,
        bench_of: &|index| benches.get(&index).copied().flatten(),
        moved: &|bench| match bench {
            Some(bench) => format!("the variant `{name}` gives {bench} there"),
            None => format!("the variant `{name}` gives no bench there"),
        },
        nowhere: format!("no commit differs: the variant `{name}` agrees at both ends"),
    };
    outcome.print(args, &found, row, printer)
}

/// The report on a finished search.
struct Outcome<'a> {
    good: u64,
    tested: usize,
    bench_of: &'a dyn Fn(usize) -> Option<u64>,
    /// What happened at the commit that was found, by its bench.
    moved: &'a dyn Fn(Option<u64>) -> String,
    nowhere: String,
}

impl Outcome<'_> {
    fn print(
        &self,
        args: &BisectArgs,
        found: &Found,
        row: &[Commit],
        printer: Printer,
    ) -> Result<Exit, Failure> {
        let candidates: Vec<usize> = match found {
            Found::First(index) => vec![*index],
            Found::Among(indices) => indices.clone(),
            Found::Nowhere => Vec::new(),
        };
        let first = match found {
            Found::First(index) => Some(&row[*index]),
            _ => None,
        };
        let bench = candidates.last().and_then(|index| (self.bench_of)(*index));
        if args.json {
            printer.result(&report::object(&Bisection {
                good_bench: self.good,
                commit: first.map(|commit| commit.id.as_str()),
                subject: first.map(Commit::subject),
                bench,
                candidates: candidates
                    .iter()
                    .map(|index| row[*index].id.as_str())
                    .collect(),
                tested: self.tested,
            })?);
        } else {
            printer.result(&self.text(found, row, bench));
        }
        Ok(if *found == Found::Nowhere {
            Exit::No
        } else {
            Exit::Yes
        })
    }

    fn text(&self, found: &Found, row: &[Commit], bench: Option<u64>) -> String {
        let named = |index: &usize| {
            let subject = report::plain(row[*index].subject());
            format!("{} {subject}", row[*index].id)
        };
        let moved = (self.moved)(bench);
        match found {
            Found::First(index) => format!("{}\n{moved}", named(index)),
            Found::Among(indices) => {
                let names: Vec<_> = indices.iter().map(named).collect();
                format!(
                    "{}\n{moved}, in one of these: all but the last cannot be tested",
                    names.join("\n")
                )
            }
            Found::Nowhere => self.nowhere.clone(),
        }
    }
}

/// The commits after `good` up to `bad`, by first parents, so that each one builds on the one
/// before.
fn row(repository: &Repository, good: &str, bad: &str) -> Result<Vec<Commit>, Failure> {
    let range = Range::Since {
        from: good.to_owned(),
        tip: bad.to_owned(),
    };
    let mut commits: HashMap<String, Commit> = repository
        .commits(&range)?
        .into_iter()
        .map(|commit| (commit.id.clone(), commit))
        .collect();
    let mut row = Vec::new();
    let mut next = Some(repository.resolve_commit(bad)?);
    while let Some(commit) = next.and_then(|id| commits.remove(&id)) {
        next = commit.parents.first().cloned();
        row.push(commit);
    }
    row.reverse();
    if row.is_empty() {
        return Err(
            Failure::unable(format!("there is no commit between `{good}` and `{bad}`"))
                .hint("the good commit comes first, and must be an ancestor of the bad one"),
        );
    }
    // The commits of a branch that was merged, or another branch, would be taken for changes of `good`.
    let before = row[0].parents.first();
    if before != Some(&repository.resolve_commit(good)?) {
        let before = before.map_or("none", String::as_str);
        return Err(Failure::unable(format!(
            "`{good}` is not among the first parents of `{bad}`"
        ))
        .hint(format!(
            "those end at {before}, which could be the good commit"
        )));
    }
    Ok(row)
}

fn described(outcome: &Measurement) -> String {
    match outcome {
        Measurement::Bench(bench) | Measurement::Unrepeatable { bench, .. } => bench.to_string(),
        Measurement::Differing(_) => "not deterministic".to_owned(),
        Measurement::BuildFailed { .. } => "build failed".to_owned(),
        Measurement::BenchFailed { .. } => "bench failed".to_owned(),
        Measurement::NotRun => "not run".to_owned(),
    }
}
