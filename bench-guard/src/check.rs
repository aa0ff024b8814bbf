//! Audits the commits of a range: what each one claims, what it owes, and what its engine prints.
//!
//! The flow: messages are read and duties decided (this is pure and fast, and all that `--no-build`
//! does), then the trees whose bench matters are built and benched by several workers, then each
//! commit is judged against its first parent, and last the range as a whole is checked for a bench
//! that never moves.

mod bound;
mod claims;
mod insensitive;
mod measure;
mod places;
mod proof;
mod quoted;
mod report;
mod request;
mod reused;
mod unproved;
mod variants;
mod verdict;

use std::collections::HashMap;

use claims::Claims;
pub(crate) use measure::{Measurement, Measurer};
pub(crate) use report::{Checked, Report};
pub(crate) use request::{Benches, Request};
pub(crate) use variants::VariantBench;
pub(crate) use verdict::{BenchVerdict, Facts, Judgement, judge};

use crate::{build, repository::Repository, settings::Settings};
use foundation::{Failure, pool};

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
    let claims = Claims::of(repository, settings, request)?;
    let outcomes = match request.benches {
        Benches::None => HashMap::new(),
        Benches::Known => known(repository, settings, &claims.wanted(repository)?)?,
        Benches::Built => {
            let mut measurer = Measurer::new(repository, settings, progress);
            (measurer.fresh, measurer.repro) = (request.fresh, request.repro);
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
    let mut outcomes = HashMap::new();
    for id in wanted {
        let revision = repository.resolve(id)?;
        let own = settings.as_of(repository, &revision)?;
        let known = build::known(&revision, &own.build_settings(pool::cores()));
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
    let tip = report.commits.last();
    let Some(tip) = tip.filter(|_| !settings.paths.is_all()) else {
        return Ok(Vec::new());
    };
    let files = repository.files(&tip.commit.id)?;
    let settings = settings.as_of(repository, &repository.resolve(&tip.commit.id)?)?;
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
